#ifndef AUTOTUNE_COMPARATOR_RECORDED_OVERALL_FIGURE_H_
#define AUTOTUNE_COMPARATOR_RECORDED_OVERALL_FIGURE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/estimate.h"

namespace autotune {

// One benchmark that goes into the geometric mean.
struct OverallMember {
  const PairValues* values = nullptr;
  Direction direction = Direction::kLowerIsBetter;
};

// The geometric mean of several benchmarks' improvements.
struct OverallFigure {
  double y = 0.0;  // mean log-improvement, positive: contender better
  RatioEstimate estimate;
  RecordedVerdict verdict;
};

// The figure of at least one member.
//
// Members measured in the same units (visits) are averaged unit by unit on the
// logarithmic scale and tested as one value a unit, so dependence between
// benchmarks of one visit costs nothing. Members with other units form groups
// of their own; the groups' bounds, each at its share of the error, add up with
// the groups' sizes as weights (union bound: valid, wider).
//
// Members compared by visit are compared within `strata`, as each of them must
// be on its own (ShiftOfVisits).
OverallFigure MakeOverallFigure(std::span<const OverallMember> members,
                                const Policy& policy, RankTables& tables,
                                const HostStrata& strata = {});

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_OVERALL_FIGURE_H_
