#include "comparator/results/suspicion.h"

#include <string_view>

namespace autotune {

bool KeepsOutOfOverall(Suspicion::Kind kind) {
  switch (kind) {
    case Suspicion::Kind::kDebugBuild:
    case Suspicion::Kind::kCpuScaling:
    case Suspicion::Kind::kLoadAboveCpus:
    case Suspicion::Kind::kNotFinite:
      return false;
    default:
      return true;
  }
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
    case Suspicion::Kind::kTooFast:
      return "too_fast";
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
