#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/fleet/fleet.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/outcome_output.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/error_report.h"
#include "tools/report/evidence_facts.h"
#include "tools/report/report.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// InvalidArgument when the evidence does not support its own decision.
absl::Status Verify(const Evidence& evidence, const std::string& path) {
  if (evidence.reason.empty()) {
    return WithHint(absl::FailedPreconditionError(
                        absl::StrCat(path,
                                     ": the run has not ended: no decision to "
                                     "verify")),
                    "bench_compare run ... --evidence FILE --resume ends it");
  }
  const absl::Status verified = VerifyEvidence(evidence);
  if (verified.ok()) return verified;
  return Annotate(absl::InvalidArgumentError(verified.message()), path);
}

// The report of evidence that gives its decision.
absl::StatusOr<Report> VerifiedRun(const std::string& text,
                                   const std::string& path) {
  ASSIGN_OR_RETURN(const Evidence evidence, ParseEvidence(text, path));
  RETURN_IF_ERROR(Verify(evidence, path));
  Report report = ReportOf(evidence);
  report.next.clear();
  report.effort.push_back(absl::StrCat(
      "verified: recomputed from ", CountText(ValidRounds(evidence), "round"),
      ", equal within 1e-9"));
  return report;
}

absl::StatusOr<Report> VerifiedFleet(const std::string& text,
                                     const std::string& path) {
  ASSIGN_OR_RETURN(Fleet fleet, ParseFleet(text, path));
  const absl::Status verified = VerifyFleet(fleet);
  if (!verified.ok()) {
    return Annotate(absl::InvalidArgumentError(verified.message()), path);
  }
  // What is reported is computed, not what the file says.
  RETURN_IF_ERROR(Combine(fleet));
  Report report = ReportOf(fleet);
  report.effort.push_back(absl::StrCat("verified: recomputed from ",
                                       CountText(fleet.hosts.size(), "host"),
                                       ", equal within 1e-9"));
  return report;
}

absl::Status VerifyFile(const std::string& path, const ReportFlags& flags,
                        const Invocation& invocation) {
  FileSystem& files = invocation.world.files;
  ASSIGN_OR_RETURN(const ReportPlan reports,
                   MakeReportPlan(flags, invocation.common));
  const absl::StatusOr<std::string> text = files.ReadFile(path);
  if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
  ASSIGN_OR_RETURN(Report report, IsFleetText(*text)
                                      ? VerifiedFleet(*text, path)
                                      : VerifiedRun(*text, path));
  report.facts.push_back({"verified", true});
  return WriteReports(report, reports, files, invocation.terminal);
}

}  // namespace

struct VerifyFlags {
  std::string path;
  ReportFlags report;
};

Action DeclareVerify(CommandLine& line) {
  auto flags = std::make_shared<VerifyFlags>();
  line.AddWord("EVIDENCE", flags->path,
               "the file of run or combine --evidence");
  AddReportFlags(line, flags->report);
  return [flags](const Invocation& invocation) -> absl::StatusOr<ExitCode> {
    RETURN_IF_ERROR(VerifyFile(flags->path, flags->report, invocation));
    return kExitKeep;
  };
}

}  // namespace autotune
