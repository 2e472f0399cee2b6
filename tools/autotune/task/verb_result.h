#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_VERB_RESULT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_VERB_RESULT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "tools/report/error_report.h"  // IWYU pragma: export
#include "tools/report/next_steps.h"    // IWYU pragma: export
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {

// Named values of a verb's --json object, in the order in which they were
// added. Values are kept as JSON text, so that no JSON library is in headers.
class JsonFields {
 public:
  void Add(std::string_view name, std::string_view value);
  void Add(std::string_view name, const std::string& value) {
    Add(name, std::string_view(value));
  }
  void Add(std::string_view name, const char* value) {
    Add(name, std::string_view(value));
  }
  void Add(std::string_view name, double value);  // finite
  void Add(std::string_view name, std::int64_t value);
  void Add(std::string_view name, bool value);
  void Add(std::string_view name, const std::vector<std::string>& value);
  void Add(std::string_view name, const std::vector<JsonFields>& value);
  void Add(std::string_view name, const JsonFields& value);

  bool empty() const { return fields_.empty(); }
  // {"name": value, ...} on one line.
  std::string ToJson() const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// What a verb did: a value, printed by PrintResult.
struct VerbResult {
  ExitCode exit_code = kExitKeep;
  // "keep", "discard", "inconclusive", "crash", "violation"; empty for verbs
  // that decide nothing.
  std::string decision;
  std::string reason;
  std::vector<std::string> lines;  // text output, about 20 lines at most
  JsonFields fields;               // what --json says beyond the common keys
  std::vector<NextStep> next;
  std::string worktree;  // where to work on; empty: where the user stands
};

// Prints `result` on terminal.out: its lines and next steps, or with `json` one
// object {schema_version, ok, verb, decision?, reason?, ..., next}.
void PrintResult(const VerbResult& result, std::string_view verb, bool json,
                 Terminal& terminal);

// Prints the error and its hint on terminal.err, or with `json` the object
// {schema_version, ok: false, error: {code, message, hint}} on terminal.out.
// Returns the exit code.
ExitCode PrintError(const absl::Status& status, bool json, Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_VERB_RESULT_H_
