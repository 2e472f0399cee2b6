// What is said to a loop that runs: files in its folder, looked at between
// attempts.

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/verbs/loop.h"
#include "tools/autotune/verbs/loop_folder.h"

namespace autotune {

absl::StatusOr<LoopFolder> LoopFolderOf(const TaskContext& context) {
  ASSIGN_OR_RETURN(
      std::string path,
      TaskStateDirectory(context.session, context.repository, context.task));
  RETURN_IF_ERROR(context.session.seams.files.MakeDirectories(path));
  return LoopFolder{std::move(path)};
}

absl::StatusOr<VerbResult> StopLoop(const TaskContext& context) {
  ASSIGN_OR_RETURN(const LoopFolder folder, LoopFolderOf(context));
  VerbResult result;
  result.lines = {"the loop ends after the attempt it is at"};
  result.fields.Text("task", context.task.id);
  if (!context.session.dry_run) {
    RETURN_IF_ERROR(
        context.session.seams.files.WriteFile(folder.StopFile(), "stop\n"));
  }
  return result;
}

absl::StatusOr<VerbResult> Steer(const TaskContext& context,
                                 const std::string& text) {
  if (absl::StripAsciiWhitespace(text).empty()) {
    return absl::OutOfRangeError("steer: expected a text, got nothing");
  }
  ASSIGN_OR_RETURN(const LoopFolder folder, LoopFolderOf(context));
  VerbResult result;
  result.lines = {"later prompts will say so"};
  result.fields.Text("task", context.task.id);
  if (!context.session.dry_run) {
    RETURN_IF_ERROR(context.session.seams.files.AppendFile(
        folder.Steering(), absl::StrCat(OneLine(text, 2000), "\n")));
  }
  return result;
}

}  // namespace autotune
