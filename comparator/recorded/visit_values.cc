#include "comparator/recorded/visit_values.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/descriptive.h"

namespace autotune {
namespace {

constexpr std::string_view kMedian = "median";
constexpr std::string_view kMean = "mean";

// The metric's published value in one aggregate row; nothing for others.
std::optional<double> Published(const Aggregate& aggregate,
                                std::string_view statistic,
                                std::string_view metric_name) {
  if (aggregate.is_ratio || aggregate.aggregate_name != statistic) {
    return std::nullopt;
  }
  return MetricValue(aggregate.row, metric_name);
}

absl::Status CannotJudge(std::string_view side, std::string_view why) {
  return absl::AbortedError(absl::StrFormat("%s: %s", side, why));
}

// At most 200 bytes, whatever the benchmark wrote.
std::string ShortReason(const std::string& reason) {
  constexpr std::size_t kLongest = 200;
  return reason.size() > kLongest ? reason.substr(0, kLongest) + "..." : reason;
}

// " in 1 of 6 runs"; nothing when there is one run only.
std::string InRuns(std::size_t count, std::size_t runs) {
  if (runs <= 1) return "";
  if (count == runs) return absl::StrFormat(" in all %d runs", runs);
  return absl::StrFormat(" in %d of %d runs", count, runs);
}

// "failed in 1 of 6 runs: no data": what kept the first unusable row from being
// a sample, and in how many runs that happened.
std::string UnusableText(const BenchmarkSide& side) {
  const UnusableRow& first = *side.unusable.front().row;
  std::set<std::size_t> visits;
  for (const VisitUnusable& entry : side.unusable) {
    if (entry.row->kind == first.kind) visits.insert(entry.visit);
  }
  std::string text(UnusableKindName(first.kind));
  text += InRuns(visits.size(), side.expected_visits);
  if (first.reason.empty()) return text;
  return absl::StrCat(text, ": ", ShortReason(first.reason));
}

absl::Status CheckUsable(const BenchmarkSide& side, std::string_view name) {
  if (side.file_names.size() > 1) {
    return CannotJudge(name,
                       absl::StrCat("several benchmarks meet under this name: ",
                                    absl::StrJoin(side.file_names, ", ")));
  }
  if (!side.unusable.empty()) return CannotJudge(name, UnusableText(side));
  if (side.missing_visits > 0) {
    return CannotJudge(
        name, "missing" + InRuns(side.missing_visits, side.expected_visits));
  }
  if (!side.measured()) return CannotJudge(name, "not measured");
  return absl::OkStatus();
}

// Values of the repetitions, by visit.
using ValuesByVisit = std::map<std::size_t, std::vector<double>>;

absl::StatusOr<ValuesByVisit> RepetitionsByVisit(const BenchmarkSide& side,
                                                 std::string_view name,
                                                 std::string_view metric_name) {
  ValuesByVisit by_visit;
  std::size_t missing = 0;
  for (const VisitRow& entry : side.rows) {
    const std::optional<double> value = MetricValue(*entry.row, metric_name);
    if (value.has_value()) {
      by_visit[entry.visit].push_back(*value);
    } else {
      ++missing;
    }
  }
  if (missing == 0) return by_visit;
  return CannotJudge(name, absl::StrFormat("%d of %d rows carry no %s", missing,
                                           side.rows.size(), metric_name));
}

// Visits that only published aggregates of this benchmark.
std::set<std::size_t> AggregateOnlyVisits(const BenchmarkSide& side) {
  std::set<std::size_t> visits;
  for (const VisitAggregate& entry : side.aggregates) {
    visits.insert(entry.visit);
  }
  for (const VisitRow& entry : side.rows) visits.erase(entry.visit);
  return visits;
}

std::map<std::size_t, double> PublishedByVisit(const BenchmarkSide& side,
                                               std::string_view statistic,
                                               std::string_view metric_name) {
  std::map<std::size_t, double> published;
  for (const VisitAggregate& entry : side.aggregates) {
    const std::optional<double> value =
        Published(*entry.aggregate, statistic, metric_name);
    if (value.has_value()) published.emplace(entry.visit, *value);
  }
  return published;
}

// Whether every aggregates-only visit published the statistic.
bool AllPublish(const BenchmarkSide& side, std::string_view statistic,
                std::string_view metric_name) {
  const auto published = PublishedByVisit(side, statistic, metric_name);
  const std::set<std::size_t> visits = AggregateOnlyVisits(side);
  return std::all_of(visits.begin(), visits.end(), [&](std::size_t visit) {
    return published.contains(visit);
  });
}

// "a median" and the like: what every aggregates-only visit of a side
// published; "some a median and some a mean" when they differ.
std::string_view PublishedWords(const BenchmarkSide& side,
                                std::string_view metric_name) {
  if (AllPublish(side, kMedian, metric_name)) return "a median";
  if (AllPublish(side, kMean, metric_name)) return "a mean";
  return "some a median and some a mean";
}

// Whether some aggregates-only visit published neither a median nor a mean.
bool SomePublishNothing(const BenchmarkSide& side,
                        std::string_view metric_name) {
  const auto medians = PublishedByVisit(side, kMedian, metric_name);
  const auto means = PublishedByVisit(side, kMean, metric_name);
  const std::set<std::size_t> visits = AggregateOnlyVisits(side);
  return std::any_of(visits.begin(), visits.end(), [&](std::size_t visit) {
    return !medians.contains(visit) && !means.contains(visit);
  });
}

// The statistic that every visit of both sides published or can be computed
// of, the median before the mean.
absl::StatusOr<std::string_view> CommonStatistic(const BenchmarkPair& pair,
                                                 std::string_view metric_name) {
  const BenchmarkSide& baseline = pair.baseline;
  const BenchmarkSide& contender = pair.contender;
  for (const std::string_view statistic : {kMedian, kMean}) {
    if (AllPublish(baseline, statistic, metric_name) &&
        AllPublish(contender, statistic, metric_name)) {
      return statistic;
    }
  }
  constexpr std::string_view kNothing =
      "publishes neither repetitions nor a median or mean";
  if (SomePublishNothing(baseline, metric_name)) {
    return CannotJudge("baseline", kNothing);
  }
  if (SomePublishNothing(contender, metric_name)) {
    return CannotJudge("contender", kNothing);
  }
  return absl::AbortedError(absl::StrFormat(
      "the baseline publishes %s and the contender %s: let both publish the "
      "same, or their repetitions",
      PublishedWords(baseline, metric_name),
      PublishedWords(contender, metric_name)));
}

double Centre(std::vector<double> values, std::string_view statistic) {
  if (statistic == kMean) {
    double sum = 0.0;
    const double count = static_cast<double>(values.size());
    for (const double value : values) sum += value / count;
    return sum;
  }
  return Median(std::move(values));
}

// One side read, before the unit is chosen.
struct SideReading {
  ValuesByVisit repetitions;
  std::map<std::size_t, double> published;  // of aggregates-only visits

  std::size_t visits() const { return repetitions.size() + published.size(); }
};

absl::Status CheckRange(const SideReading& reading, std::string_view name,
                        std::string_view metric_name, ValueRange range) {
  const auto check = [&](double value) {
    if (value > 0.0 || range == ValueRange::kAny ||
        (value == 0.0 && range == ValueRange::kNotNegative)) {
      return absl::OkStatus();
    }
    if (value == 0.0 && metric_name == "cpu_time") {
      return CannotJudge(name,
                         "a CPU time of 0: its clock did not count; use "
                         "--metric real_time");
    }
    return CannotJudge(name, absl::StrCat("a value of ", ShortestText(value),
                                          " has no ratio"));
  };
  for (const auto& [visit, values] : reading.repetitions) {
    for (const double value : values) RETURN_IF_ERROR(check(value));
  }
  for (const auto& [visit, value] : reading.published) {
    RETURN_IF_ERROR(check(value));
  }
  return absl::OkStatus();
}

absl::StatusOr<SideReading> ReadSide(const BenchmarkSide& side,
                                     std::string_view name,
                                     std::string_view statistic,
                                     std::string_view metric_name) {
  SideReading reading;
  ASSIGN_OR_RETURN(reading.repetitions,
                   RepetitionsByVisit(side, name, metric_name));
  const auto published = PublishedByVisit(side, statistic, metric_name);
  for (const std::size_t visit : AggregateOnlyVisits(side)) {
    reading.published.insert(*published.find(visit));
  }
  return reading;
}

SideValues ByVisit(const SideReading& reading, std::string_view statistic) {
  std::map<std::size_t, double> by_visit = reading.published;
  for (const auto& [visit, values] : reading.repetitions) {
    by_visit[visit] = Centre(values, statistic);
  }
  SideValues side;
  for (const auto& [visit, value] : by_visit) {
    side.values.push_back(value);
    side.units.push_back(visit);
  }
  return side;
}

SideValues ByRepetition(const SideReading& reading) {
  SideValues side;
  const auto add = [&side](double value) {
    side.units.push_back(side.values.size());
    side.values.push_back(value);
  };
  for (const auto& [visit, values] : reading.repetitions) {
    for (const double value : values) add(value);
  }
  for (const auto& [visit, value] : reading.published) add(value);
  return side;
}

SideValues ValuesOfSide(const SideReading& reading, SamplingUnit unit,
                        std::string_view statistic) {
  SideValues side = unit == SamplingUnit::kVisit ? ByVisit(reading, statistic)
                                                 : ByRepetition(reading);
  side.visits = reading.visits();
  for (const auto& [visit, values] : reading.repetitions) {
    side.repetitions += values.size();
  }
  return side;
}

}  // namespace

bool CarriesMetric(const BenchmarkPair& pair, std::string_view metric_name) {
  for (const BenchmarkSide* side : {&pair.baseline, &pair.contender}) {
    for (const VisitRow& entry : side->rows) {
      if (MetricValue(*entry.row, metric_name).has_value()) return true;
    }
    for (const VisitAggregate& entry : side->aggregates) {
      if (Published(*entry.aggregate, kMedian, metric_name).has_value() ||
          Published(*entry.aggregate, kMean, metric_name).has_value()) {
        return true;
      }
    }
  }
  return false;
}

absl::StatusOr<PairValues> ValuesOf(const BenchmarkPair& pair,
                                    std::string_view metric_name,
                                    ValueRange range) {
  RETURN_IF_ERROR(CheckUsable(pair.baseline, "baseline"));
  RETURN_IF_ERROR(CheckUsable(pair.contender, "contender"));
  PairValues values;
  ASSIGN_OR_RETURN(values.statistic, CommonStatistic(pair, metric_name));
  ASSIGN_OR_RETURN(
      const SideReading baseline,
      ReadSide(pair.baseline, "baseline", values.statistic, metric_name));
  ASSIGN_OR_RETURN(
      const SideReading contender,
      ReadSide(pair.contender, "contender", values.statistic, metric_name));
  RETURN_IF_ERROR(CheckRange(baseline, "baseline", metric_name, range));
  RETURN_IF_ERROR(CheckRange(contender, "contender", metric_name, range));
  values.unit = baseline.visits() > 1 && contender.visits() > 1
                    ? SamplingUnit::kVisit
                    : SamplingUnit::kRepetition;
  values.from_aggregates =
      !baseline.published.empty() || !contender.published.empty();
  values.baseline = ValuesOfSide(baseline, values.unit, values.statistic);
  values.contender = ValuesOfSide(contender, values.unit, values.statistic);
  return values;
}

}  // namespace autotune
