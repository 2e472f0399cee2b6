#ifndef AUTOTUNE_COMPARATOR_JUDGE_TRACKS_H_
#define AUTOTUNE_COMPARATOR_JUDGE_TRACKS_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "comparator/judge/sequential_judge.h"
#include "comparator/outcome/outcome.h"
#include "comparator/statistics/sequential_guard.h"

namespace autotune {

// How much of a comparison is filled in: only what Decide's decision and code
// need, which is asked for after every round, or everything. Intervals are
// costly; verdicts of a discard need them.
enum class Detail { kRuling, kWhole };

// How one rule bets on the targets of a run, and which of them still need
// rounds. What the bets mean together is Decide's.
class TargetTrack {
 public:
  virtual ~TargetTrack() = default;

  // One round's y and spread, one a target in the settings' order; no y for a
  // settled one that was not measured.
  virtual void Add(const std::vector<std::optional<double>>& log_ratios,
                   const std::vector<double>& spreads, std::size_t replica) = 0;

  // Whether no further number of the target can change anything.
  virtual bool settled(std::size_t /*target*/) const { return false; }

  // As in SequentialJudge.
  virtual Comparison overall(Detail detail) const = 0;
  virtual std::vector<Comparison> targets(Detail detail) const = 0;
  virtual double log_keep_limit() const = 0;
  virtual double log_discard_limit() const = 0;
};

// The track that the settings ask for; they must outlive it.
std::unique_ptr<TargetTrack> MakeTargetTrack(const JudgeSettings& settings);

// One guard of a run as its rounds come in, whatever its mode.
class GuardTrack {
 public:
  // `beta` is this guard's share of the false "harmed" probability.
  GuardTrack(const JudgedGuard& guard, double alpha, double beta);

  void Add(double log_ratio, double spread, std::size_t replica);
  Comparison comparison(Detail detail) const;

 private:
  bool exact() const { return guard_.mode == GuardMode::kExact; }
  void SetExactly(Comparison& comparison) const;

  JudgedGuard guard_;
  SequentialGuard test_;    // idle when exact
  double worst_ = 0.0;      // exact: smallest y seen
  std::size_t rounds_ = 0;  // exact: rounds seen
};

// The share of beta of each product whose false alarm would discard a change.
double GuardBeta(const JudgeSettings& settings);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_JUDGE_TRACKS_H_
