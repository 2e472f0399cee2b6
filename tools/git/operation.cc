#include "tools/git/operation.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "tools/git/repository.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

// A file in a worktree's git folder that stands while an operation is open.
struct Mark {
  const char* file;
  const char* operation;
};

// An applying `am` shares its folder with the old kind of rebase; the sequencer
// stands between the picks of a series.
constexpr std::array<Mark, 8> kMarks = {{
    {"MERGE_HEAD", "merge"},
    {"CHERRY_PICK_HEAD", "cherry-pick"},
    {"REVERT_HEAD", "revert"},
    {"rebase-merge", "rebase"},
    {"rebase-apply/applying", "am"},
    {"rebase-apply", "rebase"},
    {"sequencer", "cherry-pick"},
    {"BISECT_LOG", "bisect"},
}};

constexpr std::array<Mark, 3> kBranchNotes = {{
    {"rebase-merge/head-name", "rebase"},
    {"rebase-apply/head-name", "rebase"},
    {"BISECT_START", "bisect"},
}};

absl::StatusOr<std::string> GitDirOf(const Repository& repository,
                                     const std::string& directory) {
  if (directory.empty()) return repository.git_dir();
  ASSIGN_OR_RETURN(
      std::string path,
      repository.Output(
          {{"rev-parse", "--absolute-git-dir"}, {}, {}, directory}));
  if (path.ends_with('\n')) path.pop_back();
  return path;
}

std::string_view FirstLineOf(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

// The git folders of all worktrees, the main one first.
std::vector<std::string> GitDirs(const Repository& repository) {
  std::vector<std::string> folders = {repository.common_dir()};
  const std::string linked = JoinPath(repository.common_dir(), "worktrees");
  const auto names = repository.files().ListDirectory(linked);
  if (!names.ok()) return folders;  // there is none
  for (const std::string& name : *names) {
    folders.push_back(JoinPath(linked, name));
  }
  return folders;
}

std::string WaysOut(const std::string& operation) {
  if (operation == "bisect") return "end it with: git bisect reset";
  return absl::StrFormat(
      "finish it with: git %s --continue, or abandon it with: git %s --abort",
      operation, operation);
}

}  // namespace

absl::StatusOr<std::optional<std::string>> OperationInProgress(
    const Repository& repository, const std::string& directory) {
  ASSIGN_OR_RETURN(const std::string git_dir, GitDirOf(repository, directory));
  FileSystem& files = repository.files();
  for (const Mark& mark : kMarks) {
    if (files.Exists(JoinPath(git_dir, mark.file))) return mark.operation;
  }
  return std::nullopt;
}

absl::Status CheckNoOperation(const Repository& repository,
                              const std::string& directory) {
  ASSIGN_OR_RETURN(const std::optional<std::string> operation,
                   OperationInProgress(repository, directory));
  if (!operation.has_value()) return absl::OkStatus();
  const std::string& where =
      directory.empty() ? repository.top_level() : directory;
  return absl::FailedPreconditionError(absl::StrFormat(
      "%s: a %s is in progress; %s", where, *operation, WaysOut(*operation)));
}

absl::StatusOr<std::optional<std::string>> OperationHolding(
    const Repository& repository, const std::string& branch) {
  for (const std::string& folder : GitDirs(repository)) {
    for (const Mark& note : kBranchNotes) {
      const auto text =
          repository.files().ReadFile(JoinPath(folder, note.file));
      if (!text.ok()) continue;
      const std::string_view name = FirstLineOf(*text);
      if (name == branch || name == BranchRef(branch)) return note.operation;
    }
  }
  return std::nullopt;
}

}  // namespace autotune
