#include "tools/autotune/verbs/next.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/profile_file.h"
#include "tools/autotune/task/progress.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/verbs/status.h"

namespace autotune {
namespace {

// From then on the shares of the last profile are those of other code.
constexpr double kGainForProfile = 0.10;

double GainSinceProfile(const TaskState& state, const TaskProfile& profile) {
  const auto rows =
      static_cast<std::size_t>(std::max<std::int64_t>(profile.rows, 0));
  return GainOf(ClaimedRatio(state.ledger, rows), state.settings.policy);
}

using Kind = Suggestion::Kind;

absl::StatusOr<std::vector<Suggestion>> Open(
    const Repository& repository, const TaskState& state,
    const std::vector<HistoryEntry>& history) {
  ASSIGN_OR_RETURN(const std::vector<Attempt> attempts,
                   OpenAttempts(repository, state.task, history));
  std::vector<Suggestion> open;
  for (const Attempt& attempt : attempts) {
    ASSIGN_OR_RETURN(const bool empty,
                     repository.IsAncestor(attempt.head, state.tip));
    if (empty) continue;
    open.push_back({Kind::kDecide,
                    attempt.approach,
                    {Autotune({"decide", attempt.approach}),
                     "it has commits and no decision"}});
  }
  return open;
}

Suggestion HarvestSuggestion(const TaskProgress& progress) {
  const auto keeps = static_cast<std::size_t>(progress.keeps_since_harvest);
  return {Kind::kHarvest,
          "",
          {Autotune({"harvest"}),
           absl::StrCat(
               CountText(keeps, "keep"), " since the start was last measured",
               progress.phase_moved_since_harvest ? ", and the phase moved on"
                                                  : "")}};
}

// The declared decisions are used up: first what they brought, then more.
std::vector<Suggestion> HorizonUsedUp(const TaskProgress& progress,
                                      const Policy& policy,
                                      const absl::Status& status) {
  std::vector<Suggestion> steps;
  if (progress.keeps_since_harvest > 0) {
    steps.push_back(HarvestSuggestion(progress));
  }
  steps.push_back({Kind::kRaiseHorizon,
                   "",
                   {Autotune({"task", "set", "policy.horizon",
                              absl::StrCat(2 * policy.horizon)}),
                    std::string(status.message())}});
  return steps;
}

bool ProfileIsOld(const TaskState& state, const TaskProfile& profile) {
  return profile.kind != ProfileKind::kNone &&
         GainSinceProfile(state, profile) >= kGainForProfile;
}

Suggestion StartSuggestion(const TaskProgress& progress) {
  return {Kind::kStart,
          "",
          {Autotune({"start", "APPROACH", "--hypothesis", "TEXT"}),
           absl::StrCat(std::string(NameOf(progress.phase)), " phase (",
                        progress.unproductive, " of ", kUnproductive,
                        " in a row without gain): ",
                        std::string(PhaseAdvice(progress.phase)))}};
}

// What is worth doing when no attempt waits for its decision.
std::vector<Suggestion> Free(const TaskState& state,
                             const TaskProgress& progress,
                             const std::optional<TaskProfile>& profile) {
  const auto level = NextLevel(state.settings.policy, state.ledger);
  if (!level.ok()) {
    return HorizonUsedUp(progress, state.settings.policy, level.status());
  }
  std::vector<Suggestion> steps;
  if (!profile.has_value()) {
    steps.push_back(
        {Kind::kProfile,
         "",
         {Autotune({"profile"}), "nothing says yet where the time goes"}});
  } else if (ProfileIsOld(state, *profile)) {
    steps.push_back({Kind::kProfile,
                     "",
                     {Autotune({"profile"}),
                      "the code gained 10 % or more since it was profiled"}});
  }
  if (HarvestIsDue(progress)) steps.push_back(HarvestSuggestion(progress));
  if (BudgetIsTooShort(progress, state.settings.policy)) {
    steps.push_back(
        {Kind::kRaiseBudget,
         "",
         {Autotune(
              {"task", "set", "policy.budget",
               absl::StrCat(
                   FixedText(2.0 * state.settings.policy.budget_seconds, 0),
                   "s")}),
          absl::StrCat(progress.undecided,
                       " in a row stayed undecided: measure longer, or raise "
                       "policy.min_effect")}});
  }
  steps.push_back(StartSuggestion(progress));
  return steps;
}

}  // namespace

absl::StatusOr<std::vector<Suggestion>> Suggestions(
    const TaskContext& context) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  ASSIGN_OR_RETURN(const auto profile, LoadProfile(repository, state));
  ASSIGN_OR_RETURN(std::vector<Suggestion> steps,
                   Open(repository, state, history));
  const TaskProgress progress = ProgressOf(state, history);
  if (steps.empty()) return Free(state, progress, profile);
  // `decide` refuses without a level: what gives one comes first.
  const auto level = NextLevel(state.settings.policy, state.ledger);
  if (level.ok()) return steps;
  std::vector<Suggestion> first =
      HorizonUsedUp(progress, state.settings.policy, level.status());
  first.insert(first.end(), steps.begin(), steps.end());
  return first;
}

absl::StatusOr<VerbResult> Next(const TaskContext& context) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const std::vector<Suggestion> steps, Suggestions(context));
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  ASSIGN_OR_RETURN(const auto profile, LoadProfile(repository, state));
  VerbResult result;
  for (const Suggestion& suggestion : steps) {
    result.next.push_back(suggestion.step);
  }
  result.fields.Text("task", task.id);
  AddProgress(state, ProgressOf(state, history), history, profile, result);
  return result;
}

}  // namespace autotune
