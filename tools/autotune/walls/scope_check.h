#ifndef AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SCOPE_CHECK_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SCOPE_CHECK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"
#include "tools/git/scope.h"

namespace autotune {

// What an attempt's own commits (B..I) change, judged before any of it is run.
struct ScopeReport {
  std::vector<std::string> violations;  // "PATH: why"; empty: inside the scope
  // Sealed build files inside scope.edit in which only names of source files
  // changed that the attempt may edit.
  std::vector<std::string> source_lists;
  std::vector<std::string> review;  // suspicious additions, for a person
};

absl::StatusOr<ScopeReport> CheckScope(const Repository& repository,
                                       const TaskState& state,
                                       const Attempt& attempt,
                                       const std::string& base);

// Changes judged by a scope, with the source-list rule applied.
struct JudgedChanges {
  std::vector<ScopeViolation> violations;
  std::vector<std::string> source_lists;  // as in ScopeReport
};
absl::StatusOr<JudgedChanges> JudgeChanges(
    const Repository& repository, const Scope& scope,
    const std::vector<TreeChange>& changes);

// Whether the patterns of `scope` let an attempt edit `path`.
bool MayEdit(const Scope& scope, const std::string& path);

// The scope of one attempt of the task.
Scope AttemptScope(const TaskState& state, const Attempt& attempt);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SCOPE_CHECK_H_
