#include "tools/measure/preparation.h"

#include <algorithm>
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
#include "base/version.h"
#include "tools/measure/fingerprint.h"
#include "tools/measure/journal.h"
#include "tools/measure/judged.h"
#include "tools/measure/mode_choice.h"
#include "tools/measure/pilot.h"

namespace autotune {
namespace {

EvidenceSide DescribeSide(const SideCommand& command,
                          const ProgramFile& program) {
  EvidenceSide side;
  side.argv = {program.path};
  side.argv.insert(side.argv.end(), command.arguments.begin(),
                   command.arguments.end());
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
    RETURN_IF_ERROR(LookAround());
    ASSIGN_OR_RETURN(const Judged judged,
                     ResolveJudged(plan_.policy, pilot_, plan_.alpha_override));
    UseJudged(judged);
    RETURN_IF_ERROR(SettleMode(earlier));
    SettleSize();
    if (earlier.has_value()) RETURN_IF_ERROR(GoOnFrom(*std::move(earlier)));
    Complete();
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

  absl::Status LookAround() {
    RoundSetup& setup = prepared_.setup;
    PilotFilters filters;
    filters.targets = plan_.target_filter;
    filters.guards = GuardFilter(plan_.policy, plan_.guard_filter);
    ASSIGN_OR_RETURN(pilot_, RunPilot(setup, filters, seams_));
    if (pilot_.in_place && !plan_.in_place) {
      Warn(
          "the programs only work where they are: they run in place, so their "
          "file position is not randomised");
    }
    setup.in_place = pilot_.in_place;
    prepared_.evidence.build = BuildFingerprint(identity_, pilot_);
    for (const std::string& warning : FingerprintWarnings(
             prepared_.evidence.machine, prepared_.evidence.build)) {
      Warn(warning);
    }
    return absl::OkStatus();
  }

  void UseJudged(const Judged& judged) {
    prepared_.evidence.metric = judged.metric;
    prepared_.evidence.settings = judged.settings;
    prepared_.evidence.settings.stop_when_decided =
        !plan_.fixed_rounds.has_value();
    prepared_.setup.metric = judged.metric;
    prepared_.setup.expected = judged.expected;
    prepared_.setup.filter = judged.filter;
  }

  absl::Status SettleMode(const std::optional<Evidence>& earlier) {
    RoundSetup& setup = prepared_.setup;
    std::optional<int> cpu = plan_.cpu;
    if (!cpu.has_value()) cpu = quiet_cpu_.Choose();
    ASSIGN_OR_RETURN(const ModeChoice choice,
                     ChooseMode(plan_.policy.mode, setup, pilot_));
    setup.mode = choice.mode;
    setup.turn = choice.turn;
    if (earlier.has_value() && !earlier->rounds.empty()) {
      setup.mode = earlier->rounds.front().mode;
      setup.turn = absl::Seconds(earlier->turn_seconds);
    }
    if (IsOneCpuMode(setup.mode) || choice.pin) setup.cpu = cpu;
    if (setup.cpu.has_value()) {
      prepared_.evidence.machine["pinned_cpu"] = absl::StrCat(*setup.cpu);
    }
    prepared_.evidence.pilot = choice.findings;
    observer_.OnNote(absl::StrCat(
        "mode ", std::string(MeasureModeName(setup.mode)), ": ", choice.why));
    return absl::OkStatus();
  }

  void SettleSize() {
    RoundSetup& setup = prepared_.setup;
    setup.size =
        ChooseVisitSize(pilot_, setup.mode, setup.turn, plan_.visit_seconds);
    Evidence& evidence = prepared_.evidence;
    evidence.repetition_min_time_seconds = setup.size.min_time_seconds;
    evidence.repetitions = setup.size.repetitions;
    evidence.turn_seconds = setup.mode == MeasureMode::kTurns
                                ? absl::ToDoubleSeconds(setup.turn)
                                : 0.0;
  }

  // The earlier part's numbers hold: only what may change is taken anew.
  absl::Status GoOnFrom(Evidence earlier) {
    RETURN_IF_ERROR(
        CheckResumable(earlier, prepared_.evidence, plan_.journal_path));
    RoundSetup& setup = prepared_.setup;
    setup.size = {earlier.repetition_min_time_seconds, earlier.repetitions};
    setup.run_started -= absl::Seconds(earlier.measuring_seconds);
    earlier.policy = prepared_.evidence.policy;
    prepared_.evidence = std::move(earlier);
    return absl::OkStatus();
  }

  void Complete() {
    RoundSetup& setup = prepared_.setup;
    for (ExpectedBenchmark& benchmark : setup.expected) {
      if (benchmark.rows == 1) benchmark.rows = setup.size.repetitions;
    }
    prepared_.shortest = ShortestSound(pilot_, setup.size.min_time_seconds);
  }

  const RunPlan& plan_;
  const Identity& identity_;
  MeasureSeams seams_;
  RunObserver& observer_;
  QuietCpu quiet_cpu_;
  Pilot pilot_;
  Preparation prepared_;
};

}  // namespace

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
  evidence.baseline = DescribeSide(plan.baseline, identity.baseline);
  evidence.contender = DescribeSide(plan.contender, identity.contender);
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
