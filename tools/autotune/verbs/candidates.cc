#include "tools/autotune/verbs/candidates.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/implementer.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/profile_file.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/task/task_context.h"
#include "tools/autotune/verbs/show.h"
#include "tools/git/repository.h"
#include "tools/ledger/task_settings.h"
#include "tools/measure/visit.h"

namespace autotune {
namespace {

using Words = std::vector<std::string>;

absl::StatusOr<Words> Tasks(const Session& session) {
  ASSIGN_OR_RETURN(const Repository repository,
                   Repository::Open(session.seams.processes,
                                    session.seams.files, session.directory));
  ASSIGN_OR_RETURN(const std::vector<Task> tasks, ListTasks(repository));
  Words ids;
  for (const Task& task : tasks) ids.push_back(task.id);
  return ids;
}

absl::StatusOr<Words> Approaches(const TaskContext& context,
                                 const TaskState& state, bool decided) {
  ASSIGN_OR_RETURN(
      const std::vector<HistoryEntry> history,
      ReadHistory(context.repository, state.settings.base, state.tip));
  Words approaches;
  if (decided) {
    for (const HistoryEntry& entry : history) {
      approaches.push_back(entry.approach);
    }
    return approaches;
  }
  ASSIGN_OR_RETURN(const std::vector<Attempt> attempts,
                   OpenAttempts(context.repository, state.task, history));
  for (const Attempt& attempt : attempts) {
    approaches.push_back(attempt.approach);
  }
  return approaches;
}

Words Keys(const TaskState& state) {
  Words keys;
  for (const SettingText& setting : SettingTexts(state.settings)) {
    // What never changes, and lists, which `task set` does not take.
    if (setting.table == "task" || absl::StrContains(setting.table, '.')) {
      continue;
    }
    keys.push_back(setting.table + "." + std::string(setting.key));
  }
  return keys;
}

absl::StatusOr<Words> Profiled(const TaskContext& context,
                               const TaskState& state, bool parts) {
  ASSIGN_OR_RETURN(const auto profile, LoadProfile(context.repository, state));
  if (!profile.has_value()) return Words();
  if (parts) return PartNames(*profile);
  Words names;
  for (const BenchmarkProfile& benchmark : profile->benchmarks) {
    names.push_back(absl::StrCat("^", NameAsPattern(benchmark.name), "$"));
  }
  return names;
}

absl::StatusOr<Words> OfTask(std::string_view placeholder,
                             std::string_view verb, const Session& session) {
  ASSIGN_OR_RETURN(const TaskContext context, OpenTask(session));
  ASSIGN_OR_RETURN(const TaskState state,
                   LoadTask(context.repository, context.task));
  if (placeholder == "KEY") return Keys(state);
  if (placeholder == "PART") return Profiled(context, state, true);
  if (placeholder == "REGEX") return Profiled(context, state, false);
  return Approaches(context, state, verb == "revive" || verb == "revert");
}

}  // namespace

std::vector<std::string> TaskCandidates(std::string_view placeholder,
                                        std::string_view verb,
                                        const Session& session) {
  // The names of new things are the user's to make.
  const bool is_new = verb == "init" || verb == "start" || verb == "adopt";
  if (placeholder == "WHAT") return ShowSubjects();
  if (placeholder == "RECIPE|COMMAND") return RecipeNames(session);
  if (placeholder == "TASK") return Tasks(session).value_or(Words());
  if (placeholder == "KEY" || placeholder == "PART" || placeholder == "REGEX" ||
      placeholder == "APPROACH..." || (placeholder == "APPROACH" && !is_new)) {
    return OfTask(placeholder, verb, session).value_or(Words());
  }
  return {};
}

}  // namespace autotune
