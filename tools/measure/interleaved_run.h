#ifndef AUTOTUNE_TOOLS_MEASURE_INTERLEAVED_RUN_H_
#define AUTOTUNE_TOOLS_MEASURE_INTERLEAVED_RUN_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "tools/measure/measure_seams.h"
#include "tools/measure/side_command.h"

namespace autotune {

// Short visits decide soonest: noise between visits outweighs noise within (see
// docs/measuring.md).
inline constexpr double kUsualVisitSeconds = 0.06;

// What to run and decide.
struct RunPlan {
  SideCommand baseline;
  SideCommand contender;
  // Benchmarks to decide on: regular expression as --benchmark_filter takes it.
  std::string target_filter = ".";
  // Further benchmarks measured in the same visits and judged as guards; each
  // guard of the policy picks from everything these two filters match.
  std::string guard_filter;
  Policy policy;
  std::optional<double> alpha_override;       // the task's level
  std::optional<std::int64_t> task_decision;  // t of the task's level
  std::string journal_path;                   // empty: no journal
  bool resume = false;     // continue the journal (same binaries and policy)
  std::optional<int> cpu;  // pin here; else the run chooses
  absl::Duration visit_timeout = absl::Seconds(60);
  // What a visit should cost a side; slow benchmarks and costly set-up make it
  // longer.
  double visit_seconds = kUsualVisitSeconds;
  bool in_place = false;  // run the programs where they are
  // Added to our nice value while measuring, where the user may: before other
  // work a visit neither waits for the CPU nor shares its caches, turn by turn,
  // with whatever else runs. 0 leaves the priority as it is.
  int nice_increment = -10;
  // Decide nothing early: exactly this many valid rounds (harvest's estimate).
  std::optional<std::int64_t> fixed_rounds;
  // Measure even when both programs are equal: a binary against itself.
  bool measure_identical = false;
};

// Called as the run goes on; must not throw or block.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void OnNote(std::string_view line) = 0;  // pilot findings, warnings
  virtual void OnRound(const RoundEvidence& round, const SequentialJudge& judge,
                       double elapsed_seconds, double budget_seconds) = 0;
  // Asked before each round: true ends the run with a resumable journal.
  virtual bool Interrupted() { return false; }
};

// Runs both sides interleaved in random order until the decision is proven or
// the budget is spent, and returns the evidence with its outcome.
//
// Errors: Aborted ("cannot judge": a crash, hang, errored or missing benchmark,
// different sets of benchmarks), NotFound / PermissionDenied /
// FailedPrecondition for a program that cannot be run, the last for a journal
// of other binaries or another policy, Cancelled when interrupted. What was
// measured stays in the journal.
absl::StatusOr<Evidence> RunInterleaved(const RunPlan& plan, MeasureSeams seams,
                                        RunObserver& observer);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_INTERLEAVED_RUN_H_
