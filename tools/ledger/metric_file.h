#ifndef AUTOTUNE_TOOLS_LEDGER_METRIC_FILE_H_
#define AUTOTUNE_TOOLS_LEDGER_METRIC_FILE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/names.h"

namespace autotune {

// How an attempt ended, as the history of the working branch says it. Rows of
// metric.toml know the first three only: see RowStatus.
enum class AttemptStatus {
  kKeep,
  kDiscard,
  kCrash,         // could not be built, tested or measured
  kInconclusive,  // measured to the end of the budget, and not decided
  kViolation,     // changed what it may not: none of its code ran
  kReverted,      // a keep that was taken out again
};

template <>
struct NameTable<AttemptStatus> {
  static constexpr Named<AttemptStatus> kAll[] = {
      {"keep", AttemptStatus::kKeep},
      {"discard", AttemptStatus::kDiscard},
      {"crash", AttemptStatus::kCrash},
      {"inconclusive", AttemptStatus::kInconclusive},
      {"violation", AttemptStatus::kViolation},
      {"reverted", AttemptStatus::kReverted}};
};

// What a row says of it: inconclusive attempts and reverted keeps were no gain
// (discard), a violation was no measurement (crash).
AttemptStatus RowStatus(AttemptStatus status);

// One row of metric.toml: one attempt.
struct MetricRow {
  std::string commit;  // full SHA of the measured attempt; may be empty
  // kKeep, kDiscard or kCrash; nothing for another word, read with a warning.
  std::optional<AttemptStatus> status;
  std::string description;
  std::vector<std::pair<std::string, double>> metrics;  // finite, in order
  // Recorded from what somebody said, without evidence of ours: counts for no
  // phase and no error level.
  bool claimed = false;
  // Read only. `id` is what other tools call the row ("iteration", "name");
  // `line` is where the row starts, counted from 1.
  std::string id;
  int line = 0;
};

struct MetricFile {
  std::vector<MetricRow> rows;
  std::vector<std::string> warnings;  // "SOURCE:LINE: what could not be read"
};

// Reads what any known writer produced, leniently: one bad entry costs a
// warning, never the others. Linear in the size. Never fails.
//
// [[metric]] and [[result]] are rows; `outcome` is read as status, `notes` as
// description, `iteration` and `name` as id; status "baseline" as a keep whose
// description starts with "baseline", "reverted" as discard. A commit that is
// no full SHA is kept as written. Every finite number, in sub-tables too, is a
// metric. A row of an unknown status is kept without one, with a warning; an
// entry without any is dropped with one.
MetricFile ParseMetricFile(std::string_view text, std::string_view source_name);

// Whether `text` is a full commit name: 40 or 64 lower-case hexadecimal digits.
bool IsFullSha(std::string_view text);

// Whether the row records the start's own numbers, not an attempt's: a keep
// whose description starts with "baseline".
bool IsBaseline(const MetricRow& row);

// One entry, ready to append: valid TOML 1.0 whatever the description holds, a
// blank line at its end. InvalidArgument for a status that no row has, reserved
// or duplicate keys, a value that is not finite, or a commit that is no full
// SHA.
absl::StatusOr<std::string> FormatMetricRow(const MetricRow& row);

// `existing` with the row appended: existing bytes unchanged but for a missing
// final newline.
absl::StatusOr<std::string> AppendMetricRow(std::string_view existing,
                                            const MetricRow& row);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_METRIC_FILE_H_
