#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_OUTCOME_OUTPUT_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_OUTCOME_OUTPUT_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "tools/program/command_line.h"
#include "tools/program/report_flags.h"  // IWYU pragma: export
#include "tools/report/report.h"
#include "tools/system/exit_code.h"
#include "tools/system/file_system.h"
#include "tools/system/terminal.h"

namespace autotune {

// Prints the report, then writes each file whole; the first that cannot be
// written is the error, after all were tried.
absl::Status WriteReports(const Report& report, const ReportPlan& plan,
                          FileSystem& files, Terminal& terminal);

// The exit code of an outcome; of a gate that proves nothing the one that the
// policy chose, kWarn with a warning on terminal.err.
ExitCode ExitOf(const Outcome& outcome, OnInconclusive on_inconclusive,
                Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_OUTCOME_OUTPUT_H_
