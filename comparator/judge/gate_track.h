#ifndef AUTOTUNE_COMPARATOR_JUDGE_GATE_TRACK_H_
#define AUTOTUNE_COMPARATOR_JUDGE_GATE_TRACK_H_

#include <memory>

#include "comparator/judge/sequential_judge.h"
#include "comparator/judge/target_track.h"

namespace autotune {

// The gate's track: each benchmark against its own margin. All must be proven
// unharmed to pass, so each is at alpha; harm to any one is a regression, so
// the e-values for harm are adjusted over the table. The settings must outlive
// it.
std::unique_ptr<TargetTrack> MakeGateTrack(const JudgeSettings& settings);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_JUDGE_GATE_TRACK_H_
