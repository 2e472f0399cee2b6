#include "tools/bench_compare/calibrate_command.h"

#include <algorithm>
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
#include "tools/bench_compare/command_line.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/bench_compare/program.h"
#include "tools/bench_compare/run_plan.h"
#include "tools/bench_compare/run_progress.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/measuring_lock.h"
#include "tools/report/evidence_facts.h"
#include "tools/system/exit_code.h"
#include "tools/system/file_lock.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr std::int64_t kUsualDecisions = 20;
// Rounds that show the noise of a mode that decides nothing.
constexpr std::int64_t kNoiseRounds = 10;

struct CalibrateFlags {
  std::optional<std::string> binary;
  std::optional<std::string> decisions;
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
               "the Google Benchmark program to measure against itself");
  line.AddText("--filter", "REGEX", flags.run.filter,
               "benchmarks to decide on, as --benchmark_filter (.)");
  line.AddText("--cwd", "DIR", flags.run.working_directory,
               "folder to run the program in");
  line.AddFlag("--in-place", flags.run.in_place,
               "run the program where it is, not copies");
  AddMeasuringFlags(line, flags.run.policy);
  line.AddText("--decisions", "N", flags.decisions,
               "independent decisions to make (20)");
  line.AddText("--cpu", "N", flags.run.cpu, "pin the program to this CPU");
  line.AddText("--timeout", "DURATION", flags.run.timeout,
               "longest time of one process run (60s)");
  AddPolicyFlags(line, flags.run.policy);
  AddCommonFlags(line, flags.run.common);
}

absl::StatusOr<std::int64_t> DecisionsOf(const CalibrateFlags& flags) {
  ASSIGN_OR_RETURN(const std::optional<std::int64_t> decisions,
                   ParseWholeNumber("--decisions", flags.decisions, 1));
  return decisions.value_or(kUsualDecisions);
}

absl::Status Calibrate(CalibrateFlags& flags,
                       const std::vector<std::string>& benchmark_arguments,
                       const ProgramWorld& world, Terminal& terminal) {
  const CommonFlags& common = flags.run.common;
  RETURN_IF_ERROR(ApplyColor(common, terminal));
  if (!flags.binary.has_value() || flags.binary->empty()) {
    return UsageError("expected the program to calibrate with",
                      "bench_compare calibrate --binary BINARY");
  }
  flags.run.baseline = flags.binary;
  flags.run.contender = flags.binary;
  ASSIGN_OR_RETURN(const std::int64_t decisions, DecisionsOf(flags));
  ASSIGN_OR_RETURN(const Policy policy,
                   ResolvePolicy(flags.run.policy, PolicyKind::kTune,
                                 world.files, world.environment));
  ASSIGN_OR_RETURN(RunPlan plan,
                   MakeRunPlan(flags.run, policy, benchmark_arguments));
  RunProgress progress(terminal, policy.kind, common.quiet, world.interrupted);
  ASSIGN_OR_RETURN(
      const FileLock lock,
      AcquireMeasuringLock(
          {world.environment, world.clock, world.interrupted,
           [&progress](std::string_view line) { progress.OnNote(line); }}));
  Calibrator calibrator(
      std::move(plan), decisions,
      {world.processes, world.files, world.clock, world.entropy}, progress);
  const absl::StatusOr<CalibrationReport> report = calibrator.Run();
  progress.Finish();
  RETURN_IF_ERROR(report.status());
  terminal.out << (common.json ? CalibrationJson(*report)
                               : CalibrationText(*report));
  return absl::OkStatus();
}

}  // namespace

int RunCalibrateCommand(const std::vector<std::string>& arguments,
                        const ProgramWorld& world, Terminal& terminal) {
  CalibrateFlags flags;
  CommandLine line(
      "calibrate --binary BINARY [OPTIONS] [-- BENCHMARK ARGS]",
      "Measures a Google Benchmark program against itself: how often this\n"
      "machine raises a false alarm, how noisy it is, and how small a change\n"
      "the budget can decide.",
      "bench_compare calibrate --binary build/bench --filter=BM_Parse "
      "--budget 60s");
  AddCalibrateFlags(line, flags);
  const SplitArguments split = SplitAtDashes(arguments);
  const absl::Status parsed = line.Parse(split.ours);
  const bool json = flags.run.common.json || WantsJson(arguments);
  if (!parsed.ok()) return Fail(parsed, json, terminal);
  if (line.help()) {
    terminal.out << line.HelpText();
    return kExitKeep;
  }
  const absl::Status done = Calibrate(flags, split.benchmarks, world, terminal);
  return done.ok() ? kExitKeep : Fail(done, json, terminal);
}

}  // namespace autotune
