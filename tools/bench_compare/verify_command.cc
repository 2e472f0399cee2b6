#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "tools/bench_compare/commands.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/program/verb_result.h"
#include "tools/report/error_report.h"
#include "tools/report/evidence_facts.h"
#include "tools/report/evidence_report.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

absl::StatusOr<Evidence> ReadEvidence(const std::string& path,
                                      FileSystem& files) {
  const absl::StatusOr<std::string> text = files.ReadFile(path);
  if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
  return ParseEvidence(*text, path);
}

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

absl::StatusOr<VerbResult> VerifyFile(const std::string& path,
                                      FileSystem& files) {
  ASSIGN_OR_RETURN(const Evidence evidence, ReadEvidence(path, files));
  RETURN_IF_ERROR(Verify(evidence, path));
  VerbResult result;
  result.decision = EvidenceOutcomeName(evidence);
  result.reason = evidence.reason;
  result.lines = {
      EvidenceSummaryLine(evidence),
      absl::StrCat("verified: recomputed from ", ValidRounds(evidence),
                   " rounds, equal within 1e-9")};
  result.fields.Flag("verified", true);
  result.fields.Count("rounds",
                      static_cast<std::int64_t>(ValidRounds(evidence)));
  return result;
}

}  // namespace

Action DeclareVerify(CommandLine& line) {
  auto path = std::make_shared<std::string>();
  line.AddWord("EVIDENCE", *path, "the file of run --evidence");
  return [path](const Invocation& invocation) -> absl::StatusOr<ExitCode> {
    ASSIGN_OR_RETURN(const VerbResult result,
                     VerifyFile(*path, invocation.world.files));
    PrintResult(result, invocation.verb, invocation.common.json,
                invocation.terminal);
    return result.exit_code;
  };
}

}  // namespace autotune
