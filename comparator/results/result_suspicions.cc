#include "comparator/results/result_suspicions.h"

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

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "comparator/results/measurement.h"
#include "comparator/results/published_means.h"
#include "comparator/results/result_file.h"
#include "comparator/results/row_facts.h"
#include "comparator/results/suspicion.h"

namespace autotune {
namespace {

// A picosecond: light moves 0.3 mm in it, no instruction takes less.
constexpr double kShortestTimeNs = 1e-3;
// The library's own limit on iterations: who reaches it takes no time.
constexpr std::int64_t kMostIterations = 1'000'000'000'000;
// Shorter in all than this, reading the clock twice shows in the result.
constexpr double kShortestTotalNs = 10000.0;
// Real over CPU time from which on three quarters were not spent computing.
constexpr double kRealFarAboveCpu = 4.0;
// CPU time may exceed real time by so much: they are read one after the other,
// from clocks that need not agree.
constexpr double kClockShare = 0.02;
constexpr double kClockTotalNs = 2000.0;
// Fewer equal numbers may be chance.
constexpr std::size_t kFewestIdentical = 3;

// The rows of one registration of one benchmark and their facts.
struct Rows {
  std::span<const Measurement> rows;
  std::span<const RowFacts> facts;
};

bool HasPart(const Measurement& row, std::string_view part) {
  return row.name.find(part) != std::string::npos;
}

std::string TooFast(const Measurement& row) {
  const std::optional<double> time =
      MetricValue(row, DefaultMetric(row.name).name);
  if (!time.has_value()) return "";
  if (*time < kShortestTimeNs || row.iterations >= kMostIterations) {
    return absl::StrCat(ShortestText(*time), " ns an iteration over ",
                        row.iterations,
                        " iterations: below what a clock resolves, or the "
                        "compiler removed the loop");
  }
  const double total = *time * static_cast<double>(row.iterations);
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
bool InMostOf(std::span<const Measurement> rows, Predicate predicate) {
  const auto count = std::count_if(rows.begin(), rows.end(), predicate);
  return 2 * static_cast<std::size_t>(count) > rows.size();
}

// Equal to the last digit, where there are digits: whole numbers, as before
// 1.3, are often equal.
bool AreIdentical(const Rows& benchmark) {
  const Measurement& first = benchmark.rows[0];
  const bool have_digits =
      std::none_of(benchmark.facts.begin(), benchmark.facts.end(),
                   [](const RowFacts& facts) { return facts.times_are_whole; });
  return benchmark.rows.size() >= kFewestIdentical && have_digits &&
         std::all_of(benchmark.rows.begin(), benchmark.rows.end(),
                     [&first](const Measurement& row) {
                       return row.real_time_ns == first.real_time_ns &&
                              row.cpu_time_ns == first.cpu_time_ns;
                     });
}

// Whether one thread's two clocks tell the same story in such a benchmark.
bool HasOneThreadsTimes(const Measurement& row) {
  return row.threads == 1 && !HasPart(row, "/manual_time") &&
         !HasPart(row, "/process_time");
}

// Whether two rows are of one registration of one benchmark in one visit.
bool BelongTogether(const Measurement& first, const Measurement& second) {
  return first.name == second.name && first.visit_id == second.visit_id &&
         first.registration == second.registration;
}

class Suspecting {
 public:
  Suspecting(const std::vector<RowFacts>& facts, ResultFile& file)
      : facts_(facts), file_(file) {}

  void Run() {
    SuspectContext();
    SuspectBenchmarks();
    SuspectForms();
    for (std::string& name : BenchmarksWithAnotherMean(file_)) {
      Suspect(Suspicion::Kind::kEditedValues, std::move(name),
              "the file's mean is not the mean of its repetitions: edited by "
              "hand?");
    }
    RemoveRepeated();
  }

 private:
  void Suspect(Suspicion::Kind kind, std::string benchmark, std::string text) {
    file_.suspicions.push_back({kind, std::move(benchmark), std::move(text)});
  }

  void SuspectContext() {
    const ResultContext& context = file_.context;
    if (context.library_build_type == "debug") {
      Suspect(Suspicion::Kind::kDebugBuild, "",
              "the Google Benchmark library is a debug build, or says so as "
              "Debian's does: its own part of each iteration may be slow");
    }
    if (context.cpu_scaling_enabled.value_or(false)) {
      Suspect(Suspicion::Kind::kCpuScaling, "", "CPU frequency scaling was on");
    }
    if (!context.load_avg.empty() && context.num_cpus.has_value() &&
        context.load_avg[0] > static_cast<double>(*context.num_cpus)) {
      Suspect(Suspicion::Kind::kLoadAboveCpus, "",
              absl::StrCat("load ", FixedText(context.load_avg[0], 2), " on ",
                           *context.num_cpus, " CPUs"));
    }
  }

  void SuspectBenchmarks() {
    const std::span<const Measurement> all = file_.measurements;
    const std::span<const RowFacts> facts = facts_;
    std::size_t start = 0;
    for (std::size_t i = 1; i <= all.size(); ++i) {
      if (i < all.size() && BelongTogether(all[start], all[i])) continue;
      SuspectBenchmark(
          {all.subspan(start, i - start), facts.subspan(start, i - start)});
      start = i;
    }
  }

  void SuspectBenchmark(const Rows& benchmark) {
    const Measurement& first = benchmark.rows[0];
    SuspectSpeed(benchmark);
    const bool may_wait = DefaultMetric(first.name).name == "real_time";
    if (!may_wait && InMostOf(benchmark.rows, IsRealFarAboveCpu)) {
      Suspect(Suspicion::Kind::kRealFarAboveCpu, first.name,
              "real time is more than four times CPU time: it waits, or did "
              "not have the CPU");
    }
    if (HasOneThreadsTimes(first) && InMostOf(benchmark.rows, IsRealBelowCpu)) {
      Suspect(Suspicion::Kind::kRealBelowCpu, first.name,
              "real time is below CPU time, which one thread cannot do");
    }
    if (AreIdentical(benchmark)) {
      Suspect(Suspicion::Kind::kIdenticalNumbers, first.name,
              absl::StrCat("all ", benchmark.rows.size(),
                           " repetitions are equal to the last digit"));
    }
  }

  // Says it of the first row only.
  void SuspectSpeed(const Rows& benchmark) {
    for (const Measurement& row : benchmark.rows) {
      std::string too_fast = TooFast(row);
      if (too_fast.empty()) continue;
      Suspect(Suspicion::Kind::kTooFast, row.name, std::move(too_fast));
      return;
    }
  }

  // One library writes all times of a file in one form.
  void SuspectForms() {
    const bool by_library = std::any_of(
        facts_.begin(), facts_.end(),
        [](const RowFacts& row) { return row.times_in_library_form; });
    for (std::size_t i = 0; by_library && i < facts_.size(); ++i) {
      if (facts_[i].times_in_library_form) continue;
      Suspect(Suspicion::Kind::kEditedValues, file_.measurements[i].name,
              "its times are not written as the file's others are: edited by "
              "hand?");
    }
  }

  void RemoveRepeated() {
    std::set<std::tuple<Suspicion::Kind, std::string, std::string>> seen;
    std::vector<Suspicion>& all = file_.suspicions;
    const auto repeated = [&seen](const Suspicion& suspicion) {
      const auto [place, is_new] =
          seen.emplace(suspicion.kind, suspicion.benchmark, suspicion.text);
      return !is_new;
    };
    all.erase(std::remove_if(all.begin(), all.end(), repeated), all.end());
  }

  const std::vector<RowFacts>& facts_;
  ResultFile& file_;
};

}  // namespace

void AddSuspicions(const std::vector<RowFacts>& facts, ResultFile& file) {
  Suspecting(facts, file).Run();
}

}  // namespace autotune
