#include "tools/git/tree_merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/git/repository.h"
#include "tools/system/file_system.h"
#include "tools/system/private_folder.h"

namespace autotune {
namespace {

// A git folder with no attributes, no refs and no settings of the user.
class BorrowedRepository {
 public:
  static absl::StatusOr<BorrowedRepository> Make(const Repository& repository) {
    ASSIGN_OR_RETURN(PrivateFolder scratch,
                     PrivateFolder::Make(repository.files()));
    BorrowedRepository borrowed(repository, std::move(scratch));
    RETURN_IF_ERROR(borrowed.Fill());
    return borrowed;
  }

  absl::StatusOr<TreeMerge> Merge(const std::string& ours,
                                  const std::string& theirs) const {
    const GitCall call = Call({"merge-tree", "--write-tree", "-z",
                               "--name-only", "--no-messages", ours, theirs});
    ASSIGN_OR_RETURN(const ProcessResult result, repository_.Run(call));
    if (result.exit_code > 1 || result.timed_out) return GitError(call, result);
    return ReadMerge(result);
  }

  // A commit that only this merge looks at: same bytes for the same tree.
  absl::StatusOr<std::string> Commit(const std::string& tree,
                                     const std::string& parent) const {
    std::vector<std::string> arguments = {"commit-tree", tree, "-m", "merge"};
    if (!parent.empty()) arguments.insert(arguments.end(), {"-p", parent});
    GitCall call = Call(std::move(arguments));
    for (const char* role : {"AUTHOR", "COMMITTER"}) {
      call.environment[absl::StrCat("GIT_", role, "_NAME")] = "autotune";
      call.environment[absl::StrCat("GIT_", role, "_EMAIL")] = "autotune";
      call.environment[absl::StrCat("GIT_", role, "_DATE")] = "@0 +0000";
    }
    ASSIGN_OR_RETURN(std::string commit, repository_.Output(call));
    commit.pop_back();
    return commit;
  }

 private:
  BorrowedRepository(const Repository& repository, PrivateFolder scratch)
      : repository_(repository), scratch_(std::move(scratch)) {}

  std::string Path(const char* name) const {
    return JoinPath(scratch_.path(), name);
  }

  absl::Status Fill() {
    FileSystem& files = scratch_.files();
    for (const char* folder : {"git/refs", "git/objects", "empty"}) {
      RETURN_IF_ERROR(files.MakeDirectories(Path(folder)));
    }
    RETURN_IF_ERROR(
        files.WriteFile(Path("git/HEAD"), "ref: refs/heads/none\n"));
    RETURN_IF_ERROR(CopyShallow(files));
    ASSIGN_OR_RETURN(const std::string config, ConfigText());
    return files.WriteFile(Path("git/config"), config);
  }

  // Where a shallow clone's history ends.
  absl::Status CopyShallow(FileSystem& files) {
    const std::string from = JoinPath(repository_.common_dir(), "shallow");
    if (!files.Exists(from)) return absl::OkStatus();
    return files.CopyFile(from, Path("git/shallow"));
  }

  // The object format, and for a partial clone where missing objects come from.
  absl::StatusOr<std::string> ConfigText() {
    std::string text = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n";
    ASSIGN_OR_RETURN(const std::optional<std::string> format,
                     repository_.Config("extensions.objectFormat"));
    if (format.has_value()) {
      absl::StrAppend(&text, "[extensions]\n\tobjectFormat = ", *format, "\n");
    }
    ASSIGN_OR_RETURN(const ProcessResult promisor,
                     repository_.GitResult({"config", "--get-regexp",
                                            "^remote\\..*\\.promisor$"}));
    partial_ = promisor.succeeded();
    return text;
  }

  GitCall Call(std::vector<std::string> arguments) const {
    std::vector<std::string> all = {"-c", "core.attributesFile=/dev/null",
                                    "-c", "merge.renames=true",
                                    "-c", "merge.directoryRenames=conflict",
                                    "-c", "merge.renormalize=false",
                                    "-c", "merge.conflictStyle=merge",
                                    "-c", "merge.default=text",
                                    "-c", "merge.renameLimit=0",
                                    "-c", "diff.renameLimit=0"};
    if (partial_) {
      const std::string config = JoinPath(repository_.common_dir(), "config");
      all.insert(all.begin(), {"-c", absl::StrCat("include.path=", config)});
    }
    all.insert(all.end(), std::make_move_iterator(arguments.begin()),
               std::make_move_iterator(arguments.end()));
    return {std::move(all), {}, Environment(), Path("empty")};
  }

  std::map<std::string, std::string> Environment() const {
    return {
        {"GIT_DIR", Path("git")},
        {"GIT_OBJECT_DIRECTORY", JoinPath(repository_.common_dir(), "objects")},
        {"GIT_CONFIG_GLOBAL", "/dev/null"},
        {"GIT_CONFIG_NOSYSTEM", "1"},
        {"GIT_ATTR_NOSYSTEM", "1"}};
  }

  // "TREE\0PATH\0PATH\0..." with paths only on conflict.
  static absl::StatusOr<TreeMerge> ReadMerge(const ProcessResult& result) {
    std::vector<std::string> parts = SplitNul(result.standard_output);
    if (parts.empty() || (parts.size() > 1) != (result.exit_code == 1)) {
      return absl::InternalError("git merge-tree: cannot read its answer");
    }
    TreeMerge merge;
    merge.tree_with_markers = parts.front();
    if (result.exit_code == 0) merge.tree = parts.front();
    merge.conflicts.assign(parts.begin() + 1, parts.end());
    std::sort(merge.conflicts.begin(), merge.conflicts.end());
    return merge;
  }

  const Repository& repository_;
  PrivateFolder scratch_;
  bool partial_ = false;
};

absl::StatusOr<std::string> CommitSha(const Repository& repository,
                                      const std::string& revision) {
  ASSIGN_OR_RETURN(const std::optional<std::string> commit,
                   repository.ResolveCommit(revision));
  if (commit.has_value()) return *commit;
  return absl::NotFoundError(
      absl::StrCat(revision, ": there is no such commit in the repository"));
}

}  // namespace

absl::StatusOr<TreeMerge> MergeTrees(const Repository& repository,
                                     const std::string& ours,
                                     const std::string& theirs) {
  // The borrowed repository knows no refs.
  ASSIGN_OR_RETURN(const std::string our_sha, CommitSha(repository, ours));
  ASSIGN_OR_RETURN(const std::string their_sha, CommitSha(repository, theirs));
  ASSIGN_OR_RETURN(const auto borrowed, BorrowedRepository::Make(repository));
  return borrowed.Merge(our_sha, their_sha);
}

absl::StatusOr<TreeMerge> MergeTreesOver(const Repository& repository,
                                         const std::string& base,
                                         const std::string& ours,
                                         const std::string& theirs) {
  ASSIGN_OR_RETURN(const std::string base_tree, repository.TreeOf(base));
  ASSIGN_OR_RETURN(const std::string our_tree, repository.TreeOf(ours));
  ASSIGN_OR_RETURN(const std::string their_tree, repository.TreeOf(theirs));
  ASSIGN_OR_RETURN(const auto borrowed, BorrowedRepository::Make(repository));
  ASSIGN_OR_RETURN(const std::string root, borrowed.Commit(base_tree, {}));
  ASSIGN_OR_RETURN(const std::string left, borrowed.Commit(our_tree, root));
  ASSIGN_OR_RETURN(const std::string right, borrowed.Commit(their_tree, root));
  return borrowed.Merge(left, right);
}

}  // namespace autotune
