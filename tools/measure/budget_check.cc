#include "tools/measure/budget_check.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "comparator/evidence/bias_trial.h"
#include "comparator/statistics/test_length.h"
#include "tools/measure/pilot.h"

namespace autotune {
namespace {

// Slack that makes the advised budget enough.
constexpr double kAmple = 1.5;

std::string SecondsText(double seconds) {
  return absl::StrCat(FixedText(seconds, seconds < 10.0 ? 1 : 0), " s");
}

}  // namespace

double ExpectedRoundSeconds(const Preparation& prepared) {
  return 2.0 * ExpectedVisitSeconds(prepared.pilot, prepared.setup.size);
}

std::string CostNote(const Preparation& prepared) {
  const double round_seconds = ExpectedRoundSeconds(prepared);
  const std::int64_t fewest = FewestRounds(prepared.evidence.settings.alpha);
  const bool checked = IsOneCpuMode(prepared.setup.mode);
  return absl::StrCat("a round takes about ", SecondsText(round_seconds),
                      ", a decision ", fewest, " rounds or more",
                      checked ? " and as many to check it" : "", ": at least ",
                      SecondsText(round_seconds * static_cast<double>(fewest) *
                                  (checked ? 2.0 : 1.0)));
}

std::string BudgetWarning(const Evidence& evidence, double round_seconds) {
  const std::int64_t fewest = FewestRounds(evidence.settings.alpha);
  const double needed = round_seconds * static_cast<double>(fewest);
  const double budget = evidence.policy.budget_seconds;
  if (needed <= budget) return "";
  return absl::StrCat(
      "a round of ",
      evidence.settings.targets.size() + evidence.settings.guards.size(),
      " benchmarks and guards takes about ", SecondsText(round_seconds),
      " and a decision at least ", fewest, " rounds, more than the budget of ",
      SecondsText(budget), ": give it ", FixedText(kAmple * needed, 0),
      " s or more, or fewer benchmarks");
}

}  // namespace autotune
