// The tracks only bet, freeze and describe. A test that has decided looks at no
// further round, so what it proved stays as it was while others run on; where
// it stops depends on earlier rounds only, and an e-value is one at any
// stopping time.
#include "comparator/judge/tracks.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/multiple_testing.h"
#include "comparator/statistics/sequential_guard.h"
#include "comparator/statistics/sequential_test.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

// A loss this much above the margin may come from rounding alone.
constexpr double kRounding = 1e-12;

// Of targets that all have their number.
double Average(const std::vector<std::optional<double>>& values) {
  const auto add = [](double sum, const std::optional<double>& value) {
    return sum + value.value();
  };
  return std::accumulate(values.begin(), values.end(), 0.0, add) /
         static_cast<double>(values.size());
}

// Of the mean of independent values; not known unless all of them are.
double AverageSpread(const std::vector<double>& spreads) {
  double sum_of_squares = 0.0;
  for (const double spread : spreads) {
    if (!(spread > 0.0)) return 0.0;
    sum_of_squares += spread * spread;
  }
  return std::sqrt(sum_of_squares) / static_cast<double>(spreads.size());
}

bool JudgesEach(const JudgeSettings& settings) {
  return settings.kind == PolicyKind::kTune &&
         settings.rule == TargetRule::kEach && settings.targets.size() > 1;
}

// The loss tolerated for a target where it is judged by one, a fraction.
double TargetMargin(const JudgeSettings& settings, std::size_t target) {
  constexpr double kDefaultMargin = 0.02;
  return settings.target_margins.empty() ? kDefaultMargin
                                         : settings.target_margins[target];
}

SequentialOptions OptionsOf(const JudgeSettings& settings) {
  return {.min_log_improvement = settings.min_log_improvement,
          .floor = settings.floor,
          .alpha = settings.alpha,
          .beta = settings.beta,
          .stop_when_decided = settings.stop_when_decided};
}

std::string UndecidedText(std::size_t rounds) {
  return absl::StrCat("undecided after ", CountText(rounds, "round"));
}

Verdict VerdictOf(const SequentialTest& test, Detail detail) {
  switch (test.decision()) {
    case Decision::kKeep:
      return Verdict::kImproved;
    case Decision::kDiscard:
      return detail == Detail::kWhole ? test.verdict() : Verdict::kNoGain;
    case Decision::kInconclusive:
      break;
  }
  return Verdict::kInconclusive;
}

// Where a test of `name` stands. Only a keep's estimate is asked of a ruling.
Comparison ComparisonOf(const SequentialTest& test, const std::string& name,
                        const JudgeSettings& settings, Detail detail,
                        bool with_gain) {
  Comparison comparison;
  comparison.name = name;
  comparison.metric.direction = settings.direction;
  comparison.verdict = VerdictOf(test, detail);
  comparison.rounds = test.rounds();
  comparison.log_e_keep = test.log_e_keep();
  comparison.log_e_discard = test.log_e_discard();
  comparison.log_e_worse = test.log_e_worse();
  if (comparison.verdict == Verdict::kInconclusive) {
    comparison.reason = UndecidedText(test.rounds());
  }
  const bool whole = detail == Detail::kWhole;
  if (test.rounds() > 0 && (whole || with_gain)) {
    comparison.estimate = RatioFromLogImprovement(
        test.centre(), whole ? test.log_improvement() : Interval{},
        settings.direction);
  }
  return comparison;
}

// What a test against a margin comes to: its standing, and what the interval
// says beyond that. `log_e_harmed` may be adjusted; `beta_limit` is what it
// must reach.
Comparison ComparisonOf(const SequentialGuard& test, double margin,
                        Direction direction, Detail detail, double log_e_harmed,
                        bool harmed) {
  Comparison comparison;
  comparison.metric.direction = direction;
  comparison.margin = margin;
  comparison.rounds = test.rounds();
  comparison.log_e_keep = test.log_e_unharmed();
  comparison.log_e_discard = log_e_harmed;
  if (harmed) {
    comparison.standing = MarginStanding::kBeyond;
    comparison.verdict = Verdict::kRegressed;
  } else if (test.proven_unharmed()) {
    comparison.standing = MarginStanding::kWithin;
  } else {
    comparison.reason = UndecidedText(test.rounds());
  }
  if (detail != Detail::kWhole || test.rounds() == 0) return comparison;
  const Interval y = test.log_improvement();
  comparison.estimate = RatioFromLogImprovement(test.centre(), y, direction);
  if (harmed) return comparison;
  if (y.lower && *y.lower > 0.0) {
    comparison.verdict = Verdict::kImproved;
  } else if (test.proven_unharmed() && y.upper &&
             *y.upper < std::log1p(margin)) {
    comparison.verdict = Verdict::kEquivalent;
  }
  return comparison;
}

// One target, or the geometric mean of several.
class GeomeanTrack : public TargetTrack {
 public:
  explicit GeomeanTrack(const JudgeSettings& settings)
      : settings_(settings),
        overall_(OptionsOf(settings)),
        parts_(settings.targets.size() > 1 ? settings.targets.size() : 0,
               SequentialTest(OptionsOf(settings))) {}

  void Add(const std::vector<std::optional<double>>& log_ratios,
           const std::vector<double>& spreads, std::size_t replica) override {
    const bool frozen = settings_.stop_when_decided &&
                        overall_.decision() != Decision::kInconclusive;
    if (frozen) return;
    overall_.Add(Average(log_ratios), AverageSpread(spreads), replica);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].Add(log_ratios[i].value(), spreads[i], replica);
    }
  }

  Comparison overall(Detail detail) const override {
    return Describe(overall_,
                    parts_.empty() ? settings_.targets.front() : "geomean",
                    detail);
  }

  std::vector<Comparison> targets(Detail detail) const override {
    if (parts_.empty()) return {overall(detail)};
    std::vector<Comparison> comparisons;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      comparisons.push_back(Describe(parts_[i], settings_.targets[i], detail));
    }
    return comparisons;
  }

  double log_keep_limit() const override { return overall_.log_keep_limit(); }
  double log_discard_limit() const override {
    return overall_.log_discard_limit();
  }

 private:
  Comparison Describe(const SequentialTest& test, const std::string& name,
                      Detail detail) const {
    return ComparisonOf(test, name, settings_, detail,
                        overall_.decision() == Decision::kKeep);
  }

  const JudgeSettings& settings_;
  SequentialTest overall_;
  std::vector<SequentialTest> parts_;  // empty when there is one target
};

// Several targets, any of which may carry the keep while the others are guards.
class EachTrack : public TargetTrack {
 public:
  explicit EachTrack(const JudgeSettings& settings) : settings_(settings) {
    SequentialOptions options = OptionsOf(settings);
    options.alpha /= static_cast<double>(settings.targets.size());
    for (std::size_t i = 0; i < settings.targets.size(); ++i) {
      tests_.emplace_back(options);
      guards_.emplace_back(
          GuardOptions{.log_margin = std::log1p(TargetMargin(settings, i)),
                       .alpha = settings.alpha,
                       .beta = GuardBeta(settings)});
    }
  }

  void Add(const std::vector<std::optional<double>>& log_ratios,
           const std::vector<double>& spreads, std::size_t replica) override {
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      tests_[i].Add(log_ratios[i].value(), spreads[i], replica);
      guards_[i].Add(log_ratios[i].value(), spreads[i], replica);
    }
  }

  Comparison overall(Detail detail) const override {
    const auto keeps = std::find_if(
        tests_.begin(), tests_.end(),
        [](const auto& test) { return test.decision() == Decision::kKeep; });
    const auto nearest =
        std::max_element(tests_.begin(), tests_.end(),
                         [](const SequentialTest& a, const SequentialTest& b) {
                           return a.log_e_keep() < b.log_e_keep();
                         });
    return Describe(
        static_cast<std::size_t>((keeps != tests_.end() ? keeps : nearest) -
                                 tests_.begin()),
        detail);
  }

  std::vector<Comparison> targets(Detail detail) const override {
    std::vector<Comparison> comparisons;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      comparisons.push_back(Describe(i, detail));
    }
    return comparisons;
  }

  double log_keep_limit() const override {
    return tests_.front().log_keep_limit();
  }
  double log_discard_limit() const override {
    return tests_.front().log_discard_limit();
  }

 private:
  Comparison Describe(std::size_t i, Detail detail) const {
    Comparison comparison =
        ComparisonOf(tests_[i], settings_.targets[i], settings_, detail,
                     tests_[i].decision() == Decision::kKeep);
    comparison.margin = TargetMargin(settings_, i);
    if (guards_[i].proven_harmed()) {
      comparison.standing = MarginStanding::kBeyond;
    } else if (guards_[i].proven_unharmed()) {
      comparison.standing = MarginStanding::kWithin;
    }
    return comparison;
  }

  const JudgeSettings& settings_;
  std::vector<SequentialTest> tests_;
  std::vector<SequentialGuard> guards_;
};

// Each benchmark against its own margin. All must be proven unharmed to pass,
// so each is at alpha; harm to any one is a regression, so the e-values for
// harm are adjusted over the table.
class GateTrack : public TargetTrack {
 public:
  explicit GateTrack(const JudgeSettings& settings)
      : settings_(settings),
        geomean_({.min_log_improvement = settings.min_log_improvement,
                  .floor = settings.floor,
                  .alpha = settings.alpha,
                  .beta = settings.beta,
                  .stop_when_decided = false}) {
    const std::size_t count = settings.targets.size();
    for (std::size_t i = 0; i < count; ++i) {
      // Harmed at the share of all is harmed after any adjustment too.
      tests_.emplace_back(
          GuardOptions{.log_margin = std::log1p(TargetMargin(settings, i)),
                       .alpha = settings.alpha,
                       .beta = settings.beta / static_cast<double>(count)});
    }
  }

  void Add(const std::vector<std::optional<double>>& log_ratios,
           const std::vector<double>& spreads, std::size_t replica) override {
    double sum = 0.0;
    std::size_t measured = 0;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      if (!log_ratios[i].has_value()) continue;
      tests_[i].Add(*log_ratios[i], spreads[i], replica);
      sum += *log_ratios[i];
      ++measured;
    }
    // A mean over fewer benchmarks is another figure.
    if (measured == tests_.size()) {
      geomean_.Add(sum / static_cast<double>(measured), AverageSpread(spreads),
                   replica);
    }
  }

  bool settled(std::size_t target) const override {
    return tests_[target].settled();
  }

  Comparison overall(Detail detail) const override {
    if (tests_.size() == 1) return targets(detail).front();
    return ComparisonOf(geomean_, "geomean", settings_, detail, false);
  }

  std::vector<Comparison> targets(Detail detail) const override {
    std::vector<double> log_e_values;
    for (const SequentialGuard& test : tests_) {
      log_e_values.push_back(test.log_e_harmed());
    }
    const std::vector<double> harm = AdjustLogEValues(log_e_values);
    std::vector<Comparison> comparisons;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      comparisons.push_back(ComparisonOf(tests_[i], TargetMargin(settings_, i),
                                         settings_.direction, detail, harm[i],
                                         harm[i] >= log_discard_limit()));
      comparisons.back().name = settings_.targets[i];
    }
    return comparisons;
  }

  double log_keep_limit() const override { return -std::log(settings_.alpha); }
  double log_discard_limit() const override {
    return -std::log(settings_.beta);
  }

 private:
  const JudgeSettings& settings_;
  std::vector<SequentialGuard> tests_;
  SequentialTest geomean_;
};

}  // namespace

double GuardBeta(const JudgeSettings& settings) {
  auto count = std::count_if(
      settings.guards.begin(), settings.guards.end(),
      [](const JudgedGuard& guard) { return guard.mode != GuardMode::kExact; });
  if (JudgesEach(settings)) count += std::ssize(settings.targets);
  return settings.beta /
         static_cast<double>(std::max<std::ptrdiff_t>(count, 1));
}

std::unique_ptr<TargetTrack> MakeTargetTrack(const JudgeSettings& settings) {
  if (settings.kind == PolicyKind::kGate) {
    return std::make_unique<GateTrack>(settings);
  }
  if (JudgesEach(settings)) return std::make_unique<EachTrack>(settings);
  return std::make_unique<GeomeanTrack>(settings);
}

GuardTrack::GuardTrack(const JudgedGuard& guard, double alpha, double beta)
    : guard_(guard),
      test_({.log_margin = std::log1p(guard.margin),
             .alpha = alpha,
             .beta = beta}) {}

void GuardTrack::Add(double log_ratio, double spread, std::size_t replica) {
  assert(std::isfinite(log_ratio));
  if (!exact()) {
    test_.Add(log_ratio, spread, replica);
    return;
  }
  worst_ = rounds_ == 0 ? log_ratio : std::min(worst_, log_ratio);
  ++rounds_;
}

Comparison GuardTrack::comparison(Detail detail) const {
  Comparison comparison =
      ComparisonOf(test_, guard_.margin, guard_.direction, detail,
                   test_.log_e_harmed(), test_.proven_harmed());
  comparison.name = guard_.name;
  comparison.role = ComparisonRole::kGuard;
  comparison.guard_mode = guard_.mode;
  if (exact()) SetExactly(comparison);
  return comparison;
}

void GuardTrack::SetExactly(Comparison& comparison) const {
  comparison.rounds = rounds_;
  if (rounds_ == 0) return;
  comparison.reason.clear();
  comparison.estimate =
      RatioFromLogImprovement(worst_, {worst_, worst_, 1.0}, guard_.direction);
  const bool harmed = worst_ < -std::log1p(guard_.margin) - kRounding;
  comparison.standing =
      harmed ? MarginStanding::kBeyond : MarginStanding::kWithin;
  comparison.verdict = worst_ > 0.0   ? Verdict::kImproved
                       : harmed       ? Verdict::kRegressed
                       : worst_ < 0.0 ? Verdict::kInconclusive
                                      : Verdict::kEquivalent;
}

}  // namespace autotune
