// One page to look at. What a hurried reader needs stands first: the decision,
// how many benchmarks are how, then every change with its interval, the worst
// first. Below, a card a benchmark shows where its numbers come from.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/display_text.h"
#include "base/version.h"
#include "comparator/outcome/outcome.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/metric.h"
#include "tools/report/comparison_plots.h"
#include "tools/report/html_page.h"
#include "tools/report/markup.h"
#include "tools/report/plot.h"
#include "tools/report/report.h"
#include "tools/report/report_parts.h"
#include "tools/report/series.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

// Bytes, so that the page with its lists and style stays below 3 MB. A row
// takes about 600, a card of ten visits a side 2,000.
constexpr std::size_t kRowsRoom = 700'000;
constexpr std::size_t kCardsRoom = 2'150'000;
constexpr std::size_t kMostListed = 200;

using Kind = RowOutcome::Kind;

constexpr std::string_view kMeanCard = "mean";

std::string CardId(std::size_t index) { return absl::StrCat("b", index); }

std::optional<double> NumberFact(const Report& report, std::string_view key) {
  for (const Report::Fact& fact : report.facts) {
    if (fact.key != key) continue;
    if (const double* number = std::get_if<double>(&fact.value)) return *number;
  }
  return std::nullopt;
}

// The figure a decision is about: the mean's, or the only benchmark's.
const RatioEstimate* Headline(const Outcome& outcome) {
  if (outcome.overall.has_value() && outcome.overall->estimate.has_value()) {
    return &*outcome.overall->estimate;
  }
  if (outcome.comparisons.size() != 1) return nullptr;
  const Comparison& only = outcome.comparisons.front();
  return only.estimate.has_value() ? &*only.estimate : nullptr;
}

void WriteVerdict(const Report& report, MarkupWriter& html) {
  const Outcome& outcome = report.outcome;
  const RowOutcome whole = WholeOutcomeOf(outcome);
  html.Begin("div",
             {{"class", absl::StrCat("verdict ",
                                     std::string(StyleClass(whole.style)))}});
  html.Element("div",
               absl::StrCat(std::string(StyleSign(whole.style)), whole.word),
               {{"class", "word"}});
  html.Begin("div", {{"class", "big"}});
  if (const RatioEstimate* const estimate = Headline(outcome)) {
    html.Text(ChangeText(estimate->ratio));
    html.Element("small",
                 absl::StrCat(IntervalText(estimate->interval),
                              outcome.overall_size > 1
                                  ? absl::StrCat(", geometric mean of ",
                                                 outcome.overall_size)
                                  : ""));
  }
  html.End();
  html.Element("div", outcome.reason, {{"class", "why"}});
  for (const std::string& line : report.effort) {
    html.Element("div", line, {{"class", "why soft small"}});
  }
  html.End();
}

// How many benchmarks are how, the worst first.
void WriteTally(const Outcome& outcome, const std::vector<std::size_t>& order,
                MarkupWriter& html) {
  struct Group {
    RowOutcome outcome;
    std::size_t count = 0;
  };
  std::vector<Group> groups;
  for (const std::size_t index : order) {
    RowOutcome row = RowOutcomeOf(outcome.comparisons[index]);
    const auto found = std::find_if(
        groups.begin(), groups.end(),
        [&](const Group& group) { return group.outcome.word == row.word; });
    if (found != groups.end()) {
      ++found->count;
    } else {
      groups.push_back({std::move(row), 1});
    }
  }
  html.Begin("ul", {{"class", "tally"}});
  for (const Group& group : groups) {
    const TextStyle style = group.outcome.style;
    html.Begin("li");
    html.Element("b", absl::StrCat(std::string(StyleSign(style)), group.count),
                 {{"class", std::string(StyleClass(style))}});
    html.Text(" " + group.outcome.word);
    html.End();
  }
  html.End();
}

void WriteNext(const Report& report, MarkupWriter& html) {
  for (const NextStep& step : report.next) {
    html.Begin("p");
    html.Element("b", "Next: ");
    html.Element("code", step.command.Text());
    html.Element("span", absl::StrCat(" ", step.why), {{"class", "soft"}});
    html.End();
  }
}

ChangeAxis AxisOf(const Outcome& outcome) {
  std::vector<double> logs;
  const auto add = [&logs](const std::optional<double>& ratio) {
    if (ratio.has_value() && *ratio > 0.0) logs.push_back(std::log(*ratio));
  };
  for (const Comparison& comparison : outcome.comparisons) {
    if (!comparison.estimate.has_value()) continue;
    add(comparison.estimate->ratio);
    add(comparison.estimate->interval.lower);
    add(comparison.estimate->interval.upper);
    if (comparison.margin.has_value()) add(1.0 + *comparison.margin);
  }
  return {logs, 12, 288};
}

// Which way is better, where all benchmarks agree.
std::optional<Direction> DirectionOf(const Outcome& outcome) {
  if (HasMixedMetrics(outcome)) return std::nullopt;
  return outcome.comparisons.front().metric.direction;
}

void WriteHead(const ChangeAxis& axis, const Outcome& outcome,
               MarkupWriter& html) {
  html.Begin("thead");
  html.Begin("tr");
  const auto heading = [&html](std::string_view text, std::string_view style) {
    html.Element("th", text, {{"class", std::string(style)}, {"scope", "col"}});
  };
  heading("benchmark", "n h");
  if (HasMixedMetrics(outcome)) heading("metric", "o");
  heading("baseline", "o");
  heading("contender", "o");
  html.Begin("th", {{"class", "f"}, {"scope", "col"}});
  WriteForestHead(axis, "benchmark", DirectionOf(outcome), html);
  html.End();
  heading("change", "h");
  heading("interval", "h");
  heading("verdict", "w h");
  html.End();
  html.End();
}

void WriteRow(const Comparison& comparison, std::size_t index, bool with_card,
              bool with_metric, const ChangeAxis& axis, MarkupWriter& html) {
  const RowOutcome row = RowOutcomeOf(comparison);
  const std::string& metric = comparison.metric.name;
  const bool measured = comparison.estimate.has_value();
  html.Begin("tr", {{"class", std::string(StyleClass(row.style))}});
  html.Begin("th", {{"class", "n"}, {"scope", "row"}});
  if (with_card) {
    html.Element("a", comparison.name, {{"href", "#" + CardId(index)}});
  } else {
    html.Text(comparison.name);
  }
  if (comparison.role == ComparisonRole::kGuard) html.Text(" (guard)");
  html.End();
  if (with_metric) html.Element("td", metric, {{"class", "o"}});
  const auto value = [&](double number) {
    html.Element("td", measured ? ValueText(metric, number) : "",
                 {{"class", "o"}});
  };
  value(comparison.baseline_median);
  value(comparison.contender_median);
  html.Begin("td", {{"class", "f"}});
  WriteForestRow(comparison, axis, html);
  html.End();
  html.Element("td", measured ? ChangeText(comparison.estimate->ratio) : "",
               {{"class", "t"}});
  html.Element("td",
               measured ? IntervalText(comparison.estimate->interval) : "",
               {{"class", "r"}});
  html.Begin("td", {{"class", "w"}});
  html.Element("b", absl::StrCat(std::string(StyleSign(row.style)), row.word),
               {{"class", std::string(StyleClass(row.style))}});
  html.End();
  html.End();
}

void WriteMeanRow(const Outcome& outcome, const ChangeAxis& axis,
                  MarkupWriter& html) {
  if (outcome.overall_size <= 1 || !outcome.overall->estimate.has_value()) {
    return;
  }
  const bool with_metric = HasMixedMetrics(outcome);
  html.Begin("tbody");
  html.Begin("tr");
  html.Element("th", absl::StrCat("geometric mean of ", outcome.overall_size),
               {{"class", "n"}, {"scope", "row"}});
  for (int i = with_metric ? 0 : 1; i < 3; ++i) {
    html.Element("td", "", {{"class", "o"}});
  }
  html.Begin("td", {{"class", "f"}});
  WriteForestRow(*outcome.overall, axis, html);
  html.End();
  html.Element("td", ChangeText(outcome.overall->estimate->ratio),
               {{"class", "t"}});
  html.Element("td", IntervalText(outcome.overall->estimate->interval),
               {{"class", "r"}});
  html.Element("td", MeanOutcomeOf(outcome).word, {{"class", "w"}});
  html.End();
  html.End();
}

// How many of `order`, the worst first, fit: the rest is said to be left out.
std::size_t WriteForest(const Outcome& outcome,
                        const std::vector<std::size_t>& order,
                        const std::vector<bool>& with_card,
                        MarkupWriter& html) {
  const ChangeAxis axis = AxisOf(outcome);
  html.Element("h2", "Every change with its interval", {{"id", "all"}});
  html.Begin("div", {{"class", "wide"},
                     {"tabindex", "0"},
                     {"role", "region"},
                     {"aria-labelledby", "all"}});
  html.Begin("table", {{"class", "all"}});
  WriteHead(axis, outcome, html);
  html.Begin("tbody", {{"data-orders", "worst first|best first|by name"}});
  std::size_t shown = 0;
  const std::size_t start = html.size();
  for (; shown < order.size() && html.size() - start < kRowsRoom; ++shown) {
    const std::size_t index = order[shown];
    WriteRow(outcome.comparisons[index], index, with_card[index],
             HasMixedMetrics(outcome), axis, html);
  }
  html.End();
  WriteMeanRow(outcome, axis, html);
  html.End();
  html.End();
  if (shown < order.size()) {
    html.Element("p",
                 absl::StrCat(order.size() - shown,
                              " more, none worse than those above; the JSON "
                              "report has them all."));
  }
  return shown;
}

std::string TestText(const Comparison& comparison) {
  std::vector<std::string> parts;
  if (comparison.p_value.has_value()) {
    parts.push_back("two-sided p = " + PValueText(*comparison.p_value));
  }
  if (comparison.estimate.has_value()) {
    parts.push_back(absl::StrCat(
        "interval at level ",
        PercentText(comparison.estimate->interval.confidence_level)));
  }
  std::string text;
  for (const std::string& part : parts) absl::StrAppend(&text, ", ", part);
  return text;
}

void WriteCard(const Comparison& comparison, const Series& series,
               std::string_view heading, const std::string& id,
               const RowOutcome& row, const std::string& figures,
               double min_effect, MarkupWriter& html) {
  html.Begin("section", {{"class", "card"}, {"id", id}});
  html.Element("h3", heading);
  html.Begin("p");
  html.Element("b", absl::StrCat(std::string(StyleSign(row.style)), row.word),
               {{"class", std::string(StyleClass(row.style))}});
  if (!figures.empty()) {
    html.Text(". " + figures + TestText(comparison));
  }
  const bool open =
      row.kind == Kind::kUndecided || row.kind == Kind::kCannotJudge;
  if (open && !row.message.empty()) html.Text(". " + row.message);
  html.End();
  const BetWords words = BetWordsOf(comparison, min_effect);
  html.Begin("div", {{"class", "plots"}});
  id == kMeanCard ? WriteRatioPlot(comparison, series, html)
                  : WriteVisitsPlot(comparison, series, html);
  WriteEvidencePlot(comparison, series, words, html);
  html.End();
  WriteNumbers(comparison, series, words, html);
  html.End();
}

// The mean of several targets, which is what a tuning decision is about.
void WriteOverallCard(const Report& report, double min_effect,
                      MarkupWriter& html) {
  const Outcome& outcome = report.outcome;
  if (outcome.overall_size <= 1 ||
      report.series.size() != outcome.comparisons.size() + 1) {
    return;
  }
  const RowOutcome row = MeanOutcomeOf(outcome);
  if (row.word.empty() || !outcome.overall->estimate.has_value()) return;
  const RatioEstimate& estimate = *outcome.overall->estimate;
  WriteCard(
      *outcome.overall, report.series.back(),
      absl::StrCat("Geometric mean of ", outcome.overall_size, " benchmarks"),
      std::string(kMeanCard), row,
      absl::StrCat(ChangeText(estimate.ratio), " ",
                   IntervalText(estimate.interval)),
      min_effect, html);
}

void WriteLegend(MarkupWriter& html) {
  const auto key = [&html](std::string_view style, std::string_view shape,
                           std::string_view text) {
    html.Begin(
        "svg",
        {{"class", "key"}, {"viewBox", "0 0 14 12"}, {"aria-hidden", "true"}});
    html.Empty("polyline",
               {{"class", std::string(style)}, {"points", std::string(shape)}});
    html.End();
    html.Text(text);
  };
  html.Begin("p", {{"class", "soft small"}});
  key("b s", "7,6", " a visit of the baseline, ");
  key("c s", "7,6", " one of the contender, ");
  key("vb", "7,6", " and ");
  key("vc", "7,6", " those of rounds that only check or do not count, ");
  key("tb", "1,6 13,6", " their medians; ");
  key("ic", "7,1 7,11",
      " the interval of the change, drawn from the "
      "baseline's median; ");
  key("m", "0,6 14,6", " the loss that is tolerated. ");
  html.Text(
      "Evidence is an e-value: what a stake of 1 has grown to by betting on "
      "the rounds. Under no effect it reaches 20 with probability 1 in 20 at "
      "most, whenever one looks.");
  html.End();
}

// Cards as long as there is room. `with_card` is what the rows link to, so the
// cards come first in time and second on the page.
std::string Cards(const Report& report, const std::vector<std::size_t>& order,
                  std::vector<bool>& with_card) {
  MarkupWriter html;
  const Outcome& outcome = report.outcome;
  if (outcome.comparisons.empty() ||
      report.series.size() < outcome.comparisons.size()) {
    return "";
  }
  const double min_effect = NumberFact(report, "min_effect").value_or(0.01);
  html.Element("h2", "Where the numbers come from");
  WriteLegend(html);
  WriteOverallCard(report, min_effect, html);
  // What cannot be judged may stand first, and has none.
  const bool bets =
      std::any_of(report.series.begin(), report.series.end(),
                  [](const Series& one) { return one.log_for_limit > 0.0; });
  html.Begin("div", {{"class", bets ? "" : "pairs"}});
  std::size_t left_out = 0;
  for (const std::size_t index : order) {
    const Comparison& comparison = outcome.comparisons[index];
    const Series& series = report.series[index];
    if (series.points.empty()) continue;
    if (html.size() > kCardsRoom) {
      ++left_out;
      continue;
    }
    WriteCard(comparison, series, comparison.name, CardId(index),
              RowOutcomeOf(comparison), NumbersText(comparison), min_effect,
              html);
    with_card[index] = true;
  }
  html.End();
  if (left_out > 0) {
    html.Element("p", absl::StrCat("The plots of ", left_out,
                                   " more benchmarks are left out: the page "
                                   "stays small enough to open at once."));
  }
  return html.Take();
}

void WriteLists(const Report& report, MarkupWriter& html) {
  MarkupWriter lines;
  std::size_t listed = 0;
  const auto line = [&](const std::string& text) {
    if (++listed <= kMostListed) lines.Element("li", text);
  };
  for (const std::string& text : report.review) line("Review: " + text);
  for (const Report::LeftOut& left_out : report.left_out) {
    for (const Report::LeftOut::Entry& entry : left_out.entries) {
      line(absl::StrCat(std::string(left_out.label), ": ", EntryText(entry)));
    }
  }
  for (const std::string& text : report.notes) line(text);
  if (listed > kMostListed) {
    lines.Element("li", absl::StrCat(listed - kMostListed, " more"));
  }
  if (!report.last_note.empty()) lines.Element("li", report.last_note);
  if (lines.size() == 0) return;
  html.Element("h2", "What to know");
  html.Begin("ul");
  html.Append(lines.Take());
  html.End();
}

std::string FactText(const Report::Fact& fact) {
  return std::visit(
      [](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return "";
        } else if constexpr (std::is_same_v<T, bool>) {
          return value ? "yes" : "no";
        } else {
          return absl::StrCat(value);
        }
      },
      fact.value);
}

void WriteProvenance(const Report& report, MarkupWriter& html) {
  html.Element("h2", "How it was measured");
  html.Begin("dl");
  const auto entry = [&html](const std::string& name, const std::string& text) {
    if (text.empty()) return;
    html.Element("dt", absl::StrReplaceAll(name, {{"_", " "}}));
    html.Element("dd", text);
  };
  for (const Report::Fact& fact : report.facts) {
    entry(std::string(fact.key), FactText(fact));
  }
  for (const auto& [name, text] : report.provenance) entry(name, text);
  html.End();
}

}  // namespace

std::string ReportHtml(const Report& report) {
  const Outcome& outcome = report.outcome;
  const std::vector<std::size_t> order = WorstFirst(outcome);
  std::vector<bool> with_card(outcome.comparisons.size(), false);
  std::string cards = Cards(report, order, with_card);
  MarkupWriter html;
  html.Element("a", "Skip to the changes",
               {{"class", "skip"}, {"href", "#all"}});
  WriteShapes(html);
  html.Begin("header");
  html.Element("h1", outcome.kind == PolicyKind::kGate
                         ? "Benchmark gate: contender against baseline"
                         : "Benchmarks: contender against baseline");
  WriteVerdict(report, html);
  WriteTally(outcome, order, html);
  WriteNext(report, html);
  html.End();
  html.Begin("main");
  if (!outcome.comparisons.empty()) {
    WriteForest(outcome, order, with_card, html);
  }
  html.Append(cards);
  WriteLists(report, html);
  WriteProvenance(report, html);
  html.End();
  html.Element("footer", absl::StrCat("bench_compare ", kVersion,
                                      ". This page loads nothing and works "
                                      "without its script."));
  const RowOutcome whole = WholeOutcomeOf(outcome);
  return HtmlPage(absl::StrCat(whole.message, " - bench_compare"), html.Take());
}

}  // namespace autotune
