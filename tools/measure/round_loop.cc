#include "tools/measure/round_loop.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/bias_trial.h"
#include "comparator/evidence/cross_check.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/statistics/test_length.h"
#include "tools/measure/bias_check.h"
#include "tools/measure/budget_check.h"
#include "tools/measure/judged.h"
#include "tools/measure/mode_choice.h"
#include "tools/measure/round.h"
#include "tools/measure/round_check.h"

// How a decision is reached, stage by stage.
//
// A stage is one length of turn (alternate rounds and a duet have one stage
// alone). Its rounds enter the judge until that decides. What they prove is
// true "in turns", so a second judge, BiasTrial, must come to the same decision
// on pairs with rounds in turns of a tenth, freed of the bias that these show.
// When it does not, the stage has decided nothing: its rounds stay in the
// evidence as kSettled, and a fresh judge starts in longer turns, where the
// bias is smaller, at a twentieth of the levels; that bounds the errors of all
// stages together by 1.1 times what was asked for. Without longer turns, or
// without time, the run is inconclusive and says why. A keep then has alternate
// rounds against it (Confirm), and everything that no test of the rounds can
// see (DecisionObjection).
//
// Every round is in the journal before the next starts, whatever its use. A run
// that is continued replays them: rounds that count into the judge, those of a
// check into its trial. The levels in the journal's header are those of the
// stage that was under way.
namespace autotune {
namespace {

// When this many rounds were voided, and more than were sound, the machine or
// the benchmark is not fit for the mode.
constexpr std::int64_t kTooManyVoided = 10;
// Two alternate rounds cost a second; eight decide by a sign test at 3.5 %.
constexpr std::size_t kFewestConfirmations = 2;
constexpr std::size_t kMostConfirmations = 8;

class RoundLoop {
 public:
  RoundLoop(const RunPlan& plan, Preparation prepared, Journal& journal,
            Clock& clock, Entropy& entropy, RoundMaker& rounds,
            RunObserver& observer)
      : plan_(plan),
        prepared_(std::move(prepared)),
        journal_(journal),
        clock_(clock),
        entropy_(entropy),
        rounds_(rounds),
        observer_(observer),
        judge_(prepared_.evidence.settings),
        started_(clock.Monotonic()) {}

  absl::StatusOr<Evidence> Run() {
    RETURN_IF_ERROR(Replay());
    counted_before_ = counted_;
    WarnOfBudget();
    RETURN_IF_ERROR(MeasureUntilDecided());
    RETURN_IF_ERROR(CheckBias());
    RETURN_IF_ERROR(Confirm());
    Finish();
    return std::move(evidence());
  }

 private:
  Evidence& evidence() { return prepared_.evidence; }

  double Elapsed() const {
    return absl::ToDoubleSeconds(clock_.Monotonic() - started_);
  }

  // Rounds of an earlier part count as if they had just been measured.
  absl::Status Replay() {
    for (RoundEvidence& round : evidence().rounds) {
      RETURN_IF_ERROR(AddRatios(round));
      Count(round);
    }
    return absl::OkStatus();
  }

  // Before the first round, from the pilot; of what came of it see Finish.
  void WarnOfBudget() {
    if (plan_.fixed_rounds.has_value() || judge_.finished()) return;
    const std::string warning =
        BudgetWarning(evidence(), ExpectedRoundSeconds(prepared_));
    if (!warning.empty()) observer_.OnNote(absl::StrCat("warning: ", warning));
  }

  void Count(const RoundEvidence& round) {
    ++(round.use == RoundUse::kVoid ? voided_ : sound_);
    if (round.use != RoundUse::kCounts) return;
    ++counted_;
    judge_.Add(round.ratios);
  }

  bool WantsMore() const {
    if (plan_.fixed_rounds.has_value()) return counted_ < *plan_.fixed_rounds;
    return !judge_.finished() && Elapsed() < plan_.policy.budget_seconds &&
           counted_ - counted_before_ < plan_.policy.max_rounds;
  }

  absl::Status MeasureUntilDecided() {
    voided_ = 0;
    sound_ = 0;
    while (WantsMore()) {
      RETURN_IF_ERROR(CheckInterrupted());
      ASSIGN_OR_RETURN(RoundEvidence round,
                       RunOne(StillMeasured(prepared_.setup, judge_)));
      RETURN_IF_ERROR(AddRatios(round));
      RETURN_IF_ERROR(Record(std::move(round)));
    }
    Conclude();
    return absl::OkStatus();
  }

  absl::StatusOr<RoundEvidence> RunOne(const RoundSetup& setup) {
    ASSIGN_OR_RETURN(const RoundCoin coin, DrawCoin(entropy_));
    ASSIGN_OR_RETURN(RoundEvidence round, rounds_.Make(setup, coin));
    round.index = static_cast<std::int64_t>(evidence().rounds.size());
    round.why = VoidReason(round, evidence().metric, prepared_.shortest);
    if (!round.why.empty()) round.use = RoundUse::kVoid;
    return round;
  }

  absl::Status AddRatios(RoundEvidence& round) {
    if (round.use != RoundUse::kCounts) return absl::OkStatus();
    auto ratios = ComputeRoundRatios(judge_, evidence().metric, round.baseline,
                                     round.contender);
    if (!ratios.ok()) {
      return absl::AbortedError(absl::StrCat(
          "round ", round.index, ": ", std::string(ratios.status().message())));
    }
    round.ratios = *std::move(ratios);
    return absl::OkStatus();
  }

  // On disk before the next round starts.
  absl::Status Record(RoundEvidence round) {
    RETURN_IF_ERROR(journal_.Append(round));
    Count(round);
    observer_.OnRound(round, judge_, Elapsed(), plan_.policy.budget_seconds);
    evidence().rounds.push_back(std::move(round));
    return CheckVoided();
  }

  absl::Status CheckVoided() {
    if (voided_ < kTooManyVoided || voided_ <= sound_) {
      return absl::OkStatus();
    }
    return absl::AbortedError(absl::StrCat(
        voided_, " of ", voided_ + sound_,
        " rounds were void, the last: ", evidence().rounds.back().why,
        ": use mode alternate, or a quieter machine"));
  }

  absl::Status CheckInterrupted() {
    if (!observer_.Interrupted()) return absl::OkStatus();
    return absl::CancelledError(absl::StrCat(
        "interrupted after ", counted_, " rounds",
        plan_.journal_path.empty() ? ""
                                   : "; what was measured can be continued"));
  }

  // A round that checks a decision and never enters the test.
  absl::Status AddCheckRound(const RoundSetup& setup, RoundUse use) {
    RETURN_IF_ERROR(CheckInterrupted());
    ASSIGN_OR_RETURN(RoundEvidence round, RunOne(setup));
    if (round.use == RoundUse::kCounts) round.use = use;
    if (use == RoundUse::kBiasCheck && !SeesBias(round)) {
      round.use = RoundUse::kVoid;
      round.why = "the machine did not let the turns be short enough";
    }
    return Record(std::move(round));
  }

  // Shorter turns check longer ones only where they really are shorter, at most
  // half as long.
  bool SeesBias(const RoundEvidence& round) const {
    const double turn = absl::ToDoubleSeconds(prepared_.setup.turn);
    return prepared_.setup.mode != MeasureMode::kTurns ||
           round.turn_seconds == turn ||
           round.given_turn_seconds.value_or(0.0) < 0.5 * turn;
  }

  bool WantsPair(const BiasTrial& trial) const {
    if (trial.finished()) return false;
    const auto fewest = static_cast<std::size_t>(
        FewestRounds(prepared_.evidence.settings.alpha));
    return trial.pairs() < fewest ||
           (Elapsed() < plan_.policy.budget_seconds &&
            trial.pairs() < MostBiasPairs(static_cast<std::size_t>(counted_)));
  }

  // What the pairs say of the decision; those that it takes are measured.
  absl::StatusOr<BiasRecord> TryWithoutBias() {
    BiasTrial trial(evidence());
    const RoundSetup check = BiasRoundSetup(prepared_.setup);
    while (WantsPair(trial)) {
      const RoundSetup& wanted =
          trial.lacks_run_round() ? prepared_.setup : check;
      RETURN_IF_ERROR(AddCheckRound(StillMeasured(wanted, trial.judge()),
                                    RoundUse::kBiasCheck));
      trial.Add(evidence().rounds.back());
    }
    return trial.Record();
  }

  absl::Status CheckBias() {
    if (!NeedsBiasTrial(evidence())) return absl::OkStatus();
    ASSIGN_OR_RETURN(const BiasRecord record, TryWithoutBias());
    if (const std::string text = BiasText(record); !text.empty()) {
      observer_.OnNote(text);
    }
    evidence().bias.push_back(record);
    if (record.freed == record.decided) return absl::OkStatus();
    if (CanSettle()) return Settle();
    evidence().downgrade = BiasObjection(record);
    return absl::OkStatus();
  }

  bool CanSettle() const {
    return plan_.policy.mode == MeasureMode::kAuto &&
           !plan_.fixed_rounds.has_value() &&
           prepared_.setup.turn < kLongestTurn &&
           Elapsed() < plan_.policy.budget_seconds;
  }

  // The test so far decides nothing: a fresh one at longer turns does.
  absl::Status Settle() {
    if (evidence().bias.size() == 1) {
      evidence().settings.alpha *= kSettlingShare;
      evidence().settings.beta *= kSettlingShare;
    }
    for (RoundEvidence& round : evidence().rounds) {
      if (round.use != RoundUse::kCounts) continue;
      round.use = RoundUse::kSettled;
      round.ratios = {};
    }
    prepared_.setup.turn = NextTurn(prepared_.setup.turn);
    UseVisitSize(plan_, prepared_);
    observer_.OnNote("not clear of the bias: measuring afresh in longer turns");
    RETURN_IF_ERROR(journal_.Begin(evidence()));
    judge_ = SequentialJudge(evidence().settings);
    counted_ = 0;
    counted_before_ = 0;
    RETURN_IF_ERROR(MeasureUntilDecided());
    return CheckBias();
  }

  std::vector<double> Confirmations() {
    std::vector<double> improvements;
    for (const RoundEvidence& round : evidence().rounds) {
      if (round.use != RoundUse::kConfirmation) continue;
      if (const auto y = RoundImprovement(evidence(), round)) {
        improvements.push_back(*y);
      }
    }
    return improvements;
  }

  // Another way of running must not contradict a keep. Rounds are added as long
  // as they all do.
  absl::Status Confirm() {
    if (evidence().decision != Decision::kKeep ||
        !evidence().downgrade.empty() || !IsOneCpuMode(prepared_.setup.mode) ||
        evidence().settings.kind != PolicyKind::kTune) {
      return absl::OkStatus();
    }
    RoundSetup alternate = prepared_.setup;
    alternate.mode = MeasureMode::kAlternate;
    alternate.size.repetitions = static_cast<std::int64_t>(
        std::ceil(static_cast<double>(alternate.size.repetitions) *
                  ConfirmationLength(evidence())));
    std::size_t tries = 0;
    std::vector<double> seen = Confirmations();
    while (
        tries++ < kMostConfirmations &&
        (seen.size() < kFewestConfirmations ||
         (ConfirmationContradicts(seen) && seen.size() < kMostConfirmations))) {
      RETURN_IF_ERROR(AddCheckRound(alternate, RoundUse::kConfirmation));
      seen = Confirmations();
    }
    return absl::OkStatus();
  }

  void Conclude() {
    Evidence& result = evidence();
    result.downgrade.clear();
    SetOutcome(judge_, result);
  }

  void Finish() {
    Evidence& result = evidence();
    if (result.downgrade.empty()) {
      result.downgrade = DecisionObjection(result);
    }
    if (!result.downgrade.empty()) {
      static_cast<Ruling&>(result) = {Decision::kInconclusive,
                                      ReasonCode::kObjection, result.downgrade};
    }
    std::vector<std::string> warnings = RoundWarnings(result);
    if (std::string short_of = BudgetShortfall(); !short_of.empty()) {
      warnings.push_back(std::move(short_of));
    }
    for (std::string& warning : warnings) {
      observer_.OnNote(absl::StrCat("warning: ", warning));
      result.warnings.push_back(std::move(warning));
    }
    result.measuring_seconds =
        absl::ToDoubleSeconds(clock_.Monotonic() - prepared_.setup.run_started);
  }

  // What the budget turned out to be too small for.
  std::string BudgetShortfall() {
    const std::int64_t rounds = counted_ - counted_before_;
    if (plan_.fixed_rounds.has_value() || judge_.finished() || rounds == 0 ||
        Elapsed() < plan_.policy.budget_seconds) {
      return "";
    }
    return BudgetWarning(evidence(), Elapsed() / static_cast<double>(rounds));
  }

  const RunPlan& plan_;
  Preparation prepared_;
  Journal& journal_;
  Clock& clock_;
  Entropy& entropy_;
  RoundMaker& rounds_;
  RunObserver& observer_;
  SequentialJudge judge_;
  absl::Duration started_;
  std::int64_t counted_ = 0;
  std::int64_t counted_before_ = 0;
  std::int64_t voided_ = 0;
  std::int64_t sound_ = 0;
};

}  // namespace

absl::StatusOr<Evidence> RunRounds(const RunPlan& plan, Preparation prepared,
                                   Journal& journal, Clock& clock,
                                   Entropy& entropy, RoundMaker& rounds,
                                   RunObserver& observer) {
  return RoundLoop(plan, std::move(prepared), journal, clock, entropy, rounds,
                   observer)
      .Run();
}

}  // namespace autotune
