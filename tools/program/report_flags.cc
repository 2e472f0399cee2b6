#include "tools/program/report_flags.h"

#include <algorithm>
#include <limits>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/report.h"

namespace autotune {
namespace {

absl::StatusOr<ReportPlan::File> FileOf(const std::string& text,
                                        const std::vector<std::string>& forms) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) {
    return UsageError(
        absl::StrCat("--report: expected FORMAT=FILE, got ", text),
        absl::StrCat("such as --report ", forms.back(), "=FILE"));
  }
  const std::string form = text.substr(0, equals);
  if (std::find(forms.begin(), forms.end(), form) == forms.end()) {
    return UsageError(absl::StrCat("--report: expected ",
                                   absl::StrJoin(forms, ", "), ", got ", form));
  }
  return ReportPlan::File{ValueNamed<ReportFormat>(form).value(),
                          text.substr(equals + 1)};
}

}  // namespace

void AddReportFlags(CommandLine& line, ReportFlags& flags,
                    std::vector<std::string> forms) {
  flags.forms = std::move(forms);
  line.StartGroup("Output");
  line.AddChoice("--format", flags.forms, flags.format,
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
    ASSIGN_OR_RETURN(ReportPlan::File file, FileOf(text, flags.forms));
    if (!paths.insert(file.path).second) {
      return UsageError(
          absl::StrCat("--report: two reports in one file, ", file.path));
    }
    plan.files.push_back(std::move(file));
  }
  return plan;
}

absl::Status WriteForms(
    const ReportPlan& plan,
    const std::function<std::string(ReportFormat, const TextLayout&)>& render,
    const std::string& quiet_line, FileSystem& files, Terminal& terminal) {
  // A file is as wide as its lines.
  const TextLayout layout = {terminal.out_is_terminal
                                 ? terminal.width
                                 : std::numeric_limits<int>::max(),
                             terminal.color, terminal.utf8};
  terminal.out << (plan.quiet && plan.format == ReportFormat::kTable
                       ? terminal.Shown(quiet_line)
                       : render(plan.format, layout));
  absl::Status first;
  for (const ReportPlan::File& file : plan.files) {
    const std::string text = render(file.format, {});
    // Other steps of a job write to its summary too.
    const bool appended = file.format == ReportFormat::kSummary;
    first.Update(Annotate(appended ? files.AppendFile(file.path, text)
                                   : files.WriteFile(file.path, text),
                          "--report"));
  }
  return first;
}

}  // namespace autotune
