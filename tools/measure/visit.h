#ifndef AUTOTUNE_TOOLS_MEASURE_VISIT_H_
#define AUTOTUNE_TOOLS_MEASURE_VISIT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "comparator/evidence/evidence.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "tools/measure/side_command.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"

namespace autotune {

// How long a visit measures: T and R of --benchmark_min_time and
// --benchmark_repetitions, equal on both sides.
struct VisitSize {
  double min_time_seconds = 0.015;
  std::int64_t repetitions = 10;
};

// One process run to make.
struct VisitRequest {
  const SideCommand* command = nullptr;
  std::string side;     // "baseline" or "contender": in messages
  std::string program;  // the file to execute: a fresh copy, or the original
  std::string filter;   // which benchmarks, by their common names
  std::string result_path;  // where the results shall be
  VisitSize size;
  std::optional<int> cpu;
  absl::Duration timeout = absl::InfiniteDuration();
  std::int64_t padding_bytes = 0;  // length of an extra environment variable
  std::uint64_t input_seed = 1;    // what autotune::Seed gives
  bool start_stopped = false;
};

// The process of a visit: the command's own arguments, then ours, BENCHMARK_*
// and AUTOTUNE_* unset. In the command's sandbox the folder of the results is
// the program's too.
ProcessSpec VisitProcess(const VisitRequest& request);

// `path` as the process of `spec` sees it.
std::string SeenPath(const ProcessSpec& spec, const std::string& path);

// Regular expression that matches this text alone, where it stands.
std::string NameAsPattern(std::string_view name);

// Regular expression that selects exactly these benchmark names.
std::string ExactFilter(const std::vector<std::string>& names);

// What a finished visit left.
struct FinishedVisit {
  ProcessResult process;
  ResultFile results;
  std::optional<std::int64_t> threads;  // the most seen alive
  std::int64_t peak_rss_bytes = 0;      // the most seen while it ran
  std::int64_t repetitions = 1;         // asked for
};

// Looks at a running process now and then: threads and memory.
class ProcessWatch {
 public:
  void Look(const RunningProcess& process);
  // The most seen; nothing before the process showed any.
  std::optional<std::int64_t> threads() const { return threads_; }
  std::optional<std::int64_t> peak_rss_bytes() const { return peak_rss_bytes_; }

 private:
  std::optional<std::int64_t> threads_;
  std::optional<std::int64_t> peak_rss_bytes_;
};

// Runs one visit alone, from start to end.
// Errors: those of ProcessRunner::Start and of ReadVisit.
absl::StatusOr<FinishedVisit> RunVisit(const VisitRequest& request,
                                       ProcessRunner& processes,
                                       FileSystem& files);

// Whether a visit failed because the program has no benchmark that the filter
// selects.
bool SelectedNothing(const absl::Status& status);

// Reads what a visit's process left. Aborted, naming the side, the command and
// its last words, when it crashed, was killed, wrote no readable results, or
// the filter matched nothing.
absl::StatusOr<FinishedVisit> ReadVisit(const VisitRequest& request,
                                        ProcessResult process,
                                        const ProcessWatch& watch,
                                        FileSystem& files);

// How the numbers of a visit become one: their mean weighted by iterations
// (total time over total iterations) or their median.
enum class Summary { kMean, kMedian };

// What a visit must hold of one benchmark.
struct ExpectedBenchmark {
  std::string name;
  // Iteration rows in the file, where the code and not the flag sets them.
  std::optional<std::int64_t> rows;
  std::vector<std::string> counters;  // guards' counters to take along
};

// The evidence of a visit: one VisitBenchmark a benchmark, and one a counter
// ("BENCHMARK [COUNTER]"). A benchmark that publishes aggregates only gives its
// published median; one whose rows hold no numbers an entry without values
// (the round is void then). Aborted when a benchmark failed, was skipped, is
// missing or has another number of repetitions than expected, or lacks the
// metric.
absl::StatusOr<VisitEvidence> SummarizeVisit(
    const FinishedVisit& visit, std::string_view side,
    const std::vector<ExpectedBenchmark>& expected, const Metric& metric,
    Summary summary);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_VISIT_H_
