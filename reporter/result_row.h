#ifndef AUTOTUNE_REPORTER_RESULT_ROW_H_
#define AUTOTUNE_REPORTER_RESULT_ROW_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

namespace autotune::internal {

// What could not be written as the library itself would have: listed in the
// `autotune` object so that nothing is lost in silence.
struct RowNotes {
  // A NaN or infinity, written as null.
  struct NonFinite {
    std::string row;    // the row's "name"
    std::string field;  // its key
    std::string value;  // "NaN", "Infinity" or "-Infinity"
  };
  // A counter or context entry whose name is a field of the format already.
  struct Renamed {
    std::string row;   // the row's "name", or "context"
    std::string name;  // as the user called it
    std::string key;   // as written
  };
  // A figure of a memory manager the library no longer had.
  struct Lost {
    std::string row;    // the row's "name"
    std::string field;  // the key it would have
  };
  std::vector<NonFinite> non_finite;
  std::vector<Lost> lost;
  std::vector<Renamed> renamed;
};

// `runs[index]` of one report as Google Benchmark's own JSON reporter writes
// it: the same keys in the same order with the same values, indented as an
// element of "benchmarks". Differs only where that text would not be JSON,
// would repeat a key, or would follow a dangling pointer; such differences are
// added to `notes`.
std::string RowJson(const std::vector<benchmark::BenchmarkReporter::Run>& runs,
                    std::size_t index, RowNotes& notes);

// The keys of the counters of `runs[index]` in that row, in the order of the
// counters: their names but for those it renames.
std::vector<std::string> CounterKeys(
    const std::vector<benchmark::BenchmarkReporter::Run>& runs,
    std::size_t index);

// The "context" object likewise. `context` is null when no benchmark ran: then
// only the date, the executable and the user's own entries are known.
std::string ContextJson(const benchmark::BenchmarkReporter::Context* context,
                        RowNotes& notes);

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_RESULT_ROW_H_
