#include "tools/bench_compare/history_lines.h"

#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "comparator/evidence/evidence.h"

namespace autotune {
namespace {

constexpr std::string_view kVersion1 = "bench1";

// Names hold any byte; a line has none of tab, newline and carriage return.
std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(
      text, {{"%", "%25"}, {"\t", "%09"}, {"\n", "%0A"}, {"\r", "%0D"}});
}
std::string Unescaped(const std::string& text) {
  return absl::StrReplaceAll(
      text, {{"%25", "%"}, {"%09", "\t"}, {"%0A", "\n"}, {"%0D", "\r"}});
}

}  // namespace

std::string HistoryText(const HistoryLine& line) {
  return absl::StrJoin({std::string(kVersion1), Escaped(line.anchor),
                        Escaped(line.metric), Escaped(line.benchmark),
                        ShortestText(line.log_loss), Escaped(line.started)},
                       "\t");
}

absl::StatusOr<HistoryLine> ParseHistoryLine(std::string_view text) {
  const std::vector<std::string> parts =
      absl::StrSplit(absl::string_view(text.data(), text.size()), '\t');
  HistoryLine line;
  if (parts.size() != 6 || parts[0] != kVersion1 ||
      !absl::SimpleAtod(parts[4], &line.log_loss) ||
      !std::isfinite(line.log_loss)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a line of bench_compare history, got ", Quoted(text)));
  }
  line.anchor = Unescaped(parts[1]);
  line.metric = Unescaped(parts[2]);
  line.benchmark = Unescaped(parts[3]);
  line.started = Unescaped(parts[5]);
  return line;
}

std::vector<HistoryLine> HistoryLinesOf(const Evidence& evidence) {
  std::vector<HistoryLine> lines;
  for (const Comparison& target : evidence.targets) {
    if (!target.estimate.has_value()) continue;
    const double log_ratio = std::log(target.estimate->ratio);
    const bool lower = evidence.metric.direction == Direction::kLowerIsBetter;
    lines.push_back({evidence.baseline.commit, evidence.metric.name,
                     target.name, lower ? log_ratio : -log_ratio,
                     evidence.started});
  }
  return lines;
}

absl::StatusOr<std::string> WithHistoryLines(
    std::string_view note, const std::vector<HistoryLine>& lines) {
  std::set<std::string> all;
  for (absl::string_view line :
       absl::StrSplit(absl::string_view(note.data(), note.size()), '\n',
                      absl::SkipEmpty())) {
    all.insert(std::string(line));
  }
  for (const HistoryLine& line : lines) all.insert(HistoryText(line));
  if (all.size() > static_cast<std::size_t>(kMostHistoryLines)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at most ", kMostHistoryLines, " lines a commit, got ",
        all.size(), ": its note is full"));
  }
  return absl::StrCat(absl::StrJoin(all, "\n"), "\n");
}

}  // namespace autotune
