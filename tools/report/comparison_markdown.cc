#include "tools/report/comparison_markdown.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "comparator/recorded/comparison.h"
#include "tools/report/comparison_lists.h"
#include "tools/report/outcome.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Characters that Markdown or HTML give a meaning.
constexpr std::string_view kSpecial = "\\`*_{}[]()<>#+-.!|~&@";

// `text` as plain words: every special character is escaped. Source:
// CommonMark 0.31, section 2.4 (backslash escapes).
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : PrintableText(text)) {
    if (kSpecial.find(c) != std::string_view::npos) plain += '\\';
    plain += c;
  }
  return plain;
}

std::string Row(const std::vector<std::string>& cells) {
  return absl::StrCat("| ", absl::StrJoin(cells, " | "), " |\n");
}

std::string RowOf(const Comparison& comparison, bool with_metric) {
  std::vector<std::string> cells = {absl::StrCat(
      Plain(comparison.name),
      comparison.role == ComparisonRole::kGuard ? " (guard)" : "")};
  if (with_metric) cells.push_back(Plain(comparison.metric.name));
  const std::string word = Plain(OutcomeOf(comparison).word);
  if (!comparison.estimate.has_value()) {
    cells.insert(cells.end(), {"", "", "", "", word});
    return Row(cells);
  }
  const std::string& metric = comparison.metric.name;
  cells.push_back(ValueText(metric, comparison.baseline_median));
  cells.push_back(ValueText(metric, comparison.contender_median));
  cells.push_back(ChangeText(comparison.estimate->ratio));
  cells.push_back(IntervalText(comparison.estimate->interval));
  cells.push_back(word);
  return Row(cells);
}

std::string OverallRow(const ComparisonTable& table, bool with_metric) {
  std::vector<std::string> cells = {
      absl::StrCat("**geomean of ", table.overall_size, "**")};
  if (with_metric) cells.emplace_back();
  cells.insert(
      cells.end(),
      {"", "", absl::StrCat("**", ChangeText(table.overall->ratio), "**"),
       IntervalText(table.overall->interval),
       table.kind == PolicyKind::kGate
           ? ""
           : std::string(VerdictWord(table.overall_verdict))});
  return Row(cells);
}

std::string TableText(const ComparisonTable& table) {
  if (table.comparisons.empty()) return "";
  const bool with_metric = HasMixedMetrics(table);
  std::vector<std::string> heading = {"benchmark"};
  std::vector<std::string> rule = {":---"};
  if (with_metric) {
    heading.emplace_back("metric");
    rule.emplace_back(":---");
  }
  heading.insert(heading.end(),
                 {"baseline", "contender", "change", "interval", "verdict"});
  rule.insert(rule.end(), {"---:", "---:", "---:", "---:", ":---"});
  std::string text = absl::StrCat(Row(heading), Row(rule));
  for (const Comparison& comparison : table.comparisons) {
    absl::StrAppend(&text, RowOf(comparison, with_metric));
  }
  if (table.overall.has_value() && table.overall_size > 1) {
    absl::StrAppend(&text, OverallRow(table, with_metric));
  }
  return text + "\n";
}

}  // namespace

std::string ComparisonMarkdown(const ComparisonTable& table) {
  std::string text =
      absl::StrCat("**", std::string(OutcomeName(table)),
                   "**: ", Plain(table.reason), "\n\n", TableText(table));
  for (const LeftOut& left_out : LeftOutOf(table)) {
    std::vector<std::string> entries;
    for (const std::string& entry : left_out.entries) {
      entries.push_back(Plain(entry));
    }
    absl::StrAppend(&text, "- ", std::string(left_out.label), ": ",
                    absl::StrJoin(entries, ", "), "\n");
  }
  for (const std::string& note : NotesOf(table)) {
    absl::StrAppend(&text, "- ", Plain(note), "\n");
  }
  return text;
}

}  // namespace autotune
