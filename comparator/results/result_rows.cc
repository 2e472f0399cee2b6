#include "comparator/results/result_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "comparator/results/measurement.h"
#include "comparator/results/repetition_numbers.h"
#include "comparator/results/result_file.h"
#include "comparator/results/result_row.h"
#include "comparator/results/suspicion.h"
#include "comparator/results/untyped_rows.h"

namespace autotune {
namespace {

// A single call of less cannot be timed: reading the clock twice and cold
// caches cost as much.
constexpr double kShortestSingleIterationNs = 10000.0;

bool NamesFit(const ResultRow& row) {
  return row.aggregate_name == "BigO" || row.aggregate_name == "RMS";
}

// Whether the row is of the fit of complexities. A benchmark's own counter may
// be called "rms" too, but stands beside times; a user's own statistic may be
// called "RMS", and holds times. Times that are null are none: tools that make
// tables of rows fill every column.
bool IsFit(const ResultRow& row) {
  if (row.run_type == RunType::kIteration) return false;
  if (row.real_time.value.has_value() || row.cpu_time.value.has_value()) {
    return false;
  }
  if (NamesFit(row)) return true;
  const bool has_times = row.real_time.present || row.cpu_time.present;
  return (row.big_o || row.rms) && !has_times;
}

// cv rows and those of unit "percentage" hold fractions of the mean, though
// they too carry a time_unit.
bool IsRatio(const ResultRow& row) {
  return row.aggregate_unit == "percentage" ||
         (IsFit(row) && row.aggregate_name != "BigO" && row.rms) ||
         (row.aggregate_unit.empty() && row.aggregate_name == "cv");
}

bool IsAggregate(const ResultRow& row) {
  return row.run_type == RunType::kAggregate || IsFit(row);
}

std::optional<std::string> WhatIsWrong(const ResultRow& row) {
  if (!row.name.has_value()) return "name: missing";
  if (row.errored || row.skipped || IsAggregate(row)) return std::nullopt;
  if (!row.iterations.has_value()) return "iterations: missing";
  if (!row.real_time.present && !row.cpu_time.present) {
    return "real_time and cpu_time: missing";
  }
  return std::nullopt;
}

std::optional<double> InNanoseconds(const RowTime& time, double scale) {
  if (!time.value.has_value()) return std::nullopt;
  return *time.value * scale;
}

// The row's numbers; its texts and counters are moved out of it.
Measurement MeasurementOf(ResultRow& row, double scale) {
  Measurement measurement;
  measurement.name = *std::move(row.name);
  measurement.iterations = row.iterations.value_or(0);
  measurement.threads =
      row.threads.has_value() ? *row.threads : ThreadsInName(measurement.name);
  measurement.real_time_ns = InNanoseconds(row.real_time, scale);
  measurement.cpu_time_ns = InNanoseconds(row.cpu_time, scale);
  measurement.label = row.label;
  measurement.visit_id = row.visit_id;
  measurement.counters = std::move(row.counters);
  return measurement;
}

// The name of what the fit of complexities is called in other files.
std::string StatisticName(const ResultRow& row) {
  if (!row.aggregate_name.empty()) return row.aggregate_name;
  return row.rms ? "RMS" : "BigO";
}

// `name` without "_statistic", which it ends in when nothing else names it.
std::string WithoutStatistic(std::string name, std::string_view statistic) {
  const std::string suffix = absl::StrCat("_", std::string(statistic));
  if (std::string_view(name).ends_with(suffix)) {
    name.resize(name.size() - suffix.size());
  }
  return name;
}

Aggregate AggregateOf(ResultRow& row) {
  Aggregate aggregate;
  aggregate.is_ratio = IsRatio(row);
  aggregate.aggregate_name = StatisticName(row);
  aggregate.row =
      MeasurementOf(row, aggregate.is_ratio ? 1.0 : row.unit_ns.value_or(1.0));
  aggregate.row.name = row.run_name.empty()
                           ? WithoutStatistic(std::move(aggregate.row.name),
                                              aggregate.aggregate_name)
                           : row.run_name;
  return aggregate;
}

// Of the two times' last digits, in the row's unit; 0 without times.
double FinerStep(const ResultRow& row) {
  const double real = row.real_time.step;
  const double cpu = row.cpu_time.step;
  return real > 0.0 && cpu > 0.0 ? std::min(real, cpu) : std::max(real, cpu);
}

RowFacts FactsOf(const ResultRow& row) {
  RowFacts facts;
  facts.typed = row.run_type != RunType::kNone;
  facts.times_are_whole = row.real_time.is_whole && row.cpu_time.is_whole;
  facts.times_in_library_form =
      row.real_time.in_library_form || row.cpu_time.in_library_form;
  facts.times_in_library_form_alone =
      row.real_time.in_library_form_alone || row.cpu_time.in_library_form_alone;
  facts.time_step_ns = FinerStep(row) * row.unit_ns.value_or(1.0);
  facts.repetition_index = row.repetition_index;
  facts.repetitions = row.repetitions.value_or(0);
  facts.family_index = row.family_index.value_or(-1);
  facts.instance_index = row.instance_index.value_or(-1);
  return facts;
}

// The longer of a row's two times; 0 when it has none.
double LongestTimeNs(const Measurement& row) {
  return std::max(row.real_time_ns.value_or(0.0),
                  row.cpu_time_ns.value_or(0.0));
}

bool HasManualTime(const Measurement& row) {
  return row.name.find("/manual_time") != std::string::npos;
}

// Why the row is no measurement; empty when it is one.
std::string WhyNotMeasured(const Measurement& row) {
  if (row.iterations < 1) {
    return absl::StrCat("iterations: ", row.iterations);
  }
  for (const auto& [name, time] : {std::pair("real_time", row.real_time_ns),
                                   std::pair("cpu_time", row.cpu_time_ns)}) {
    if (time.value_or(0.0) < 0.0) {
      return absl::StrCat(name, ": ", ShortestText(*time), " ns");
    }
  }
  if (!row.real_time_ns.has_value() && !row.cpu_time_ns.has_value() &&
      row.counters.empty()) {
    return "no finite number";
  }
  const double longest = LongestTimeNs(row);
  if (row.iterations == 1 && longest < kShortestSingleIterationNs &&
      !HasManualTime(row) && longest > 0.0) {
    return absl::StrCat("a single iteration of ", FixedText(longest, 0),
                        " ns: too short to time");
  }
  return "";
}

}  // namespace

std::optional<std::string> ResultRows::Add(ResultRow& row) {
  if (std::optional<std::string> wrong = WhatIsWrong(row)) return wrong;
  if (*row.name != last_row_name_) {
    ++group_;
    group_not_finite_.clear();
    last_row_name_ = *row.name;
  }
  last_name_ = row.run_name.empty() ? *row.name : row.run_name;
  if (IsFit(row)) {
    file_.fits.push_back(AggregateOf(row));
  } else if (row.errored || row.skipped) {
    AddUnusable(row);
  } else if (IsAggregate(row)) {
    file_.aggregates.push_back(AggregateOf(row));
  } else {
    NoteNotFinite(row);
    if (!row.unit_ns.has_value()) ++rows_without_unit_;
    AddMeasurement(MeasurementOf(row, row.unit_ns.value_or(1.0)), row);
  }
  return std::nullopt;
}

void ResultRows::Reserve(std::size_t rows) {
  file_.measurements.reserve(rows);
  facts_.reserve(rows);
}

void ResultRows::NoteNotFinite(const ResultRow& row) {
  const auto note = [this](const std::string& key) {
    if (!group_not_finite_.insert(key).second) return;
    not_finite_.push_back({Suspicion::Kind::kNotFinite, last_row_name_,
                           absl::StrCat(key, ": no finite number"),
                           Suspicion::About::kNothing});
  };
  for (const std::string& key : row.not_finite) note(key);
  if (row.real_time.present && !row.real_time.value) note("real_time");
  if (row.cpu_time.present && !row.cpu_time.value) note("cpu_time");
}

// Only now is known which rows without run_type are benchmarks.
void ResultRows::SuspectNotFinite() {
  if (not_finite_.empty()) return;
  absl::flat_hash_set<std::string_view> benchmarks;
  for (const Measurement& row : file_.measurements) benchmarks.insert(row.name);
  for (Suspicion& suspicion : not_finite_) {
    if (!benchmarks.contains(suspicion.benchmark)) continue;
    file_.suspicions.push_back(std::move(suspicion));
  }
}

void ResultRows::AddUnusable(const ResultRow& row) {
  const auto kind =
      row.errored ? UnusableRow::Kind::kErrored : UnusableRow::Kind::kSkipped;
  file_.unusable.push_back({last_name_, kind, row.message, row.visit_id});
}

void ResultRows::AddMeasurement(Measurement measurement, const ResultRow& row) {
  facts_.push_back(FactsOf(row));
  facts_.back().group = group_;
  all_typed_ = all_typed_ && facts_.back().typed;
  file_.measurements.push_back(std::move(measurement));
}

void ResultRows::Finish(const std::optional<Cut>& cut, bool dry_run) {
  if (!all_typed_) SplitOffAggregates(cut.has_value());
  if (cut.has_value()) DropTornBenchmark(*cut);
  if (dry_run) {
    file_.suspicions.push_back({Suspicion::Kind::kDryRun, "",
                                "--benchmark_dry_run measures nothing",
                                Suspicion::About::kEverything});
  }
  SuspectNotFinite();
  NumberRepetitions(facts_, file_);
  Warn();
  TakeOutUnmeasured(dry_run);
}

void ResultRows::Warn() {
  if (rows_without_unit_ > 0) {
    file_.warnings.push_back(
        absl::StrCat("rows without time_unit: ", rows_without_unit_,
                     "; their times are read as nanoseconds"));
  }
  const bool all_whole =
      std::all_of(facts_.begin(), facts_.end(), [](const RowFacts& facts) {
        return !facts.typed && facts.times_are_whole;
      });
  if (all_whole && !facts_.empty()) {
    file_.warnings.emplace_back(
        "all times are whole numbers, as Google Benchmark before 1.3 rounds "
        "them: smaller differences are lost");
  }
  if (file_.measurements.empty() && file_.aggregates.empty() &&
      file_.unusable.empty()) {
    file_.warnings.emplace_back("the file has no benchmarks");
  }
}

void ResultRows::SplitOffAggregates(bool cut) {
  std::vector<Measurement>& rows = file_.measurements;
  const std::vector<std::string> statistics = UntypedAggregateNames(rows, cut);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!statistics[i].empty() && !facts_[i].typed) {
      rows[i].name = WithoutStatistic(std::move(rows[i].name), statistics[i]);
      file_.aggregates.push_back(
          {std::move(rows[i]), statistics[i], /*is_ratio=*/false});
      continue;
    }
    if (kept != i) {
      rows[kept] = std::move(rows[i]);
      facts_[kept] = facts_[i];
    }
    ++kept;
  }
  rows.resize(kept);
  facts_.resize(kept);
}

void ResultRows::DropTornBenchmark(const Cut& cut) {
  std::vector<Measurement>& rows = file_.measurements;
  if (rows.empty() || rows.back().name != last_name_) return;
  if (!cut.torn_name.empty() && cut.torn_name != last_name_) return;
  std::size_t first = rows.size();
  while (first > 0 && rows[first - 1].name == last_name_ &&
         rows[first - 1].visit_id == rows.back().visit_id) {
    --first;
  }
  const auto errored = std::count_if(
      file_.unusable.begin(), file_.unusable.end(),
      [this](const UnusableRow& row) { return row.name == last_name_; });
  const std::int64_t there =
      static_cast<std::int64_t>(rows.size() - first) + errored;
  const std::int64_t expected = facts_.back().repetitions;
  const bool whole = expected > 0 ? there >= expected : !cut.in_row;
  if (whole && cut.torn_name.empty()) return;
  const std::string visit_id = rows.back().visit_id;
  rows.resize(first);
  facts_.resize(first);
  file_.unusable.push_back(
      {last_name_, UnusableRow::Kind::kNotMeasured,
       absl::StrCat("the file ends within it, after ", there,
                    there == 1 ? " repetition" : " repetitions"),
       visit_id});
}

void ResultRows::TakeOutUnmeasured(bool dry_run) {
  std::vector<Measurement>& rows = file_.measurements;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string why = dry_run ? "dry run" : WhyNotMeasured(rows[i]);
    if (!why.empty()) {
      file_.unusable.push_back({rows[i].name, UnusableRow::Kind::kNotMeasured,
                                why, rows[i].visit_id});
      continue;
    }
    if (kept != i) {
      rows[kept] = std::move(rows[i]);
      facts_[kept] = facts_[i];
    }
    ++kept;
  }
  rows.resize(kept);
  facts_.resize(kept);
}

}  // namespace autotune
