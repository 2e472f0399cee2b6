#include "comparator/results/published_means.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"

namespace autotune {
namespace {

constexpr double kLargestDifference = 1e-6;
// Tools that round round the mean as they round its repetitions: by half a step
// each, ten times as much where a number has a digit more before the point.
constexpr double kSteps = 10.0;

// What is known of the repetitions of one name.
struct Total {
  double real_time_ns = 0.0;
  double cpu_time_ns = 0.0;
  double rows = 0.0;
  double step_ns = 0.0;  // one of the last digit of the finest row
  std::int64_t iterations = 0;
  bool comparable = true;
};

// By visit and name.
using Totals =
    absl::flat_hash_map<std::pair<absl::string_view, absl::string_view>, Total>;

bool IsWhole(double value) { return value == std::floor(value); }

void Add(const Measurement& row, const RowFacts& facts, Total& total) {
  total.step_ns = total.rows == 0.0
                      ? facts.time_step_ns
                      : std::min(total.step_ns, facts.time_step_ns);
  if (total.rows == 0.0) total.iterations = row.iterations;
  const double real = row.real_time_ns.value_or(0.0);
  const double cpu = row.cpu_time_ns.value_or(0.0);
  total.comparable =
      total.comparable && row.registration == 0 &&
      row.iterations == total.iterations && row.real_time_ns.has_value() &&
      row.cpu_time_ns.has_value() && !(IsWhole(real) && IsWhole(cpu));
  total.real_time_ns += real;
  total.cpu_time_ns += cpu;
  total.rows += 1.0;
}

Totals TotalsOf(const std::vector<RowFacts>& facts, const ResultFile& file) {
  Totals totals;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Measurement& row = file.measurements[i];
    Add(row, facts[i], totals[{row.visit_id, row.name}]);
  }
  return totals;
}

// Benchmarks of which rows were taken out, which are part of the mean.
absl::flat_hash_set<absl::string_view> TornBenchmarks(const ResultFile& file) {
  absl::flat_hash_set<absl::string_view> names;
  for (const UnusableRow& row : file.unusable) {
    if (row.kind == UnusableRow::Kind::kNotMeasured) names.insert(row.name);
  }
  return names;
}

bool Differs(std::optional<double> published, double sum, const Total& total) {
  const double mean = sum / total.rows;
  const double allowed =
      kLargestDifference * std::abs(mean) + kSteps * total.step_ns;
  return published.has_value() && std::abs(*published - mean) > allowed;
}

}  // namespace

std::vector<std::string> BenchmarksWithAnotherMean(
    const std::vector<RowFacts>& facts, const ResultFile& file) {
  std::vector<std::string> names;
  if (file.aggregates.empty()) return names;
  const Totals totals = TotalsOf(facts, file);
  const auto torn = TornBenchmarks(file);
  for (const Aggregate& aggregate : file.aggregates) {
    const Measurement& row = aggregate.row;
    const auto found = totals.find({row.visit_id, row.name});
    if (aggregate.aggregate_name != "mean" || found == totals.end() ||
        torn.contains(row.name) || !found->second.comparable ||
        found->second.rows < 2.0) {
      continue;
    }
    const Total& total = found->second;
    if (Differs(aggregate.row.real_time_ns, total.real_time_ns, total) ||
        Differs(aggregate.row.cpu_time_ns, total.cpu_time_ns, total)) {
      names.push_back(aggregate.row.name);
    }
  }
  return names;
}

}  // namespace autotune
