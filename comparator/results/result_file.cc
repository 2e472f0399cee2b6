#include "comparator/results/result_file.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "comparator/results/foreign_text.h"
#include "comparator/results/json_scanner.h"
#include "comparator/results/json_values.h"
#include "comparator/results/result_context.h"
#include "comparator/results/result_fault.h"
#include "comparator/results/result_row.h"
#include "comparator/results/result_rows.h"
#include "comparator/results/result_suspicions.h"
#include "comparator/results/text_encoding.h"

namespace autotune {
namespace {

// Number of benchmarks with at least one sample or aggregate.
std::size_t CountBenchmarks(const ResultFile& file) {
  absl::flat_hash_set<absl::string_view> names;
  for (const Measurement& row : file.measurements) names.insert(row.name);
  for (const Aggregate& row : file.aggregates) names.insert(row.row.name);
  return names.size();
}

class ResultFileReader {
 public:
  ResultFileReader(std::string_view text, std::string_view source_name,
                   const ParseOptions& options)
      : text_(text), options_(options), scanner_(text), rows_(file_) {
    file_.source_name = source_name;
  }

  absl::StatusOr<ResultFile> Read() && {
    const bool whole = ReadDocument();
    if (!whole && scanner_.error().fault != JsonFault::kEndOfText) {
      return Error();
    }
    if (whole) RETURN_IF_ERROR(CheckDocument());
    if (!whole) RETURN_IF_ERROR(CheckCut());
    rows_.Finish(cut_, IsDryRun(file_.context));
    if (!file_.complete) RETURN_IF_ERROR(CheckIncomplete());
    AddSuspicions(rows_.facts(), file_);
    WarnOfText();
    for (Measurement& measurement : file_.measurements) {
      if (measurement.visit_id.empty()) {
        measurement.visit_id = file_.visit_id;
      }
    }
    for (UnusableRow& row : file_.unusable) {
      if (row.visit_id.empty()) row.visit_id = file_.visit_id;
    }
    return std::move(file_);
  }

 private:
  bool ReadDocument() {
    JsonKeys keys;
    if (!BeginObjectValue(scanner_, keys)) return false;
    std::string_view key;
    while (scanner_.NextKey(keys, key)) {
      place_.object.assign(key);
      if (!ReadMember(key)) return false;
      place_ = {};
    }
    return scanner_.ok();
  }

  bool ReadMember(std::string_view key) {
    if (key == "benchmarks") return ReadBenchmarks();
    if (key == "context") {
      return ReadContext(scanner_, file_, place_.field);
    }
    if (key == "autotune") {
      return ReadAutotuneObject(scanner_, file_, place_.field);
    }
    return scanner_.Skip();
  }

  bool ReadBenchmarks() {
    has_benchmarks_ = true;
    bool first = true;
    if (!BeginArrayValue(scanner_, first)) return false;
    ResultRow row;
    for (std::size_t i = 0; scanner_.NextItem(first); ++i) {
      if (!ReadRow(row)) {
        place_.object = absl::StrFormat("benchmarks[%d]", i);
        return false;
      }
      if (i == 0) ReserveLike(row);
    }
    return scanner_.ok();
  }

  // Room for as many rows like the first one as the text can hold.
  void ReserveLike(const ResultRow& row) {
    constexpr std::size_t kSmallestRow = 200;
    const std::size_t size = scanner_.offset() - row.offset;
    rows_.Reserve(text_.size() / std::max(size, kSmallestRow));
  }

  bool ReadRow(ResultRow& row) {
    if (!row_reader_.Read(scanner_, row)) {
      place_.field = row_reader_.field();
      cut_ = Cut{true, row.name.value_or("")};
      return false;
    }
    if (row.keys == 1 && row.name.has_value()) {
      return scanner_.Reject(row.offset,
                             "only a name: this looks like the list that "
                             "--benchmark_list_tests writes; run the "
                             "benchmarks without that flag");
    }
    if (std::optional<std::string> wrong = rows_.Add(row)) {
      return scanner_.Reject(row.offset, *std::move(wrong));
    }
    return true;
  }

  std::string_view source() const { return file_.source_name; }

  // The error for what stopped the scanner, or for the other program's text
  // that it stopped at.
  absl::Status Error() const {
    const std::string foreign = DescribeForeignText(text_);
    if (!foreign.empty()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("%s: %s", source(), foreign));
    }
    return FaultError(source(), text_, place_, scanner_.error());
  }

  absl::Status CheckDocument() {
    if (!has_benchmarks_) {
      const std::string foreign = DescribeForeignText(text_);
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s: %s", source(),
          foreign.empty() ? "no \"benchmarks\": this is JSON, but no result of "
                            "Google Benchmark"
                          : foreign));
    }
    if (scanner_.AtEnd()) return absl::OkStatus();
    const TextPlace at = PlaceAt(text_, scanner_.offset());
    const bool another = text_[scanner_.offset()] == '{';
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s:%d:%d: %s", source(), at.line, at.column,
        another ? "a second JSON document; give each as a file of its own"
                : "text after the JSON; write the file with "
                  "--benchmark_out=FILE instead of redirecting the program's "
                  "output"));
  }

  absl::Status CheckCut() {
    const std::string foreign = DescribeForeignText(text_);
    if (!foreign.empty()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("%s: %s", source(), foreign));
    }
    if (!cut_.has_value()) cut_.emplace();
    file_.complete = false;
    return absl::OkStatus();
  }

  absl::Status CheckIncomplete() {
    if (options_.partial) return absl::OkStatus();
    const std::size_t complete = CountBenchmarks(file_);
    const std::string count =
        absl::StrCat(complete, complete == 1 ? " complete benchmark"
                                             : " complete benchmarks");
    const std::string_view way_out =
        complete == 0 ? "measure again"
                      : "measure again, or use what is complete with --partial";
    if (!cut_.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("%s: its run was ended early, after %s; %s", source(),
                          count, way_out));
    }
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s:%d: the file ends here, after %s: its run was killed or the copy "
        "was cut; %s",
        source(), PlaceAt(text_, text_.size()).line, count, way_out));
  }

  void WarnOfText() {
    if (!scanner_.odd_byte_offset().has_value()) return;
    const TextPlace at = PlaceAt(text_, *scanner_.odd_byte_offset());
    file_.warnings.push_back(absl::StrFormat(
        "line %d: a control character, or a byte that is not UTF-8, inside a "
        "string",
        at.line));
  }

  const std::string_view text_;
  const ParseOptions options_;
  JsonScanner scanner_;
  ResultFile file_;
  ResultRows rows_;
  ResultRowReader row_reader_;
  ResultPlace place_;
  std::optional<Cut> cut_;
  bool has_benchmarks_ = false;
};

}  // namespace

std::string_view UnusableKindName(UnusableRow::Kind kind) {
  switch (kind) {
    case UnusableRow::Kind::kErrored:
      return "failed";
    case UnusableRow::Kind::kSkipped:
      return "skipped";
    case UnusableRow::Kind::kNotMeasured:
      break;
  }
  return "not measured";
}

absl::StatusOr<ResultFile> ParseResultFile(std::string_view text,
                                           std::string_view source_name,
                                           const ParseOptions& options) {
  std::string storage;
  absl::StatusOr<std::string_view> decoded = DecodeText(text, storage);
  if (!decoded.ok()) {
    return Annotate(decoded.status(), std::string(source_name));
  }
  return ResultFileReader(*decoded, source_name, options).Read();
}

}  // namespace autotune
