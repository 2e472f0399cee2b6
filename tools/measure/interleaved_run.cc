#include "tools/measure/interleaved_run.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/measure/identity.h"
#include "tools/measure/journal.h"
#include "tools/measure/preparation.h"
#include "tools/measure/round_loop.h"
#include "tools/measure/run_folder.h"
#include "tools/system/priority.h"

namespace autotune {
namespace {

// Before other work, where we are allowed to: a visit then neither waits for
// the CPU nor shares its caches, turn by turn, with whatever else runs.
constexpr int kNiceIncrement = -10;

absl::Status CheckPlan(const RunPlan& plan) {
  if (plan.fixed_rounds.has_value() && *plan.fixed_rounds < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("rounds: expected at least 1, got ", *plan.fixed_rounds));
  }
  if (plan.alpha_override.has_value() &&
      !(*plan.alpha_override > 0.0 && *plan.alpha_override < 1.0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "alpha: expected a level in (0, 1), got ", *plan.alpha_override));
  }
  return Annotate(CheckPolicy(plan.policy), "policy");
}

absl::StatusOr<Evidence> Unchanged(const RunPlan& plan,
                                   const Identity& identity,
                                   MeasureSeams seams) {
  ASSIGN_OR_RETURN(Evidence evidence, DescribeRun(plan, identity, seams));
  evidence.identical = true;
  SetOutcome(SequentialJudge(evidence.settings), evidence);
  static_cast<Ruling&>(evidence) = UnchangedRuling(plan.policy.kind);
  return evidence;
}

}  // namespace

absl::StatusOr<Evidence> RunInterleaved(const RunPlan& plan, MeasureSeams seams,
                                        RunObserver& observer) {
  RETURN_IF_ERROR(CheckPlan(plan));
  ASSIGN_OR_RETURN(const Identity identity,
                   CompareIdentity(plan.baseline, plan.contender, seams.files));
  Journal journal(plan.journal_path, seams.files);
  std::optional<Evidence> earlier;
  if (plan.resume) {
    ASSIGN_OR_RETURN(earlier, journal.Read());
    if (earlier.has_value() && earlier->rounds.empty()) earlier.reset();
  } else {
    RETURN_IF_ERROR(journal.CheckFree());
  }
  if (identity.identical && !plan.measure_identical && !earlier.has_value()) {
    return Unchanged(plan, identity, seams);
  }
  const RaisedPriority priority(kNiceIncrement);
  ASSIGN_OR_RETURN(const std::unique_ptr<RunFolder> folder,
                   RunFolder::Create(seams.files));
  ASSIGN_OR_RETURN(Preparation prepared,
                   PrepareRun(plan, identity, folder->path(),
                              std::move(earlier), seams, observer));
  RETURN_IF_ERROR(journal.Begin(prepared.evidence));
  LiveRounds rounds(seams);
  return RunRounds(plan, std::move(prepared), journal, seams.clock,
                   seams.entropy, rounds, observer);
}

}  // namespace autotune
