#include "tools/autotune/verbs/resume.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/attempt_creation.h"
#include "tools/autotune/deciding/open_attempt.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/verbs/decide.h"

namespace autotune {
namespace {

struct Resuming {
  const TaskContext& context;
  const Session& session;
  const Repository& repository;
  TaskState state;
  std::vector<HistoryEntry> history;
  std::vector<Attempt> attempts;
  VerbResult result;
};

// Approaches whose prompt is on the tip but which have neither branch nor
// history.
absl::StatusOr<std::vector<std::string>> PlansWithoutBranch(
    const Resuming& resuming) {
  const std::string prefix = resuming.state.task.folder() + "/";
  ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                   resuming.repository.ListPaths(resuming.state.tip, prefix));
  std::vector<std::string> approaches;
  for (const std::string& path : paths) {
    if (!absl::EndsWith(path, "/prompts.md")) continue;
    const std::string approach = path.substr(
        prefix.size(), path.size() - prefix.size() - sizeof("/prompts.md") + 1);
    ASSIGN_OR_RETURN(
        const auto attempt,
        ExistingAttempt(resuming.repository, resuming.state.task, approach));
    if (!attempt.has_value() &&
        !FindEntry(resuming.history, approach).has_value()) {
      approaches.push_back(approach);
    }
  }
  return approaches;
}

absl::Status ResumePlans(Resuming& resuming) {
  ASSIGN_OR_RETURN(const std::vector<std::string> approaches,
                   PlansWithoutBranch(resuming));
  for (const std::string& approach : approaches) {
    NewAttempt wanted;
    wanted.approach = approach;
    ASSIGN_OR_RETURN(const Attempt attempt,
                     EnsureAttempt(resuming.session, resuming.repository,
                                   resuming.state.task, wanted));
    resuming.attempts.push_back(attempt);
    resuming.result.lines.push_back(
        absl::StrCat("opened ", approach, " from its committed prompt"));
  }
  return absl::OkStatus();
}

// Whether a decision of the attempt had begun to measure.
absl::StatusOr<bool> HasJournal(const Resuming& resuming,
                                const Attempt& attempt) {
  ASSIGN_OR_RETURN(const std::string task_directory,
                   TaskStateDirectory(resuming.session, resuming.repository,
                                      resuming.state.task));
  FileSystem& files = resuming.session.seams.files;
  const std::string directory = DecideDirectory(task_directory, attempt.number);
  if (!files.Exists(directory)) return false;
  ASSIGN_OR_RETURN(const std::vector<std::string> names,
                   files.ListDirectory(directory));
  for (const std::string& name : names) {
    if (absl::EndsWith(name, ".jsonl")) return true;
  }
  return false;
}

absl::Status ResumeDecision(Resuming& resuming, const Attempt& attempt) {
  DecideOptions options;
  options.approach = attempt.approach;
  ASSIGN_OR_RETURN(const VerbResult decided, Decide(resuming.context, options));
  resuming.result.lines.insert(resuming.result.lines.end(),
                               decided.lines.begin(), decided.lines.end());
  resuming.result.exit_code = decided.exit_code;
  resuming.result.decision = decided.decision;
  resuming.result.reason = decided.reason;
  resuming.result.next = decided.next;
  return absl::OkStatus();
}

absl::Status ResumeAttempt(Resuming& resuming, const Attempt& attempt) {
  const auto entry = FindEntry(resuming.history, attempt.approach);
  if (entry.has_value() && !entry->ledger.empty()) {
    return FinishRecorded(resuming.session, resuming.repository,
                          resuming.state.task, attempt, *entry)
        .status();
  }
  ASSIGN_OR_RETURN(const bool measuring, HasJournal(resuming, attempt));
  if (measuring || entry.has_value()) return ResumeDecision(resuming, attempt);
  ASSIGN_OR_RETURN(const std::string worktree,
                   EnsureAttemptWorktree(resuming.session, resuming.repository,
                                         resuming.state.task, attempt));
  resuming.result.lines.push_back(
      absl::StrCat("open: ", attempt.approach, " in ", worktree));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<VerbResult> Resume(const TaskContext& context) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  ASSIGN_OR_RETURN(auto attempts, ListAttempts(repository, task));
  Resuming resuming{context, session, repository, state, history, attempts, {}};
  resuming.result.fields.Text("task", task.id);
  if (session.dry_run) {
    resuming.result.lines = {
        "would finish what an interruption left half done"};
    return resuming.result;
  }
  RETURN_IF_ERROR(ResumePlans(resuming));
  const std::vector<Attempt> all = resuming.attempts;
  for (const Attempt& attempt : all) {
    RETURN_IF_ERROR(ResumeAttempt(resuming, attempt));
  }
  if (resuming.result.lines.empty()) {
    resuming.result.lines = {"nothing was left half done"};
  }
  return resuming.result;
}

}  // namespace autotune
