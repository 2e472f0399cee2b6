#include "tools/bench_compare/run_progress.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr int kBarWidth = 8;

// Share of the way to the limit, in [0, 1]; falling behind shows as none.
double ShareOf(double log_e, double limit) {
  return limit > 0.0 ? std::clamp(log_e / limit, 0.0, 1.0) : 0.0;
}

std::string Bar(double share) {
  const int filled = static_cast<int>(std::lround(share * kBarWidth));
  return absl::StrCat(
      "[", std::string(static_cast<std::size_t>(filled), '#'),
      std::string(static_cast<std::size_t>(kBarWidth - filled), '.'), "]");
}

std::string TowardsText(std::string_view what, double log_e, double limit) {
  return absl::StrFormat("%s %s %s/%s", what, Bar(ShareOf(log_e, limit)),
                         FixedText(log_e, 1), FixedText(limit, 1));
}

std::string DecidedText(const RunStanding& standing) {
  if (!standing.gate || standing.targets < 2) return "";
  return absl::StrCat(standing.decided, " of ", standing.targets, " decided  ");
}

// A gate passes with its last benchmark and fails with its first.
void UseGateEValues(const SequentialJudge& judge, RunStanding& standing) {
  const std::vector<Comparison> targets = judge.targets();
  standing.targets = targets.size();
  standing.log_e_keep = targets.front().log_e_keep;
  standing.log_e_discard = targets.front().log_e_discard;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    standing.log_e_keep = std::min(standing.log_e_keep, targets[i].log_e_keep);
    standing.log_e_discard =
        std::max(standing.log_e_discard, targets[i].log_e_discard);
    if (!judge.measures(i)) ++standing.decided;
  }
}

// Seconds to the limit at the average pace so far.
std::optional<double> SecondsTo(double log_e, double limit, double elapsed) {
  if (log_e <= 0.0 || elapsed <= 0.0) return std::nullopt;
  return std::max(0.0, (limit - log_e) * elapsed / log_e);
}

}  // namespace

std::optional<double> SecondsLeft(const RunStanding& standing) {
  const double budget =
      std::max(0.0, standing.budget_seconds - standing.elapsed_seconds);
  const std::optional<double> keep = SecondsTo(
      standing.log_e_keep, standing.log_keep_limit, standing.elapsed_seconds);
  const std::optional<double> discard =
      SecondsTo(standing.log_e_discard, standing.log_discard_limit,
                standing.elapsed_seconds);
  if (!keep.has_value() && !discard.has_value()) return std::nullopt;
  return std::min({keep.value_or(budget), discard.value_or(budget), budget});
}

std::string ProgressText(const RunStanding& standing) {
  const std::optional<double> left = SecondsLeft(standing);
  return absl::StrFormat(
      "round %d  %s%s %s  %s  %s  %s of %s%s", standing.rounds,
      DecidedText(standing), ChangeText(standing.estimate.ratio),
      IntervalText(standing.estimate.interval),
      TowardsText(standing.gate ? "pass" : "keep", standing.log_e_keep,
                  standing.log_keep_limit),
      TowardsText(standing.gate ? "regression" : "discard",
                  standing.log_e_discard, standing.log_discard_limit),
      SecondsText(standing.elapsed_seconds),
      SecondsText(standing.budget_seconds),
      left.has_value() ? ", about " + SecondsText(*left) + " left" : "");
}

RunProgress::RunProgress(Terminal& terminal, PolicyKind kind, bool quiet,
                         std::function<bool()> interrupted)
    : terminal_(terminal),
      kind_(kind),
      quiet_(quiet),
      interrupted_(std::move(interrupted)),
      line_(terminal, quiet) {}

void RunProgress::OnNote(std::string_view line) {
  if (quiet_) return;
  line_.Clear();
  const std::string_view kind = line.starts_with("warning: ") ? "" : "note: ";
  terminal_.err << "bench_compare: " << kind << PrintableText(line) << '\n';
}

void RunProgress::OnRound(const RoundEvidence& /*round*/,
                          const SequentialJudge& judge, double elapsed_seconds,
                          double budget_seconds) {
  if (judge.rounds() == 0) return;
  const Comparison overall = judge.overall();
  RunStanding standing;
  standing.gate = kind_ == PolicyKind::kGate;
  standing.rounds = judge.rounds();
  standing.estimate = overall.estimate.value_or(RatioEstimate{});
  standing.log_e_keep = overall.log_e_keep;
  standing.log_keep_limit = judge.log_keep_limit();
  standing.log_e_discard = overall.log_e_discard;
  standing.log_discard_limit = judge.log_discard_limit();
  if (standing.gate) UseGateEValues(judge, standing);
  standing.elapsed_seconds = elapsed_seconds;
  standing.budget_seconds = budget_seconds;
  line_.Show(ProgressText(standing), elapsed_seconds);
}

}  // namespace autotune
