#include "tools/measure/round_check.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "comparator/evidence/cross_check.h"

namespace autotune {
namespace {

// Share of the expected time below which a repetition was cut short.
constexpr double kCutShort = 0.5;
// Overlap below which a round of a one-CPU mode is hardly one.
constexpr double kLeastOverlap = 0.3;

const ShortestRepetitions kNoShortest;

bool IsTime(const Metric& metric) {
  return metric.name == "cpu_time" || metric.name == "real_time";
}

// Seconds that the shortest repetition counted; nothing is known without
// iterations.
bool CutShort(const VisitBenchmark& benchmark, double shortest) {
  const std::size_t known =
      std::min(benchmark.iterations.size(), benchmark.values.size());
  for (std::size_t i = 0; i < known; ++i) {
    const double seconds = benchmark.values[i] * 1e-9 *
                           static_cast<double>(benchmark.iterations[i]);
    if (seconds < kCutShort * shortest) return true;
  }
  return false;
}

std::string CutShortIn(const VisitEvidence& visit,
                       const ShortestRepetitions& shortest) {
  for (const VisitBenchmark& benchmark : visit.benchmarks) {
    if (benchmark.values.empty()) return benchmark.name;
    const auto expected = shortest.find(benchmark.name);
    if (expected == shortest.end()) continue;
    if (CutShort(benchmark, expected->second)) return benchmark.name;
  }
  return "";
}

}  // namespace

ShortestRepetitions ShortestSound(const Pilot& pilot, double min_time_seconds) {
  ShortestRepetitions shortest;
  for (const auto* group : {&pilot.targets, &pilot.others}) {
    for (const PilotBenchmark& benchmark : *group) {
      // Nothing is searched for, and a faster side counts less time.
      if (FixesIterations(benchmark.name)) continue;
      // Iterations fixed by the code may count less than any min_time.
      const double counted = benchmark.least_counted_seconds.value_or(
          benchmark.measured_seconds.value_or(0.0));
      shortest[benchmark.name] = std::min(min_time_seconds, counted);
    }
  }
  return shortest;
}

std::string VoidReason(const RoundEvidence& round, const Metric& metric,
                       const ShortestRepetitions& shortest) {
  if (round.overlap < kLeastOverlap) {
    return absl::StrCat("the visits ran together for only ",
                        FixedText(100.0 * round.overlap, 0), " % of the round");
  }
  const ShortestRepetitions& times = IsTime(metric) ? shortest : kNoShortest;
  std::string name = CutShortIn(round.baseline, times);
  const std::string other = CutShortIn(round.contender, times);
  // The same words whichever side it was.
  if (name.empty() || (!other.empty() && other < name)) name = other;
  if (name.empty()) return "";
  return absl::StrCat("\"", name, "\": the iteration search was cut short");
}

}  // namespace autotune
