#include "comparator/judge/gate_track.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/judge/target_track.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/multiple_testing.h"
#include "comparator/statistics/sequential_guard.h"
#include "comparator/statistics/sequential_test.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

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
          GuardOptions{.log_margin = TargetLogMargin(settings, i),
                       .alpha = settings.alpha,
                       .beta = settings.beta / static_cast<double>(count)});
    }
  }

  void Add(const std::vector<std::optional<double>>& log_ratios) override {
    double sum = 0.0;
    std::size_t measured = 0;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      if (!log_ratios[i].has_value()) continue;
      tests_[i].Add(*log_ratios[i]);
      sum += *log_ratios[i];
      ++measured;
    }
    // A mean over fewer benchmarks is another figure.
    if (measured == tests_.size()) {
      geomean_.Add(sum / static_cast<double>(measured));
    }
    ++rounds_;
  }

  bool settled(std::size_t target) const override {
    return tests_[target].settled();
  }

  Decision decision() const override {
    if (Worst()) return Decision::kDiscard;
    return First([&](std::size_t i) { return !tests_[i].proven_unharmed(); })
               ? Decision::kInconclusive
               : Decision::kKeep;
  }

  std::string reason() const override {
    if (const std::optional<std::size_t> worst = Worst()) {
      return absl::StrCat(PrintableName(settings_.targets[*worst]),
                          " worse than ", MarginText(*worst));
    }
    const auto unharmed = static_cast<std::size_t>(std::count_if(
        tests_.begin(), tests_.end(),
        [](const SequentialGuard& test) { return test.proven_unharmed(); }));
    if (unharmed == tests_.size()) {
      return absl::StrCat(CountText(unharmed, "benchmark"),
                          " not worse than the margin");
    }
    return absl::StrCat(CountText(tests_.size() - unharmed, "benchmark"), " ",
                        UndecidedText(rounds_));
  }

  TargetState overall() const override {
    if (tests_.size() == 1) return targets().front();
    return StateOfTest(geomean_, "geomean", settings_);
  }

  std::vector<TargetState> targets() const override {
    const std::vector<double> harm = AdjustedHarm();
    std::vector<TargetState> states;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      states.push_back(StateOfTarget(i, harm[i]));
    }
    return states;
  }

  double log_keep_limit() const override { return -std::log(settings_.alpha); }
  double log_discard_limit() const override {
    return -std::log(settings_.beta);
  }

 private:
  template <typename Predicate>
  std::optional<std::size_t> First(const Predicate& holds) const {
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      if (holds(i)) return i;
    }
    return std::nullopt;
  }

  std::vector<double> AdjustedHarm() const {
    std::vector<double> log_e_values;
    for (const SequentialGuard& test : tests_) {
      log_e_values.push_back(test.log_e_harmed());
    }
    return AdjustLogEValues(log_e_values);
  }

  // The first benchmark proven worse than its margin.
  std::optional<std::size_t> Worst() const {
    const std::vector<double> harm = AdjustedHarm();
    return First([&](std::size_t i) { return harm[i] >= log_discard_limit(); });
  }

  std::string MarginText(std::size_t i) const {
    return PercentText(std::expm1(TargetLogMargin(settings_, i)));
  }

  TargetState StateOfTarget(std::size_t i, double log_e_harmed) const {
    const SequentialGuard& test = tests_[i];
    TargetState state;
    state.name = settings_.targets[i];
    state.rounds = test.rounds();
    state.log_e_keep = test.log_e_unharmed();
    state.log_e_discard = log_e_harmed;
    const Interval y = test.log_improvement();
    state.estimate.interval = y;
    if (state.rounds > 0) {
      state.estimate =
          RatioFromLogImprovement(test.centre(), y, settings_.direction);
    }
    const double margin = TargetLogMargin(settings_, i);
    if (log_e_harmed >= log_discard_limit()) {
      state.verdict = Verdict::kRegressed;
    } else if (y.lower && *y.lower > 0.0) {
      state.verdict = Verdict::kImproved;
    } else if (test.proven_unharmed() && y.upper && *y.upper < margin) {
      state.verdict = Verdict::kEquivalent;
    } else {
      state.reason = test.proven_unharmed()
                         ? absl::StrCat("not worse than ", MarginText(i))
                         : UndecidedText(state.rounds);
    }
    return state;
  }

  const JudgeSettings& settings_;
  std::vector<SequentialGuard> tests_;
  SequentialTest geomean_;
  std::size_t rounds_ = 0;
};

}  // namespace

std::unique_ptr<TargetTrack> MakeGateTrack(const JudgeSettings& settings) {
  return std::make_unique<GateTrack>(settings);
}

}  // namespace autotune
