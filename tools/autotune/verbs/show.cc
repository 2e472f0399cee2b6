#include "tools/autotune/verbs/show.h"

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/did_you_mean.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/outcome.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/task.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

VerbResult TextResult(const std::string& path, const std::string& text) {
  VerbResult result;
  std::vector<std::string> lines = absl::StrSplit(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const std::string& line : lines) {
    result.lines.push_back(PrintableText(line));
  }
  result.fields.Text("path", path);
  result.fields.Text("text", text);
  return result;
}

absl::StatusOr<VerbResult> ShowFile(const Repository& repository,
                                    const TaskState& state,
                                    const std::string& name) {
  ASSIGN_OR_RETURN(const std::string text,
                   repository.ReadBlob(state.tip, state.task.File(name)));
  return TextResult(state.task.File(name), text);
}

absl::StatusOr<VerbResult> ShowAttempt(const Repository& repository,
                                       const TaskState& state,
                                       const std::string& approach) {
  ASSIGN_OR_RETURN(const Attempt attempt,
                   FindAttempt(repository, state.task, approach));
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  const auto entry = FindEntry(history, attempt.approach);
  if (entry.has_value() && !entry->ledger.empty()) {
    ASSIGN_OR_RETURN(VerbResult result,
                     RecordedResult(repository, state, *entry));
    result.exit_code = kExitKeep;
    return result;
  }
  ASSIGN_OR_RETURN(const auto worktree,
                   FindAttemptWorktree(repository, attempt));
  VerbResult result;
  result.lines = {absl::StrCat("open ", AttemptNumberText(attempt.number), " ",
                               attempt.approach),
                  absl::StrCat("  branch:   ", attempt.branch, " at ",
                               attempt.head.substr(0, 12)),
                  absl::StrCat("  worktree: ", worktree.value_or("none"))};
  result.fields.Text("approach", attempt.approach);
  result.fields.Text("branch", attempt.branch);
  result.fields.Text("commit", attempt.head);
  result.fields.Text("worktree", worktree.value_or(""));
  return result;
}

absl::Status UnknownSubject(const std::string& what) {
  return absl::OutOfRangeError(
      absl::StrCat("show: expected ", AlternativesText(ShowSubjects()),
                   ", got \"", what, "\"", DidYouMean(what, ShowSubjects())));
}

}  // namespace

const std::vector<std::string>& ShowSubjects() {
  static const auto& subjects = *new std::vector<std::string>{
      "log", "ledger", "task", "prompt", "attempt"};
  return subjects;
}

absl::StatusOr<VerbResult> Show(const TaskContext& context,
                                const ShowOptions& options) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  if (options.what == "log") return ShowFile(repository, state, "log.md");
  if (options.what == "ledger") {
    return ShowFile(repository, state, "metric.toml");
  }
  if (options.what == "task") return ShowFile(repository, state, "task.toml");
  if (options.what != "prompt" && options.what != "attempt") {
    return UnknownSubject(options.what);
  }
  if (options.approach.empty()) {
    return absl::OutOfRangeError(
        absl::StrCat("show ", options.what, ": expected an APPROACH"));
  }
  if (options.what == "attempt") {
    return ShowAttempt(repository, state, options.approach);
  }
  ASSIGN_OR_RETURN(const Attempt attempt,
                   FindAttempt(repository, task, options.approach));
  return ShowFile(repository, state, attempt.approach + "/prompts.md");
}

}  // namespace autotune
