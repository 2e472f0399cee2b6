#include "tools/git/worktree.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/git/repository.h"
#include "tools/system/file_system.h"
#include "tools/system/private_folder.h"

namespace autotune {
namespace {

constexpr std::string_view kLfsHead =
    "version https://git-lfs.github.com/spec/";
constexpr std::size_t kLfsLimitBytes = 1024;

// Adds one "key value" line of `worktree list --porcelain` to `worktree`.
void TakeAttribute(const std::string& line, Worktree& worktree, bool& bare) {
  absl::string_view value = line;
  if (absl::ConsumePrefix(&value, "worktree ")) {
    worktree.path = std::string(value);
  } else if (absl::ConsumePrefix(&value, "HEAD ")) {
    worktree.head = std::string(value);
  } else if (absl::ConsumePrefix(&value, "branch ")) {
    worktree.branch = std::string(value);
  } else if (line == "bare") {
    bare = true;
  } else if (absl::ConsumePrefix(&value, "locked")) {
    worktree.locked = true;
  }
}

absl::StatusOr<bool> IsLinked(const Repository& repository,
                              const std::string& path) {
  ASSIGN_OR_RETURN(const auto worktrees, ListWorktrees(repository));
  FileSystem& files = repository.files();
  const std::string wanted = files.RealPath(path);
  return std::any_of(
      worktrees.begin(), worktrees.end(), [&](const Worktree& worktree) {
        return !worktree.main && files.RealPath(worktree.path) == wanted;
      });
}

// A clone that borrows the fetched repository's objects: no download, and
// nothing written to the user's configuration.
absl::Status CloneSubmodule(const Repository& repository,
                            const Submodule& submodule,
                            const std::string& directory) {
  RETURN_IF_ERROR(repository
                      .Git({"clone", "-q", "--shared", "--no-checkout",
                            "--template=", "--", submodule.git_dir, directory})
                      .status());
  return repository
      .Output(
          {{"checkout", "-q", "--detach", submodule.commit}, {}, {}, directory})
      .status();
}

absl::Status FillSubmodules(const Repository& repository,
                            const std::string& path) {
  ASSIGN_OR_RETURN(
      std::string head,
      repository.Output({{"rev-parse", "--verify", "HEAD"}, {}, {}, path}));
  head.pop_back();
  ASSIGN_OR_RETURN(const auto submodules, ListSubmodules(repository, head));
  for (const Submodule& submodule : submodules) {
    if (submodule.git_dir.empty()) continue;
    const absl::Status filled =
        CloneSubmodule(repository, submodule, JoinPath(path, submodule.path));
    RETURN_IF_ERROR(Annotate(filled, "submodule " + submodule.path));
  }
  return absl::OkStatus();
}

// What `git checkout` of `treeish` would write into an empty `directory`.
// Attributes are read from the new index, never from the user's files.
absl::Status CheckOut(const Repository& repository, const std::string& git_dir,
                      const std::string& treeish,
                      const std::string& directory) {
  ASSIGN_OR_RETURN(const PrivateFolder scratch,
                   PrivateFolder::Make(repository.files()));
  GitCall call;
  call.arguments = {"-c",        "core.sparseCheckout=false",
                    "-c",        "core.bare=false",
                    "read-tree", "--reset",
                    "-u",        treeish};
  call.environment = {{"GIT_DIR", git_dir},
                      {"GIT_WORK_TREE", directory},
                      {"GIT_INDEX_FILE", JoinPath(scratch.path(), "index")}};
  call.directory = directory;
  return repository.Output(call).status();
}

// Blobs of `treeish` small enough to be LFS pointers, by path.
absl::StatusOr<std::vector<std::string>> SmallFiles(
    const Repository& repository, const std::string& treeish) {
  ASSIGN_OR_RETURN(
      const std::string output,
      repository.Git({"ls-tree", "-r", "-l", "-z", "--full-tree", treeish}));
  std::vector<std::string> paths;
  for (const std::string& entry : SplitNul(output)) {
    // "100644 blob SHA   SIZE\tPATH"
    const std::size_t tab = entry.find('\t');
    const std::vector<std::string> fields =
        absl::StrSplit(entry.substr(0, tab), ' ', absl::SkipEmpty());
    std::size_t size = 0;
    const bool small = absl::SimpleAtoi(fields.back(), &size) &&
                       size >= kLfsHead.size() && size < kLfsLimitBytes;
    if (small) paths.push_back(entry.substr(tab + 1));
  }
  return paths;
}

}  // namespace

absl::StatusOr<std::vector<Worktree>> ListWorktrees(
    const Repository& repository) {
  ASSIGN_OR_RETURN(const std::string output,
                   repository.Git({"worktree", "list", "--porcelain", "-z"}));
  std::vector<Worktree> worktrees;
  Worktree current;
  current.main = true;  // git lists it first
  bool bare = false;
  for (const std::string& line : SplitNul(output)) {
    if (!line.empty()) {
      TakeAttribute(line, current, bare);
      continue;
    }
    current.missing = !repository.files().Exists(current.path);
    if (!bare) worktrees.push_back(std::move(current));
    current = {};
    bare = false;
  }
  return worktrees;
}

absl::Status AddWorktree(const Repository& repository, const std::string& path,
                         const std::string& branch) {
  RETURN_IF_ERROR(
      repository.Git({"worktree", "add", "-q", "--", path, branch}).status());
  return FillSubmodules(repository, path);
}

absl::Status RemoveWorktree(const Repository& repository,
                            const std::string& path) {
  ASSIGN_OR_RETURN(const bool linked, IsLinked(repository, path));
  const bool there = repository.files().Exists(path);
  if (!linked && !there) return absl::OkStatus();
  if (!linked) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, ": is no linked worktree of this repository; it is left alone"));
  }
  // The files first: git refuses a worktree whose .git file is gone already,
  // as after a removal that was interrupted.
  RETURN_IF_ERROR(repository.files().RemoveAll(path));
  // Twice: a worktree stays locked when its creation was interrupted.
  return repository
      .Git({"worktree", "remove", "--force", "--force", "--", path})
      .status();
}

absl::Status ExportTree(const Repository& repository,
                        const std::string& treeish,
                        const std::string& directory) {
  FileSystem& files = repository.files();
  if (files.Exists(directory)) {
    return absl::AlreadyExistsError(absl::StrCat(
        directory, ": expected a new folder for the files of ", treeish));
  }
  RETURN_IF_ERROR(files.MakeDirectories(directory));
  RETURN_IF_ERROR(
      CheckOut(repository, repository.git_dir(), treeish, directory));
  ASSIGN_OR_RETURN(const auto submodules, ListSubmodules(repository, treeish));
  for (const Submodule& submodule : submodules) {
    if (submodule.git_dir.empty()) continue;
    const std::string inner = JoinPath(directory, submodule.path);
    RETURN_IF_ERROR(files.MakeDirectories(inner));
    RETURN_IF_ERROR(Annotate(
        CheckOut(repository, submodule.git_dir, submodule.commit, inner),
        "submodule " + submodule.path));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> ExportWarnings(
    const Repository& repository, const std::string& treeish,
    const std::string& directory) {
  std::vector<std::string> warnings;
  ASSIGN_OR_RETURN(const auto small, SmallFiles(repository, treeish));
  for (const std::string& path : small) {
    const auto text = repository.files().ReadFile(JoinPath(directory, path));
    if (!text.ok() || !text->starts_with(kLfsHead)) continue;
    warnings.push_back(absl::StrFormat(
        "%s: is a Git LFS pointer, not the file; run: git lfs install && git "
        "lfs pull",
        path));
  }
  ASSIGN_OR_RETURN(const auto submodules, ListSubmodules(repository, treeish));
  for (const Submodule& submodule : submodules) {
    if (!submodule.git_dir.empty()) continue;
    warnings.push_back(absl::StrFormat(
        "%s: is an empty submodule here; run: git submodule update --init "
        "--recursive",
        submodule.path));
  }
  return warnings;
}

}  // namespace autotune
