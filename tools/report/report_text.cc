#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "comparator/outcome/outcome.h"
#include "tools/report/next_step.h"
#include "tools/report/report.h"
#include "tools/report/report_parts.h"
#include "tools/report/text_table.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Longer lists are cut; --json has them whole.
constexpr std::size_t kMostListed = 5;
constexpr std::size_t kMostNotes = 8;

constexpr std::size_t kNameColumn = 0;
// Columns that a narrow terminal does without, the least missed first.
constexpr std::array<std::array<std::size_t, 2>, 4> kSpared = {
    {{6, 6}, {2, 3}, {5, 5}, {1, 1}}};
// Names keep so many columns, whatever the terminal.
constexpr std::size_t kShortestName = 12;

using Cell = TextTable::Cell;

// As it fills its column: what is escaped later would be wider.
std::string NameText(const Comparison& comparison, bool utf8) {
  const std::string name = PrintableText(comparison.name);
  return (utf8 ? name : AsciiText(name)) + RoleText(comparison);
}

// What is said of single rows, each thing once, with the mark that stands in
// the rows that it is about.
class Footnotes {
 public:
  Footnotes(const Outcome& outcome, bool utf8) : utf8_(utf8) {
    for (const Comparison& comparison : outcome.comparisons) {
      for (const std::string& text : SaidOf(comparison)) {
        if (numbers_.try_emplace(text, texts_.size()).second) {
          texts_.push_back(text);
        }
      }
    }
  }

  // " [1] [3]"; empty where nothing is said.
  std::string MarksOf(const Comparison& comparison) const {
    std::set<std::size_t> numbers;
    for (const std::string& text : SaidOf(comparison)) {
      numbers.insert(numbers_.at(text));
    }
    std::string marks;
    for (const std::size_t number : numbers) {
      if (number >= kMostNotes) break;
      absl::StrAppend(&marks, marks.empty() || !utf8_ ? " " : "", Mark(number));
    }
    return marks;
  }

  std::string Text() const {
    const std::size_t shown = std::min(texts_.size(), kMostNotes);
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) {
      absl::StrAppend(&text, Mark(i), " ", PrintableText(texts_[i]), "\n");
    }
    if (shown < texts_.size()) {
      absl::StrAppend(&text, texts_.size() - shown,
                      " more footnotes; see --json\n");
    }
    return text;
  }

 private:
  static std::vector<std::string> SaidOf(const Comparison& comparison) {
    std::vector<std::string> said;
    if (!comparison.cannot_judge.empty()) {
      said.push_back(comparison.cannot_judge);
    }
    if (!comparison.suspicion.empty()) said.push_back(comparison.suspicion);
    if (!comparison.waiver.empty()) {
      said.push_back("waived " + comparison.waiver);
    }
    said.insert(said.end(), comparison.warnings.begin(),
                comparison.warnings.end());
    return said;
  }

  std::string Mark(std::size_t number) const {
    constexpr std::array<const char*, kMostNotes> kSuperscripts = {
        "\u00b9", "\u00b2", "\u00b3", "\u2074",
        "\u2075", "\u2076", "\u2077", "\u2078"};
    return utf8_ ? std::string(kSuperscripts[number])
                 : absl::StrCat("[", number + 1, "]");
  }

  bool utf8_;
  std::vector<std::string> texts_;
  std::map<std::string, std::size_t> numbers_;
};

// "p=0.0022 n=6+6"; a run's bets are no p-value.
std::string TestText(const Comparison& comparison) {
  if (comparison.rounds > 0) return "";
  return absl::StrFormat(
      "%s n=%d+%d%s",
      comparison.p_value.has_value()
          ? absl::StrCat("p=", PValueText(*comparison.p_value))
          : "no test",
      comparison.baseline_size, comparison.contender_size,
      comparison.unit == SamplingUnit::kRepetition ? " reps" : "");
}

std::vector<Cell> RowOf(const Comparison& comparison, bool with_metric,
                        const Footnotes& footnotes, bool utf8) {
  RowOutcome outcome = RowOutcomeOf(comparison);
  outcome.word += footnotes.MarksOf(comparison);
  std::vector<Cell> cells = {{NameText(comparison, utf8)}};
  cells.push_back({with_metric ? PrintableText(comparison.metric.name) : "",
                   TextStyle::kFaint});
  const std::string& metric = comparison.metric.name;
  cells.resize(7);
  if (HasMedians(comparison)) {
    cells[2] = {ValueText(metric, comparison.baseline_median)};
    cells[3] = {ValueText(metric, comparison.contender_median)};
  }
  if (comparison.estimate.has_value()) {
    cells[4] = {ChangeText(comparison.estimate->ratio), outcome.style};
    cells[5] = {IntervalText(comparison.estimate->interval)};
    cells[6] = {TestText(comparison), TextStyle::kFaint};
  }
  cells.push_back({outcome.word, outcome.style});
  return cells;
}

std::vector<Cell> MeanRow(const Outcome& outcome) {
  const RowOutcome mean = MeanOutcomeOf(outcome);
  const RatioEstimate& estimate = *outcome.overall->estimate;
  return {{absl::StrFormat("geomean of %d", outcome.overall_size),
           TextStyle::kStrong},
          {},
          {},
          {},
          {ChangeText(estimate.ratio), TextStyle::kStrong},
          {IntervalText(estimate.interval)},
          {},
          {mean.word, mean.style}};
}

// Makes the table fit a terminal, as far as it can be.
void Narrow(const TextLayout& layout, TextTable& table) {
  const auto width = static_cast<std::size_t>(layout.width);
  for (const auto& columns : kSpared) {
    if (table.Width() <= width) return;
    for (const std::size_t column : columns) table.ClearColumn(column);
  }
  if (table.Width() <= width) return;
  const std::size_t names = table.WidthOf(kNameColumn);
  const std::size_t others = table.Width() - names;
  table.ShortenColumn(kNameColumn,
                      std::max(kShortestName, width - std::min(width, others)),
                      layout.utf8 ? "\u2026" : "...");
}

std::string TableText(const Outcome& outcome, const Footnotes& footnotes,
                      const TextLayout& layout) {
  if (outcome.comparisons.empty()) return "";
  TextTable text;
  std::vector<Cell> heading;
  for (const char* name : {"benchmark", "metric", "baseline", "contender",
                           "change", "interval", "two-sided", "verdict"}) {
    heading.push_back({name, TextStyle::kFaint});
  }
  text.AddRow(std::move(heading));
  const bool with_metric = HasMixedMetrics(outcome);
  for (const Comparison& comparison : outcome.comparisons) {
    text.AddRow(RowOf(comparison, with_metric, footnotes, layout.utf8));
  }
  if (outcome.overall_size > 1 && outcome.overall->estimate.has_value()) {
    text.AddRow(MeanRow(outcome));
  }
  Narrow(layout, text);
  return text.Render(layout.color);
}

// "A, B and 3 more".
std::string ListText(const std::vector<Report::LeftOut::Entry>& entries) {
  std::vector<std::string> shown;
  for (const Report::LeftOut::Entry& entry : entries) {
    if (shown.size() == kMostListed) break;
    shown.push_back(PrintableText(EntryText(entry)));
  }
  std::string text = absl::StrJoin(shown, ", ");
  if (entries.size() > shown.size()) {
    absl::StrAppend(&text, " and ", entries.size() - shown.size(), " more");
  }
  return text;
}

void AppendLines(std::span<const std::string> lines, std::string_view label,
                 std::size_t most, std::string& text) {
  const std::size_t shown = std::min(lines.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    absl::StrAppend(&text, std::string(label), PrintableText(lines[i]), "\n");
  }
  if (shown < lines.size()) {
    absl::StrAppend(&text, std::string(label), lines.size() - shown,
                    " more; see --json\n");
  }
}

}  // namespace

std::string ReportText(const Report& report, const TextLayout& layout) {
  const Footnotes footnotes(report.outcome, layout.utf8);
  std::string text = absl::StrCat(TableText(report.outcome, footnotes, layout),
                                  footnotes.Text());
  for (const Report::LeftOut& left_out : LeftOutOnce(report)) {
    absl::StrAppend(&text, absl::StrFormat("%s (%d): %s\n", left_out.label,
                                           left_out.entries.size(),
                                           ListText(left_out.entries)));
  }
  for (const std::string& line : report.effort) {
    absl::StrAppend(&text, PrintableText(line), "\n");
  }
  AppendLines(report.review, "review: ", kMostNotes, text);
  // Those on benchmarks are the footnotes.
  const std::span<const std::string> notes = report.notes;
  AppendLines(notes.first(report.general_notes), "note: ", report.general_notes,
              text);
  if (!report.last_note.empty()) {
    absl::StrAppend(&text, "note: ", report.last_note, "\n");
  }
  absl::StrAppend(&text, OutcomeLine(report.outcome, layout.color),
                  NextText(report.next));
  return layout.utf8 ? text : AsciiText(text);
}

}  // namespace autotune
