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
#include "comparator/policy/policy.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/bench_compare/run_plan.h"
#include "tools/bench_compare/run_progress.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/journal.h"
#include "tools/measure/measuring_lock.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/error_report.h"
#include "tools/report/evidence_report.h"
#include "tools/system/entropy.h"
#include "tools/system/exit_code.h"
#include "tools/system/file_lock.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr int kNoTerminal = 1'000'000;

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

ExitCode ExitOf(const Evidence& evidence, const RunFlags& flags,
                Terminal& terminal) {
  const bool gate = evidence.settings.kind == PolicyKind::kGate;
  switch (evidence.decision) {
    case Decision::kKeep:
      return kExitKeep;
    case Decision::kDiscard:
      return kExitDiscard;
    case Decision::kInconclusive:
      break;
  }
  if (!gate || !flags.allow_inconclusive) return kExitInconclusive;
  terminal.err << "bench_compare: warning: nothing is proven; passed because "
                  "of --allow-inconclusive\n";
  return kExitKeep;
}

void Print(const Evidence& evidence, const RunPlan& plan,
           const CommonFlags& common, Terminal& terminal) {
  if (common.json) {
    terminal.out << EvidenceReportJson(evidence, plan.journal_path);
  } else if (common.quiet) {
    terminal.out << EvidenceSummaryLine(evidence) << '\n';
  } else {
    // A file is as wide as its lines.
    const int width = terminal.err_is_terminal ? terminal.width : kNoTerminal;
    terminal.out << EvidenceTable(evidence, width, terminal.color);
  }
}

absl::StatusOr<ExitCode> Run(const RunFlags& flags, const RunPlan& plan,
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
  Print(*evidence, plan, invocation.common, terminal);
  RETURN_IF_ERROR(Annotate(written, "evidence"));
  return ExitOf(*evidence, flags, terminal);
}

absl::StatusOr<ExitCode> ResolveAndRun(RunFlags& flags, PolicyKind kind,
                                       const Invocation& invocation) {
  const ProgramWorld& world = invocation.world;
  ASSIGN_OR_RETURN(const Policy policy,
                   ResolvePolicy(flags.policy, PolicyVerb::kRun, kind,
                                 world.files, world.environment));
  RETURN_IF_ERROR(CheckAllowed(flags.allow_inconclusive, policy));
  ASSIGN_OR_RETURN(const RunPlan plan, MakeRunPlan(flags, policy));
  return Run(flags, plan, invocation);
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
