#include "tools/measure/preparation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/number_text.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/statistics/test_length.h"
#include "tools/measure/budget_check.h"
#include "tools/measure/fingerprint.h"
#include "tools/measure/journal.h"
#include "tools/measure/judged.h"
#include "tools/measure/mode_choice.h"
#include "tools/measure/pilot.h"
#include "tools/measure/turns_look.h"

namespace autotune {
namespace {

// The budget should hold this many times the fewest rounds of a decision.
constexpr double kRoundsToSpare = 1.5;
// A visit that takes this many times what the pilot expects hangs.
constexpr double kAmpleTime = 5.0;

EvidenceSide DescribeSide(const SideCommand& command,
                          const ProgramFile& program, FileSystem& files) {
  EvidenceSide side;
  side.argv = {program.path};
  side.argv.insert(side.argv.end(), command.arguments.begin(),
                   command.arguments.end());
  side.environment = command.environment;
  side.working_directory = files.RealPath(
      command.working_directory.empty() ? "." : command.working_directory);
  side.libraries = program.libraries;
  side.sha256 = program.sha256;
  side.build_id = program.build_id;
  side.commit = command.commit;
  side.tree = command.tree;
  return side;
}

class Preparer {
 public:
  Preparer(const RunPlan& plan, const Identity& identity, MeasureSeams seams,
           RunObserver& observer)
      : plan_(plan),
        identity_(identity),
        seams_(seams),
        observer_(observer),
        quiet_cpu_(seams.files) {}

  absl::StatusOr<Preparation> Run(const std::string& folder,
                                  std::optional<Evidence> earlier) {
    RETURN_IF_ERROR(Describe());
    StartSetup(folder);
    RETURN_IF_ERROR(KeepPrograms());
    RETURN_IF_ERROR(LookAround());
    ASSIGN_OR_RETURN(
        const Judged judged,
        ResolveJudged(plan_.policy, prepared_.pilot, plan_.alpha_override,
                      DayOf(prepared_.evidence)));
    WarnOfWaivers();
    RETURN_IF_ERROR(UseJudged(judged));
    RETURN_IF_ERROR(SettleMode(earlier));
    if (earlier.has_value()) RETURN_IF_ERROR(GoOnFrom(*std::move(earlier)));
    return std::move(prepared_);
  }

 private:
  absl::Status Describe() {
    ASSIGN_OR_RETURN(prepared_.evidence, DescribeRun(plan_, identity_, seams_));
    return absl::OkStatus();
  }

  void Warn(const std::string& line) {
    prepared_.evidence.warnings.push_back(line);
    observer_.OnNote(absl::StrCat("warning: ", line));
  }

  void StartSetup(const std::string& folder) {
    RoundSetup& setup = prepared_.setup;
    setup.baseline = plan_.baseline;
    setup.contender = plan_.contender;
    setup.baseline.program = identity_.baseline.path;
    setup.contender.program = identity_.contender.path;
    setup.in_place = plan_.in_place || identity_.baseline.needs_its_folder ||
                     identity_.contender.needs_its_folder;
    setup.cpu = plan_.cpu;
    setup.visit_timeout = plan_.visit_timeout;
    setup.folder = folder;
    setup.run_started = seams_.clock.Monotonic();
  }

  // What is measured stays what it was, whatever becomes of the files.
  absl::Status KeepPrograms() {
    RoundSetup& setup = prepared_.setup;
    if (setup.in_place) return absl::OkStatus();
    ASSIGN_OR_RETURN(setup.kept_baseline,
                     KeepProgram(identity_.baseline, "baseline"));
    ASSIGN_OR_RETURN(setup.kept_contender,
                     KeepProgram(identity_.contender, "contender"));
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> KeepProgram(const ProgramFile& program,
                                          const std::string& side) {
    const std::string kept = JoinPath(prepared_.setup.folder, side);
    RETURN_IF_ERROR(seams_.files.CopyFile(program.path, kept));
    ASSIGN_OR_RETURN(const std::string bytes, seams_.files.ReadFile(kept));
    if (Sha256Hex(bytes) == program.sha256) return kept;
    return absl::FailedPreconditionError(absl::StrCat(
        side, ": ", program.path,
        ": was replaced while it was read: run it when its build has ended"));
  }

  PilotFilters Filters() const {
    return {plan_.target_filter, GuardFilter(plan_.policy, plan_.guard_filter),
            plan_.policy.added};
  }

  absl::Status LookAround() {
    RoundSetup& setup = prepared_.setup;
    ASSIGN_OR_RETURN(prepared_.pilot, RunPilot(setup, Filters(), seams_));
    if (prepared_.pilot.in_place && !plan_.in_place) {
      Warn(
          "the programs only work where they are: they run in place, so their "
          "file position is not randomised");
    }
    setup.in_place = prepared_.pilot.in_place;
    prepared_.evidence.only_in_contender = prepared_.pilot.added;
    WarnOfUnselected();
    prepared_.evidence.build = BuildFingerprint(identity_, prepared_.pilot);
    for (const std::string& warning : FingerprintWarnings(
             prepared_.evidence.machine, prepared_.evidence.build)) {
      Warn(warning);
    }
    return absl::OkStatus();
  }

  // A program that drops the flag measures more than was asked for. The library
  // takes "all" and nothing for every benchmark.
  void WarnOfUnselected() {
    const std::string& filter = plan_.target_filter;
    const absl::StatusOr<NamePattern> pattern = NamePattern::Create(filter);
    if (filter.empty() || filter == "all" || !pattern.ok()) return;
    for (const PilotBenchmark& target : prepared_.pilot.targets) {
      if (pattern->Matches(target.name)) continue;
      return Warn(absl::StrCat(
          "the programs measure \"", target.name, "\", which the filter \"",
          filter,
          "\" does not select: do they ignore --benchmark_filter? all that "
          "they measure is judged"));
    }
  }

  absl::Status UseJudged(const Judged& judged) {
    prepared_.evidence.metric = judged.metric;
    prepared_.evidence.settings = judged.settings;
    prepared_.evidence.settings.stop_when_decided =
        !plan_.fixed_rounds.has_value();
    prepared_.evidence.no_ops = judged.no_ops;
    prepared_.setup.metric = judged.metric;
    prepared_.setup.expected = judged.expected;
    ASSIGN_OR_RETURN(prepared_.setup.filter,
                     VisitFilter(judged, prepared_.pilot, Filters()));
    return absl::OkStatus();
  }

  void WarnOfWaivers() {
    if (plan_.policy.kind != PolicyKind::kGate) return;
    const ComparisonRules rules(plan_.policy, DayOf(prepared_.evidence));
    for (const std::string& warning : rules.ExpiryWarnings()) Warn(warning);
  }

  absl::Status SettleMode(const std::optional<Evidence>& earlier) {
    RoundSetup& setup = prepared_.setup;
    std::optional<int> cpu = plan_.cpu;
    if (!cpu.has_value()) cpu = quiet_cpu_.Choose();
    ASSIGN_OR_RETURN(ModeChoice choice,
                     ChooseMode(plan_.policy.mode, setup, prepared_.pilot));
    if (earlier.has_value()) {
      choice.mode = earlier->rounds.front().mode;
      choice.turn = absl::Seconds(earlier->turn_seconds.value_or(0.0));
      choice.look = false;
      choice.why = "as before";
    }
    Use(choice, cpu);
    choice = WithinBudget(choice, ExpectedRoundSeconds(prepared_),
                          plan_.policy.budget_seconds);
    if (!choice.look) Use(choice, cpu);
    if (choice.look) {
      ASSIGN_OR_RETURN(const TurnsFitness fitness, LookAtTurnsUntilClear());
      choice = AfterLooking(choice, fitness);
      Use(choice, cpu);
    }
    observer_.OnNote(absl::StrCat("mode ", std::string(NameOf(setup.mode)),
                                  ": ", choice.why));
    observer_.OnNote(CostNote(prepared_));
    return absl::OkStatus();
  }

  void Use(const ModeChoice& choice, std::optional<int> cpu) {
    RoundSetup& setup = prepared_.setup;
    setup.mode = choice.mode;
    setup.turn = choice.turn;
    setup.cpu = IsOneCpuMode(choice.mode) || choice.pin ? cpu : plan_.cpu;
    std::map<std::string, std::string>& machine = prepared_.evidence.machine;
    machine.erase("pinned_cpu");
    if (setup.cpu.has_value()) {
      machine["pinned_cpu"] = absl::StrCat(*setup.cpu);
    }
    UseVisitSize(plan_, prepared_);
  }

  absl::StatusOr<TurnsFitness> LookAtTurnsUntilClear() {
    std::vector<TurnsLook> looks;
    TurnsFitness fitness = TurnsFitness::kLookAgain;
    std::optional<AloneLook> known =
        AloneInPilot(prepared_.setup, prepared_.pilot);
    while (fitness == TurnsFitness::kLookAgain) {
      ASSIGN_OR_RETURN(const TurnsLook look,
                       LookAtTurns(prepared_.setup, known, seams_));
      known.reset();
      looks.push_back(look);
      fitness = JudgeLooks(looks);
    }
    prepared_.evidence.pilot = LookFindings(looks);
    return fitness;
  }

  // The earlier part's numbers hold: only what may change is taken anew.
  absl::Status GoOnFrom(Evidence earlier) {
    RETURN_IF_ERROR(
        CheckResumable(earlier, prepared_.evidence, plan_.journal_path));
    RoundSetup& setup = prepared_.setup;
    setup.size = {earlier.repetition_min_time_seconds, earlier.repetitions};
    prepared_.shortest =
        ShortestSound(prepared_.pilot, setup.size.min_time_seconds);
    setup.run_started -= absl::Seconds(earlier.measuring_seconds);
    earlier.policy = prepared_.evidence.policy;
    // The last stage's record is made anew with what it says then.
    std::erase_if(earlier.bias, [&](const BiasRecord& record) {
      return !(record.turn_seconds < earlier.turn_seconds.value_or(0.0));
    });
    prepared_.evidence = std::move(earlier);
    return absl::OkStatus();
  }

  const RunPlan& plan_;
  const Identity& identity_;
  MeasureSeams seams_;
  RunObserver& observer_;
  QuietCpu quiet_cpu_;
  Preparation prepared_;
};

}  // namespace

void UseVisitSize(const RunPlan& plan, Preparation& prepared) {
  RoundSetup& setup = prepared.setup;
  const double fewest =
      static_cast<double>(FewestRounds(prepared.evidence.settings.alpha));
  const double most_visit_seconds =
      plan.policy.budget_seconds / (2.0 * fewest * kRoundsToSpare);
  setup.size = ChooseVisitSize(
      prepared.pilot, setup.mode, setup.turn,
      SecondsToMeasure(prepared.pilot,
                       VisitSecondsFor(setup, plan.visit_seconds),
                       most_visit_seconds));
  setup.visit_timeout =
      std::max(plan.visit_timeout,
               absl::Seconds(kAmpleTime *
                             ExpectedVisitSeconds(prepared.pilot, setup.size)));
  prepared.shortest =
      ShortestSound(prepared.pilot, setup.size.min_time_seconds);
  Evidence& evidence = prepared.evidence;
  evidence.repetition_min_time_seconds = setup.size.min_time_seconds;
  evidence.repetitions = setup.size.repetitions;
  evidence.turn_seconds.reset();
  if (setup.mode == MeasureMode::kTurns) {
    evidence.turn_seconds = absl::ToDoubleSeconds(setup.turn);
  }
}

absl::StatusOr<Evidence> DescribeRun(const RunPlan& plan,
                                     const Identity& identity,
                                     MeasureSeams seams) {
  Evidence evidence;
  evidence.tool_version = kVersion;
  evidence.started = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", seams.clock.Now(),
                                      absl::UTCTimeZone());
  evidence.policy = plan.policy;
  evidence.settings = MakeJudgeSettings(plan.policy, {plan.target_filter}, {});
  evidence.task_decision = plan.task_decision;
  evidence.baseline =
      DescribeSide(plan.baseline, identity.baseline, seams.files);
  evidence.contender =
      DescribeSide(plan.contender, identity.contender, seams.files);
  evidence.machine = MachineFingerprint(seams.files);
  evidence.entropy = seams.entropy.name();
  return evidence;
}

absl::StatusOr<Preparation> PrepareRun(const RunPlan& plan,
                                       const Identity& identity,
                                       const std::string& folder,
                                       std::optional<Evidence> earlier,
                                       MeasureSeams seams,
                                       RunObserver& observer) {
  return Preparer(plan, identity, seams, observer)
      .Run(folder, std::move(earlier));
}

}  // namespace autotune
