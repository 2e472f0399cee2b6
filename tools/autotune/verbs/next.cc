#include "tools/autotune/verbs/next.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/phase.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/verbs/harvest.h"

namespace autotune {
namespace {

absl::StatusOr<std::vector<NextStep>> OpenSteps(const Repository& repository,
                                                const TaskState& state) {
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  ASSIGN_OR_RETURN(const std::vector<Attempt> attempts,
                   ListAttempts(repository, state.task));
  std::vector<NextStep> steps;
  for (const Attempt& attempt : attempts) {
    const auto entry = FindEntry(history, attempt.approach);
    if (entry.has_value() && !entry->ledger.empty()) continue;
    ASSIGN_OR_RETURN(const bool empty,
                     repository.IsAncestor(attempt.head, state.tip));
    if (!empty) {
      steps.push_back({absl::StrCat("autotune decide ", attempt.approach),
                       "it has commits and no decision"});
    }
  }
  return steps;
}

NextStep StartStep(const TaskState& state) {
  const Phase phase = PhaseOf(state.ledger);
  return {"autotune start APPROACH --hypothesis TEXT",
          absl::StrCat(std::string(PhaseName(phase)), " phase (",
                       DecisionsSinceKeep(state.ledger),
                       " measured since the last keep): ",
                       std::string(PhaseAdvice(phase)))};
}

}  // namespace

absl::StatusOr<VerbResult> Next(const TaskContext& context) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  VerbResult result;
  ASSIGN_OR_RETURN(result.next, OpenSteps(repository, state));
  const auto level = NextLevel(state.settings.policy, state.ledger);
  if (result.next.empty() && !level.ok()) {
    result.next.push_back(
        {"autotune harvest", std::string(level.status().message())});
  } else if (result.next.empty() && HarvestIsDue(state.ledger)) {
    result.next.push_back(
        {"autotune harvest", "10 keeps since the start was last measured"});
  }
  if (result.next.empty()) result.next.push_back(StartStep(state));
  result.fields.Add("task", task.id);
  result.fields.Add("phase", PhaseName(PhaseOf(state.ledger)));
  return result;
}

}  // namespace autotune
