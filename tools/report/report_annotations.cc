// Source: GitHub, "Workflow commands for GitHub Actions".
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/display_text.h"
#include "comparator/outcome/outcome.h"
#include "tools/report/report.h"
#include "tools/report/report_parts.h"

namespace autotune {
namespace {

// A runner shows the first ten of a kind and drops the rest unsaid.
constexpr std::size_t kMost = 10;

// Nothing can end a command's text, nor its title.
std::string Escaped(std::string_view text) {
  return absl::StrReplaceAll(PrintableText(text), {{"%", "%25"}});
}
std::string EscapedTitle(std::string_view text) {
  return absl::StrReplaceAll(Escaped(text), {{":", "%3A"}, {",", "%2C"}});
}

std::string CommandText(RowOutcome::Kind kind, std::string_view title,
                        std::string_view text) {
  const bool doubtful = kind == RowOutcome::Kind::kUndecided;
  return absl::StrCat(doubtful ? "::warning title=" : "::error title=",
                      EscapedTitle(title), "::", Escaped(text), "\n");
}

}  // namespace

std::string ReportAnnotations(const Report& report) {
  const Outcome& outcome = report.outcome;
  const RowOutcome whole = WholeOutcomeOf(outcome);
  if (whole.kind == RowOutcome::Kind::kPassed) return "";
  std::vector<std::string> commands = {
      CommandText(whole.kind, "bench_compare", whole.message)};
  std::size_t more = 0;
  for (const std::size_t index : WorstFirst(outcome)) {
    const Comparison& comparison = outcome.comparisons[index];
    const RowOutcome row = RowOutcomeOf(comparison);
    if (row.kind == RowOutcome::Kind::kPassed) break;
    if (commands.size() + 1 == kMost) {
      ++more;
      continue;
    }
    const std::string numbers = NumbersText(comparison);
    commands.push_back(CommandText(
        row.kind, comparison.name,
        absl::StrCat(row.message, numbers.empty() ? "" : ": ", numbers)));
  }
  std::string text;
  for (const std::string& command : commands) text += command;
  if (more > 0) {
    text += CommandText(whole.kind, "bench_compare",
                        absl::StrCat(more, " more benchmarks; see the report"));
  }
  return text;
}

}  // namespace autotune
