#ifndef AUTOTUNE_COMPARATOR_RESULTS_LIBRARY_VERSION_H_
#define AUTOTUNE_COMPARATOR_RESULTS_LIBRARY_VERSION_H_

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "comparator/results/result_file.h"

namespace autotune {

// A release of Google Benchmark, 1.9.5.
struct LibraryVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;

  friend auto operator<=>(const LibraryVersion&,
                          const LibraryVersion&) = default;
};

// The release that `text` names or builds on: "1.8.4", "v1.9.5",
// "v1.9.5-118-gdeadbee". Nothing for any other text.
std::optional<LibraryVersion> ParseLibraryVersion(std::string_view text);

// What the real_time of a benchmark with N threads means. The two differ by a
// factor of N: files of different meanings must not be compared on it.
enum class ThreadTime {
  kUnknown,
  kWallOverThreads,  // wall time / N: before 1.9.0
  kMeanWall,         // mean over threads of their wall time: from 1.9.0 on
};

// By library_version; a context of the library without it, and without
// json_schema_version, is of a release before 1.8.4.
ThreadTime ThreadTimeOf(const ResultContext& context);

// Whether rates (items_per_second and its like) of benchmarks with several
// threads are per thread, as 1.9.0 to 1.9.4 wrote them by mistake, instead of
// for all threads.
bool HasRatesPerThread(const ResultContext& context);

// Why numbers of benchmarks with several threads must not be compared; empty
// when they may.
struct ThreadFindings {
  std::string real_time;
  std::string rates;  // "items_per_second" and its like
};

// Of results that are compared with each other: they differ in what they mean,
// or one does not tell what it means.
ThreadFindings CompareThreads(std::span<const ResultContext* const> contexts);

// The finding that is about this metric of a benchmark; empty when none is.
std::string_view WhyThreadsDiffer(std::string_view benchmark,
                                  std::string_view metric,
                                  const ThreadFindings& findings);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_LIBRARY_VERSION_H_
