#ifndef AUTOTUNE_COMPARATOR_STATISTICS_SAMPLE_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_SAMPLE_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"

namespace autotune {

// One or more finite numbers of one metric of one benchmark on one side.
//
// Invariant: never empty, every value finite. Values keep the order in which
// they were measured; sorted() is made once, at construction.
class Sample {
 public:
  // InvalidArgument when `values` is empty or holds a value that is not finite
  // (the message names its position). O(n log n).
  static absl::StatusOr<Sample> Create(std::vector<double> values);

  const std::vector<double>& values() const { return values_; }
  const std::vector<double>& sorted() const { return sorted_; }
  std::size_t size() const { return values_.size(); }

 private:
  explicit Sample(std::vector<double> values);

  std::vector<double> values_;
  std::vector<double> sorted_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_SAMPLE_H_
