#include "tools/bench_compare/verify_command.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "tools/bench_compare/command_line.h"
#include "tools/bench_compare/program.h"
#include "tools/report/error_report.h"
#include "tools/report/evidence_facts.h"
#include "tools/report/evidence_report.h"
#include "tools/report/json_writer.h"
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

std::string VerifiedJson(const Evidence& evidence) {
  JsonWriter json;
  json.BeginObject();
  json.Count("schema_version", 1);
  json.Flag("ok", true);
  json.Flag("verified", true);
  json.Text("decision", EvidenceOutcomeName(evidence));
  json.Text("reason", evidence.reason);
  json.Count("rounds", static_cast<std::int64_t>(ValidRounds(evidence)));
  json.BeginArray("next");
  json.EndArray();
  json.EndObject();
  return json.Take();
}

absl::Status VerifyFile(const std::vector<std::string>& files,
                        const CommonFlags& common, const ProgramWorld& world,
                        Terminal& terminal) {
  RETURN_IF_ERROR(ApplyColor(common, terminal));
  if (files.size() != 1) {
    return UsageError(
        absl::StrCat("expected one evidence file, got ", files.size()),
        "bench_compare verify run.json");
  }
  ASSIGN_OR_RETURN(const Evidence evidence,
                   ReadEvidence(files.front(), world.files));
  RETURN_IF_ERROR(Verify(evidence, files.front()));
  if (common.json) {
    terminal.out << VerifiedJson(evidence);
  } else {
    terminal.out << EvidenceSummaryLine(evidence)
                 << "\nverified: recomputed from " << ValidRounds(evidence)
                 << " rounds, equal within 1e-9\n";
  }
  return absl::OkStatus();
}

}  // namespace

int RunVerifyCommand(const std::vector<std::string>& arguments,
                     const ProgramWorld& world, Terminal& terminal) {
  std::vector<std::string> files;
  CommonFlags common;
  CommandLine line("verify [OPTIONS] EVIDENCE",
                   "Recomputes the decision of a run from its evidence file.",
                   "bench_compare verify run.json");
  line.AddPositionals("evidence", files, "the file of run --evidence");
  AddCommonFlags(line, common);
  const absl::Status parsed = line.Parse(arguments);
  const bool json = common.json || WantsJson(arguments);
  if (!parsed.ok()) return Fail(parsed, json, terminal);
  if (line.help()) {
    terminal.out << line.HelpText();
    return kExitKeep;
  }
  const absl::Status verified = VerifyFile(files, common, world, terminal);
  return verified.ok() ? kExitKeep : Fail(verified, json, terminal);
}

}  // namespace autotune
