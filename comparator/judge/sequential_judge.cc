#include "comparator/judge/sequential_judge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comparator/judge/tracks.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

std::vector<double> OrUnknown(std::vector<double> spreads, std::size_t count) {
  assert(spreads.empty() || spreads.size() == count);
  spreads.resize(count, 0.0);
  return spreads;
}

}  // namespace

DecisionRule RuleOf(const JudgeSettings& settings) {
  return {settings.kind, settings.rule, settings.alpha,
          -std::expm1(-settings.min_log_improvement - settings.floor),
          settings.review_ratio};
}

JudgeSettings MakeJudgeSettings(const Policy& policy,
                                std::vector<std::string> targets,
                                std::vector<JudgedGuard> guards,
                                std::string_view today) {
  JudgeSettings settings;
  settings.kind = policy.kind;
  settings.rule = policy.targets;
  settings.min_log_improvement = MinLogImprovement(policy);
  settings.floor = policy.floor;
  settings.alpha = policy.alpha;
  settings.beta = policy.beta;
  settings.review_ratio = policy.review_ratio;
  const ComparisonRules rules(policy, today);
  for (const std::string& target : targets) {
    settings.target_margins.push_back(policy.kind == PolicyKind::kGate
                                          ? rules.ToleranceOf(target).margin
                                          : rules.MarginOf(target));
  }
  if (!targets.empty()) {
    settings.direction = MetricFor(policy, targets.front()).direction;
  }
  settings.targets = std::move(targets);
  settings.guards = std::move(guards);
  return settings;
}

class SequentialJudge::State {
 public:
  explicit State(JudgeSettings settings)
      : settings_(std::move(settings)),
        rule_(RuleOf(settings_)),
        targets_(MakeTargetTrack(settings_)) {
    for (const JudgedGuard& guard : settings_.guards) {
      guards_.emplace_back(guard, settings_.alpha, GuardBeta(settings_));
    }
  }
  State(const State&) = delete;  // the track looks at our settings
  State& operator=(const State&) = delete;

  void Add(const RoundRatios& round, std::size_t replica) {
    assert(round.targets.size() == settings_.targets.size());
    assert(round.guards.size() == guards_.size());
    if (finished()) return;
    targets_->Add(round.targets,
                  OrUnknown(round.target_spreads, round.targets.size()),
                  replica);
    const std::vector<double> spreads =
        OrUnknown(round.guard_spreads, guards_.size());
    for (std::size_t i = 0; i < guards_.size(); ++i) {
      guards_[i].Add(round.guards[i], spreads[i], replica);
    }
    ++rounds_;
  }

  bool finished() const {
    if (!settings_.stop_when_decided) return false;
    const Ruling now = ruling(Detail::kRuling);
    return now.decision != Decision::kInconclusive ||
           now.code == ReasonCode::kGainBeyondBelief;
  }

  Ruling ruling(Detail detail) const {
    std::vector<Comparison> comparisons = targets_->targets(detail);
    for (const GuardTrack& guard : guards_) {
      comparisons.push_back(guard.comparison(detail));
    }
    const Comparison overall = targets_->overall(detail);
    return Decide(rule_, comparisons, &overall);
  }

  bool measures(std::size_t target) const {
    return !settings_.stop_when_decided || !guards_.empty() ||
           !targets_->settled(target);
  }

  const JudgeSettings& settings() const { return settings_; }
  const TargetTrack& targets() const { return *targets_; }
  const std::vector<GuardTrack>& guards() const { return guards_; }
  std::size_t rounds() const { return rounds_; }

 private:
  const JudgeSettings settings_;
  const DecisionRule rule_;
  std::unique_ptr<TargetTrack> targets_;
  std::vector<GuardTrack> guards_;
  std::size_t rounds_ = 0;
};

SequentialJudge::SequentialJudge(JudgeSettings settings)
    : state_(std::make_unique<State>(std::move(settings))) {}
SequentialJudge::~SequentialJudge() = default;
SequentialJudge::SequentialJudge(SequentialJudge&&) noexcept = default;
SequentialJudge& SequentialJudge::operator=(SequentialJudge&&) noexcept =
    default;

void SequentialJudge::Add(const RoundRatios& round, std::size_t replica) {
  state_->Add(round, replica);
}

bool SequentialJudge::measures(std::size_t target) const {
  return state_->measures(target);
}

const JudgeSettings& SequentialJudge::settings() const {
  return state_->settings();
}

bool SequentialJudge::finished() const { return state_->finished(); }

Ruling SequentialJudge::ruling() const {
  return state_->ruling(Detail::kWhole);
}

Decision SequentialJudge::decision() const {
  return state_->ruling(Detail::kRuling).decision;
}

Comparison SequentialJudge::overall() const {
  return state_->targets().overall(Detail::kWhole);
}

std::vector<Comparison> SequentialJudge::targets() const {
  return state_->targets().targets(Detail::kWhole);
}

std::vector<Comparison> SequentialJudge::guards() const {
  std::vector<Comparison> comparisons;
  for (const GuardTrack& guard : state_->guards()) {
    comparisons.push_back(guard.comparison(Detail::kWhole));
  }
  return comparisons;
}

double SequentialJudge::log_keep_limit() const {
  return state_->targets().log_keep_limit();
}

double SequentialJudge::log_discard_limit() const {
  return state_->targets().log_discard_limit();
}

std::size_t SequentialJudge::rounds() const { return state_->rounds(); }

}  // namespace autotune
