#ifndef AUTOTUNE_TOOLS_PROGRAM_VERB_RESULT_H_
#define AUTOTUNE_TOOLS_PROGRAM_VERB_RESULT_H_

#include <string>
#include <string_view>
#include <vector>

#include "tools/report/error_report.h"  // IWYU pragma: export
#include "tools/report/json_writer.h"   // IWYU pragma: export
#include "tools/report/next_step.h"     // IWYU pragma: export
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {

// What a verb did: a value, printed by PrintResult.
struct VerbResult {
  ExitCode exit_code = kExitKeep;
  // "keep", "discard", "inconclusive", "crash", "violation"; empty for verbs
  // that decide nothing.
  std::string decision;
  std::string reason;
  std::vector<std::string> lines;  // text output, about 20 lines at most
  // What --json says beyond the common keys.
  JsonWriter fields = JsonWriter::OfMembers();
  std::vector<NextStep> next;
  std::string worktree;  // where to work on; empty: where the user stands
};

// Prints `result` on terminal.out: its lines and next steps, or with `json` one
// object {schema_version, ok, verb, decision?, reason?, ..., next}.
void PrintResult(const VerbResult& result, std::string_view verb, bool json,
                 Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_PROGRAM_VERB_RESULT_H_
