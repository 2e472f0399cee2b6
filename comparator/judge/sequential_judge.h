#ifndef AUTOTUNE_COMPARATOR_JUDGE_SEQUENTIAL_JUDGE_H_
#define AUTOTUNE_COMPARATOR_JUDGE_SEQUENTIAL_JUDGE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/metric.h"
#include "comparator/statistics/verdict.h"

namespace autotune {

// What one run has to decide: the targets by name and the guards, each with
// its own margin, in the order in which their log-ratios arrive.
struct JudgedGuard {
  std::string name;      // see GuardValue in comparator/round_ratios.h
  double margin = 0.02;  // loss tolerated, a fraction > 0
  GuardMode mode = GuardMode::kProve;
  // Which way its numbers get better: turns them into y and y into a ratio.
  Direction direction = Direction::kLowerIsBetter;
};

struct JudgeSettings {
  PolicyKind kind = PolicyKind::kTune;
  std::vector<std::string> targets;  // at least one
  std::vector<JudgedGuard> guards;
  TargetRule rule = TargetRule::kGeomean;
  // Which way the targets' metric gets better: turns numbers into y, and y into
  // a ratio.
  Direction direction = Direction::kLowerIsBetter;
  double min_log_improvement = 0.01005033585350145;
  double floor = 0.0;
  double alpha = 0.05;
  double beta = 0.10;
  double review_ratio = 5.0;
  // Loss tolerated for each target where it is judged by one: in a gate, and as
  // a guard of the others under TargetRule::kEach. Fractions > 0, one a target;
  // empty: 2 % for all.
  std::vector<double> target_margins;
  // False: never finished, all rounds count and the decision is the one after
  // the last of them (a fixed number of rounds).
  bool stop_when_decided = true;
};

// Settings from a policy: alpha may be lowered by the task's own level.
// Margins are those of ComparisonRules, in a gate with the waivers that hold
// `today` (YYYY-MM-DD; empty: all do); direction from the policy's metric.
JudgeSettings MakeJudgeSettings(const Policy& policy,
                                std::vector<std::string> targets,
                                std::vector<JudgedGuard> guards,
                                std::string_view today = "");

// The rule by which the comparisons of a run become a ruling.
DecisionRule RuleOf(const JudgeSettings& settings);

// One round's log-improvements y (positive: contender better), in the order of
// JudgeSettings::targets and guards. No number: a gate's benchmark that was
// decided before the round and is not measured any more.
struct RoundRatios {
  std::vector<std::optional<double>> targets;
  std::vector<double> guards;
  // The spread of each of them (see RoundHistory), 0 when not known. One a
  // target and guard, or empty: none is known.
  std::vector<double> target_spreads = {};
  std::vector<double> guard_spreads = {};
};

// Turns rounds into the decision of a whole change: pure, so that a live run
// and a recomputation from its evidence are the same code.
//
// Tune. One target, or the geometric mean of several (their mean y): keep when
// its test keeps and every "prove" guard is proven unharmed; discard when its
// test discards or a guard is proven harmed. Once the target has crossed it is
// frozen and only the guards run on. TargetRule::kEach with K targets: keep
// when one of them reaches K / alpha and every other one improved too or is
// proven unharmed; discard when all of them are discarded or one is harmed. All
// guards must pass, so each does at alpha; any may harm, so each must reach
// G / beta, G of them. A gain above review_ratio is never a keep.
//
// Gate: keep is "pass", every benchmark proven not worse than its margin at
// alpha; discard is "regression", one proven worse, at beta over the table
// (closed testing with e-values). Each benchmark has its own products, so one
// that is proven may stop being measured while the others go on: where it stops
// depends on earlier rounds only, and an e-value is one at any stopping time.
// Guards are numbers of the whole visit: with them all are measured to the end.
// The geometric mean, which decides nothing, is that of the rounds that
// measured all benchmarks.
class SequentialJudge {
 public:
  explicit SequentialJudge(JudgeSettings settings);
  ~SequentialJudge();
  SequentialJudge(SequentialJudge&&) noexcept;
  SequentialJudge& operator=(SequentialJudge&&) noexcept;

  // One valid (not voided) round. Shapes must equal the settings' lists, all
  // values finite, those of measured targets there. Once finished, further
  // rounds are not looked at. Rounds of equal machines come each with the
  // number of its own, see BettingGames.
  void Add(const RoundRatios& round, std::size_t replica = 0);

  // Whether the next round measures this target; false only for a gate's
  // benchmark that is proven not worse than its margin.
  bool measures(std::size_t target) const;
  const JudgeSettings& settings() const;

  // True once nothing that could still come changes the decision.
  bool finished() const;
  // What the rounds come to by Decide's rule.
  Ruling ruling() const;
  Decision decision() const;
  // The overall figure: the target itself when there is one; the geometric mean
  // of several; under TargetRule::kEach the one that improved, until then the
  // one nearest to it. Metrics are without their name.
  Comparison overall() const;
  std::vector<Comparison> targets() const;
  std::vector<Comparison> guards() const;
  // Natural-log limits that log_e_keep and log_e_discard must reach.
  double log_keep_limit() const;
  double log_discard_limit() const;
  // Rounds looked at.
  std::size_t rounds() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_JUDGE_SEQUENTIAL_JUDGE_H_
