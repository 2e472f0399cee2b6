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
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/report.h"
#include "tools/system/file_system.h"

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

namespace {

// Other steps of a job write to its summary too, and what is no plain file is
// written to: replaced, /dev/stdout would be a file for every program of the
// machine. A link of the user's stays one.
absl::Status WriteForm(const ReportPlan::File& file, const std::string& text,
                       FileSystem& files) {
  const std::string place = files.RealPath(file.path);
  const absl::StatusOr<FileInfo> named = files.Info(file.path);
  const absl::StatusOr<FileInfo> meant = files.Info(place);
  const bool plain =
      !named.ok() || (meant.ok() && meant->kind == FileInfo::Kind::kFile &&
                      !absl::StartsWith(file.path, "/dev/") &&
                      !absl::StartsWith(file.path, "/proc/"));
  const bool folder = meant.ok() && meant->kind == FileInfo::Kind::kDirectory;
  return file.format == ReportFormat::kSummary || !(plain || folder)
             ? files.AppendFile(file.path, text)
             : files.WriteFile(place, text);
}

}  // namespace

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
  terminal.out.flush();  // a report may go the same way, /dev/stdout
  absl::Status first;
  for (const ReportPlan::File& file : plan.files) {
    const std::string text = render(file.format, {});
    first.Update(Annotate(WriteForm(file, text, files), "--report"));
  }
  return first;
}

}  // namespace autotune
