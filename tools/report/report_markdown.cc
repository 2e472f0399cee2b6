// For a pull request's comment, which GitHub refuses from 65,536 characters on,
// and for a job's summary, which it cuts off at 1 MiB.
// Everything below is bounded: texts by their own length, rows and lines by the
// room that is left, with "N more" for the rest, so that the decision and the
// worst rows are always there.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/display_text.h"
#include "comparator/outcome/outcome.h"
#include "tools/report/report.h"
#include "tools/report/report_parts.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Bytes, so never fewer characters, for what follows the last list.
constexpr std::size_t kLastRoom = 1'500;
constexpr std::size_t kLongestText = 400;

// Characters that Markdown or HTML give a meaning.
constexpr std::string_view kSpecial = "\\`*_{}[]()<>#+-.!|~&@";
// Between a character and what it would make a mention or a reference of:
// GitHub looks for those in the finished page, where an escape is gone.
constexpr std::string_view kZeroWidthSpace = "\xE2\x80\x8B";

// `text` cut to `most` bytes, never inside a character.
std::string Cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 &&
         (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) {
    --most;
  }
  text.resize(most);
  return text + "...";
}

std::string Row(const std::vector<std::string>& cells) {
  return absl::StrCat("| ", absl::StrJoin(cells, " | "), " |\n");
}

std::string RowOf(const Comparison& comparison, bool with_metric) {
  std::vector<std::string> cells = {MarkdownText(comparison.name) +
                                    RoleText(comparison)};
  if (with_metric) cells.push_back(MarkdownText(comparison.metric.name));
  const std::string word = MarkdownText(RowOutcomeOf(comparison).word);
  const std::string& metric = comparison.metric.name;
  for (const double median :
       {comparison.baseline_median, comparison.contender_median}) {
    cells.push_back(HasMedians(comparison) ? ValueText(metric, median) : "");
  }
  if (!comparison.estimate.has_value()) {
    cells.insert(cells.end(), {"", "", word});
    return Row(cells);
  }
  cells.push_back(ChangeText(comparison.estimate->ratio));
  cells.push_back(IntervalText(comparison.estimate->interval));
  cells.push_back(word);
  return Row(cells);
}

std::string MeanRow(const Outcome& outcome, bool with_metric) {
  std::vector<std::string> cells = {
      absl::StrCat("**geomean of ", outcome.overall_size, "**")};
  if (with_metric) cells.emplace_back();
  const RatioEstimate& estimate = *outcome.overall->estimate;
  cells.insert(cells.end(),
               {"", "", absl::StrCat("**", ChangeText(estimate.ratio), "**"),
                IntervalText(estimate.interval), MeanOutcomeOf(outcome).word});
  return Row(cells);
}

std::string Heading(bool with_metric) {
  std::vector<std::string> names = {"benchmark"};
  std::vector<std::string> rule = {":---"};
  if (with_metric) {
    names.emplace_back("metric");
    rule.emplace_back(":---");
  }
  names.insert(names.end(),
               {"baseline", "contender", "change", "interval", "verdict"});
  rule.insert(rule.end(), {"---:", "---:", "---:", "---:", ":---"});
  return absl::StrCat(Row(names), Row(rule));
}

// Rows of a table from `begin` on, as many as `room` holds: `more` counts the
// rest.
struct Rows {
  std::string text;
  std::size_t more = 0;
};

Rows RowsOf(const Outcome& outcome, std::span<const std::size_t> order,
            std::size_t room) {
  const bool with_metric = HasMixedMetrics(outcome);
  Rows rows = {Heading(with_metric), order.size()};
  for (const std::size_t index : order) {
    const std::string row = RowOf(outcome.comparisons[index], with_metric);
    if (rows.text.size() + row.size() > room) break;
    rows.text += row;
    --rows.more;
  }
  if (rows.more > 0) absl::StrAppend(&rows.text, "| ", rows.more, " more |\n");
  return rows;
}

// How many of the worst first are worth a look: all of a short table, else
// those that did not pass and the ten worst at least.
std::size_t CountToShow(const Outcome& outcome,
                        std::span<const std::size_t> order) {
  constexpr std::size_t kFew = 10;
  constexpr std::size_t kShort = 15;
  if (order.size() <= kShort) return order.size();
  const auto passed =
      std::find_if(order.begin(), order.end(), [&](std::size_t index) {
        return RowOutcomeOf(outcome.comparisons[index]).kind ==
               RowOutcome::Kind::kPassed;
      });
  return std::max(kFew, static_cast<std::size_t>(passed - order.begin()));
}

std::string TableText(const Outcome& outcome, std::size_t room) {
  if (outcome.comparisons.empty()) return "";
  const std::vector<std::size_t> order = WorstFirst(outcome);
  const std::size_t shown = CountToShow(outcome, order);
  const std::span<const std::size_t> all(order);
  const Rows worst = RowsOf(outcome, all.first(shown), room);
  std::string text = worst.text;
  if (outcome.overall_size > 1 && outcome.overall->estimate.has_value()) {
    text += MeanRow(outcome, HasMixedMetrics(outcome));
  }
  text += "\n";
  if (shown == order.size()) return text;
  const std::size_t folded = order.size() - shown;
  absl::StrAppend(&text, "<details><summary>", folded,
                  " more, none worse</summary>\n\n");
  if (worst.more == 0) {
    text += RowsOf(outcome, all.subspan(shown), room - worst.text.size()).text;
  }
  return text + "\n</details>\n\n";
}

std::string ListText(const Report::LeftOut& left_out) {
  constexpr std::size_t kMost = 50;
  std::vector<std::string> entries;
  for (const Report::LeftOut::Entry& entry : left_out.entries) {
    if (entries.size() == kMost) break;
    entries.push_back(MarkdownText(EntryText(entry)));
  }
  const std::size_t more = left_out.entries.size() - entries.size();
  return Cut(absl::StrCat(std::string(left_out.label), ": ",
                          absl::StrJoin(entries, ", ")),
             4'000) +
         (more > 0 ? absl::StrCat(" and ", more, " more") : "");
}

// As a list, as long as there is `room`.
std::string ListOf(const std::vector<std::string>& lines, std::size_t room) {
  std::string text;
  std::size_t shown = 0;
  for (; shown < lines.size(); ++shown) {
    if (text.size() + lines[shown].size() > room) break;
    absl::StrAppend(&text, "- ", lines[shown], "\n");
  }
  if (shown < lines.size()) {
    absl::StrAppend(&text, "- ", lines.size() - shown, " more\n");
  }
  return text;
}

// What is below the table in sight: the effort, and what asks for a person.
std::vector<std::string> OpenLines(const Report& report) {
  std::vector<std::string> lines;
  for (const auto* list : {&report.effort, &report.review}) {
    for (const std::string& line : *list) lines.push_back(MarkdownText(line));
  }
  return lines;
}

std::vector<std::string> FoldedLines(const Report& report) {
  std::vector<std::string> lines;
  for (const Report::LeftOut& left_out : LeftOutOnce(report)) {
    lines.push_back(ListText(left_out));
  }
  for (const std::string& note : report.notes) {
    lines.push_back(MarkdownText(note));
  }
  return lines;
}

}  // namespace

std::string MarkdownText(std::string_view text) {
  const std::string printable = Cut(PrintableText(text), kLongestText);
  std::string plain;
  for (std::size_t i = 0; i < printable.size(); ++i) {
    const char c = printable[i];
    const bool link = c == ':' && printable.compare(i, 3, "://") == 0;
    if (link || kSpecial.find(c) != std::string_view::npos) plain += '\\';
    plain += c;
    if (c == '@' || c == '#') plain += kZeroWidthSpace;
  }
  return plain;
}

std::string ReportMarkdown(const Report& report, std::size_t room) {
  const Outcome& outcome = report.outcome;
  std::string text = absl::StrCat(
      "**", std::string(OutcomeName(outcome, outcome.kind)),
      "**: ", MarkdownText(outcome.reason), "\n\n",
      TableText(outcome, room / 10 * 7), ListOf(OpenLines(report), room / 10));
  const std::vector<std::string> lines = FoldedLines(report);
  const std::size_t notes = lines.size() + !report.last_note.empty();
  if (notes == 0) return text;
  absl::StrAppend(&text, text.ends_with("\n\n") ? "" : "\n",
                  "<details><summary>", CountText(notes, "note"),
                  "</summary>\n\n",
                  ListOf(lines, room - kLastRoom - text.size()));
  if (!report.last_note.empty()) {
    absl::StrAppend(&text, "- ", MarkdownText(report.last_note), "\n");
  }
  return text + "\n</details>\n";
}

}  // namespace autotune
