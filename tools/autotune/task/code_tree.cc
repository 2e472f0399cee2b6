#include "tools/autotune/task/code_tree.h"

#include <vector>

#include "absl/strings/match.h"
#include "base/status_macros.h"
#include "tools/git/integration.h"

namespace autotune {
namespace {

constexpr char kLedgerFolder[] = "docs/autotune/";

}  // namespace

absl::StatusOr<std::string> CodeTree(const Repository& repository,
                                     const std::string& treeish) {
  ASSIGN_OR_RETURN(const std::string tree, repository.TreeOf(treeish));
  ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                   repository.ListPaths(tree, kLedgerFolder));
  std::vector<TreeEdit> edits;
  for (const std::string& path : paths) {
    edits.push_back({path, std::nullopt, "100644"});
  }
  return edits.empty() ? tree : WriteTree(repository, tree, edits);
}

absl::StatusOr<std::string> WithLedgerOf(const Repository& repository,
                                         const std::string& code,
                                         const std::string& treeish) {
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(code, treeish));
  std::vector<TreeEntryEdit> edits;
  for (const TreeChange& change : changes) {
    if (absl::StartsWith(change.path, kLedgerFolder)) {
      edits.push_back({change.path, change.new_mode, change.new_object});
    }
  }
  return edits.empty() ? code : WriteTreeEntries(repository, code, edits);
}

}  // namespace autotune
