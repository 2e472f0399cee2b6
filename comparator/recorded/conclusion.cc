#include "comparator/recorded/conclusion.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/idle_setting.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

// Files of another machine prove nothing about the change.
void WithdrawVerdicts(const std::string& reason, ComparisonTable& table) {
  const auto withdraw = [&reason](Comparison& comparison) {
    comparison.verdict = Verdict::kInconclusive;
    comparison.standing = MarginStanding::kUndecided;
    comparison.reason = reason;
    comparison.more_visits.reset();
  };
  for (Comparison& comparison : table.comparisons) withdraw(comparison);
  if (table.overall.has_value()) withdraw(*table.overall);
}

std::string MissingText(const std::vector<std::string>& names,
                        std::string_view side) {
  return absl::StrFormat(
      "%s%s only in the %s", PrintableName(names.front()),
      names.size() == 1 ? " is"
                        : absl::StrFormat(" and %d more are", names.size() - 1),
      side);
}

std::string NothingText(const ComparisonTable& table) {
  if (!table.without_metric.empty()) {
    return absl::StrFormat("no benchmark carries the metric; %s is without it",
                           PrintableName(table.without_metric.front()));
  }
  if (table.only_in_baseline.empty() && table.only_in_contender.empty()) {
    return "no benchmark is selected on either side";
  }
  return "the two sides have no benchmark in common";
}

// What makes judging impossible although each comparison could be judged.
std::optional<Ruling> WhyNotJudged(const ComparisonTable& table,
                                   const std::string& mismatch) {
  const auto cannot = [](ReasonCode code, std::string reason) {
    return Ruling{Decision::kInconclusive, code, std::move(reason)};
  };
  if (table.comparisons.empty()) {
    return cannot(ReasonCode::kNothing, NothingText(table));
  }
  if (!table.may_lose && !table.only_in_baseline.empty()) {
    return cannot(ReasonCode::kMissing,
                  MissingText(table.only_in_baseline, "baseline"));
  }
  for (const IdleSetting& idle : table.idle) {
    if (idle.vanished) return cannot(ReasonCode::kMissing, IdleText(idle));
  }
  if (!table.may_add && !table.only_in_contender.empty()) {
    return cannot(ReasonCode::kMissing,
                  MissingText(table.only_in_contender, "contender"));
  }
  if (mismatch.empty()) return std::nullopt;
  return cannot(ReasonCode::kOtherMachine, mismatch);
}

}  // namespace

void Conclude(const Policy& policy, const std::string& mismatch,
              ComparisonTable& table) {
  if (!mismatch.empty()) WithdrawVerdicts(mismatch, table);
  Ruling& ruling = table;
  ruling = Decide(RuleOf(policy), table.comparisons,
                  table.overall.has_value() ? &*table.overall : nullptr);
  if (ruling.code == ReasonCode::kUnjudgeable) return;
  if (auto why = WhyNotJudged(table, mismatch)) {
    ruling = *std::move(why);
  }
}

}  // namespace autotune
