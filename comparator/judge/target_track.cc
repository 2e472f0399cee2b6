#include "comparator/judge/target_track.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "comparator/judge/gate_track.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/sequential_guard.h"
#include "comparator/statistics/sequential_test.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

// Of targets that all have their number.
double Average(const std::vector<std::optional<double>>& values) {
  const auto add = [](double sum, const std::optional<double>& value) {
    return sum + value.value();
  };
  return std::accumulate(values.begin(), values.end(), 0.0, add) /
         static_cast<double>(values.size());
}

bool JudgesEach(const JudgeSettings& settings) {
  return settings.kind == PolicyKind::kTune &&
         settings.rule == TargetRule::kEach && settings.targets.size() > 1;
}

// "1 %": the improvement that a discard excludes.
std::string ExcludedGainText(const JudgeSettings& settings) {
  return PercentText(
      -std::expm1(-settings.min_log_improvement - settings.floor));
}

SequentialOptions OptionsOf(const JudgeSettings& settings) {
  return {.min_log_improvement = settings.min_log_improvement,
          .floor = settings.floor,
          .alpha = settings.alpha,
          .beta = settings.beta,
          .stop_when_decided = settings.stop_when_decided};
}

// How many times better a test's centre is than no change.
double GainFactor(const SequentialTest& test) {
  return test.rounds() == 0 ? 1.0 : std::exp(test.centre());
}

std::string GainText(const std::string& subject, double factor) {
  return absl::StrFormat("%s is %.3g times better", PrintableName(subject),
                         factor);
}

// What a test's answer means, for `subject`.
std::string TestReason(const SequentialTest& test, const std::string& subject,
                       const JudgeSettings& settings) {
  switch (test.verdict()) {
    case Verdict::kImproved:
      return absl::StrCat(subject, " improved");
    case Verdict::kRegressed:
      return absl::StrCat(subject, " regressed");
    case Verdict::kEquivalent:
      return absl::StrCat(subject, " equivalent");
    case Verdict::kNoGain:
      return absl::StrCat(subject, " does not improve by ",
                          ExcludedGainText(settings), " or more");
    case Verdict::kInconclusive:
      break;
  }
  return absl::StrCat(subject, " ", UndecidedText(test.rounds()));
}

// One target, or the geometric mean of several.
class GeomeanTrack : public TargetTrack {
 public:
  explicit GeomeanTrack(const JudgeSettings& settings)
      : settings_(settings),
        overall_(OptionsOf(settings)),
        parts_(settings.targets.size() > 1 ? settings.targets.size() : 0,
               SequentialTest(OptionsOf(settings))) {}

  void Add(const std::vector<std::optional<double>>& log_ratios) override {
    const bool frozen =
        settings_.stop_when_decided && decision() != Decision::kInconclusive;
    if (frozen) return;
    overall_.Add(Average(log_ratios));
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].Add(log_ratios[i].value());
    }
  }

  Decision decision() const override { return overall_.decision(); }

  std::string reason() const override {
    return TestReason(overall_,
                      parts_.empty() ? "target"
                                     : absl::StrCat("geometric mean of ",
                                                    parts_.size(), " targets"),
                      settings_);
  }

  std::string suspicious_gain() const override {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const double gain = GainFactor(parts_[i]);
      if (gain > settings_.review_ratio) {
        return GainText(settings_.targets[i], gain);
      }
    }
    const double gain = GainFactor(overall_);
    return gain > settings_.review_ratio ? GainText(Name(), gain) : "";
  }

  TargetState overall() const override {
    return StateOfTest(overall_, Name(), settings_);
  }

  std::vector<TargetState> targets() const override {
    if (parts_.empty()) return {overall()};
    std::vector<TargetState> states;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      states.push_back(StateOfTest(parts_[i], settings_.targets[i], settings_));
    }
    return states;
  }

  double log_keep_limit() const override { return overall_.log_keep_limit(); }
  double log_discard_limit() const override {
    return overall_.log_discard_limit();
  }

 private:
  std::string Name() const {
    return parts_.empty() ? settings_.targets.front() : "geomean";
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
          GuardOptions{.log_margin = TargetLogMargin(settings, i),
                       .alpha = settings.alpha,
                       .beta = GuardBeta(settings)});
    }
  }

  void Add(const std::vector<std::optional<double>>& log_ratios) override {
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      tests_[i].Add(log_ratios[i].value());
      guards_[i].Add(log_ratios[i].value());
    }
    ++rounds_;
  }

  Decision decision() const override {
    if (Harmed()) return Decision::kDiscard;
    const bool all_discarded = std::all_of(
        tests_.begin(), tests_.end(), [](const SequentialTest& test) {
          return test.decision() == Decision::kDiscard;
        });
    if (all_discarded) return Decision::kDiscard;
    if (!Improved()) return Decision::kInconclusive;
    return Undecided() ? Decision::kInconclusive : Decision::kKeep;
  }

  std::string reason() const override {
    if (const std::optional<std::size_t> harmed = Harmed()) {
      return absl::StrCat(
          "target ", PrintableName(settings_.targets[*harmed]), " worse than ",
          PercentText(std::expm1(TargetLogMargin(settings_, *harmed))));
    }
    const std::optional<std::size_t> improved = Improved();
    if (!improved) {
      return decision() == Decision::kDiscard
                 ? absl::StrCat("no target improves by ",
                                ExcludedGainText(settings_), " or more")
                 : absl::StrCat("no target improved yet, ",
                                UndecidedText(rounds_));
    }
    const std::string winner = absl::StrCat(
        "target ", PrintableName(settings_.targets[*improved]), " improved");
    if (const std::optional<std::size_t> waiting = Undecided()) {
      return absl::StrCat(winner, ", target ",
                          PrintableName(settings_.targets[*waiting]), " ",
                          UndecidedText(rounds_));
    }
    return absl::StrCat(winner, ", ",
                        CountText(tests_.size() - 1, "other target"),
                        " unharmed");
  }

  std::string suspicious_gain() const override {
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      const double gain = GainFactor(tests_[i]);
      if (Keeps(i) && gain > settings_.review_ratio) {
        return GainText(settings_.targets[i], gain);
      }
    }
    return "";
  }

  TargetState overall() const override {
    const auto nearest =
        std::max_element(tests_.begin(), tests_.end(),
                         [](const SequentialTest& a, const SequentialTest& b) {
                           return a.log_e_keep() < b.log_e_keep();
                         });
    const std::size_t index =
        Improved().value_or(static_cast<std::size_t>(nearest - tests_.begin()));
    return StateOfTest(tests_[index], settings_.targets[index], settings_);
  }

  std::vector<TargetState> targets() const override {
    std::vector<TargetState> states;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      states.push_back(StateOfTest(tests_[i], settings_.targets[i], settings_));
    }
    return states;
  }

  double log_keep_limit() const override {
    return tests_.front().log_keep_limit();
  }
  double log_discard_limit() const override {
    return tests_.front().log_discard_limit();
  }

 private:
  bool Keeps(std::size_t i) const {
    return tests_[i].decision() == Decision::kKeep;
  }

  // The first target for which `test` holds.
  template <typename Predicate>
  std::optional<std::size_t> First(const Predicate& holds) const {
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      if (holds(i)) return i;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> Harmed() const {
    return First([&](std::size_t i) { return guards_[i].proven_harmed(); });
  }
  std::optional<std::size_t> Improved() const {
    return First([&](std::size_t i) { return Keeps(i); });
  }
  // A target neither improved nor proven unharmed.
  std::optional<std::size_t> Undecided() const {
    return First([&](std::size_t i) {
      return !Keeps(i) && !guards_[i].proven_unharmed();
    });
  }
  const JudgeSettings& settings_;
  std::vector<SequentialTest> tests_;
  std::vector<SequentialGuard> guards_;
  std::size_t rounds_ = 0;
};

}  // namespace

TargetState StateOfTest(const SequentialTest& test, const std::string& name,
                        const JudgeSettings& settings) {
  TargetState state;
  state.name = name;
  state.verdict = test.verdict();
  state.log_e_keep = test.log_e_keep();
  state.log_e_discard = test.log_e_discard();
  state.log_e_worse = test.log_e_worse();
  state.rounds = test.rounds();
  state.estimate.interval = test.log_improvement();
  if (state.rounds > 0) {
    state.estimate = RatioFromLogImprovement(
        test.centre(), state.estimate.interval, settings.direction);
  }
  const double gain = GainFactor(test);
  if (state.verdict == Verdict::kImproved && gain > settings.review_ratio) {
    state.verdict = Verdict::kInconclusive;
    state.reason = absl::StrCat("needs review: ", GainText(name, gain));
  } else if (state.verdict == Verdict::kInconclusive) {
    state.reason = UndecidedText(state.rounds);
  }
  return state;
}

std::string UndecidedText(std::size_t rounds) {
  return absl::StrCat("undecided after ", CountText(rounds, "round"));
}

double TargetLogMargin(const JudgeSettings& settings, std::size_t target) {
  constexpr double kDefaultMargin = 0.02;
  return std::log1p(settings.target_margins.empty()
                        ? kDefaultMargin
                        : settings.target_margins[target]);
}

double GuardBeta(const JudgeSettings& settings) {
  auto count = std::count_if(
      settings.guards.begin(), settings.guards.end(),
      [](const JudgedGuard& guard) { return guard.mode != GuardMode::kExact; });
  if (JudgesEach(settings)) count += std::ssize(settings.targets);
  return settings.beta /
         static_cast<double>(std::max<std::ptrdiff_t>(count, 1));
}

std::unique_ptr<TargetTrack> MakeTargetTrack(const JudgeSettings& settings) {
  if (settings.kind == PolicyKind::kGate) return MakeGateTrack(settings);
  if (JudgesEach(settings)) return std::make_unique<EachTrack>(settings);
  return std::make_unique<GeomeanTrack>(settings);
}

}  // namespace autotune
