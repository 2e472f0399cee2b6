#ifndef AUTOTUNE_COMPARATOR_SEQUENTIAL_JUDGE_H_
#define AUTOTUNE_COMPARATOR_SEQUENTIAL_JUDGE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "comparator/estimate.h"
#include "comparator/measurement.h"
#include "comparator/policy.h"
#include "comparator/verdict.h"

namespace autotune {

// What one run has to decide: the targets by name and the guards, each with
// its own margin, in the order in which their log-ratios arrive.
struct JudgedGuard {
  std::string name;  // see GuardValue in comparator/round_ratios.h
  double margin = 0.02;
  GuardMode mode = GuardMode::kProve;
  Direction direction = Direction::kLowerIsBetter;  // of the guard's number
};

struct JudgeSettings {
  std::vector<std::string> targets;  // at least one
  std::vector<JudgedGuard> guards;
  TargetRule rule = TargetRule::kGeomean;
  double min_log_improvement = 0.01005033585350145;
  double floor = 0.0;
  double alpha = 0.05;
  double beta = 0.10;
  double review_ratio = 5.0;
};

// Settings from a policy: alpha may be lowered by the task's own level.
JudgeSettings MakeJudgeSettings(const Policy& policy,
                                std::vector<std::string> targets,
                                std::vector<JudgedGuard> guards);

// One round's log-improvements y (positive: contender better), in the order of
// JudgeSettings::targets and guards.
struct RoundRatios {
  std::vector<double> targets;
  std::vector<double> guards;
};

// Where one target or the overall figure stands.
struct TargetState {
  std::string name;  // benchmark, or "geomean"
  Verdict verdict = Verdict::kInconclusive;
  std::string reason;  // of an inconclusive verdict
  RatioEstimate estimate;
  double log_e_keep = 0.0;
  double log_e_discard = 0.0;
  double log_e_worse = 0.0;
  std::size_t rounds = 0;
};

struct GuardState {
  enum class Standing { kUndecided, kUnharmed, kHarmed };
  std::string name;
  Standing standing = Standing::kUndecided;
  RatioEstimate estimate;
  double margin = 0.02;
  double log_e_unharmed = 0.0;
  double log_e_harmed = 0.0;
};

// Turns rounds into the decision of a whole change: pure, so that a live run
// and a recomputation from its evidence are the same code.
class SequentialJudge {
 public:
  explicit SequentialJudge(JudgeSettings settings);
  ~SequentialJudge();
  SequentialJudge(SequentialJudge&&) noexcept;
  SequentialJudge& operator=(SequentialJudge&&) noexcept;

  // One valid (not voided) round. Shapes must equal the settings' lists.
  void Add(const RoundRatios& round);

  // True once nothing that could still come changes the decision.
  bool finished() const;
  Decision decision() const;
  // One clause: why the decision is what it is ("target improved, 2 guards
  // unharmed"; "guard BM_X worse than 2 %").
  std::string reason() const;
  // The overall figure: the target itself when there is one.
  TargetState overall() const;
  std::vector<TargetState> targets() const;
  std::vector<GuardState> guards() const;
  // Natural-log limits that log_e_keep and log_e_discard must reach.
  double log_keep_limit() const;
  double log_discard_limit() const;
  std::size_t rounds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_SEQUENTIAL_JUDGE_H_
