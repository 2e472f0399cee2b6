#include "comparator/statistics/sample.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace autotune {

absl::StatusOr<Sample> Sample::Create(std::vector<double> values) {
  if (values.empty()) {
    return absl::InvalidArgumentError("a sample needs at least one value");
  }
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) {
    return !std::isfinite(value);
  });
  if (bad != values.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "values[", bad - values.begin(), "]: expected a finite number, got ",
        std::isnan(*bad) ? "NaN" : (*bad > 0 ? "infinity" : "-infinity")));
  }
  return Sample(std::move(values));
}

Sample::Sample(std::vector<double> values)
    : values_(std::move(values)), sorted_(values_) {
  std::sort(sorted_.begin(), sorted_.end());
}

}  // namespace autotune
