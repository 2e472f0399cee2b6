#include "comparator/recorded/comparison_rows.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/comparison.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/recorded/side_suspicion.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/sample.h"

namespace autotune {
namespace {

Sample SampleOf(std::vector<double> values) {
  absl::StatusOr<Sample> sample = Sample::Create(std::move(values));
  assert(sample.ok());  // ValuesOf gives at least one, all finite
  return *std::move(sample);
}

bool IsSkipped(const BenchmarkSide& side) {
  return !side.measured() &&
         std::all_of(side.unusable.begin(), side.unusable.end(),
                     [](const VisitUnusable& entry) {
                       return entry.row->kind == UnusableRow::Kind::kSkipped;
                     });
}

void CopyUnusable(const BenchmarkSide& side, std::vector<UnusableRow>& list) {
  for (const VisitUnusable& entry : side.unusable) list.push_back(*entry.row);
}

std::string AggregatesText(const PairValues& values) {
  return absl::StrFormat(
      "compared on the published %s: the repetitions are not in the file%s",
      values.statistic,
      values.unit == SamplingUnit::kVisit
          ? ""
          : ", so this shows less and no test is made");
}

bool ArePositive(const SideValues& side) {
  return std::all_of(side.values.begin(), side.values.end(),
                     [](double value) { return value > 0.0; });
}

// No time is 0 but that of a no-op; a count may be.
ValueRange RangeFor(const Comparison& comparison) {
  if (comparison.guard_mode == GuardMode::kExact) return ValueRange::kAny;
  const std::string& metric = comparison.metric.name;
  const bool is_clock = metric == "real_time" || metric == "cpu_time";
  return is_clock && !comparison.takes_no_time ? ValueRange::kPositive
                                               : ValueRange::kNotNegative;
}

bool AreZero(const SideValues& side) {
  return std::all_of(side.values.begin(), side.values.end(),
                     [](double value) { return value == 0.0; });
}

class RowMaker {
 public:
  RowMaker(const HostStrata& strata, const ComparisonRules& rules,
           const Policy& policy, const CompareOptions& options,
           RankTables& tables, ComparisonTable& table)
      : strata_(strata),
        rules_(rules),
        policy_(policy),
        options_(options),
        tables_(tables),
        table_(table) {}

  void Add(const BenchmarkPair& pair) {
    CopyUnusable(pair.baseline, table_.unusable_baseline);
    CopyUnusable(pair.contender, table_.unusable_contender);
    if (!pair.contender.present()) {
      table_.only_in_baseline.push_back(pair.name);
    } else if (!pair.baseline.present()) {
      table_.only_in_contender.push_back(pair.name);
    } else if (!IsSkipped(pair.baseline) || !IsSkipped(pair.contender)) {
      AddTargetOrGuard(pair);
    }
  }

  void Reserve(std::size_t rows) { rows_.reserve(rows); }

  // Guards on another metric of the targets: counters, memory.
  void AddMetricGuards() {
    const std::size_t judged = rows_.size();
    for (const Guard& guard : policy_.guards) {
      if (guard.metric.empty()) continue;
      for (std::size_t i = 0; i < judged; ++i) AddMetricGuard(guard, i);
    }
  }

  std::vector<ComparisonRow> Take() { return std::move(rows_); }

 private:
  void AddTargetOrGuard(const BenchmarkPair& pair) {
    Comparison comparison;
    comparison.name = pair.name;
    comparison.metric = MetricOf(pair);
    const bool measured = pair.baseline.measured() && pair.contender.measured();
    if (measured && policy_.metric != "auto" &&
        !CarriesMetric(pair, comparison.metric.name)) {
      table_.without_metric.push_back(pair.name);
      return;
    }
    const Guard* const guard = GuardFor(pair);
    if (guard != nullptr) BecomeGuard(*guard, comparison);
    if (policy_.kind == PolicyKind::kGate) {
      SetGateMargin(comparison);
    } else if (guard == nullptr && policy_.targets == TargetRule::kEach) {
      comparison.margin = policy_.default_margin;
    }
    AddRow(pair, std::move(comparison));
  }

  // By the policy; where it leaves the choice, never a clock that was too
  // coarse to count by.
  Metric MetricOf(const BenchmarkPair& pair) const {
    const Metric metric = MetricFor(policy_, pair.name);
    const bool blind = policy_.metric == "auto" && metric.name == "cpu_time" &&
                       HasCoarseCpuClock(pair) &&
                       CarriesMetric(pair, "real_time");
    return blind ? Metric{"real_time", metric.direction} : metric;
  }

  // The guard that a benchmark is; null for targets, which are what no guard
  // names, and but for gates what the filter selects.
  const Guard* GuardFor(const BenchmarkPair& pair) const {
    const bool gate = policy_.kind == PolicyKind::kGate;
    if (!gate && options_.match.filter.has_value() && pair.selected)
      return nullptr;
    return rules_.GuardOf(pair.name);
  }

  static void BecomeGuard(const Guard& guard, Comparison& comparison) {
    comparison.role = ComparisonRole::kGuard;
    comparison.margin = guard.margin;
    comparison.guard_mode = guard.mode;
  }

  void SetGateMargin(Comparison& comparison) const {
    ComparisonRules::Tolerance tolerance = rules_.ToleranceOf(comparison.name);
    comparison.margin = tolerance.margin;
    comparison.waiver = std::move(tolerance.waiver);
  }

  // A gate judges everything, so guards too carry their numbers.
  void AddMetricGuard(const Guard& guard, std::size_t target) {
    if (policy_.kind != PolicyKind::kGate &&
        rows_[target].comparison.role != ComparisonRole::kTarget) {
      return;
    }
    const BenchmarkPair& pair = *rows_[target].pair;
    if (!CarriesMetric(pair, guard.metric)) return;
    Comparison comparison;
    comparison.name = pair.name;
    comparison.metric = {
        guard.metric,
        KnownDirection(guard.metric).value_or(Direction::kLowerIsBetter)};
    BecomeGuard(guard, comparison);
    AddRow(pair, std::move(comparison));
  }

  void AddRow(const BenchmarkPair& pair, Comparison comparison) {
    ComparisonRow& row = rows_.emplace_back();
    row.pair = &pair;
    row.comparison = std::move(comparison);
    row.comparison.takes_no_time = TakesNoTime(pair, row.comparison.metric);
    absl::StatusOr<PairValues> values =
        ValuesOf(pair, row.comparison.metric.name, RangeFor(row.comparison));
    if (!values.ok()) {
      row.comparison.cannot_judge = std::string(values.status().message());
      row.comparison.takes_no_time = false;
      return;
    }
    row.values = *std::move(values);
    Measure(row);
  }

  void Measure(ComparisonRow& row) const {
    const PairValues& values = *row.values;
    Comparison& comparison = row.comparison;
    comparison.unit = values.unit;
    comparison.from_aggregates = values.from_aggregates;
    comparison.baseline_visits = values.baseline.visits;
    comparison.contender_visits = values.contender.visits;
    comparison.baseline_size = values.baseline.values.size();
    comparison.contender_size = values.contender.values.size();
    comparison.baseline_median = Median(SampleOf(values.baseline.values));
    comparison.contender_median = Median(SampleOf(values.contender.values));
    comparison.suspicion = SuspicionOf(*row.pair, values, comparison.metric);
    comparison.warnings = NotesOnOtherClock(*row.pair, comparison.metric);
    if (values.from_aggregates) {
      comparison.warnings.push_back(AggregatesText(values));
    }
    if (ArePositive(values.baseline) && ArePositive(values.contender)) {
      Test(row);
    } else if (AreZero(values.baseline) && AreZero(values.contender)) {
      comparison.warnings.push_back(comparison.metric.name +
                                    " is 0 in every run of both sides");
    }
  }

  void Test(ComparisonRow& row) const {
    const PairValues& values = *row.values;
    Comparison& comparison = row.comparison;
    const Direction direction = comparison.metric.direction;
    row.test = ShiftOfVisits(
        CostsOf(values.baseline.values, direction), values.baseline.units,
        CostsOf(values.contender.values, direction), values.contender.units,
        values.unit == SamplingUnit::kVisit ? strata_ : HostStrata(), tables_);
    if (!row.test.has_value()) {
      comparison.cannot_judge = "no host has runs of both sides";
      return;
    }
    comparison.estimate =
        RatioOf(row.test->y(), row.test->Bounds(policy_), policy_, direction);
    comparison.probability_of_superiority =
        row.test->ProbabilityOfSuperiority();
    if (!values.from_aggregates || values.unit == SamplingUnit::kVisit) {
      comparison.p_value = row.test->PTwoSided();
    }
  }

  const HostStrata& strata_;
  const ComparisonRules& rules_;
  const Policy& policy_;
  const CompareOptions& options_;
  RankTables& tables_;
  ComparisonTable& table_;
  std::vector<ComparisonRow> rows_;
};

}  // namespace

std::vector<ComparisonRow> MakeComparisonRows(const MatchedBenchmarks& matched,
                                              const ComparisonRules& rules,
                                              const Policy& policy,
                                              const CompareOptions& options,
                                              RankTables& tables,
                                              ComparisonTable& table) {
  RowMaker maker(matched.strata, rules, policy, options, tables, table);
  maker.Reserve(matched.pairs.size());
  for (const BenchmarkPair& pair : matched.pairs) maker.Add(pair);
  maker.AddMetricGuards();
  return maker.Take();
}

}  // namespace autotune
