#include "tools/bench_compare/outcome_output.h"

#include <ostream>

#include "absl/status/status.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/program/report_flags.h"
#include "tools/report/report.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {

absl::Status WriteReports(const Report& report, const ReportPlan& plan,
                          FileSystem& files, Terminal& terminal) {
  return WriteForms(
      plan,
      [&report](ReportFormat format, const TextLayout& layout) {
        return RenderReport(report, format, layout);
      },
      OutcomeLine(report.outcome, terminal.color), files, terminal);
}

ExitCode ExitOf(const Outcome& outcome, OnInconclusive on_inconclusive,
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
  if (outcome.kind != PolicyKind::kGate) return kExitInconclusive;
  switch (on_inconclusive) {
    case OnInconclusive::kNeutral:
      return kExitInconclusive;
    case OnInconclusive::kFail:
      return kExitDiscard;
    case OnInconclusive::kWarn:
      break;
  }
  terminal.err << "bench_compare: warning: nothing is proven; passed because "
                  "on_inconclusive is warn\n";
  return kExitKeep;
}

}  // namespace autotune
