#include "tools/autotune/task/preflight.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "tools/git/operation.h"
#include "tools/git/worktree.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

constexpr std::size_t kFilesShown = 8;

absl::Status CheckWorktree(const Repository& repository,
                           const Worktree& worktree, const std::string& ref) {
  const bool ours =
      worktree.path == repository.top_level() || worktree.branch == ref;
  return ours && !worktree.missing ? CheckNoOperation(repository, worktree.path)
                                   : absl::OkStatus();
}

// A rebase or bisection elsewhere that will move the branch when it ends.
absl::Status CheckNotHeld(const Repository& repository,
                          const std::string& branch) {
  ASSIGN_OR_RETURN(const auto holding, OperationHolding(repository, branch));
  if (!holding.has_value()) return absl::OkStatus();
  return WithHint(absl::FailedPreconditionError(absl::StrCat(
                      "a ", *holding, " of ", branch, " is in progress")),
                  "finish or abort it, then run this again");
}

std::vector<std::string> ChangedFiles(absl::string_view status) {
  std::vector<std::string> files;
  for (absl::string_view entry : absl::StrSplit(status, '\0')) {
    if (entry.size() > 3) files.emplace_back(entry.substr(3));
  }
  return files;
}

}  // namespace

absl::Status CheckReadyToWrite(const Repository& repository,
                               const std::string& branch) {
  RETURN_IF_ERROR(repository.CheckIdentity());
  RETURN_IF_ERROR(CheckNotHeld(repository, branch));
  const std::string ref = BranchRef(branch);
  ASSIGN_OR_RETURN(const std::vector<Worktree> worktrees,
                   ListWorktrees(repository));
  std::vector<std::string> checkouts;
  for (const Worktree& worktree : worktrees) {
    RETURN_IF_ERROR(CheckWorktree(repository, worktree, ref));
    if (worktree.branch == ref) checkouts.push_back(worktree.path);
  }
  if (checkouts.size() > 1) {
    return WithHint(absl::FailedPreconditionError(
                        absl::StrCat(branch, " is checked out more than once: ",
                                     absl::StrJoin(checkouts, ", "))),
                    "switch all but one of them to another branch");
  }
  return absl::OkStatus();
}

absl::Status CheckAttemptAtRest(const Repository& repository,
                                const std::string& branch) {
  RETURN_IF_ERROR(CheckNotHeld(repository, branch));
  ASSIGN_OR_RETURN(const std::vector<Worktree> worktrees,
                   ListWorktrees(repository));
  for (const Worktree& worktree : worktrees) {
    if (worktree.branch != BranchRef(branch) || worktree.missing) continue;
    RETURN_IF_ERROR(CheckNoOperation(repository, worktree.path));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> UncommittedFiles(
    const Repository& repository, const std::string& path) {
  ASSIGN_OR_RETURN(
      const std::string status,
      repository.Output({{"status", "--porcelain=v1", "-z", "--no-renames",
                          "--untracked-files=all", "--ignore-submodules=none"},
                         {},
                         {},
                         path}));
  return ChangedFiles(status);
}

absl::Status CheckAttemptClean(const Repository& repository,
                               const std::string& branch) {
  ASSIGN_OR_RETURN(const std::vector<Worktree> worktrees,
                   ListWorktrees(repository));
  for (const Worktree& worktree : worktrees) {
    if (worktree.branch != BranchRef(branch) || worktree.missing) continue;
    ASSIGN_OR_RETURN(const std::vector<std::string> files,
                     UncommittedFiles(repository, worktree.path));
    if (files.empty()) continue;
    return WithHint(
        absl::FailedPreconditionError(absl::StrCat(
            worktree.path, ": ", CountText(files.size(), "uncommitted file"),
            ": ", FileList(files))),
        "commit what belongs to the attempt and remove the rest");
  }
  return absl::OkStatus();
}

std::string FileList(std::vector<std::string> files) {
  if (files.size() > kFilesShown) {
    files.resize(kFilesShown);
    files.push_back("...");
  }
  return absl::StrJoin(files, ", ");
}

}  // namespace autotune
