#include "comparator/recorded/comparison_decision.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

using Pointers = std::vector<const Comparison*>;

// "A" or "A and 3 more".
std::string FirstOf(const Pointers& comparisons) {
  const std::string first = comparisons.front()->name;
  if (comparisons.size() == 1) return first;
  return absl::StrFormat("%s and %d more", first, comparisons.size() - 1);
}

bool IsJudged(const Comparison& comparison) {
  return comparison.cannot_judge.empty() && comparison.suspicion.empty();
}

Pointers JudgedOf(const ComparisonTable& table, ComparisonRole role) {
  Pointers found;
  for (const Comparison& comparison : table.comparisons) {
    if (comparison.role == role && IsJudged(comparison)) {
      found.push_back(&comparison);
    }
  }
  return found;
}

Pointers SuspectedTargets(const ComparisonTable& table) {
  Pointers found;
  for (const Comparison& comparison : table.comparisons) {
    if (comparison.role == ComparisonRole::kTarget &&
        comparison.cannot_judge.empty() && !comparison.suspicion.empty()) {
      found.push_back(&comparison);
    }
  }
  return found;
}

Pointers Standing(const Pointers& comparisons, MarginStanding standing) {
  Pointers found;
  std::copy_if(
      comparisons.begin(), comparisons.end(), std::back_inserter(found),
      [standing](const Comparison* c) { return c->standing == standing; });
  return found;
}

Pointers WithVerdict(const Pointers& comparisons, Verdict verdict) {
  Pointers found;
  std::copy_if(
      comparisons.begin(), comparisons.end(), std::back_inserter(found),
      [verdict](const Comparison* c) { return c->verdict == verdict; });
  return found;
}

void Conclude(ComparisonTable& table, Decision decision, std::string reason) {
  table.decision = decision;
  table.reason = std::move(reason);
}

void CannotJudge(ComparisonTable& table, std::string reason) {
  table.cannot_judge = true;
  Conclude(table, Decision::kInconclusive, std::move(reason));
}

std::string MissingText(const std::vector<std::string>& names,
                        std::string_view side) {
  return absl::StrFormat(
      "%s%s only in the %s", names.front(),
      names.size() == 1 ? " is"
                        : absl::StrFormat(" and %d more are", names.size() - 1),
      side);
}

std::string NothingText(const ComparisonTable& table) {
  if (!table.without_metric.empty()) {
    return absl::StrFormat("no benchmark carries the metric; %s is without it",
                           table.without_metric.front());
  }
  if (table.only_in_baseline.empty() && table.only_in_contender.empty()) {
    return "no benchmark is selected on either side";
  }
  return "the two sides have no benchmark in common";
}

// Whether something selected cannot be judged; then the table says so.
bool ConcludeUnjudgeable(ComparisonTable& table,
                         const CompareOptions& options) {
  Pointers failed;
  for (const Comparison& comparison : table.comparisons) {
    if (!comparison.cannot_judge.empty()) failed.push_back(&comparison);
  }
  if (!failed.empty()) {
    CannotJudge(table, absl::StrCat(FirstOf(failed), ": ",
                                    failed.front()->cannot_judge));
    return true;
  }
  if (table.comparisons.empty()) {
    CannotJudge(table, NothingText(table));
    return true;
  }
  if (!table.missing_guards.empty()) {
    CannotJudge(table, absl::StrFormat("guard: no target carries the metric %s",
                                       table.missing_guards.front()));
    return true;
  }
  if (options.common_only) return false;
  if (!table.only_in_baseline.empty()) {
    CannotJudge(table, MissingText(table.only_in_baseline, "baseline"));
    return true;
  }
  if (!table.only_in_contender.empty()) {
    CannotJudge(table, MissingText(table.only_in_contender, "contender"));
    return true;
  }
  return false;
}

// The factor by which an improved figure is better, at least 1; of counts of
// which some are 0 it is not known, and 1.
double GainFactor(const std::optional<RatioEstimate>& estimate) {
  if (!estimate.has_value()) return 1.0;
  return std::max(estimate->ratio, 1.0 / estimate->ratio);
}

std::string VerdictText(Verdict verdict, const Policy& policy) {
  switch (verdict) {
    case Verdict::kImproved:
      return "improved";
    case Verdict::kRegressed:
      return "regressed";
    case Verdict::kEquivalent:
      return absl::StrCat("equivalent within ", PercentText(policy.min_effect));
    case Verdict::kNoGain:
      return absl::StrCat("no gain of ", PercentText(policy.min_effect),
                          " or more");
    case Verdict::kInconclusive:
      break;
  }
  return "inconclusive";
}

std::string GuardsText(std::size_t guards) {
  if (guards == 0) return "";
  return absl::StrFormat(", %d guard%s unharmed", guards,
                         guards == 1 ? "" : "s");
}

// A proven improvement is kept only when the guards agree and nothing about it
// is implausible.
void ConcludeImproved(ComparisonTable& table, const std::string& what,
                      double gain, const Policy& policy) {
  const Pointers guards = JudgedOf(table, ComparisonRole::kGuard);
  const Pointers open = Standing(guards, MarginStanding::kUndecided);
  const Pointers suspected = SuspectedTargets(table);
  const auto blocks = [](const Comparison* guard) {
    return guard->guard_mode != GuardMode::kVeto;
  };
  const auto blocking = std::find_if(open.begin(), open.end(), blocks);
  if (gain > policy.review_ratio) {
    return Conclude(table, Decision::kInconclusive,
                    absl::StrFormat("needs review: %s by a factor of %s; check "
                                    "that the work is still done",
                                    what, FixedText(gain, 1)));
  }
  if (!suspected.empty()) {
    return Conclude(table, Decision::kInconclusive,
                    absl::StrCat("needs review: ", FirstOf(suspected), ": ",
                                 suspected.front()->suspicion));
  }
  if (blocking != open.end()) {
    return Conclude(
        table, Decision::kInconclusive,
        absl::StrFormat("%s, but guard %s is not proven within %s", what,
                        (*blocking)->name,
                        PercentText((*blocking)->margin.value_or(0.0))));
  }
  Conclude(table, Decision::kKeep, what + GuardsText(guards.size()));
}

void ConcludeVerdict(ComparisonTable& table, Verdict verdict,
                     const std::string& name,
                     const std::optional<RatioEstimate>& estimate,
                     std::string_view why_inconclusive, const Policy& policy) {
  const std::string what =
      absl::StrCat(name, " ", VerdictText(verdict, policy));
  if (verdict == Verdict::kImproved) {
    return ConcludeImproved(table, what, GainFactor(estimate), policy);
  }
  if (verdict == Verdict::kInconclusive) {
    return Conclude(table, Decision::kInconclusive,
                    std::string(why_inconclusive));
  }
  Conclude(table, Decision::kDiscard, what);
}

bool IsBeyondMargin(const Comparison* target) {
  return target->standing == MarginStanding::kBeyond;
}

// "each": one target improved and no other is worse by more than its margin.
void ConcludeEach(ComparisonTable& table, const Pointers& targets,
                  const Policy& policy) {
  const auto harmed =
      std::find_if(targets.begin(), targets.end(), &IsBeyondMargin);
  if (harmed != targets.end()) {
    return Conclude(
        table, Decision::kDiscard,
        absl::StrFormat("%s is worse by more than %s", (*harmed)->name,
                        PercentText(*(*harmed)->margin)));
  }
  const Pointers improved = WithVerdict(targets, Verdict::kImproved);
  if (improved.empty()) {
    const Pointers open = WithVerdict(targets, Verdict::kInconclusive);
    if (open.empty()) {
      return Conclude(
          table, Decision::kDiscard,
          absl::StrFormat("none of %d targets improved", targets.size()));
    }
    return Conclude(table, Decision::kInconclusive,
                    absl::StrCat(FirstOf(open), ": ", open.front()->reason));
  }
  for (const Comparison* target : targets) {
    if (target->verdict != Verdict::kImproved &&
        target->standing != MarginStanding::kWithin) {
      return Conclude(table, Decision::kInconclusive,
                      absl::StrFormat("%s improved, but %s is not proven "
                                      "within %s",
                                      FirstOf(improved), target->name,
                                      PercentText(*target->margin)));
    }
  }
  double gain = 1.0;
  for (const Comparison* target : improved) {
    gain = std::max(gain, GainFactor(target->estimate));
  }
  ConcludeImproved(table, FirstOf(improved) + " improved", gain, policy);
}

void DecideTune(ComparisonTable& table, std::string_view overall_reason,
                const Policy& policy) {
  const Pointers targets = JudgedOf(table, ComparisonRole::kTarget);
  const Pointers harmed = Standing(JudgedOf(table, ComparisonRole::kGuard),
                                   MarginStanding::kBeyond);
  // Has no ratio, so no part in the mean.
  const auto lost_exactly =
      std::find_if(targets.begin(), targets.end(), [](const Comparison* c) {
        return !c->estimate.has_value() && c->verdict == Verdict::kRegressed;
      });
  if (lost_exactly != targets.end()) {
    return Conclude(table, Decision::kDiscard,
                    (*lost_exactly)->name + " regressed");
  }
  if (!harmed.empty()) {
    return Conclude(
        table, Decision::kDiscard,
        absl::StrFormat("guard %s is worse by more than %s", FirstOf(harmed),
                        PercentText(*harmed.front()->margin)));
  }
  if (targets.empty()) {
    const Pointers suspected = SuspectedTargets(table);
    if (suspected.empty()) {
      return CannotJudge(table,
                         "every benchmark is a guard: name the targets with "
                         "--filter");
    }
    return Conclude(table, Decision::kInconclusive,
                    absl::StrCat("needs review: ", FirstOf(suspected), ": ",
                                 suspected.front()->suspicion));
  }
  if (targets.size() == 1) {
    return ConcludeVerdict(table, targets[0]->verdict, targets[0]->name,
                           targets[0]->estimate, targets[0]->reason, policy);
  }
  if (policy.targets == TargetRule::kEach || !table.overall.has_value()) {
    return ConcludeEach(table, targets, policy);
  }
  ConcludeVerdict(
      table, table.overall_verdict,
      absl::StrFormat("geometric mean of %d benchmarks", targets.size()),
      table.overall, overall_reason, policy);
}

void DecideGate(ComparisonTable& table, const Policy& policy) {
  const Pointers targets = JudgedOf(table, ComparisonRole::kTarget);
  const Pointers suspected = SuspectedTargets(table);
  const auto hopeless =
      std::find_if(targets.begin(), targets.end(),
                   [](const Comparison* c) { return !c->can_be_decided; });
  if (hopeless != targets.end()) {
    return CannotJudge(
        table, absl::StrCat((*hopeless)->name, ": ", (*hopeless)->reason));
  }
  const Pointers beyond = Standing(targets, MarginStanding::kBeyond);
  if (!beyond.empty()) {
    return Conclude(table, Decision::kDiscard,
                    absl::StrFormat("%s worse by more than %s", FirstOf(beyond),
                                    PercentText(*beyond.front()->margin)));
  }
  if (!suspected.empty()) {
    return Conclude(table, Decision::kInconclusive,
                    absl::StrCat("needs review: ", FirstOf(suspected), ": ",
                                 suspected.front()->suspicion));
  }
  const Pointers open = Standing(targets, MarginStanding::kUndecided);
  if (!open.empty()) {
    return Conclude(
        table, Decision::kInconclusive,
        absl::StrFormat("%s not proven within %s (alpha %s)", FirstOf(open),
                        PercentText(*open.front()->margin),
                        ShortestText(policy.alpha)));
  }
  Conclude(table, Decision::kKeep,
           absl::StrFormat("%d benchmark%s proven within the margin%s",
                           targets.size(), targets.size() == 1 ? "" : "s",
                           targets.size() == 1 ? "" : "s"));
}

}  // namespace

void DecideTable(ComparisonTable& table, std::string_view overall_reason,
                 const Policy& policy, const CompareOptions& options) {
  if (ConcludeUnjudgeable(table, options)) return;
  if (policy.kind == PolicyKind::kGate) {
    DecideGate(table, policy);
  } else {
    DecideTune(table, overall_reason, policy);
  }
}

}  // namespace autotune
