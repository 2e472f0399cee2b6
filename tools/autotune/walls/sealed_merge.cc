#include "tools/autotune/walls/sealed_merge.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "base/status_macros.h"
#include "tools/autotune/walls/scope_check.h"
#include "tools/git/integration.h"

namespace autotune {
namespace {

constexpr char kNothing[] = "000000";

bool IsBelow(const std::string& path, const std::string& folder) {
  return absl::StartsWith(path, folder + "/");
}

// Whether a file at `path` cannot be there together with one of `restored`.
bool StandsInTheWay(const std::string& path,
                    const std::set<std::string>& restored) {
  return std::any_of(restored.begin(), restored.end(),
                     [&path](const std::string& file) {
                       return IsBelow(file, path) || IsBelow(path, file);
                     });
}

TreeEntryEdit TipsOwn(const TreeChange& change) {
  return {change.path, change.old_mode, change.old_object};
}

// Removals come first: they make room for what is put back.
std::vector<TreeEntryEdit> EditsBack(const std::vector<TreeChange>& changes,
                                     const std::set<std::string>& forbidden) {
  std::set<std::string> restored;
  for (const TreeChange& change : changes) {
    if (change.status != 'A' && forbidden.contains(change.path)) {
      restored.insert(change.path);
    }
  }
  std::vector<TreeEntryEdit> edits;
  for (const TreeChange& change : changes) {
    const bool goes =
        change.status == 'A' && (forbidden.contains(change.path) ||
                                 StandsInTheWay(change.path, restored));
    if (goes) edits.push_back({change.path, kNothing, ""});
  }
  for (const TreeChange& change : changes) {
    if (restored.contains(change.path)) edits.push_back(TipsOwn(change));
  }
  return edits;
}

}  // namespace

absl::StatusOr<SealedTree> LayTipOver(const Repository& repository,
                                      const Scope& scope,
                                      const std::string& tip_tree,
                                      const std::string& merged) {
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(tip_tree, merged));
  ASSIGN_OR_RETURN(const JudgedChanges judged,
                   JudgeChanges(repository, scope, changes));
  SealedTree sealed{merged, {}};
  std::set<std::string> forbidden;
  for (const ScopeViolation& violation : judged.violations) {
    forbidden.insert(violation.path);
    sealed.taken_back.push_back(violation.path + ": " + violation.reason);
  }
  if (forbidden.empty()) return sealed;
  ASSIGN_OR_RETURN(
      sealed.tree,
      WriteTreeEntries(repository, merged, EditsBack(changes, forbidden)));
  return sealed;
}

absl::StatusOr<SealedMerge> MergeUnderSeal(const Repository& repository,
                                           const TaskState& state,
                                           const Attempt& attempt) {
  SealedMerge sealed;
  ASSIGN_OR_RETURN(sealed.merge,
                   MergeTrees(repository, state.tip, attempt.head));
  if (!sealed.merge.clean()) return sealed;
  ASSIGN_OR_RETURN(const std::string tip_tree, repository.TreeOf(state.tip));
  ASSIGN_OR_RETURN(SealedTree laid_over,
                   LayTipOver(repository, AttemptScope(state, attempt),
                              tip_tree, sealed.merge.tree));
  sealed.merge.tree = laid_over.tree;
  sealed.merge.tree_with_markers = laid_over.tree;
  sealed.taken_back = std::move(laid_over.taken_back);
  return sealed;
}

}  // namespace autotune
