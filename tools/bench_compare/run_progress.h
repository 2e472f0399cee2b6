#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_PROGRESS_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_PROGRESS_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "tools/measure/interleaved_run.h"
#include "tools/system/terminal.h"

namespace autotune {

// Where a run stands, for one progress line.
struct RunStanding {
  bool gate = false;  // the e-values prove "pass" and "regression"
  std::size_t rounds = 0;
  std::size_t targets = 1;
  std::size_t decided = 0;  // targets that a gate does not measure any more
  RatioEstimate estimate;
  double log_e_keep = 0.0;
  double log_keep_limit = 1.0;
  double log_e_discard = 0.0;
  double log_discard_limit = 1.0;
  double elapsed_seconds = 0.0;
  double budget_seconds = 1.0;
};

// Seconds until the nearer e-value would reach its limit at its average pace,
// at most what the budget leaves; nothing while neither grows.
std::optional<double> SecondsLeft(const RunStanding& standing);

// "round 12  3 of 8 decided  -1.23 % [-2.00 %, -0.40 %]  keep [####  ] 1.2/3.0
// discard ...".
std::string ProgressText(const RunStanding& standing);

// Shows a run on stderr as it goes on: notes as lines, rounds as a progress
// line.
class RunProgress : public RunObserver {
 public:
  RunProgress(Terminal& terminal, PolicyKind kind, bool quiet,
              std::function<bool()> interrupted);

  void OnNote(std::string_view line) override;
  void OnRound(const RoundEvidence& round, const SequentialJudge& judge,
               double elapsed_seconds, double budget_seconds) override;
  bool Interrupted() override { return interrupted_(); }

  void Finish() { line_.Clear(); }

 private:
  Terminal& terminal_;
  PolicyKind kind_;
  bool quiet_;
  std::function<bool()> interrupted_;
  ProgressLine line_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_PROGRESS_H_
