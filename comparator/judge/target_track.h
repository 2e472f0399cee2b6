#ifndef AUTOTUNE_COMPARATOR_JUDGE_TARGET_TRACK_H_
#define AUTOTUNE_COMPARATOR_JUDGE_TARGET_TRACK_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comparator/judge/sequential_judge.h"
#include "comparator/statistics/sequential_test.h"
#include "comparator/statistics/verdict.h"

namespace autotune {

// How one rule follows the targets of a run; the guards proper are the judge's.
class TargetTrack {
 public:
  virtual ~TargetTrack() = default;

  // One round's y, one a target in the settings' order; none for a settled one
  // that was not measured.
  virtual void Add(const std::vector<std::optional<double>>& log_ratios) = 0;

  // Whether no further number of the target can change anything.
  virtual bool settled(std::size_t /*target*/) const { return false; }

  // As far as the targets alone go.
  virtual Decision decision() const = 0;

  // Why, as a clause: "target improved".
  virtual std::string reason() const = 0;

  // A gain too large to believe: "BM_X is 7.3 times better"; else empty. Asked
  // of a keep.
  virtual std::string suspicious_gain() const { return ""; }

  // As in SequentialJudge.
  virtual TargetState overall() const = 0;
  virtual std::vector<TargetState> targets() const = 0;
  virtual double log_keep_limit() const = 0;
  virtual double log_discard_limit() const = 0;
};

// The track that the settings ask for; they must outlive it.
std::unique_ptr<TargetTrack> MakeTargetTrack(const JudgeSettings& settings);

// Where a test of `name` stands: its verdict, or why there is none.
TargetState StateOfTest(const SequentialTest& test, const std::string& name,
                        const JudgeSettings& settings);

// "undecided after 12 rounds".
std::string UndecidedText(std::size_t rounds);

// ln(1 + margin) of a target where it is judged by one.
double TargetLogMargin(const JudgeSettings& settings, std::size_t target);

// The share of beta of each product whose false alarm would discard a change.
double GuardBeta(const JudgeSettings& settings);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_JUDGE_TARGET_TRACK_H_
