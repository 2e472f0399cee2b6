#ifndef AUTOTUNE_TOOLS_LEDGER_METRIC_FILE_H_
#define AUTOTUNE_TOOLS_LEDGER_METRIC_FILE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace autotune {

// One row of metric.toml: one attempt.
struct MetricRow {
  std::string commit;  // full SHA of the measured attempt; may be empty
  std::string status;  // "keep", "discard" or "crash"
  std::string description;
  std::vector<std::pair<std::string, double>> metrics;  // finite, in order
};

struct MetricFile {
  std::vector<MetricRow> rows;
  std::vector<std::string> warnings;  // one per entry that could not be read
};

// Reads what any known writer produced, leniently: one bad entry costs a
// warning, never the others. Linear in the size. Never fails.
MetricFile ParseMetricFile(std::string_view text, std::string_view source_name);

// One entry, ready to append: valid TOML 1.0 whatever the description holds, a
// blank line at its end. InvalidArgument for an unknown status, reserved or
// duplicate keys, a value that is not finite, or a commit that is no full SHA.
absl::StatusOr<std::string> FormatMetricRow(const MetricRow& row);

// `existing` with the row appended: existing bytes unchanged but for a missing
// final newline.
absl::StatusOr<std::string> AppendMetricRow(std::string_view existing,
                                            const MetricRow& row);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_METRIC_FILE_H_
