#include "tools/bench_compare/outcome_output.h"

#include <ostream>

#include "absl/status/status.h"
#include "comparator/outcome/outcome.h"
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
