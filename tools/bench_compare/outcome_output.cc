#include "tools/bench_compare/outcome_output.h"

#include <limits>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "comparator/outcome/outcome.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/report.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

absl::StatusOr<ReportPlan::File> FileOf(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) {
    return UsageError(
        absl::StrCat("--report: expected FORMAT=FILE, got ", text),
        "such as --report junit=report.xml");
  }
  const std::string form = text.substr(0, equals);
  const auto format = ValueNamed<ReportFormat>(form);
  if (format.has_value()) {
    return ReportPlan::File{*format, text.substr(equals + 1)};
  }
  return UsageError(absl::StrCat("--report: expected ",
                                 absl::StrJoin(NamesOf<ReportFormat>(), ", "),
                                 ", got ", form));
}

}  // namespace

void AddReportFlags(CommandLine& line, ReportFlags& flags) {
  line.StartGroup("Output");
  line.AddChoice("--format", NamesOf<ReportFormat>(), flags.format,
                 "form of the report (table)");
  line.AddTexts("--report", "FORM=FILE", flags.reports,
                "write this form to FILE too; may be repeated");
}

absl::StatusOr<ReportPlan> MakeReportPlan(const ReportFlags& flags,
                                          const CommonFlags& common) {
  ReportPlan plan;
  plan.quiet = common.quiet;
  if (common.json) plan.format = ReportFormat::kJson;
  if (flags.format.has_value()) {
    plan.format = ValueNamed<ReportFormat>(*flags.format).value();
    if (common.json && plan.format != ReportFormat::kJson) {
      return UsageError("--json and --format contradict each other");
    }
  }
  std::set<std::string> paths;
  for (const std::string& text : flags.reports) {
    ASSIGN_OR_RETURN(ReportPlan::File file, FileOf(text));
    if (!paths.insert(file.path).second) {
      return UsageError(
          absl::StrCat("--report: two reports in one file, ", file.path));
    }
    plan.files.push_back(std::move(file));
  }
  return plan;
}

absl::Status WriteReports(const Report& report, const ReportPlan& plan,
                          FileSystem& files, Terminal& terminal) {
  // A file is as wide as its lines.
  const TextLayout layout = {terminal.err_is_terminal
                                 ? terminal.width
                                 : std::numeric_limits<int>::max(),
                             terminal.color};
  terminal.out << (plan.quiet && plan.format == ReportFormat::kTable
                       ? OutcomeLine(report.outcome, terminal.color)
                       : RenderReport(report, plan.format, layout));
  absl::Status first;
  for (const ReportPlan::File& file : plan.files) {
    first.Update(
        Annotate(files.WriteFile(file.path, RenderReport(report, file.format)),
                 "--report"));
  }
  return first;
}

ExitCode ExitOf(const Outcome& outcome, bool allow_inconclusive,
                Terminal& terminal) {
  if (outcome.cannot_judge()) return kExitCannotJudge;
  switch (outcome.decision) {
    case Decision::kKeep:
      return kExitKeep;
    case Decision::kDiscard:
      return kExitDiscard;
    case Decision::kInconclusive:
      break;
  }
  if (!allow_inconclusive || outcome.kind != PolicyKind::kGate) {
    return kExitInconclusive;
  }
  terminal.err << "bench_compare: warning: nothing is proven; passed because "
                  "of --allow-inconclusive\n";
  return kExitKeep;
}

}  // namespace autotune
