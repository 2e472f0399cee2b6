#include "tools/measure/interleaved_run.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "comparator/round_ratios.h"
#include "tools/measure/identity.h"
#include "tools/measure/journal.h"
#include "tools/measure/preparation.h"
#include "tools/measure/round.h"
#include "tools/measure/round_check.h"
#include "tools/measure/run_folder.h"

namespace autotune {
namespace {

// When this many rounds were voided, and more than counted, the machine or the
// benchmark is not fit for the mode.
constexpr std::int64_t kTooManyVoided = 10;

// The rounds of a prepared run, one after the other.
class RoundLoop {
 public:
  RoundLoop(const RunPlan& plan, Preparation prepared, Journal& journal,
            MeasureSeams seams, RunObserver& observer)
      : plan_(plan),
        prepared_(std::move(prepared)),
        journal_(journal),
        seams_(seams),
        observer_(observer),
        judge_(prepared_.evidence.settings),
        started_(seams.clock.Monotonic()) {}

  absl::StatusOr<Evidence> Run() {
    Replay();
    while (WantsMore()) {
      if (observer_.Interrupted()) return Interrupted();
      RETURN_IF_ERROR(OneRound());
      RETURN_IF_ERROR(CheckVoided());
    }
    Conclude();
    return std::move(prepared_.evidence);
  }

 private:
  Evidence& evidence() { return prepared_.evidence; }

  double Elapsed() const {
    return absl::ToDoubleSeconds(seams_.clock.Monotonic() - started_);
  }

  // Rounds of an earlier part count as if they had just been measured.
  void Replay() {
    for (const RoundEvidence& round : evidence().rounds) Count(round);
    counted_before_ = counted_;
  }

  void Count(const RoundEvidence& round) {
    if (!round.voided.empty()) {
      ++voided_;
      return;
    }
    ++counted_;
    judge_.Add(round.ratios);
  }

  bool WantsMore() const {
    if (plan_.fixed_rounds.has_value()) return counted_ < *plan_.fixed_rounds;
    return !judge_.finished() && Elapsed() < plan_.policy.budget_seconds &&
           counted_ - counted_before_ < plan_.policy.max_rounds;
  }

  absl::Status OneRound() {
    ASSIGN_OR_RETURN(const RoundCoin coin, DrawCoin(seams_.entropy));
    ASSIGN_OR_RETURN(RoundEvidence round,
                     RunRound(prepared_.setup, coin, seams_));
    round.index = static_cast<std::int64_t>(evidence().rounds.size());
    round.voided = VoidReason(round, evidence().metric, prepared_.shortest);
    if (round.voided.empty()) {
      auto ratios = ComputeRoundRatios(evidence().settings, evidence().metric,
                                       round.baseline, round.contender);
      if (!ratios.ok()) {
        return absl::AbortedError(
            absl::StrCat("round ", round.index, ": ",
                         std::string(ratios.status().message())));
      }
      round.ratios = *std::move(ratios);
    }
    RETURN_IF_ERROR(journal_.Append(round));
    Count(round);
    observer_.OnRound(round, judge_, Elapsed(), plan_.policy.budget_seconds);
    evidence().rounds.push_back(std::move(round));
    return absl::OkStatus();
  }

  absl::Status CheckVoided() {
    if (voided_ < kTooManyVoided || voided_ <= counted_) {
      return absl::OkStatus();
    }
    return absl::AbortedError(absl::StrCat(
        voided_, " of ", voided_ + counted_,
        " rounds were void, the last: ", evidence().rounds.back().voided,
        ": use mode alternate, or a quieter machine"));
  }

  absl::Status Interrupted() const {
    return absl::CancelledError(absl::StrCat(
        "interrupted after ", counted_, " rounds",
        plan_.journal_path.empty() ? ""
                                   : "; what was measured can be continued"));
  }

  void Conclude() {
    Evidence& result = evidence();
    result.measuring_seconds = absl::ToDoubleSeconds(
        seams_.clock.Monotonic() - prepared_.setup.run_started);
    result.decision = judge_.decision();
    result.reason = judge_.reason();
    result.overall = judge_.overall();
    result.targets = judge_.targets();
    result.guards = judge_.guards();
  }

  const RunPlan& plan_;
  Preparation prepared_;
  Journal& journal_;
  MeasureSeams seams_;
  RunObserver& observer_;
  SequentialJudge judge_;
  absl::Duration started_;
  std::int64_t counted_ = 0;
  std::int64_t counted_before_ = 0;
  std::int64_t voided_ = 0;
};

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
  evidence.decision = Decision::kDiscard;
  evidence.reason =
      "unchanged: the two programs are equal in all that a visit uses";
  const SequentialJudge unasked(evidence.settings);
  evidence.overall = unasked.overall();
  evidence.targets = unasked.targets();
  evidence.guards = unasked.guards();
  return evidence;
}

}  // namespace

absl::StatusOr<Evidence> RunInterleaved(const RunPlan& plan, MeasureSeams seams,
                                        RunObserver& observer) {
  RETURN_IF_ERROR(CheckPlan(plan));
  ASSIGN_OR_RETURN(const Identity identity,
                   CompareIdentity(plan.baseline, plan.contender, seams.files));
  if (identity.identical && !plan.measure_identical) {
    return Unchanged(plan, identity, seams);
  }
  Journal journal(plan.journal_path, seams.files);
  std::optional<Evidence> earlier;
  if (plan.resume) {
    ASSIGN_OR_RETURN(earlier, journal.Read());
  } else {
    RETURN_IF_ERROR(journal.CheckFree());
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<RunFolder> folder,
                   RunFolder::Create(seams.files));
  ASSIGN_OR_RETURN(Preparation prepared,
                   PrepareRun(plan, identity, folder->path(),
                              std::move(earlier), seams, observer));
  RETURN_IF_ERROR(journal.Begin(prepared.evidence));
  return RoundLoop(plan, std::move(prepared), journal, seams, observer).Run();
}

}  // namespace autotune
