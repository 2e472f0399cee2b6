#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "comparator/fleet/fleet.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/fleet_flags.h"
#include "tools/bench_compare/outcome_output.h"
#include "tools/measure/journal.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/report.h"
#include "tools/system/exit_code.h"

namespace autotune {
namespace {

struct CombineFlags {
  std::string first;
  std::vector<std::string> others;
  std::optional<std::string> evidence;
  FleetFlags fleet;
  bool allow_inconclusive = false;
  ReportFlags report;
};

absl::StatusOr<FleetRecord> ReadRecord(const std::string& path,
                                       FileSystem& files) {
  const absl::StatusOr<std::string> text = files.ReadFile(path);
  if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
  FleetRecord record;
  record.source = path;
  ASSIGN_OR_RETURN(record.evidence, ParseEvidence(*text, path));
  return record;
}

absl::StatusOr<Fleet> ReadFleet(const CombineFlags& flags, FileSystem& files) {
  Fleet fleet;
  ASSIGN_OR_RETURN(fleet.policy, ResolveFleetPolicy(flags.fleet));
  std::vector<std::string> paths = {flags.first};
  paths.insert(paths.end(), flags.others.begin(), flags.others.end());
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(FleetRecord record, ReadRecord(path, files));
    // Evidence that does not tell its host is a host of its own.
    std::string host = HostNameOf(record.evidence);
    AddRecord(host.empty() ? path : host, std::move(record), fleet);
  }
  return fleet;
}

absl::StatusOr<ExitCode> RunCombine(const CombineFlags& flags,
                                    const Invocation& invocation) {
  FileSystem& files = invocation.world.files;
  ASSIGN_OR_RETURN(const ReportPlan reports,
                   MakeReportPlan(flags.report, invocation.common));
  if (flags.evidence.has_value()) {
    RETURN_IF_ERROR(CheckEvidencePlace(*flags.evidence, files));
  }
  ASSIGN_OR_RETURN(Fleet fleet, ReadFleet(flags, files));
  RETURN_IF_ERROR(Combine(fleet));
  if (flags.evidence.has_value()) {
    RETURN_IF_ERROR(Annotate(
        files.WriteFile(*flags.evidence, FleetToJson(fleet)), "evidence"));
  }
  const Report report = ReportOf(fleet);
  RETURN_IF_ERROR(WriteReports(report, reports, files, invocation.terminal));
  return ExitOf(report.outcome,
                flags.allow_inconclusive ? OnInconclusive::kWarn
                                         : OnInconclusive::kNeutral,
                invocation.terminal);
}

}  // namespace

Action DeclareCombine(CommandLine& line) {
  auto flags = std::make_shared<CombineFlags>();
  line.AddWord("EVIDENCE", flags->first,
               "the file of run --evidence on one host");
  line.AddWords("EVIDENCE...", flags->others, "those of the others");
  line.AddText("--evidence", "FILE", flags->evidence,
               "write the combined evidence here, for verify");
  line.AddFlag("--allow-inconclusive", flags->allow_inconclusive,
               "gate: pass when nothing is proven");
  AddFleetPolicyFlags(line, flags->fleet);
  AddReportFlags(line, flags->report);
  return [flags](const Invocation& invocation) {
    return RunCombine(*flags, invocation);
  };
}

}  // namespace autotune
