#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_RUN_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_RUN_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "comparator/policy/policy.h"
#include "tools/bench_compare/gate_outcome.h"
#include "tools/bench_compare/gate_settings.h"
#include "tools/bench_compare/gate_sides.h"
#include "tools/git/repository.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/measure_seams.h"

namespace autotune {

// A part of the benchmarks: those whose names fall on `index` of `count`, the
// same ones whatever else there is. {1, 1} is all of them.
struct Shard {
  std::int64_t index = 1;
  std::int64_t count = 1;
};
// Whether `benchmark` of `program` is in the shard.
bool IsIn(const Shard& shard, std::string_view program,
          std::string_view benchmark);

struct GatePlan {
  const GateSettings& settings;
  Policy policy;  // a gate's, without waivers that have expired
  Shard shard;
  std::string evidence_folder;  // PROGRAM.json is written there; empty: none
};

// Measures every program of two built commits, one after the other, and those
// that are not unchanged against each other interleaved. A program's share of
// the policy's budget is that of its benchmarks among all still to be measured;
// beta is the smaller of alpha and beta over all programs, so that a change
// that harms nothing is called a regression with probability at most alpha. At
// last programs measured are decided against themselves, for a fifth of the
// time spent at most. Fills in `result`.
//
// What goes wrong with a program or benchmark becomes a fault of the result.
// Errors: Cancelled when interrupted, Unavailable when busy, those of writing
// evidence. The caller holds the measuring lock.
absl::Status MeasureGate(const GatePlan& plan, const Repository& repository,
                         const BuiltCommit& base, const BuiltCommit& head,
                         MeasureSeams seams, RunObserver& observer,
                         GateResult& result);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_RUN_H_
