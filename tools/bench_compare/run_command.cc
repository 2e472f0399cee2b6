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
#include "base/annotate.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/outcome_output.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/bench_compare/run_plan.h"
#include "tools/bench_compare/run_progress.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/journal.h"
#include "tools/measure/measuring_lock.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/error_report.h"
#include "tools/report/report.h"
#include "tools/system/entropy.h"
#include "tools/system/exit_code.h"
#include "tools/system/file_lock.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// An error with the way to go on from it: after an interruption and when the
// disk was full.
absl::Status WithWayOut(const absl::Status& status, const RunPlan& plan) {
  const bool goes_on =
      absl::IsCancelled(status) || absl::IsResourceExhausted(status);
  if (goes_on && !plan.journal_path.empty()) {
    return WithHint(status,
                    absl::StrCat("the same command with --evidence ",
                                 plan.journal_path, " --resume continues it"));
  }
  return status;
}

// Replaces the journal by the whole evidence.
absl::Status WriteEvidence(const Evidence& evidence, const std::string& path,
                           FileSystem& files) {
  if (path.empty()) return absl::OkStatus();
  return files.WriteFile(path, EvidenceToJson(evidence));
}

absl::StatusOr<ExitCode> Run(const RunFlags& flags, const RunPlan& plan,
                             const ReportPlan& reports,
                             const std::vector<std::string>& notes,
                             const Invocation& invocation) {
  const ProgramWorld& world = invocation.world;
  Terminal& terminal = invocation.terminal;
  // At once, not after waiting for another run to end.
  RETURN_IF_ERROR(CheckEvidencePlace(plan.journal_path, world.files));
  const std::unique_ptr<Entropy> seeded =
      flags.seed.has_value()
          ? MakeSeededEntropy(static_cast<std::uint64_t>(*flags.seed))
          : nullptr;
  const MeasureSeams seams = {world.processes, world.files, world.clock,
                              seeded == nullptr ? world.entropy : *seeded};
  RunProgress progress(terminal, plan.policy.kind, invocation.common.quiet,
                       world.interrupted);
  ASSIGN_OR_RETURN(
      const FileLock lock,
      AcquireMeasuringLock(
          {world.environment, world.clock, world.interrupted,
           [&progress](std::string_view line) { progress.OnNote(line); }}));
  absl::StatusOr<Evidence> evidence = RunInterleaved(plan, seams, progress);
  progress.Finish();
  if (!evidence.ok()) return WithWayOut(evidence.status(), plan);
  const absl::Status written =
      WriteEvidence(*evidence, plan.journal_path, world.files);
  Report report = ReportOf(*evidence, plan.journal_path);
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  const absl::Status reported =
      WriteReports(report, reports, world.files, terminal);
  RETURN_IF_ERROR(Annotate(written, "evidence"));
  RETURN_IF_ERROR(reported);
  return ExitOf(report.outcome, plan.policy.on_inconclusive, terminal);
}

absl::StatusOr<ExitCode> ResolveAndRun(RunFlags& flags, PolicyKind kind,
                                       const Invocation& invocation) {
  const ProgramWorld& world = invocation.world;
  ASSIGN_OR_RETURN(const ReportPlan reports,
                   MakeReportPlan(flags.report, invocation.common));
  SettingPlaces places;
  ASSIGN_OR_RETURN(const PolicyFile file, ReadPolicyFile(flags.policy, world));
  ASSIGN_OR_RETURN(
      Policy policy,
      ResolvePolicy(file, flags.policy, PolicyVerb::kRun, kind, places));
  const std::vector<std::string> expired =
      DropExpiredWaivers(policy, Today(world.clock));
  ASSIGN_OR_RETURN(const RunPlan plan, MakeRunPlan(flags, policy, places));
  const absl::StatusOr<ExitCode> code =
      Run(flags, plan, reports, expired, invocation);
  return code.ok() ? code : places.Placed(code.status());
}

}  // namespace

Action DeclareRun(PolicyKind kind, CommandLine& line) {
  auto flags = std::make_shared<RunFlags>();
  AddRunFlags(line, *flags);
  return [flags, kind](const Invocation& invocation) {
    return ResolveAndRun(*flags, kind, invocation);
  };
}

}  // namespace autotune
