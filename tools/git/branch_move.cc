#include "tools/git/branch_move.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "tools/git/operation.h"
#include "tools/git/repository.h"
#include "tools/git/worktree.h"
#include "tools/system/file_system.h"

// How a branch that may be checked out moves to its next commit. Where it is
// not checked out one compare-and-swap of the ref does it. Where it is, git's
// own fast-forward writes files, index and ref; git decides by itself what an
// uncommitted file forbids, but says it after having begun, and a kill between
// files leaves a worktree that its next call takes for changed by the user. So
// the overlap of the move and the worktree is worked out first:
//   * a file that differs from the index and holds what `to` brings, or a torn
//     beginning of it, is a leftover of ours: it is put back and written again;
//   * any other difference on a path that the move writes is the user's, and
//     stops the move before anything is touched.
// The order is what makes a retry safe: objects reach the disk, files and index
// are written, and the ref moves last.

namespace autotune {
namespace {

constexpr std::size_t kShortSha = 12;
constexpr std::size_t kFilesShown = 10;

std::string Short(const std::string& sha) { return sha.substr(0, kShortSha); }

// The one worktree with files that has `branch` checked out.
absl::StatusOr<std::optional<Worktree>> WorktreeOf(const Repository& repository,
                                                   const std::string& branch) {
  ASSIGN_OR_RETURN(std::vector<Worktree> worktrees, ListWorktrees(repository));
  std::erase_if(worktrees, [&](const Worktree& worktree) {
    const bool pruned = worktree.missing && !worktree.locked;
    return worktree.branch != BranchRef(branch) || pruned;
  });
  if (worktrees.empty()) return std::nullopt;
  if (worktrees.size() > 1) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s: is checked out twice, in %s and %s; switch one of them to another "
        "branch",
        branch, worktrees[0].path, worktrees[1].path));
  }
  if (worktrees[0].missing) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s: is checked out in %s, which is locked and not there; bring it "
        "back, or run: git worktree unlock",
        branch, worktrees[0].path));
  }
  return worktrees[0];
}

absl::Status CheckNotHeld(const Repository& repository,
                          const std::string& branch) {
  ASSIGN_OR_RETURN(const std::optional<std::string> operation,
                   OperationHolding(repository, branch));
  if (!operation.has_value()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrFormat(
      "%s: a %s that started from it is in progress; finish or abandon it",
      branch, *operation));
}

absl::Status CheckAt(const Repository& repository, const std::string& branch,
                     const std::string& expected) {
  ASSIGN_OR_RETURN(const std::optional<std::string> at,
                   repository.ResolveCommit(BranchRef(branch)));
  if (at == expected) return absl::OkStatus();
  return absl::AbortedError(absl::StrFormat(
      "%s: expected at %s, found at %s", branch, Short(expected),
      at.has_value() ? Short(*at) : "nothing"));
}

absl::Status CheckDescends(const Repository& repository,
                           const std::string& from, const std::string& to) {
  ASSIGN_OR_RETURN(const bool descends, repository.IsAncestor(from, to));
  if (descends) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s: expected a descendant of %s", Short(to), Short(from)));
}

// A tracked path that differs from HEAD in the index or on disk.
struct DirtyFile {
  std::string path;
  std::string letters;  // of the index and of the disk, '.' where unchanged
  std::string index_mode;
  std::string index_object;
};

// "1 XY SUB MODE_HEAD MODE_INDEX MODE_DISK HEAD INDEX PATH"; an unmerged path
// has two fields more and counts as changed on both sides.
std::optional<DirtyFile> ParseStatus(const std::string& entry) {
  const bool unmerged = entry.starts_with("u ");
  const std::vector<std::string> fields =
      absl::StrSplit(entry, absl::MaxSplits(' ', unmerged ? 10 : 8));
  if (fields.size() != (unmerged ? 11 : 9)) return std::nullopt;
  if (unmerged) return DirtyFile{fields.back(), "UU", "", ""};
  return DirtyFile{fields.back(), fields[1], fields[4], fields[7]};
}

absl::StatusOr<std::map<std::string, DirtyFile>> DirtyFiles(
    const Repository& repository, const Worktree& worktree) {
  ASSIGN_OR_RETURN(
      const std::string output,
      repository.Output({{"status", "--porcelain=v2", "-z", "--no-renames",
                          "--untracked-files=no", "--ignore-submodules=dirty"},
                         {},
                         {},
                         worktree.path}));
  std::map<std::string, DirtyFile> dirty;
  for (const std::string& entry : SplitNul(output)) {
    std::optional<DirtyFile> file = ParseStatus(entry);
    if (!file.has_value()) continue;
    const std::string path = file->path;
    dirty.emplace(path, *std::move(file));
  }
  return dirty;
}

// Finds what stands in the way of one move in one worktree, and clears what an
// interrupted move left.
class Overlap {
 public:
  Overlap(const Repository& repository, const Worktree& worktree,
          std::string to)
      : repository_(repository),
        worktree_(worktree),
        to_(std::move(to)),
        files_(repository.files()) {}

  absl::Status Find(const std::string& from) {
    ASSIGN_OR_RETURN(const auto changes, repository_.DiffTrees(from, to_));
    ASSIGN_OR_RETURN(const auto dirty, DirtyFiles(repository_, worktree_));
    std::unordered_set<std::string_view> removed;
    for (const TreeChange& change : changes) {
      if (change.status == 'D') removed.insert(change.path);
    }
    for (const TreeChange& change : changes) {
      const auto found = dirty.find(change.path);
      if (found != dirty.end()) {
        RETURN_IF_ERROR(TakeDirty(change, found->second));
      } else if (change.status == 'A') {
        RETURN_IF_ERROR(TakeAdded(change, removed));
      }
    }
    return absl::OkStatus();
  }

  const std::vector<std::string>& blocking() const { return blocking_; }

  // Puts half-moved files back to what the index says, or takes them away.
  absl::Status Restore() {
    if (!stale_tracked_.empty()) {
      std::string paths;
      for (const std::string& path : stale_tracked_) {
        absl::StrAppend(&paths, path, std::string(1, '\0'));
      }
      RETURN_IF_ERROR(
          repository_
              .Output({{"checkout-index", "-f", "-q", "-z", "--stdin"},
                       paths,
                       {},
                       worktree_.path})
              .status());
    }
    for (const std::string& path : stale_added_) {
      RETURN_IF_ERROR(files_.RemoveAll(JoinPath(worktree_.path, path)));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status TakeDirty(const TreeChange& change, const DirtyFile& file) {
    const bool moved = file.letters[1] == '.' &&
                       file.index_mode == change.new_mode &&
                       file.index_object == change.new_object;
    const bool nothing_to_lose = file.letters == ".D";
    if (moved || nothing_to_lose) return absl::OkStatus();
    const bool only_on_disk = file.letters == ".M" || file.letters == ".T";
    if (only_on_disk && change.status != 'D') {
      ASSIGN_OR_RETURN(const bool ours, HoldsPartOfTarget(change));
      if (ours) {
        stale_tracked_.push_back(change.path);
        return absl::OkStatus();
      }
    }
    blocking_.push_back(change.path);
    return absl::OkStatus();
  }

  absl::Status TakeAdded(const TreeChange& change,
                         const std::unordered_set<std::string_view>& removed) {
    if (FileInTheWay(change.path, removed)) {
      blocking_.push_back(change.path);
      return absl::OkStatus();
    }
    const auto info = files_.Info(JoinPath(worktree_.path, change.path));
    if (!info.ok()) return absl::OkStatus();
    if (info->kind == FileInfo::Kind::kDirectory) {
      return TakeFolder(change.path, removed);
    }
    ASSIGN_OR_RETURN(const bool ours, HoldsPartOfTarget(change));
    (ours ? stale_added_ : blocking_).push_back(change.path);
    return absl::OkStatus();
  }

  // A folder where `to` has a file: free when all of its files go with `from`.
  absl::Status TakeFolder(const std::string& path,
                          const std::unordered_set<std::string_view>& removed) {
    ASSIGN_OR_RETURN(const auto names,
                     files_.ListDirectory(JoinPath(worktree_.path, path)));
    for (const std::string& name : names) {
      const std::string inner = JoinPath(path, name);
      ASSIGN_OR_RETURN(const FileInfo info,
                       files_.Info(JoinPath(worktree_.path, inner)));
      if (info.kind == FileInfo::Kind::kDirectory) {
        RETURN_IF_ERROR(TakeFolder(inner, removed));
      } else if (!removed.contains(inner)) {
        blocking_.push_back(inner);
      }
    }
    return absl::OkStatus();
  }

  // Whether a file stands where `path` needs a folder.
  bool FileInTheWay(const std::string& path,
                    const std::unordered_set<std::string_view>& removed) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      const std::string folder = path.substr(0, slash);
      const auto info = files_.Info(JoinPath(worktree_.path, folder));
      if (!info.ok()) return false;
      if (info->kind != FileInfo::Kind::kDirectory) {
        return !removed.contains(folder);
      }
    }
    return false;
  }

  // Whether the file on disk is what `to` would write, or a torn beginning of
  // it: nothing of the user's is lost when it is written again.
  absl::StatusOr<bool> HoldsPartOfTarget(const TreeChange& change) {
    const std::string path = JoinPath(worktree_.path, change.path);
    ASSIGN_OR_RETURN(const FileInfo info, files_.Info(path));
    const bool plain = change.new_mode.starts_with("100");
    if (!plain || info.kind != FileInfo::Kind::kFile) return false;
    ASSIGN_OR_RETURN(const std::string on_disk, files_.ReadFile(path));
    ASSIGN_OR_RETURN(const std::string target,
                     repository_.Output({{"cat-file", "--filters",
                                          absl::StrCat("--path=", change.path),
                                          change.new_object},
                                         {},
                                         {},
                                         worktree_.path}));
    return std::string_view(target).starts_with(on_disk);
  }

  const Repository& repository_;
  const Worktree& worktree_;
  std::string to_;
  FileSystem& files_;
  std::vector<std::string> blocking_;
  std::vector<std::string> stale_tracked_;
  std::vector<std::string> stale_added_;
};

absl::Status OverlapError(const Worktree& worktree,
                          const std::vector<std::string>& files) {
  std::vector<std::string> shown = files;
  shown.resize(std::min(shown.size(), kFilesShown));
  const std::string more =
      files.size() > shown.size()
          ? absl::StrFormat(" and %d more", files.size() - shown.size())
          : "";
  return absl::FailedPreconditionError(absl::StrFormat(
      "%s: uncommitted files stand where the branch's next commit writes: "
      "%s%s; commit, stash or move them",
      worktree.path, absl::StrJoin(shown, ", "), more));
}

// Every setting that could make `merge` do other than fast-forward is
// overridden: squash, autostash, signatures, overwriting of ignored files, and
// the branch's own mergeOptions.
GitCall FastForward(const Worktree& worktree, const std::string& branch,
                    const std::string& to) {
  return {{"-c", absl::StrCat("branch.", branch, ".mergeOptions="), "merge",
           "--ff-only", "--no-squash", "--no-autostash",
           "--no-verify-signatures", "--no-overwrite-ignore", "-q", to},
          {},
          {},
          worktree.path};
}

absl::Status MoveCheckedOut(const Repository& repository,
                            const Worktree& worktree, const std::string& branch,
                            const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(CheckNoOperation(repository, worktree.path));
  Overlap overlap(repository, worktree, to);
  RETURN_IF_ERROR(overlap.Find(from));
  if (!overlap.blocking().empty()) {
    return OverlapError(worktree, overlap.blocking());
  }
  RETURN_IF_ERROR(overlap.Restore());
  const GitCall call = FastForward(worktree, branch, to);
  ASSIGN_OR_RETURN(const ProcessResult result, repository.Run(call));
  const absl::Status moved = CheckAt(repository, branch, to);
  if (moved.ok()) return absl::OkStatus();
  RETURN_IF_ERROR(CheckAt(repository, branch, from));
  return GitError(call, result);
}

absl::Status MoveRef(const Repository& repository, const std::string& branch,
                     const std::string& from, const std::string& to) {
  const GitCall call = {
      {"update-ref", "-m", "autotune", BranchRef(branch), to, from},
      {},
      {},
      {}};
  ASSIGN_OR_RETURN(const ProcessResult result, repository.Run(call));
  if (result.succeeded()) return absl::OkStatus();
  RETURN_IF_ERROR(CheckAt(repository, branch, from));
  return GitError(call, result);
}

}  // namespace

absl::Status MoveBranch(const Repository& repository, const std::string& branch,
                        const std::string& from, const std::string& to) {
  if (CheckAt(repository, branch, to).ok()) return absl::OkStatus();
  RETURN_IF_ERROR(CheckAt(repository, branch, from));
  RETURN_IF_ERROR(CheckDescends(repository, from, to));
  RETURN_IF_ERROR(CheckNotHeld(repository, branch));
  ASSIGN_OR_RETURN(const std::optional<Worktree> worktree,
                   WorktreeOf(repository, branch));
  RETURN_IF_ERROR(SyncObjects(repository, from, to));
  if (!worktree.has_value()) return MoveRef(repository, branch, from, to);
  return MoveCheckedOut(repository, *worktree, branch, from, to);
}

absl::StatusOr<std::vector<std::string>> OverlappingFiles(
    const Repository& repository, const std::string& branch,
    const std::string& from, const std::string& to) {
  ASSIGN_OR_RETURN(const std::optional<Worktree> worktree,
                   WorktreeOf(repository, branch));
  if (!worktree.has_value()) return std::vector<std::string>();
  Overlap overlap(repository, *worktree, to);
  RETURN_IF_ERROR(overlap.Find(from));
  std::vector<std::string> blocking = overlap.blocking();
  std::sort(blocking.begin(), blocking.end());
  return blocking;
}

}  // namespace autotune
