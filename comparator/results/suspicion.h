#ifndef AUTOTUNE_COMPARATOR_RESULTS_SUSPICION_H_
#define AUTOTUNE_COMPARATOR_RESULTS_SUSPICION_H_

#include <string>
#include <string_view>

namespace autotune {

// Something in one result file that makes its numbers doubtful.
struct Suspicion {
  enum class Kind {
    // Of the whole file.
    kDebugBuild,     // the Google Benchmark library is a debug build
    kCpuScaling,     // the clock frequency may change while measuring
    kLoadAboveCpus,  // other work ran on the machine
    kDryRun,         // nothing was measured
    // Of one benchmark.
    kTooFast,           // below timer resolution, or the loop was removed
    kRealFarAboveCpu,   // it waited, or did not have the CPU
    kRealBelowCpu,      // impossible in one thread
    kIdenticalNumbers,  // repetitions equal to the last digit
    kEditedValues,      // not as the library writes, or its mean is another
    kRepeatedName,      // registered twice, or several runs put in one file
    kNotFinite,         // a NaN or an infinity among its numbers
  };
  Kind kind = Kind::kDebugBuild;
  std::string benchmark;  // full run name; empty: of the whole file
  std::string text;       // one line, without the file's or benchmark's name

  friend bool operator==(const Suspicion&, const Suspicion&) = default;
};

// Whether a benchmark under this suspicion belongs in no overall figure: those
// of one benchmark but kNotFinite, whose number is simply absent.
bool KeepsOutOfOverall(Suspicion::Kind kind);

// Stable name for reports: "debug_build", "too_fast", ...
std::string_view SuspicionName(Suspicion::Kind kind);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_SUSPICION_H_
