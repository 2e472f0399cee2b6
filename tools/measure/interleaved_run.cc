#include "tools/measure/interleaved_run.h"

#include <cstddef>
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
#include "tools/system/priority.h"
#include "tools/system/private_folder.h"

namespace autotune {
namespace {

constexpr std::size_t kShownDigits = 12;

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

std::string ReplacedText(const std::string& side, const ProgramFile& before) {
  return absl::StrCat(side, ": ", before.path,
                      " or a library of it was replaced while it was measured");
}

// Rounds of copies are of the program as it was at the start: a warning. What
// ran in place, and libraries, which do, may have been two things.
absl::Status CheckReplaced(const Identity& before, const RunPlan& plan,
                           bool in_place, FileSystem& files,
                           RunObserver& observer, Evidence& evidence) {
  const absl::StatusOr<Identity> now =
      CompareIdentity(plan.baseline, plan.contender, files);
  for (const auto& [side, file] :
       {std::pair{"baseline", &Identity::baseline},
        std::pair{"contender", &Identity::contender}}) {
    const ProgramFile& was = before.*file;
    const bool libraries =
        now.ok() && ((*now).*file).libraries != was.libraries;
    const bool program = !now.ok() || ((*now).*file).sha256 != was.sha256;
    if (!libraries && !program) continue;
    const std::string text = ReplacedText(side, was);
    if (in_place || libraries) {
      return absl::AbortedError(
          absl::StrCat(text, ": measure again when its build has ended"));
    }
    evidence.warnings.push_back(
        absl::StrCat(text,
                     ": the decision is about the one that was there at "
                     "the start, sha256 ",
                     was.sha256.substr(0, kShownDigits)));
    observer.OnNote(absl::StrCat("warning: ", evidence.warnings.back()));
  }
  return absl::OkStatus();
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
  const RaisedPriority priority(plan.nice_increment);
  ASSIGN_OR_RETURN(const PrivateFolder folder,
                   PrivateFolder::Make(seams.files));
  ASSIGN_OR_RETURN(Preparation prepared,
                   PrepareRun(plan, identity, folder.path(), std::move(earlier),
                              seams, observer));
  RETURN_IF_ERROR(journal.Begin(prepared.evidence));
  LiveRounds rounds(seams);
  const bool in_place = prepared.setup.in_place;
  ASSIGN_OR_RETURN(Evidence evidence,
                   RunRounds(plan, std::move(prepared), journal, seams.clock,
                             seams.entropy, rounds, observer));
  RETURN_IF_ERROR(
      CheckReplaced(identity, plan, in_place, seams.files, observer, evidence));
  return evidence;
}

}  // namespace autotune
