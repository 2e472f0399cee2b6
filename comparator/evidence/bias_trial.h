#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_BIAS_TRIAL_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_BIAS_TRIAL_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"

namespace autotune {

// Whether the mode keeps both visits alive at once on one CPU.
bool IsOneCpuMode(MeasureMode mode);

// Whether the decision at hand must also be shown free of the bias of the
// turns: any that rounds of a one-CPU mode made, but for a tuning policy
// without guards whose change is beyond any bias that such turns cause (15 % in
// turns of 20 ms, in shorter ones more as 1 / turn).
bool NeedsBiasTrial(const Evidence& evidence);

// The length of the turns that the counted rounds were made in; for a duet the
// slices that the kernel gives. Nothing in alternate mode.
std::optional<double> TurnSecondsOf(const Evidence& evidence);

// The turns that check others of `turn_seconds`: a tenth, where the bias is
// some ten times as large; for a duet 20 ms, where it is a fifth.
double CheckTurnSeconds(MeasureMode mode, double turn_seconds);

// The second test of a decision made in turns.
//
// A bias of the turns belongs to the code of one side, so the coin does not
// exchange it: the run's own rounds prove "better in turns". This test is the
// same judge, with the same levels, on pairs of a round in the run's turns and
// one in turns of another length, freed of the largest bias that they allow
// (FreedOfBias, by the CPU time that their turns really gave). If the bias
// favours the contender, a keep on the pairs is wrong with probability alpha at
// most; if it does not, a keep on the rounds as they are is. A keep that both
// make is therefore wrong with probability alpha at most whatever the bias is,
// a discard likewise with beta; so is each benchmark's standing under a gate.
// Both tests may be looked at after every round, and the rounds of the first
// may decide when the second is made: a wealth that ever reaches its limit is
// counted whenever one looks.
class BiasTrial {
 public:
  // Of the rounds in `evidence` (one-CPU mode) so far, in pairs of the n-th of
  // both kinds.
  explicit BiasTrial(const Evidence& evidence);

  // A round made since: one that counts, or one of RoundUse::kBiasCheck in the
  // run's turns or in the checking ones; others are not looked at.
  void Add(const RoundEvidence& round);

  Decision decision() const { return judge_.decision(); }
  // Nothing that could still come changes the decision.
  bool finished() const { return judge_.finished(); }
  const SequentialJudge& judge() const { return judge_; }
  std::size_t pairs() const { return judge_.rounds(); }
  // Whether the next pair waits for a round in the run's own turns.
  bool lacks_run_round() const;

  // The likeliest bias of the overall figure, and what was decided.
  BiasRecord Record() const;

 private:
  // One round's y and the length of the turns that gave it.
  struct Value {
    double y = 0.0;
    double turn_seconds = 0.0;
    double spread = 0.0;  // as in RoundRatios
  };
  // One number of the visits, in the run's turns and in the checking ones.
  struct Series {
    std::string name;
    Direction direction = Direction::kLowerIsBetter;
    bool of_process = false;  // no turn changes it
    std::vector<Value> run;
    std::vector<Value> check;
  };

  static std::vector<double> Column(const std::vector<Value>& values,
                                    double Value::*column);
  bool IsRun(const RoundEvidence& round) const;
  bool IsCheck(const RoundEvidence& round) const;
  bool Waits(const Series& series) const;
  double Next(const Series& series) const;
  void JudgePairs();

  Decision decided_;
  double turn_seconds_;
  double check_turn_seconds_;
  SequentialJudge judge_;
  std::vector<Series> targets_;
  std::vector<Series> guards_;
  Series overall_;  // mean over the targets
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_BIAS_TRIAL_H_
