#include "tools/autotune/task/task_context.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "base/status_macros.h"
#include "tools/git/worktree.h"

namespace autotune {
namespace {

constexpr std::string_view kProgram = "autotune";
// Verbs that no --task helps.
constexpr std::array<std::string_view, 4> kOtherVerbs = {
    "init", "doctor", "skill", "merge-metric"};

bool IsBelow(FileSystem& files, const std::string& path,
             const std::string& folder) {
  return absl::StartsWith(files.RealPath(path), files.RealPath(folder) + "/");
}

// A work tree of the repository that does not go with an attempt; `here` when
// there is no other.
absl::StatusOr<Repository> LastingRepository(const Session& session,
                                             const Repository& here) {
  if (here.git_dir() == here.common_dir()) return here;
  const auto state = StateDirectoryPath(session, here);
  if (!state.ok() || !IsBelow(here.files(), here.top_level(), *state))
    return here;
  ASSIGN_OR_RETURN(const std::vector<Worktree> worktrees, ListWorktrees(here));
  for (const Worktree& worktree : worktrees) {
    if (worktree.missing || IsBelow(here.files(), worktree.path, *state))
      continue;
    auto lasting = Repository::Open(session.seams.processes,
                                    session.seams.files, worktree.path);
    if (lasting.ok()) return *std::move(lasting);
  }
  return here;
}

// Where the user reads the answer.
struct Place {
  std::string folder;
  bool left = false;  // the folder they stood in is gone
};

Place PlaceAfter(const TaskContext& context, const VerbResult& result) {
  const Session& session = context.session;
  if (session.seams.files.Exists(session.directory)) {
    return {session.directory, false};
  }
  return {result.worktree.empty() ? context.repository.top_level()
                                  : result.worktree,
          true};
}

// Whether a verb at `folder` would find the task without being told.
bool FindsTask(const TaskContext& context, const std::string& folder) {
  Session unnamed = context.session;
  unnamed.task.clear();
  const auto repository =
      Repository::Open(unnamed.seams.processes, unnamed.seams.files, folder);
  if (!repository.ok()) return false;
  const auto found = FindTask(unnamed, *repository);
  return found.ok() && found->id == context.task.id;
}

// Options that lead `autotune` from `place` to the task: -C DIR, and --task ID
// for the verbs that it helps.
struct Leading {
  std::vector<std::string> directory;
  std::vector<std::string> task;
};

Leading LeadingTo(const TaskContext& context, const Place& place) {
  const std::string& given = context.session.given_directory;
  Leading leading;
  if (!given.empty())
    leading.directory = {"-C", place.left ? place.folder : given};
  if (!FindsTask(context, place.folder)) {
    leading.task = {"--task", context.task.id};
  }
  return leading;
}

bool NeedsTask(const Command& command) {
  return std::find(kOtherVerbs.begin(), kOtherVerbs.end(),
                   command.words.front()) == kOtherVerbs.end();
}

void Lead(const Leading& leading, Command& command) {
  if (command.program != kProgram) return;
  std::vector<std::string> options = leading.directory;
  if (NeedsTask(command)) {
    options.insert(options.end(), leading.task.begin(), leading.task.end());
  }
  command.leading.insert(command.leading.begin(), options.begin(),
                         options.end());
}

bool HasCommand(const Hint& hint) {
  return std::any_of(hint.begin(), hint.end(), [](const auto& part) {
    const auto* command = std::get_if<Command>(&part);
    return command != nullptr && command->program == kProgram;
  });
}

void Lead(const Leading& leading, Hint& hint) {
  for (auto& part : hint) {
    if (auto* command = std::get_if<Command>(&part)) Lead(leading, *command);
  }
}

void SayWhereToGo(const Place& place, VerbResult& result) {
  result.fields.Flag("folder_removed", true);
  result.fields.Text("go_on_in", place.folder);
  result.next.insert(result.next.begin(),
                     {Command{"cd", {place.folder}, {}},
                      "the folder you stand in went with the attempt"});
}

absl::Status CompleteError(const TaskContext& context,
                           const absl::Status& status) {
  Hint hint = HintOf(status);
  if (!HasCommand(hint)) return status;
  Lead(LeadingTo(context, PlaceAfter(context, VerbResult())), hint);
  return WithHint(status, hint);
}

}  // namespace

absl::StatusOr<TaskContext> OpenTask(const Session& session) {
  ASSIGN_OR_RETURN(const Repository here,
                   Repository::Open(session.seams.processes,
                                    session.seams.files, session.directory));
  ASSIGN_OR_RETURN(Task task, FindTask(session, here));
  ASSIGN_OR_RETURN(Repository lasting, LastingRepository(session, here));
  return TaskContext{session, std::move(lasting), std::move(task)};
}

Hint LedHint(const Session& session, Hint hint) {
  const std::string& given = session.given_directory;
  if (!given.empty()) Lead({{"-C", given}, {}}, hint);
  return hint;
}

absl::StatusOr<VerbResult> CompleteResult(const TaskContext& context,
                                          absl::StatusOr<VerbResult> result) {
  if (!result.ok()) return CompleteError(context, result.status());
  const Place place = PlaceAfter(context, *result);
  if (!result->next.empty()) {
    const Leading leading = LeadingTo(context, place);
    for (NextStep& step : result->next) Lead(leading, step.command);
  }
  if (place.left && context.session.given_directory.empty()) {
    SayWhereToGo(place, *result);
  }
  return result;
}

}  // namespace autotune
