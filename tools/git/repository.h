#ifndef AUTOTUNE_TOOLS_GIT_REPOSITORY_H_
#define AUTOTUNE_TOOLS_GIT_REPOSITORY_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"

namespace autotune {

// One path that differs between two trees (`diff-tree -r -z`, renames off, so a
// rename is a deletion and an addition). Modes are git's octal text, "000000"
// where the path does not exist.
struct TreeChange {
  std::string path;   // raw bytes, never quoted
  char status = 'M';  // A, D, M or T
  std::string old_mode;
  std::string new_mode;
  std::string old_object;
  std::string new_object;
};

// One commit of a history.
struct CommitInfo {
  std::string commit;
  std::string tree;
  std::vector<std::string> parents;
  std::string author_name;
  std::string author_email;
  std::string author_date;  // "@SECONDS +ZONE", as git reads it back
  std::string message;      // subject, body and final newline
};

// One call of git. `directory` is where it runs (empty: the top level);
// `environment` is set on top of ours.
struct GitCall {
  std::vector<std::string> arguments;
  std::string standard_input;
  std::map<std::string, std::string> environment;
  std::string directory;
};

// The user's own git, driven by argv: no shell, no hooks, no background
// maintenance, no signing, -z everywhere, messages in English. The caller's
// GIT_* variables are removed, but for those that say who commits and where
// the configuration lies.
class Repository {
 public:
  // The repository that holds `directory` (work tree, a folder inside it, or a
  // linked worktree). FailedPrecondition when there is none, it is bare, or git
  // is older than 2.38; NotFound when git is not installed.
  // All files of ours that its functions touch go through `files`; git itself
  // writes its own.
  static absl::StatusOr<Repository> Open(ProcessRunner& processes,
                                         FileSystem& files,
                                         const std::string& directory);

  const std::string& top_level() const { return top_level_; }
  // The folder that all worktrees share.
  const std::string& common_dir() const { return common_dir_; }
  // The folder of this worktree's HEAD and index.
  const std::string& git_dir() const { return git_dir_; }
  FileSystem& files() const { return *files_; }

  // Runs git and returns how it ended, whatever the exit code.
  absl::StatusOr<ProcessResult> Run(const GitCall& call) const;
  // Runs git and returns stdout. Exit code other than 0: FailedPrecondition
  // with the command and git's own first line; Unavailable when another git
  // process holds a lock.
  absl::StatusOr<std::string> Output(const GitCall& call) const;

  // The same for a call at the top level.
  absl::StatusOr<std::string> Git(const std::vector<std::string>& arguments,
                                  std::string_view standard_input = {}) const;
  absl::StatusOr<ProcessResult> GitResult(
      const std::vector<std::string>& arguments,
      std::string_view standard_input = {},
      const std::map<std::string, std::string>& environment = {}) const;

  // Full SHA of the commit `revision` names; nothing when it names none.
  absl::StatusOr<std::optional<std::string>> ResolveCommit(
      const std::string& revision) const;
  // For each of `names`, in order, whether it is the full or abbreviated SHA
  // of a commit that is here. One call of git for all of them.
  absl::StatusOr<std::vector<bool>> HasCommits(
      const std::vector<std::string>& names) const;
  absl::StatusOr<std::string> TreeOf(const std::string& commit) const;
  // Bytes of a blob in a commit or tree; NotFound when the path is not there
  // or no file.
  absl::StatusOr<std::string> ReadBlob(const std::string& treeish,
                                       const std::string& path) const;
  // Paths below `prefix` ("" for all), sorted by bytes.
  absl::StatusOr<std::vector<std::string>> ListPaths(
      const std::string& treeish, const std::string& prefix) const;
  // Sorted by path. A treeish may be a commit or a tree.
  absl::StatusOr<std::vector<TreeChange>> DiffTrees(
      const std::string& from, const std::string& to) const;
  // Branch checked out in the user's work tree, without "refs/heads/", even
  // when it has no commit yet; nothing when detached.
  absl::StatusOr<std::optional<std::string>> CurrentBranch() const;
  // Refs below `prefix` ("refs/heads/autotune/"), name and SHA, sorted.
  absl::StatusOr<std::vector<std::pair<std::string, std::string>>> ListRefs(
      const std::string& prefix) const;

  // Whether `ancestor` is reachable from `descendant` (or is it).
  absl::StatusOr<bool> IsAncestor(const std::string& ancestor,
                                  const std::string& descendant) const;
  // The commits that `revisions` select (rev-list arguments: "--first-parent",
  // "A..B"), newest first, parents never before children.
  absl::StatusOr<std::vector<CommitInfo>> History(
      const std::vector<std::string>& revisions) const;
  // Last value of a configuration key; nothing when unset.
  absl::StatusOr<std::optional<std::string>> Config(
      const std::string& key) const;

  // FailedPrecondition, with the commands that set one, when git knows no
  // author or committer identity.
  absl::Status CheckIdentity() const;

 private:
  Repository(ProcessRunner& processes, FileSystem& files)
      : processes_(&processes), files_(&files) {}

  absl::Status CheckVersion() const;
  absl::Status CheckWorkTree(const std::string& directory) const;
  absl::StatusOr<std::string> PathOption(
      const std::string& directory,
      const std::vector<std::string>& options) const;

  ProcessRunner* processes_;
  FileSystem* files_;
  std::string top_level_;
  std::string common_dir_;
  std::string git_dir_;
};

// The error for a call that ended with `result`, as Repository::Output says it.
absl::Status GitError(const GitCall& call, const ProcessResult& result);

// The parts of `text` that end with a NUL byte (a missing last one forgiven).
std::vector<std::string> SplitNul(std::string_view text);

// `name` with "refs/heads/" before it.
std::string BranchRef(const std::string& name);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_REPOSITORY_H_
