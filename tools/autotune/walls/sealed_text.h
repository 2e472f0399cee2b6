#ifndef AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SEALED_TEXT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SEALED_TEXT_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/walls/source_list.h"
#include "tools/git/repository.h"
#include "tools/git/scope.h"
#include "tools/system/sandbox.h"

namespace autotune {

// A translation unit after the preprocessor, by the files it comes from.
struct UnitText {
  // Of every file, what it adds: one space between words. Files of the tree
  // are named "{tree}/...", what was built "{build}/...".
  std::map<std::string, std::string> text;
  std::set<std::pair<std::string, std::string>> includes;  // by whom, what
};

// Reads the output of `compiler -E`, run in `working_directory`. Pure.
UnitText ParsePreprocessed(std::string_view output,
                           std::string_view working_directory,
                           const CompileCommands& build);

struct SealedFindings {
  std::vector<std::string> violations;
  std::vector<std::string> review;  // for a person, before it may be a keep
};

// How the sealed units of the attempt differ from the tip's, file by file:
//   - violation: a file of the scope that the tip's unit does not hold is
//     included by one that the attempt may not edit (it shadows a header);
//   - violation: a file of the repository that the attempt may not edit, or a
//     header of Google Benchmark or GoogleTest, reads differently (a macro);
//   - review: a header of the scope reads differently in two units, and did
//     not in the tip (it knows what it is compiled for).
// Both maps hold the same units by name. Pure.
SealedFindings CompareSealedUnits(
    const std::map<std::string, UnitText>& tip,
    const std::map<std::string, UnitText>& attempt,
    const std::function<bool(const std::string& path)>& in_scope);

// Whether code asks by what it is compiled or run: it names the benchmark
// library, its macros included, outside comments. Pure.
bool NamesBenchmarkLibrary(std::string_view code);

// What was built of the tree `tree`.
struct BuiltTree {
  std::string tree;
  CompileCommands build;           // folders as its commands see them
  std::string source_directory;    // where the tree lies
  std::optional<Sandbox> sandbox;  // for its commands
};

// Preprocesses the sealed units of both builds (at most 12, benchmarks first),
// when more than sources of the scope changed, and looks at the changed files
// themselves. Where there are no compile commands, an added file that is named
// as sealed code includes another is a violation.
absl::StatusOr<SealedFindings> CheckSealedText(const Session& session,
                                               const Repository& repository,
                                               const Scope& scope,
                                               const BuiltTree& tip,
                                               const BuiltTree& attempt);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SEALED_TEXT_H_
