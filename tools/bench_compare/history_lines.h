#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_HISTORY_LINES_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_HISTORY_LINES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"

namespace autotune {

// One measurement of a commit against an anchor: a line of its note. Lines are
// sorted and each there once, so that notes of two clones are merged by the
// union of their lines (git notes merge -s cat_sort_uniq).
struct HistoryLine {
  std::string anchor;  // full name of the commit compared with
  std::string metric;
  std::string benchmark;
  double log_loss = 0.0;  // of the commit against the anchor; > 0 is worse
  std::string started;    // when it was measured
};

// Ends in no newline. Reads back as the same line.
std::string HistoryText(const HistoryLine& line);
// InvalidArgument when `text` is no such line.
absl::StatusOr<HistoryLine> ParseHistoryLine(std::string_view text);

// The lines of all targets of a run. None of equal programs.
std::vector<HistoryLine> HistoryLinesOf(const Evidence& evidence);

// The most lines that a commit's note may hold.
inline constexpr int kMostHistoryLines = 5000;

// The sorted union of the lines of `note` and `lines`; InvalidArgument when
// they are more than kMostHistoryLines.
absl::StatusOr<std::string> WithHistoryLines(
    std::string_view note, const std::vector<HistoryLine>& lines);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_HISTORY_LINES_H_
