#include "comparator/results/result_suspicions.h"

#include <algorithm>
#include <array>
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
// What Windows advances a process's CPU time by: 1/64 s, or as its timer says
// that at the default rate.
constexpr std::array<double, 2> kClockSteps = {15.625e6, 15.6001e6};
// With more steps one of them is below half a per cent.
constexpr double kMostSteps = 200.0;
// Far above what a time's digits round, far below what chance would meet.
constexpr double kStepRounding = 1e-9;
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

// Whether an iteration takes no time that could be.
bool TakesNoTime(const Measurement& row, const std::optional<double>& time) {
  return time.has_value() &&
         (*time < kShortestTimeNs || row.iterations >= kMostIterations);
}

// Why a time of this clock is too short to have been timed; empty when it is
// not, or when there is no such time.
std::string TooFast(const Measurement& row, const std::optional<double>& time) {
  if (!time.has_value()) return "";
  if (TakesNoTime(row, time)) {
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

// Whether CPU time was not counted where real time passed.
bool HasNoCpuTime(const Measurement& row) {
  return row.cpu_time_ns == 0.0 && row.real_time_ns.value_or(0.0) > 0.0;
}

bool HasZeroCpuTime(const Measurement& row) { return row.cpu_time_ns == 0.0; }

// Whether the CPU time in all is a few whole steps of Windows' clock, or none.
bool HasCoarseCpuTime(const Measurement& row) {
  if (!row.cpu_time_ns.has_value()) return false;
  const double total = *row.cpu_time_ns * static_cast<double>(row.iterations);
  return std::any_of(kClockSteps.begin(), kClockSteps.end(), [&](double step) {
    const double steps = std::round(total / step);
    return steps <= kMostSteps &&
           std::abs(total - steps * step) <= kStepRounding * steps * step;
  });
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

bool HasTimes(const Measurement& row) {
  return row.real_time_ns.has_value() || row.cpu_time_ns.has_value();
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

using About = Suspicion::About;

class Suspecting {
 public:
  Suspecting(const std::vector<RowFacts>& facts, ResultFile& file)
      : facts_(facts), file_(file) {}

  void Run() {
    SuspectContext();
    SuspectBenchmarks();
    SuspectForms();
    for (std::string& name : BenchmarksWithAnotherMean(facts_, file_)) {
      Suspect(Suspicion::Kind::kEditedValues, std::move(name),
              "the file's mean is not the mean of its repetitions: edited by "
              "hand?",
              About::kTimes);
    }
    RemoveRepeated();
  }

 private:
  void Suspect(Suspicion::Kind kind, std::string benchmark, std::string text,
               About about = About::kEverything) {
    file_.suspicions.push_back(
        {kind, std::move(benchmark), std::move(text), about});
  }

  void SuspectContext() {
    const ResultContext& context = file_.context;
    if (context.library_build_type == "debug") {
      Suspect(Suspicion::Kind::kDebugBuild, "",
              "the Google Benchmark library is a debug build, or says so as "
              "Debian's does: its own part of each iteration may be slow",
              About::kNothing);
    }
    if (context.cpu_scaling_enabled.value_or(false)) {
      Suspect(Suspicion::Kind::kCpuScaling, "", "CPU frequency scaling was on",
              About::kNothing);
    }
    if (!context.load_avg.empty() && context.num_cpus.has_value() &&
        context.load_avg[0] > static_cast<double>(*context.num_cpus)) {
      Suspect(Suspicion::Kind::kLoadAboveCpus, "",
              absl::StrCat("load ", FixedText(context.load_avg[0], 2), " on ",
                           *context.num_cpus, " CPUs"),
              About::kNothing);
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
    const bool blind = SuspectCpuClock(benchmark);
    SuspectSpeed(benchmark, blind);
    const bool may_wait = DefaultMetric(first.name).name == "real_time";
    if (!blind && !may_wait && InMostOf(benchmark.rows, IsRealFarAboveCpu)) {
      Suspect(Suspicion::Kind::kRealFarAboveCpu, first.name,
              "real time is more than four times CPU time: it waits, or did "
              "not have the CPU",
              About::kCpuTime);
    }
    if (!blind && HasOneThreadsTimes(first) &&
        InMostOf(benchmark.rows, IsRealBelowCpu)) {
      Suspect(Suspicion::Kind::kRealBelowCpu, first.name,
              "real time is below CPU time, which one thread cannot do",
              About::kCpuTime);
    }
    if (AreIdentical(benchmark)) {
      Suspect(Suspicion::Kind::kIdenticalNumbers, first.name,
              absl::StrCat("all ", benchmark.rows.size(),
                           " repetitions are equal to the last digit"),
              About::kRepetitions);
    }
  }

  // Whether nothing can be read from the benchmark's CPU time.
  bool SuspectCpuClock(const Rows& benchmark) {
    const auto all = [&benchmark](bool (*holds)(const Measurement&)) {
      return std::all_of(benchmark.rows.begin(), benchmark.rows.end(), holds);
    };
    const std::string& name = benchmark.rows[0].name;
    if (all(HasNoCpuTime)) {
      Suspect(Suspicion::Kind::kNoCpuClock, name,
              "CPU time is 0: its clock did not count", About::kCpuTime);
      return true;
    }
    if (all(HasCoarseCpuTime) && !all(HasZeroCpuTime)) {
      Suspect(Suspicion::Kind::kCoarseCpuClock, name,
              "CPU time was counted in steps of 15.6 ms, too coarse to compare",
              About::kCpuTime);
      return true;
    }
    return false;
  }

  // Says it of the first row only. Both clocks are looked at, each for itself;
  // `blind`: the CPU's is known to say nothing.
  void SuspectSpeed(const Rows& benchmark, bool blind) {
    for (const Measurement& row : benchmark.rows) {
      const std::string real = TooFast(row, row.real_time_ns);
      const std::string cpu = blind ? "" : TooFast(row, row.cpu_time_ns);
      if (real.empty() && cpu.empty()) continue;
      const bool by_cpu = DefaultMetric(row.name).name == "cpu_time";
      const bool say_cpu = real.empty() || (by_cpu && !cpu.empty());
      const bool no_op =
          TakesNoTime(row, say_cpu ? row.cpu_time_ns : row.real_time_ns);
      Suspect(no_op ? Suspicion::Kind::kNoOp : Suspicion::Kind::kTooFast,
              row.name, say_cpu ? cpu : real,
              real.empty()  ? About::kCpuTime
              : cpu.empty() ? About::kRealTime
                            : About::kTimes);
      return;
    }
  }

  // One library writes all times of a file in one form. Programs that read and
  // write JSON have their own, which looks the same only where a number is
  // small or large enough to need an exponent.
  void SuspectForms() {
    const bool by_library = std::any_of(
        facts_.begin(), facts_.end(),
        [](const RowFacts& row) { return row.times_in_library_form_alone; });
    for (std::size_t i = 0; by_library && i < facts_.size(); ++i) {
      if (facts_[i].times_in_library_form || !HasTimes(file_.measurements[i])) {
        continue;
      }
      Suspect(Suspicion::Kind::kEditedValues, file_.measurements[i].name,
              "its times are not written as the file's others are: edited by "
              "hand?",
              About::kTimes);
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
