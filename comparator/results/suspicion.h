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
    kNoOp,              // takes no time: the loop is empty, or was removed
    kTooFast,           // measured for too short a time
    kCoarseCpuClock,    // CPU time in steps of 15.6 ms, as Windows counts
    kNoCpuClock,        // CPU time 0 of an iteration that took real time
    kRealFarAboveCpu,   // it waited, or did not have the CPU
    kRealBelowCpu,      // impossible in one thread
    kIdenticalNumbers,  // repetitions equal to the last digit
    kEditedValues,      // not as the library writes, or its mean is another
    kRepeatedName,      // registered twice, or several runs put in one file
    kNotFinite,         // a NaN or an infinity among its numbers
  };
  // What it makes doubtful. A doubt about one clock says nothing against the
  // other, nor against counters that no clock made.
  enum class About {
    kEverything,
    kTimes,
    kRealTime,
    kCpuTime,
    kRepetitions,  // as values of their own; not what runs differ by
    kNothing,
  };
  Kind kind = Kind::kDebugBuild;
  std::string benchmark;  // full run name; empty: of the whole file
  std::string text;       // one line, without the file's or benchmark's name
  About about = About::kEverything;

  friend bool operator==(const Suspicion&, const Suspicion&) = default;
};

// Whether the suspicion makes `metric` of its benchmark doubtful: about one
// clock that clock, and rates ("items_per_second") by the clock that the
// benchmark is timed by; about repetitions anything, but only where they are
// the values compared (`by_repetition`).
bool Doubts(const Suspicion& suspicion, std::string_view metric,
            bool by_repetition);

// Stable name for reports: "debug_build", "too_fast", ...
std::string_view SuspicionName(Suspicion::Kind kind);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_SUSPICION_H_
