#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_OUTCOME_OUTPUT_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_OUTCOME_OUTPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/report.h"
#include "tools/system/exit_code.h"
#include "tools/system/file_system.h"
#include "tools/system/terminal.h"

namespace autotune {

// How the verbs that come to an outcome (recorded files, run, both as gates,
// verify) report it: one form on stdout and any number of forms in files.
struct ReportFlags {
  std::optional<std::string> format;
  std::vector<std::string> reports;  // FORMAT=FILE
};
void AddReportFlags(CommandLine& line, ReportFlags& flags);

struct ReportPlan {
  struct File {
    ReportFormat format = ReportFormat::kJson;
    std::string path;
  };
  ReportFormat format = ReportFormat::kTable;  // on stdout
  bool quiet = false;                          // the decision alone
  std::vector<File> files;
};
// --json is short for --format=json. Usage errors for unknown forms and for
// two reports in one file.
absl::StatusOr<ReportPlan> MakeReportPlan(const ReportFlags& flags,
                                          const CommonFlags& common);

// Prints the report, then writes each file whole; the first that cannot be
// written is the error, after all were tried.
absl::Status WriteReports(const Report& report, const ReportPlan& plan,
                          FileSystem& files, Terminal& terminal);

// The exit code of an outcome. `allow_inconclusive` lets a gate pass that
// proves nothing, with a warning.
ExitCode ExitOf(const Outcome& outcome, bool allow_inconclusive,
                Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_OUTCOME_OUTPUT_H_
