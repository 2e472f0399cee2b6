#include "comparator/result_suspicions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "comparator/measurement.h"
#include "comparator/result_file.h"
#include "comparator/result_rows.h"
#include "comparator/suspicion.h"

namespace autotune {
namespace {

// A picosecond: light moves 0.3 mm in it, no instruction takes less.
constexpr double kShortestTimeNs = 1e-3;
// The library's own limit on iterations; who reaches it takes no time.
constexpr std::int64_t kMostIterations = 1'000'000'000'000;
// Shorter in all than this, reading the clock twice shows in the result.
constexpr double kShortestTotalNs = 10000.0;
// Real over CPU time from which on most of the time was not spent computing.
constexpr double kRealFarAboveCpu = 2.0;
// CPU time may exceed real time by so much by the clocks' own differences.
constexpr double kClockShare = 0.02;
constexpr double kClockTotalNs = 2000.0;
// Fewer equal numbers may be chance.
constexpr std::size_t kFewestIdentical = 3;

using Rows = std::span<const Measurement>;

bool HasPart(const Measurement& row, std::string_view part) {
  return row.name.find(part) != std::string::npos;
}

void SuspectContext(const ResultContext& context,
                    std::vector<Suspicion>& suspicions) {
  if (context.library_build_type == "debug") {
    suspicions.push_back(
        {Suspicion::Kind::kDebugBuild, "",
         "the Google Benchmark library is a debug build, or says so as "
         "Debian's does: its own part of each iteration may be slow"});
  }
  if (context.cpu_scaling_enabled.value_or(false)) {
    suspicions.push_back(
        {Suspicion::Kind::kCpuScaling, "", "CPU frequency scaling was on"});
  }
  if (!context.load_avg.empty() && context.num_cpus.has_value() &&
      context.load_avg[0] > static_cast<double>(*context.num_cpus)) {
    suspicions.push_back(
        {Suspicion::Kind::kLoadAboveCpus, "",
         absl::StrCat("load ", FixedText(context.load_avg[0], 2), " on ",
                      *context.num_cpus, " CPUs")});
  }
}

std::string TooFast(const Measurement& row) {
  const std::optional<double> time =
      MetricValue(row, DefaultMetric(row.name).name);
  if (!time.has_value()) return "";
  const double total = *time * static_cast<double>(row.iterations);
  if (*time < kShortestTimeNs || row.iterations >= kMostIterations) {
    return absl::StrCat(ShortestText(*time), " ns an iteration over ",
                        row.iterations,
                        " iterations: below what a clock resolves, or the "
                        "compiler removed the loop");
  }
  if (total >= kShortestTotalNs) return "";
  return absl::StrCat("only ", FixedText(total, 0),
                      " ns measured in all: too short to time");
}

bool IsRealFarAboveCpu(const Measurement& row) {
  return row.real_time_ns.has_value() && row.cpu_time_ns.has_value() &&
         *row.real_time_ns > kRealFarAboveCpu * *row.cpu_time_ns;
}

bool IsRealBelowCpu(const Measurement& row) {
  if (!row.real_time_ns.has_value() || !row.cpu_time_ns.has_value()) {
    return false;
  }
  const double excess = *row.cpu_time_ns - *row.real_time_ns;
  const double total = excess * static_cast<double>(row.iterations);
  return excess > kClockShare * *row.cpu_time_ns && total > kClockTotalNs;
}

template <typename Predicate>
bool InMostOf(Rows rows, Predicate predicate) {
  const auto count = std::count_if(rows.begin(), rows.end(), predicate);
  return 2 * static_cast<std::size_t>(count) > rows.size();
}

bool AreIdentical(Rows rows) {
  return rows.size() >= kFewestIdentical &&
         std::all_of(rows.begin(), rows.end(), [rows](const Measurement& row) {
           return row.real_time_ns == rows[0].real_time_ns &&
                  row.cpu_time_ns == rows[0].cpu_time_ns;
         });
}

// The rows of one registration of one benchmark.
void SuspectBenchmark(Rows rows, std::vector<Suspicion>& suspicions) {
  const std::string& name = rows[0].name;
  const auto suspect = [&](Suspicion::Kind kind, std::string text) {
    suspicions.push_back({kind, name, std::move(text)});
  };
  for (const Measurement& row : rows) {
    std::string too_fast = TooFast(row);
    if (too_fast.empty()) continue;
    suspect(Suspicion::Kind::kTooFast, std::move(too_fast));
    break;
  }
  const bool waits = DefaultMetric(name).name == "real_time";
  if (!waits && InMostOf(rows, IsRealFarAboveCpu)) {
    suspect(Suspicion::Kind::kRealFarAboveCpu,
            "real time is more than twice CPU time: it waits, or did not have "
            "the CPU");
  }
  const bool one_clock = rows[0].threads == 1 &&
                         !HasPart(rows[0], "/manual_time") &&
                         !HasPart(rows[0], "/process_time");
  if (one_clock && InMostOf(rows, IsRealBelowCpu)) {
    suspect(Suspicion::Kind::kRealBelowCpu,
            "real time is below CPU time, which one thread cannot do");
  }
  if (AreIdentical(rows)) {
    suspect(Suspicion::Kind::kIdenticalNumbers,
            absl::StrCat("all ", rows.size(),
                         " repetitions are equal to the last digit"));
  }
}

void SuspectBenchmarks(ResultFile& file) {
  const Rows all = file.measurements;
  std::size_t start = 0;
  for (std::size_t i = 1; i <= all.size(); ++i) {
    const bool ends = i == all.size() || all[i].name != all[start].name ||
                      all[i].registration != all[start].registration;
    if (!ends) continue;
    SuspectBenchmark(all.subspan(start, i - start), file.suspicions);
    start = i;
  }
}

// The library writes all times of a file alike.
void SuspectEdits(const std::vector<RowFacts>& facts, ResultFile& file) {
  const auto written = std::count_if(
      facts.begin(), facts.end(),
      [](const RowFacts& row) { return row.times_in_library_form; });
  if (written == 0) return;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].times_in_library_form) continue;
    file.suspicions.push_back(
        {Suspicion::Kind::kEditedValues, file.measurements[i].name,
         "its times are not written as the file's others are: edited by "
         "hand?"});
  }
}

void RemoveRepeated(std::vector<Suspicion>& suspicions) {
  std::set<std::tuple<Suspicion::Kind, std::string, std::string>> seen;
  const auto repeated = [&seen](const Suspicion& suspicion) {
    return !seen.emplace(suspicion.kind, suspicion.benchmark, suspicion.text)
                .second;
  };
  suspicions.erase(
      std::remove_if(suspicions.begin(), suspicions.end(), repeated),
      suspicions.end());
}

}  // namespace

void AddSuspicions(const std::vector<RowFacts>& facts, ResultFile& file) {
  SuspectContext(file.context, file.suspicions);
  SuspectBenchmarks(file);
  SuspectEdits(facts, file);
  RemoveRepeated(file.suspicions);
}

std::size_t CountBenchmarks(const ResultFile& file) {
  absl::flat_hash_set<std::string_view> names;
  for (const Measurement& row : file.measurements) names.insert(row.name);
  for (const Aggregate& row : file.aggregates) names.insert(row.row.name);
  return names.size();
}

}  // namespace autotune
