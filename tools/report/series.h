#ifndef AUTOTUNE_TOOLS_REPORT_SERIES_H_
#define AUTOTUNE_TOOLS_REPORT_SERIES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "comparator/recorded/comparison.h"

namespace autotune {

// One round of a run; of recorded files the values at one place of both sides'
// order.
struct SeriesPoint {
  std::int64_t index = 0;  // of the round, or of the value, from 1
  // The metric on each side; absent where that side has none.
  std::optional<double> baseline;
  std::optional<double> contender;
  // contender / baseline of a round; of a mean there is nothing else.
  std::optional<double> ratio;
  // What a round that does not count was for ("void"); else empty.
  std::string_view use;
  // ln of both e-values after the round, where it counted.
  std::optional<double> log_e_for;
  std::optional<double> log_e_against;
};

// What one comparison was made from, in the order in which it was measured.
struct Series {
  std::vector<SeriesPoint> points;
  // What log_e_for (of a gain, under a margin of no loss beyond it) and
  // log_e_against must reach to prove it; 0 when nothing is bet.
  double log_for_limit = 0.0;
  double log_against_limit = 0.0;
};

// The series of a run's targets and guards in their order, and last that of the
// overall figure. The bets are made again, as they were.
std::vector<Series> SeriesOf(const Evidence& evidence);

// The series of the compared files, one a comparison.
std::vector<Series> SeriesOf(const ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_SERIES_H_
