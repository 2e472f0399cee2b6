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

// The user's own git, driven by argv: no shell, no hooks of ours, -z
// everywhere, GIT_* variables of the caller removed, messages in English.
class Repository {
 public:
  // The repository that holds `directory` (work tree, a folder inside it, or a
  // linked worktree). FailedPrecondition when there is none, it is bare, or git
  // is older than 2.38; NotFound when git is not installed.
  static absl::StatusOr<Repository> Open(ProcessRunner& processes,
                                         const std::string& directory);

  const std::string& top_level() const { return top_level_; }
  const std::string& common_dir() const { return common_dir_; }

  // Runs `git ARGUMENTS` at the top level and returns stdout. Exit code other
  // than 0: FailedPrecondition with the command and git's own first line.
  absl::StatusOr<std::string> Git(const std::vector<std::string>& arguments,
                                  std::string_view standard_input = {}) const;
  // The same with the result as it is, and further environment variables.
  absl::StatusOr<ProcessResult> GitResult(
      const std::vector<std::string>& arguments,
      std::string_view standard_input = {},
      const std::map<std::string, std::string>& environment = {}) const;

  // Full SHA of the commit `revision` names; nothing when it names none.
  absl::StatusOr<std::optional<std::string>> ResolveCommit(
      const std::string& revision) const;
  absl::StatusOr<std::string> TreeOf(const std::string& commit) const;
  // Bytes of a blob in a commit or tree; NotFound when the path is not there.
  absl::StatusOr<std::string> ReadBlob(const std::string& treeish,
                                       const std::string& path) const;
  // Paths below `prefix` ("" for all), sorted by bytes.
  absl::StatusOr<std::vector<std::string>> ListPaths(
      const std::string& treeish, const std::string& prefix) const;
  absl::StatusOr<std::vector<TreeChange>> DiffTrees(
      const std::string& from, const std::string& to) const;
  // Branch checked out in the user's work tree; nothing when detached.
  absl::StatusOr<std::optional<std::string>> CurrentBranch() const;
  // Refs below `prefix` ("refs/heads/autotune/"), name and SHA.
  absl::StatusOr<std::vector<std::pair<std::string, std::string>>> ListRefs(
      const std::string& prefix) const;

  // FailedPrecondition, with the commands that set one, when git knows no
  // author or committer identity.
  absl::Status CheckIdentity() const;

 private:
  Repository(ProcessRunner& processes, std::string top_level,
             std::string common_dir);

  ProcessRunner* processes_;
  std::string top_level_;
  std::string common_dir_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_REPOSITORY_H_
