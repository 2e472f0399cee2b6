#ifndef AUTOTUNE_COMPARATOR_RESULTS_RESULT_FILE_H_
#define AUTOTUNE_COMPARATOR_RESULTS_RESULT_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/results/measurement.h"
#include "comparator/results/suspicion.h"

namespace autotune {

// One cache of a CPU as the library lists it.
struct CpuCache {
  std::string type;  // "Data", "Instruction", "Unified"
  std::int64_t level = 0;
  std::int64_t bytes = 0;
};

// What a file says of the machine and program that wrote it. Absent: not said.
struct ResultContext {
  std::string date;
  std::string host_name;
  std::string executable;
  std::string library_version;
  std::string library_build_type;
  std::optional<std::int64_t> json_schema_version;
  std::optional<std::int64_t> num_cpus;
  std::optional<std::int64_t> mhz_per_cpu;
  std::optional<bool> cpu_scaling_enabled;
  std::optional<bool> aslr_enabled;
  std::vector<CpuCache> caches;
  std::vector<double> load_avg;
  std::vector<std::pair<std::string, std::string>> custom;
};

// What our reporter says of the visit that wrote the file. Empty or absent: not
// said.
struct ResultVisit {
  std::string build_id;  // of the program, lower-case hex
  std::optional<double> start_unix_seconds;
  std::optional<double> end_unix_seconds;
  // Surroundings by name, "cpu_model": texts, numbers and flags as texts.
  std::vector<std::pair<std::string, std::string>> environment;
};

// A published aggregate row: "mean", "median", "stddev", "cv" or the user's
// own. Times in ns, except when `is_ratio` (cv and percentage rows): then
// fractions.
struct Aggregate {
  Measurement row;  // row.name is the run name without the aggregate's suffix
  std::string aggregate_name;
  bool is_ratio = false;
};

// A row that is no sample, and why: never a number.
struct UnusableRow {
  enum class Kind { kErrored, kSkipped, kNotMeasured };
  std::string name;
  Kind kind = Kind::kErrored;
  std::string reason;         // the benchmark's own message, or what is wrong
  std::string visit_id = {};  // as of a Measurement
};

// "failed", "skipped", "not measured".
std::string_view UnusableKindName(UnusableRow::Kind kind);

// One file of Google Benchmark results, read whole.
//
// All texts are valid UTF-8: a byte that was not is read as the code point of
// the same number. Control characters are kept: who prints a text escapes them.
struct ResultFile {
  std::string source_name;  // as given: names the file in every message
  ResultContext context;
  std::vector<Measurement> measurements;  // iteration rows in file order
  std::vector<Aggregate> aggregates;
  // "BigO" and "RMS" rows of ->Complexity(): a fit over a family's benchmarks,
  // coefficients and error as counters. row.name is the family's, which no
  // benchmark need bear: fits are listed, never compared.
  std::vector<Aggregate> fits;
  std::vector<UnusableRow> unusable;
  // Of rows that do not say their own; from our reporter, else empty.
  std::string visit_id;
  ResultVisit visit;
  bool complete = true;  // false: the writer was killed, or `partial` cut it
  std::vector<Suspicion> suspicions;  // what makes the numbers doubtful
  // What was odd in the text itself and how it was read, one line each.
  std::vector<std::string> warnings;
};

// "L1 Data 32 KiB + L3 Unified 105 MiB"; empty when the file lists no caches.
std::string CachesText(const ResultFile& file);

// The CPU's model as our reporter says it; empty for other files.
std::string CpuModelText(const ResultFile& file);

// What tells the machine of the file from others: host name, number of CPUs,
// their model and caches. Files that say none of it share the empty text.
std::string MachineText(const ResultFile& file);

// How lenient ParseResultFile is.
struct ParseOptions {
  // Read the complete benchmarks of a truncated file (`complete` is then false)
  // instead of refusing it.
  bool partial = false;
};

// Reads the JSON of any Google Benchmark since 1.1, O(size of text).
//
// `source_name` is only used in messages. Errors are InvalidArgument with one
// line that names the source, the place, what was expected and what was found,
// and the way out: "new.json: benchmarks[3]: real_time: expected a number, got
// string". Nothing is guessed silently: what was odd but readable is in
// `warnings`.
absl::StatusOr<ResultFile> ParseResultFile(std::string_view text,
                                           std::string_view source_name,
                                           const ParseOptions& options = {});

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_RESULT_FILE_H_
