#ifndef AUTOTUNE_TOOLS_PROGRAM_REPORT_FLAGS_H_
#define AUTOTUNE_TOOLS_PROGRAM_REPORT_FLAGS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/report.h"
#include "tools/system/file_system.h"
#include "tools/system/terminal.h"

namespace autotune {

// How the verbs with something to report do it: one form on stdout and any
// number of forms in files.
struct ReportFlags {
  std::vector<std::string> forms;  // that there are, by name
  std::optional<std::string> format;
  std::vector<std::string> reports;  // FORM=FILE
};
void AddReportFlags(CommandLine& line, ReportFlags& flags,
                    std::vector<std::string> forms = NamesOf<ReportFormat>());

struct ReportPlan {
  struct File {
    ReportFormat format = ReportFormat::kJson;
    std::string path;
  };
  ReportFormat format = ReportFormat::kTable;  // on stdout
  bool quiet = false;                          // the last word alone
  std::vector<File> files;
};
// --json is short for --format=json. Usage errors for forms that there are not
// and for two reports in one file.
absl::StatusOr<ReportPlan> MakeReportPlan(const ReportFlags& flags,
                                          const CommonFlags& common);

// Prints what `render` makes of the plan's form, or `quiet_line` where the plan
// is quiet and its form is the table, then writes each file whole; the first
// that cannot be written is the error, after all were tried.
absl::Status WriteForms(
    const ReportPlan& plan,
    const std::function<std::string(ReportFormat, const TextLayout&)>& render,
    const std::string& quiet_line, FileSystem& files, Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_PROGRAM_REPORT_FLAGS_H_
