#include "comparator/results/suspicion.h"

#include <string_view>

#include "comparator/statistics/metric.h"

namespace autotune {

namespace {

// The clock that `metric` of a benchmark is made of, or the metric itself.
std::string_view ClockOf(std::string_view metric, std::string_view benchmark) {
  if (!metric.ends_with("_per_second")) return metric;
  return DefaultMetric(benchmark).name == "real_time" ? "real_time"
                                                      : "cpu_time";
}

}  // namespace

bool Doubts(const Suspicion& suspicion, std::string_view metric,
            bool by_repetition) {
  const std::string_view clock = ClockOf(metric, suspicion.benchmark);
  switch (suspicion.about) {
    case Suspicion::About::kEverything:
      return true;
    case Suspicion::About::kTimes:
      return clock == "real_time" || clock == "cpu_time";
    case Suspicion::About::kRealTime:
      return clock == "real_time";
    case Suspicion::About::kCpuTime:
      return clock == "cpu_time";
    case Suspicion::About::kRepetitions:
      return by_repetition;
    case Suspicion::About::kNothing:
      break;
  }
  return false;
}

std::string_view SuspicionName(Suspicion::Kind kind) {
  switch (kind) {
    case Suspicion::Kind::kDebugBuild:
      return "debug_build";
    case Suspicion::Kind::kCpuScaling:
      return "cpu_scaling";
    case Suspicion::Kind::kLoadAboveCpus:
      return "load_above_cpus";
    case Suspicion::Kind::kDryRun:
      return "dry_run";
    case Suspicion::Kind::kNoOp:
      return "no_op";
    case Suspicion::Kind::kTooFast:
      return "too_fast";
    case Suspicion::Kind::kCoarseCpuClock:
      return "coarse_cpu_clock";
    case Suspicion::Kind::kNoCpuClock:
      return "no_cpu_clock";
    case Suspicion::Kind::kRealFarAboveCpu:
      return "real_far_above_cpu";
    case Suspicion::Kind::kRealBelowCpu:
      return "real_below_cpu";
    case Suspicion::Kind::kIdenticalNumbers:
      return "identical_numbers";
    case Suspicion::Kind::kEditedValues:
      return "edited_values";
    case Suspicion::Kind::kRepeatedName:
      return "repeated_name";
    case Suspicion::Kind::kNotFinite:
      break;
  }
  return "not_finite";
}

}  // namespace autotune
