#include "tools/autotune/walls/scope_check.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/walls/source_list.h"
#include "tools/git/diff_review.h"

namespace autotune {
namespace {

// Suspicious additions stored with an attempt.
constexpr std::size_t kMostReviewed = 50;

// The path that a build file in `build_file`'s folder names `name`.
std::string BesideBuildFile(const std::string& build_file,
                            const std::string& name) {
  const std::size_t slash = build_file.rfind('/');
  return slash == std::string::npos ? name
                                    : build_file.substr(0, slash + 1) + name;
}

bool MatchesAny(const std::vector<std::string>& patterns,
                const std::string& path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&path](const std::string& pattern) {
                       return MatchesPathPattern(pattern, path);
                     });
}

// Whether the change of a sealed build file only adds or removes names of
// source files that the attempt may edit.
absl::StatusOr<bool> IsSourceListEdit(const Repository& repository,
                                      const Scope& scope,
                                      const TreeChange& change) {
  const bool edited = change.status == 'M' &&
                      change.old_mode == change.new_mode &&
                      MatchesAny(scope.edit, change.path);
  if (!edited) return false;
  ASSIGN_OR_RETURN(const std::string before,
                   repository.Git({"cat-file", "blob", change.old_object}));
  ASSIGN_OR_RETURN(const std::string after,
                   repository.Git({"cat-file", "blob", change.new_object}));
  const SourceListEdit edit = CompareBuildFiles(before, after);
  return edit.only_source_names &&
         std::all_of(edit.changed_names.begin(), edit.changed_names.end(),
                     [&](const std::string& name) {
                       return MayEdit(scope,
                                      BesideBuildFile(change.path, name));
                     });
}

const TreeChange& ChangeOf(const std::vector<TreeChange>& changes,
                           const std::string& path) {
  return *std::find_if(
      changes.begin(), changes.end(),
      [&path](const TreeChange& change) { return change.path == path; });
}

absl::StatusOr<std::vector<std::string>> Review(const Repository& repository,
                                                const std::string& base,
                                                const std::string& head) {
  ASSIGN_OR_RETURN(const std::vector<AddedLine> lines,
                   AddedLines(repository, base, head));
  std::vector<std::string> review;
  for (const SuspiciousAddition& suspicion : FindSuspiciousAdditions(lines)) {
    if (review.size() == kMostReviewed) break;
    review.push_back(
        OneLine(absl::StrCat(suspicion.added.path, ":", suspicion.added.line,
                             ": ", suspicion.what, ": ", suspicion.added.text),
                200));
  }
  return review;
}

}  // namespace

bool MayEdit(const Scope& scope, const std::string& path) {
  return MatchesAny(scope.edit, path) && !MatchesAny(scope.sealed, path);
}

Scope AttemptScope(const TaskState& state, const Attempt& attempt) {
  return {state.settings.scope_edit, state.settings.scope_sealed,
          state.task.File(attempt.approach)};
}

absl::StatusOr<JudgedChanges> JudgeChanges(
    const Repository& repository, const Scope& scope,
    const std::vector<TreeChange>& changes) {
  JudgedChanges judged;
  for (ScopeViolation& violation : FindScopeViolations(scope, changes)) {
    bool source_list = false;
    if (violation.may_be_source_list) {
      ASSIGN_OR_RETURN(source_list,
                       IsSourceListEdit(repository, scope,
                                        ChangeOf(changes, violation.path)));
    }
    if (source_list) {
      judged.source_lists.push_back(violation.path);
    } else {
      judged.violations.push_back(std::move(violation));
    }
  }
  return judged;
}

absl::StatusOr<ScopeReport> CheckScope(const Repository& repository,
                                       const TaskState& state,
                                       const Attempt& attempt,
                                       const std::string& base) {
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(base, attempt.head));
  ASSIGN_OR_RETURN(
      JudgedChanges judged,
      JudgeChanges(repository, AttemptScope(state, attempt), changes));
  ScopeReport report;
  report.source_lists = std::move(judged.source_lists);
  for (const ScopeViolation& violation : judged.violations) {
    report.violations.push_back(
        absl::StrCat(violation.path, ": ", violation.reason));
  }
  ASSIGN_OR_RETURN(report.review, Review(repository, base, attempt.head));
  return report;
}

}  // namespace autotune
