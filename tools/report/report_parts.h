#ifndef AUTOTUNE_TOOLS_REPORT_REPORT_PARTS_H_
#define AUTOTUNE_TOOLS_REPORT_REPORT_PARTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/outcome/outcome.h"
#include "tools/report/report.h"
#include "tools/report/text_table.h"

namespace autotune {

// How one benchmark's row ends, in a word for people and machines that read
// test reports. Worse kinds are smaller.
struct RowOutcome {
  enum class Kind { kCannotJudge, kFailed, kUndecided, kPassed };
  Kind kind = Kind::kUndecided;
  std::string word;  // "improved", "within 2 %", "worse than 2 %", "suspect"
  TextStyle style = TextStyle::kPlain;
  std::string message;  // why, for those that did not pass
};

// Guards and gates stand against their margin; other targets have a verdict.
RowOutcome RowOutcomeOf(const Comparison& comparison);

// Of the whole; the word is OutcomeName.
RowOutcome WholeOutcomeOf(const Outcome& outcome);

// The word of the mean's row; empty in a gate, which does not decide by it.
RowOutcome MeanOutcomeOf(const Outcome& outcome);

// Whether the medians of both sides are known: counts of which some are 0 have
// them without an estimate.
bool HasMedians(const Comparison& comparison);

// "cpu_time: 100.0 ns -> 90.00 ns, -10.00 % [-11.00 %, ?]"; empty when not
// measured.
std::string NumbersText(const Comparison& comparison);

// " (guard)", " (host)" or "": what a row is, after its name.
std::string RoleText(const Comparison& comparison);

// "BM_A errored: boom", "BM_A errored 6 times: boom".
std::string EntryText(const Report::LeftOut::Entry& entry);

// What was left out, as people read it: what both sides say of a benchmark is
// said once, and nothing is empty.
std::vector<Report::LeftOut> LeftOutOnce(const Report& report);

// Whether the benchmarks were not all compared on one metric.
bool HasMixedMetrics(const Outcome& outcome);

// `text` as plain words in Markdown: printable, cut to 400 bytes, every special
// character escaped. Source: CommonMark 0.31, section 2.4 (backslash escapes).
std::string MarkdownText(std::string_view text);

// What cannot be judged, losses, what is open, what passed; the largest loss of
// each kind first. Places in the outcome's comparisons.
std::vector<std::size_t> WorstFirst(const Outcome& outcome);

std::string ReportText(const Report& report, const TextLayout& layout);
std::string ReportJson(const Report& report);
// Below `room` bytes.
std::string ReportMarkdown(const Report& report, std::size_t room);
std::string ReportJunit(const Report& report);
std::string ReportSarif(const Report& report);
std::string ReportHtml(const Report& report);
// Commands to a GitHub runner, ten at most: annotations of the run.
std::string ReportAnnotations(const Report& report);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_REPORT_PARTS_H_
