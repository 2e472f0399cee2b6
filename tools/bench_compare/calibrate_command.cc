#include <algorithm>
#include <climits>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/policy/policy.h"
#include "tools/bench_compare/calibration_report.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/bench_compare/run_plan.h"
#include "tools/bench_compare/run_progress.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/measuring_lock.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/evidence_facts.h"
#include "tools/system/exit_code.h"
#include "tools/system/file_lock.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Rounds that show the noise of a mode that decides nothing.
constexpr std::int64_t kNoiseRounds = 10;

struct CalibrateFlags {
  std::optional<std::string> binary;
  std::int64_t decisions = 20;
  RunFlags run;
};

class Calibrator {
 public:
  Calibrator(RunPlan plan, std::int64_t decisions, MeasureSeams seams,
             RunProgress& progress)
      : plan_(std::move(plan)),
        decisions_(decisions),
        seams_(seams),
        progress_(progress) {
    plan_.measure_identical = true;
  }

  absl::StatusOr<CalibrationReport> Run() {
    CalibrationReport report;
    std::vector<Evidence> runs;
    for (std::int64_t i = 0; i < decisions_; ++i) {
      ASSIGN_OR_RETURN(Evidence evidence,
                       RunInterleaved(plan_, seams_, progress_));
      AddDecision(evidence, report);
      progress_.OnNote(absl::StrCat("decision ", i + 1, " of ", decisions_,
                                    ": ", evidence.reason));
      runs.push_back(std::move(evidence));
    }
    report.modes.push_back(NoiseOf(runs));
    RETURN_IF_ERROR(AddOtherModes(runs.front().metric, report));
    AddLimits(plan_.policy, report);
    return report;
  }

 private:
  absl::Status AddOtherModes(const Metric& metric, CalibrationReport& report) {
    for (const MeasureMode mode :
         {MeasureMode::kTurns, MeasureMode::kDuet, MeasureMode::kAlternate}) {
      const bool one_cpu = mode != MeasureMode::kAlternate;
      if (mode == report.modes.front().mode) continue;
      if (one_cpu && metric.name != "cpu_time") continue;
      RunPlan plan = plan_;
      plan.policy.mode = mode;
      plan.fixed_rounds = kNoiseRounds;
      ASSIGN_OR_RETURN(Evidence evidence,
                       RunInterleaved(plan, seams_, progress_));
      report.modes.push_back(NoiseOf({std::move(evidence)}));
    }
    return absl::OkStatus();
  }

  RunPlan plan_;
  std::int64_t decisions_;
  MeasureSeams seams_;
  RunProgress& progress_;
};

void AddCalibrateFlags(CommandLine& line, CalibrateFlags& flags) {
  line.StartGroup("What to run");
  line.AddText("--binary", "BINARY", flags.binary,
               "the Google Benchmark program to measure against itself")
      .required = true;
  line.AddText("--filter", "REGEX", flags.run.filter,
               "benchmarks to decide on, as --benchmark_filter (.)");
  line.AddText("--cwd", "DIR", flags.run.working_directory,
               "folder to run the program in");
  line.AddFlag("--in-place", flags.run.in_place,
               "run the program where it is, not copies");
  AddMeasuringFlags(line, flags.run.policy);
  line.AddNumber("--decisions", "N", flags.decisions, 1, INT64_MAX,
                 "independent decisions to make (20)");
  AddVisitFlags(line, flags.run);
  AddPolicyFlags(line, PolicyVerb::kRun, flags.run.policy);
  line.AddRest(flags.run.benchmark_arguments);
}

absl::StatusOr<ExitCode> Calibrate(CalibrateFlags& flags,
                                   const Invocation& invocation) {
  const ProgramWorld& world = invocation.world;
  const CommonFlags& common = invocation.common;
  flags.run.baseline = flags.binary;
  flags.run.contender = flags.binary;
  SettingPlaces places;
  ASSIGN_OR_RETURN(const PolicyFile file,
                   ReadPolicyFile(flags.run.policy, world));
  ASSIGN_OR_RETURN(const Policy policy,
                   ResolvePolicy(file, flags.run.policy, PolicyVerb::kRun,
                                 PolicyKind::kTune, places));
  ASSIGN_OR_RETURN(RunPlan plan, MakeRunPlan(flags.run, policy, places));
  RunProgress progress(invocation.terminal, policy.kind, common.quiet,
                       world.interrupted);
  ASSIGN_OR_RETURN(
      const FileLock lock,
      AcquireMeasuringLock(
          {world.environment, world.clock, world.interrupted,
           [&progress](std::string_view line) { progress.OnNote(line); }}));
  Calibrator calibrator(
      std::move(plan), flags.decisions,
      {world.processes, world.files, world.clock, world.entropy}, progress);
  const absl::StatusOr<CalibrationReport> report = calibrator.Run();
  progress.Finish();
  RETURN_IF_ERROR(places.Placed(report.status()));
  invocation.terminal.out << (common.json ? CalibrationJson(*report)
                                          : CalibrationText(*report));
  return kExitKeep;
}

}  // namespace

Action DeclareCalibrate(CommandLine& line) {
  auto flags = std::make_shared<CalibrateFlags>();
  AddCalibrateFlags(line, *flags);
  return [flags](const Invocation& invocation) {
    return Calibrate(*flags, invocation);
  };
}

}  // namespace autotune
