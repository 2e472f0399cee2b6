#ifndef AUTOTUNE_TOOLS_REPORT_REPORT_H_
#define AUTOTUNE_TOOLS_REPORT_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/names.h"
#include "comparator/evidence/evidence.h"
#include "comparator/fleet/fleet.h"
#include "comparator/outcome/outcome.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "tools/report/next_step.h"
#include "tools/report/series.h"

namespace autotune {

// The forms in which every outcome can be reported.
enum class ReportFormat {
  kTable,
  kJson,
  kMarkdown,
  kJunit,
  kSarif,
  kHtml,
  kGithub,
  kSummary
};

template <>
struct NameTable<ReportFormat> {
  static constexpr Named<ReportFormat> kAll[] = {
      {"table", ReportFormat::kTable},
      {"json", ReportFormat::kJson},
      {"markdown", ReportFormat::kMarkdown},
      {"junit", ReportFormat::kJunit},
      {"sarif", ReportFormat::kSarif},
      {"html", ReportFormat::kHtml},
      {"github", ReportFormat::kGithub},
      {"summary", ReportFormat::kSummary}};
};

// What every form says of an outcome, whatever it was decided from. Texts are
// as they came: making them harmless is the form's part.
struct Report {
  // Comparisons have their medians; none when equal programs were not measured.
  Outcome outcome;

  // What each of them was made from, in their order; of a run that of the
  // overall figure too, last. Empty when equal programs were not measured.
  std::vector<Series> series;

  // Benchmarks that are not in the table, by why.
  struct LeftOut {
    struct Entry {
      std::string name;
      std::string kind;  // "errored", "skipped", ...; empty: no row at all
      std::string reason;
      std::size_t count = 1;  // rows that say the same
    };
    std::string_view key;    // of JSON: "only_in_baseline"
    std::string_view label;  // "only in the baseline"
    bool with_reasons = false;
    bool lost = false;  // on one side only: a test case of its own
    std::vector<Entry> entries;
  };
  std::vector<LeftOut> left_out;

  std::vector<std::string> review;  // what a person should look at
  std::vector<std::string> notes;   // to be said besides the numbers
  // How many of the notes, the first ones, are about files, machines and runs
  // and not about benchmarks: those are never left out for others.
  std::size_t general_notes = 0;
  // A note that is never left out for others.
  std::string last_note;
  // What it took, a line each: "9 rounds, 5.2 s, mode turns, cpu_time".
  std::vector<std::string> effort;
  std::vector<NextStep> next;

  // Further members of the JSON object; nothing is null.
  struct Fact {
    std::string_view key;
    std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
  };
  std::vector<Fact> facts;

  // What was compared and where, by name: programs, commits, files, machine.
  std::vector<std::pair<std::string, std::string>> provenance;
};

Report ReportOf(ComparisonTable table);

// Says of each of a side's files what it is: date, program and machine.
void AddProvenance(std::string_view side, std::span<const ResultFile> files,
                   Report& report);

// `evidence_path` is the file that a continued run would be given; empty: none.
Report ReportOf(const Evidence& evidence,
                const std::string& evidence_path = "");

// Of several hosts' runs: the fleet's targets and guards, and a row a host.
Report ReportOf(const Fleet& fleet);

struct TextLayout {
  // Columns of the terminal. Where they are too few for the table, the test
  // goes, then both medians, the interval and the metric; then names shorten.
  int width = std::numeric_limits<int>::max();
  bool color = false;
  bool utf8 = true;  // else ASCII alone
};

// The whole report. No name in it can steer a terminal, become markup or
// another element, address anyone, or be taken for a command by a CI log.
//   table     a row a benchmark with marks of its footnotes, the mean, the
//             footnotes, what was left out, notes, effort, and the decision as
//             the last line but the next steps
//   json      the --json object (docs/cli.md): keys in a stable order, absent
//             values null
//   markdown  the decision, then the table with the worst first, what passed
//             and the notes folded, below 65,536 bytes with "N more"
//   summary   the same below 1 MiB, for a file that is appended to
//   github    the table, then at most ten annotations for the log of a job
//   junit     a test case a benchmark and one, "decision", for the whole: a
//             proven loss fails, what cannot be judged is an error, what is
//             undecided skipped
//   html      one page that loads nothing: the decision, every change with its
//             interval, every visit and the evidence by round, below 3 MB with
//             "N more" for the rest
//   sarif     SARIF 2.1.0: a result for each benchmark that lost, cannot be
//             judged or is doubted, and one for a whole that is not decided
std::string RenderReport(const Report& report, ReportFormat format,
                         const TextLayout& layout = {});

// The decision alone, "DECISION: REASON" and a newline, printable.
std::string OutcomeLine(const Outcome& outcome, bool color);

// A run's decision with its figure, on one line without a newline: "keep:
// -7.31 % [-8.90 %, -5.60 %], 9 rounds, 5.2 s: REASON". Without the figure when
// nothing was measured.
std::string EvidenceSummaryLine(const Evidence& evidence);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_REPORT_H_
