#include "tools/autotune/task/task_context.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "tools/git/worktree.h"

namespace autotune {
namespace {

constexpr absl::string_view kProgram = "autotune ";
// Verbs that no --task helps.
constexpr std::array<absl::string_view, 3> kOtherVerbs = {"init", "doctor",
                                                          "merge-metric"};

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

// Options that lead `autotune` from `place` to the task: -C DIR --task ID.
std::vector<std::string> LeadingOptions(const TaskContext& context,
                                        const Place& place) {
  const std::string& given = context.session.given_directory;
  std::vector<std::string> options;
  if (!given.empty()) options = {"-C", place.left ? place.folder : given};
  if (!FindsTask(context, place.folder)) {
    options.insert(options.end(), {"--task", context.task.id});
  }
  return options;
}

bool NeedsTask(const Command& command) {
  return command.program == "autotune" &&
         std::find(kOtherVerbs.begin(), kOtherVerbs.end(),
                   command.words.front()) == kOtherVerbs.end();
}

bool StartsWithOtherVerb(const std::string& text) {
  return std::any_of(
      kOtherVerbs.begin(), kOtherVerbs.end(),
      [&text](absl::string_view verb) { return absl::StartsWith(text, verb); });
}

// `text` with `options` after every "autotune " that begins a command.
std::string WithOptions(const std::string& text, const std::string& options) {
  std::string whole;
  std::size_t done = 0;
  while (true) {
    const std::size_t at = text.find(kProgram.data(), done);
    if (at == std::string::npos) break;
    const std::size_t verb = at + kProgram.size();
    whole += text.substr(done, verb - done);
    const bool begins = at == 0 || text[at - 1] == ' ';
    if (begins && !StartsWithOtherVerb(text.substr(verb))) whole += options;
    done = verb;
  }
  return whole + text.substr(done);
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
  const std::string hint = HintOf(status);
  if (!absl::StrContains(hint, kProgram)) return status;
  const Place place = PlaceAfter(context, VerbResult());
  std::string options = CommandText(LeadingOptions(context, place));
  if (!options.empty()) options += ' ';
  return WithHint(status, WithOptions(hint, options));
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

absl::StatusOr<VerbResult> CompleteResult(const TaskContext& context,
                                          absl::StatusOr<VerbResult> result) {
  if (!result.ok()) return CompleteError(context, result.status());
  const Place place = PlaceAfter(context, *result);
  if (!result->next.empty()) {
    const std::vector<std::string> options = LeadingOptions(context, place);
    for (NextStep& step : result->next) {
      if (NeedsTask(step.command)) step.command.leading = options;
    }
  }
  if (place.left && context.session.given_directory.empty()) {
    SayWhereToGo(place, *result);
  }
  return result;
}

}  // namespace autotune
