#include "comparator/judge/sequential_judge.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "comparator/judge/guard_track.h"
#include "comparator/judge/target_track.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

// The margin of the first [[margin]] table that names the benchmark.
double MarginOf(const Policy& policy, const std::string& benchmark) {
  for (const BenchmarkMargin& entry : policy.margins) {
    const absl::StatusOr<NamePattern> pattern =
        NamePattern::Create(entry.benchmark_pattern);
    // A policy's patterns were compiled when it was checked.
    if (pattern.ok() && pattern->Matches(benchmark)) return entry.margin;
  }
  return policy.default_margin;
}

}  // namespace

JudgeSettings MakeJudgeSettings(const Policy& policy,
                                std::vector<std::string> targets,
                                std::vector<JudgedGuard> guards) {
  JudgeSettings settings;
  settings.kind = policy.kind;
  settings.rule = policy.targets;
  settings.min_log_improvement = MinLogImprovement(policy);
  settings.floor = policy.floor;
  settings.alpha = policy.alpha;
  settings.beta = policy.beta;
  settings.review_ratio = policy.review_ratio;
  for (const std::string& target : targets) {
    settings.target_margins.push_back(MarginOf(policy, target));
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
      : settings_(std::move(settings)), targets_(MakeTargetTrack(settings_)) {
    for (const JudgedGuard& guard : settings_.guards) {
      guards_.emplace_back(guard, settings_.alpha, GuardBeta(settings_));
    }
  }
  State(const State&) = delete;  // the track looks at our settings
  State& operator=(const State&) = delete;

  void Add(const RoundRatios& round) {
    assert(round.targets.size() == settings_.targets.size());
    assert(round.guards.size() == guards_.size());
    if (finished()) return;
    targets_->Add(round.targets);
    for (std::size_t i = 0; i < guards_.size(); ++i) {
      guards_[i].Add(round.guards[i]);
    }
    ++rounds_;
  }

  bool finished() const {
    if (!settings_.stop_when_decided) return false;
    return decision() != Decision::kInconclusive || !SuspiciousGain().empty();
  }

  Decision decision() const {
    const Decision targets = targets_->decision();
    if (Harmed() != guards_.end()) return Decision::kDiscard;
    if (targets != Decision::kKeep) return targets;
    if (Waiting() != guards_.end()) return Decision::kInconclusive;
    return SuspiciousGain().empty() ? Decision::kKeep : Decision::kInconclusive;
  }

  std::string reason() const {
    if (const auto harmed = Harmed(); harmed != guards_.end()) {
      return absl::StrCat("guard ", PrintableName(harmed->state().name),
                          " worse than ", PercentText(harmed->state().margin));
    }
    if (targets_->decision() != Decision::kKeep) return targets_->reason();
    if (const std::string gain = SuspiciousGain(); !gain.empty()) {
      return absl::StrCat("needs review: ", gain);
    }
    if (const auto waiting = Waiting(); waiting != guards_.end()) {
      return absl::StrCat(targets_->reason(), ", guard ",
                          PrintableName(waiting->state().name), " ",
                          UndecidedText(rounds_));
    }
    return targets_->reason() + GuardsPassedText();
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
  using GuardPlace = std::vector<GuardTrack>::const_iterator;

  GuardPlace Harmed() const {
    return std::find_if(guards_.begin(), guards_.end(),
                        [](const GuardTrack& guard) { return guard.harmed(); });
  }
  GuardPlace Waiting() const {
    return std::find_if(
        guards_.begin(), guards_.end(),
        [](const GuardTrack& guard) { return guard.blocks_keep(); });
  }

  std::string SuspiciousGain() const {
    return targets_->decision() == Decision::kKeep ? targets_->suspicious_gain()
                                                   : "";
  }

  std::string GuardsPassedText() const {
    const auto unharmed = static_cast<std::size_t>(std::count_if(
        guards_.begin(), guards_.end(),
        [](const GuardTrack& guard) { return guard.unharmed(); }));
    const std::size_t others = guards_.size() - unharmed;
    std::string text;
    if (unharmed > 0) {
      absl::StrAppend(&text, ", ", CountText(unharmed, "guard"), " unharmed");
    }
    if (others > 0) {
      absl::StrAppend(&text, ", no evidence of harm to ",
                      CountText(others, "guard"));
    }
    return text;
  }

  const JudgeSettings settings_;
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

void SequentialJudge::Add(const RoundRatios& round) { state_->Add(round); }

bool SequentialJudge::measures(std::size_t target) const {
  return state_->measures(target);
}

const JudgeSettings& SequentialJudge::settings() const {
  return state_->settings();
}

bool SequentialJudge::finished() const { return state_->finished(); }

Decision SequentialJudge::decision() const { return state_->decision(); }

std::string SequentialJudge::reason() const { return state_->reason(); }

TargetState SequentialJudge::overall() const {
  return state_->targets().overall();
}

std::vector<TargetState> SequentialJudge::targets() const {
  return state_->targets().targets();
}

std::vector<GuardState> SequentialJudge::guards() const {
  std::vector<GuardState> states;
  for (const GuardTrack& guard : state_->guards()) {
    states.push_back(guard.state());
  }
  return states;
}

double SequentialJudge::log_keep_limit() const {
  return state_->targets().log_keep_limit();
}

double SequentialJudge::log_discard_limit() const {
  return state_->targets().log_discard_limit();
}

std::size_t SequentialJudge::rounds() const { return state_->rounds(); }

}  // namespace autotune
