#include "comparator/recorded/overall_figure.h"

#include <cassert>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comparator/policy/policy.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/sample.h"

namespace autotune {
namespace {

using Units = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;
using Group = std::vector<OverallMember>;

// Mean cost of the group's members in each unit of one side.
std::vector<double> MeanCosts(const Group& group,
                              SideValues PairValues::*side) {
  std::vector<double> means((group.front().values->*side).values.size(), 0.0);
  const double count = static_cast<double>(group.size());
  for (const OverallMember& member : group) {
    const std::vector<double> costs =
        CostsOf((member.values->*side).values, member.direction);
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += costs[i] / count;
  }
  return means;
}

struct WeightedTest {
  RecordedShift test;
  double weight;  // its share of the members
};

std::vector<WeightedTest> TestsByUnits(std::span<const OverallMember> members,
                                       RankTables& tables,
                                       const HostStrata& strata) {
  std::map<Units, Group> groups;
  for (const OverallMember& member : members) {
    groups[{member.values->baseline.units, member.values->contender.units}]
        .push_back(member);
  }
  const HostStrata one_stratum;
  std::vector<WeightedTest> tests;
  for (const auto& [units, group] : groups) {
    const bool by_visit = group.front().values->unit == SamplingUnit::kVisit;
    std::optional<RecordedShift> test =
        ShiftOfVisits(MeanCosts(group, &PairValues::baseline), units.first,
                      MeanCosts(group, &PairValues::contender), units.second,
                      by_visit ? strata : one_stratum, tables);
    assert(test.has_value());
    tests.push_back(
        {*std::move(test), static_cast<double>(group.size()) /
                               static_cast<double>(members.size())});
  }
  return tests;
}

// Weighted sum of one bound of every group, each at its share of `error`.
ConfidenceBound SumBounds(const std::vector<WeightedTest>& tests, double error,
                          ConfidenceBound (RecordedShift::*bound)(double)
                              const) {
  ConfidenceBound sum{0.0, 1.0};
  for (const WeightedTest& entry : tests) {
    const ConfidenceBound part =
        (entry.test.*bound)(error / static_cast<double>(tests.size()));
    sum.confidence_level -= 1.0 - part.confidence_level;
    if (!part.value.has_value()) return {std::nullopt, 1.0 - error};
    *sum.value += entry.weight * *part.value;
  }
  return sum;
}

}  // namespace

OverallFigure MakeOverallFigure(std::span<const OverallMember> members,
                                const Policy& policy, RankTables& tables,
                                const HostStrata& strata) {
  assert(!members.empty());
  const std::vector<WeightedTest> tests = TestsByUnits(members, tables, strata);
  OverallFigure figure;
  for (const WeightedTest& entry : tests) {
    figure.y += entry.weight * entry.test.y();
  }
  const RecordedBounds bounds = {
      SumBounds(tests, policy.alpha, &RecordedShift::LowerBound),
      SumBounds(tests, policy.beta, &RecordedShift::UpperBound),
      SumBounds(tests, policy.alpha, &RecordedShift::UpperBound)};
  figure.estimate =
      RatioOf(figure.y, bounds, policy, members.front().direction);
  if (tests.size() == 1) {
    const RecordedShift* const test = &tests.front().test;
    figure.verdict =
        DecideFamily({&test, 1}, policy, ErrorAdjustment::kHolm).front();
    return figure;
  }
  figure.verdict.verdict = VerdictFromBounds(bounds, policy);
  if (figure.verdict.verdict == Verdict::kInconclusive) {
    figure.verdict.reason =
        "the benchmarks were not measured in the same visits, and their bounds "
        "together prove neither an improvement nor its absence";
  }
  return figure;
}

}  // namespace autotune
