#ifndef AUTOTUNE_REPORTER_LIBRARY_COMPAT_H_
#define AUTOTUNE_REPORTER_LIBRARY_COMPAT_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

// The one place that knows how Google Benchmark's headers differ from 1.7.1 on.
// They carry no version macro, so each difference is chosen by what the headers
// at hand offer; nothing outside this file may depend on a version.

// Stands in where the library has no GetBenchmarkVersion (before 1.8.4). A
// namespace of its own at the top: next to ::benchmark in name lookup, where
// the library's plain function wins over this template.
namespace autotune_compat_fallback {

struct NoVersion {};

template <typename = void>
NoVersion GetBenchmarkVersion() {
  return {};
}

}  // namespace autotune_compat_fallback

namespace autotune::compat {

template <typename T, typename = void>
struct HasErrorOccurred : std::false_type {};
template <typename T>
struct HasErrorOccurred<T, std::void_t<decltype(T::error_occurred)>>
    : std::true_type {};

template <typename T, typename = void>
struct HasReportRunsConfig : std::false_type {};
template <typename T>
struct HasReportRunsConfig<T, std::void_t<decltype(&T::ReportRunsConfig)>>
    : std::true_type {};

template <typename T, typename = void>
struct HasList : std::false_type {};
template <typename T>
struct HasList<T, std::void_t<decltype(&T::List)>> : std::true_type {};

template <typename T, typename = void>
struct HasAslrStatus : std::false_type {};
template <typename T>
struct HasAslrStatus<T, std::void_t<decltype(T::ASLRStatus)>> : std::true_type {
};

// Why a run has no times.
struct RunProblem {
  enum class Kind { kNone, kError, kSkipped };
  Kind kind = Kind::kNone;
  std::string message;
};

// The error (all versions) or skip (1.8.0 on) of `run`.
template <typename Run>
RunProblem ProblemOf(const Run& run) {
  if constexpr (HasErrorOccurred<Run>::value) {
    if (!run.error_occurred) return {};
    return {RunProblem::Kind::kError, run.error_message};
  } else {
    // internal::NotSkipped, SkippedWithMessage, SkippedWithError, which older
    // headers do not declare.
    const int skipped = static_cast<int>(run.skipped);
    if (skipped == 0) return {};
    return {
        skipped == 1 ? RunProblem::Kind::kSkipped : RunProblem::Kind::kError,
        run.skip_message};
  }
}

// What a MemoryManager measured, in bytes; absent where it has no figure.
struct MemoryFacts {
  double allocs_per_iter = 0;
  std::optional<std::int64_t> max_bytes_used;
  std::optional<std::int64_t> total_allocated_bytes;
  std::optional<std::int64_t> net_heap_growth;
};

// The library marks a figure it has not got with the largest integer.
inline std::optional<std::int64_t> UnlessTombstone(std::int64_t value) {
  if (value == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return value;
}

template <typename Result>
MemoryFacts FactsOf(const Result& result, double allocs_per_iter) {
  return {allocs_per_iter, result.max_bytes_used,
          UnlessTombstone(result.total_allocated_bytes),
          UnlessTombstone(result.net_heap_growth)};
}

// Whether the pointer `memory_result` of `runs[index]` may be followed. Up to
// 1.9.1 it points into a vector that got one element a repetition and may have
// moved since, leaving earlier pointers dangling. The last repetition's is good
// and tells where the elements are now.
template <typename Run>
bool MayFollowMemory(const std::vector<Run>& runs, std::size_t index) {
  using Pointer = decltype(Run::memory_result);
  const Pointer last = runs.back().memory_result;
  if (last == nullptr) return false;
  const std::uintptr_t behind = (runs.size() - 1 - index) * sizeof(*last);
  return reinterpret_cast<std::uintptr_t>(runs[index].memory_result) + behind ==
         reinterpret_cast<std::uintptr_t>(last);
}

// The memory figures of `runs[index]`, `runs` being one whole report; absent
// without a MemoryManager. `memory_result` is a pointer up to 1.9.1 and a value
// since 1.9.2.
template <typename Run>
std::optional<MemoryFacts> MemoryOf(const std::vector<Run>& runs,
                                    std::size_t index) {
  const Run& run = runs[index];
  if constexpr (std::is_pointer_v<decltype(run.memory_result)>) {
    if (run.memory_result == nullptr) return std::nullopt;
    if (!MayFollowMemory(runs, index)) {
      return MemoryFacts{run.allocs_per_iter, {}, {}, {}};
    }
    return FactsOf(*run.memory_result, run.allocs_per_iter);
  } else {
    if (run.memory_result.memory_iterations <= 0) return std::nullopt;
    return FactsOf(run.memory_result, run.allocs_per_iter);
  }
}

// Whether the library found ASLR on (1.9.3 on); absent when it does not know.
template <typename SystemInfo>
std::optional<bool> AslrOf(const SystemInfo& system) {
  if constexpr (HasAslrStatus<SystemInfo>::value) {
    using Aslr = decltype(system.ASLRStatus);
    if (system.ASLRStatus == Aslr::UNKNOWN) return std::nullopt;
    return system.ASLRStatus == Aslr::ENABLED;
  } else {
    return std::nullopt;
  }
}

inline std::optional<std::string> AsVersion(std::string version) {
  return version;
}
inline std::optional<std::string> AsVersion(
    autotune_compat_fallback::NoVersion /*none*/) {
  return std::nullopt;
}

// The library's own version text, for example "v1.9.4"; absent before 1.8.4,
// where its JSON has neither the version nor a schema version.
inline std::optional<std::string> LibraryVersion() {
  using namespace ::benchmark;                 // NOLINT: one of the two
  using namespace ::autotune_compat_fallback;  // NOLINT: functions is chosen
  return AsVersion(GetBenchmarkVersion());
}

// The display reporter of `--benchmark_format`. Up to 1.9.5 the library owns a
// single one for the whole process; later it hands out a new one each time.
using DisplayHandle = decltype(benchmark::CreateDefaultDisplayReporter());

inline benchmark::BenchmarkReporter* Pointer(
    benchmark::BenchmarkReporter* reporter) {
  return reporter;
}
inline benchmark::BenchmarkReporter* Pointer(
    const std::unique_ptr<benchmark::BenchmarkReporter>& reporter) {
  return reporter.get();
}

// Identifies the layout of the headers a translation unit saw. Functions take
// it as a parameter, so objects compiled against different Google Benchmark
// headers do not link instead of crashing.
template <std::size_t kRunSize, bool kHasReportRunsConfig, bool kHasList>
struct Layout {};

using ThisLayout =
    Layout<sizeof(benchmark::BenchmarkReporter::Run),
           HasReportRunsConfig<benchmark::BenchmarkReporter>::value,
           HasList<benchmark::BenchmarkReporter>::value>;

// `Reporter` with the callback ReportRunsConfig, which the library has from
// 1.8.0 on; before that nothing calls it.
template <typename Reporter, bool kLibraryHasIt>
class WithRunsConfig : public Reporter {
 public:
  virtual void ReportRunsConfig(double /*min_time*/,
                                bool /*has_explicit_iterations*/,
                                benchmark::IterationCount /*iterations*/) {}
};
template <typename Reporter>
class WithRunsConfig<Reporter, true> : public Reporter {};

// The base of our reporters: every callback of theirs is an override.
using ReporterBase =
    WithRunsConfig<benchmark::BenchmarkReporter,
                   HasReportRunsConfig<benchmark::BenchmarkReporter>::value>;

}  // namespace autotune::compat

#endif  // AUTOTUNE_REPORTER_LIBRARY_COMPAT_H_
