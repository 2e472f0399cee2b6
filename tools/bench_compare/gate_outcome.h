#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_OUTCOME_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_OUTCOME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "comparator/policy/policy.h"
#include "tools/report/report.h"

namespace autotune {

// Why something of a gate cannot be judged.
struct GateFault {
  std::string name;  // a benchmark's or a program's; empty: the whole gate's
  std::string why;
};

// What a gate found of one benchmark program.
struct GateProgramResult {
  std::string name;
  std::vector<std::string> unchanged;  // by construction, so not measured
  std::vector<std::string> added;      // in head only: nothing to compare with
  std::size_t elsewhere = 0;           // benchmarks of other shards
  std::optional<Evidence> evidence;    // of those measured
  std::vector<GateFault> faults;
  double budget_seconds = 0.0;  // its share
};

// Decisions of programs against themselves.
struct SelfCheck {
  std::int64_t decisions = 0;
  std::int64_t false_alarms = 0;
};

// What a gate on a change found.
struct GateResult {
  std::string base;  // commits, full names
  std::string head;
  std::string shard;  // "2/5"; empty: all
  // Whether they build; nothing when that was not tried.
  std::optional<bool> base_builds;
  std::optional<bool> head_builds;
  std::vector<GateFault> faults;  // of the whole
  std::vector<GateProgramResult> programs;
  SelfCheck self_check;
  double seconds = 0.0;  // spent measuring
  std::vector<std::string> warnings;
};

// What it comes to by `policy`, a gate's, whose waivers still hold. All that
// cannot be judged comes first and decides; then Decide's rule on everything
// measured. Benchmarks that stayed undecided in fewer rounds than could prove
// anything at alpha cannot be judged. A regression that the self-check doubts
// (more false alarms than the policy's alpha explains, at 95 %) is not taken.
//
// The reason ends in what was proven: "41 unchanged by construction, 6 proven
// within 2 %, 1 undecided; this runner proves 1.8 % in 9 min (its own
// false-alarm check: 0 of 20)", the smallest loss that the noise of the
// benchmarks measured would let each of them be cleared of in their budgets.
Report ReportOf(const GateResult& result, const Policy& policy);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_OUTCOME_H_
