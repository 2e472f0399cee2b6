#ifndef AUTOTUNE_COMPARATOR_RESULT_ROWS_H_
#define AUTOTUNE_COMPARATOR_RESULT_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/measurement.h"
#include "comparator/result_file.h"
#include "comparator/result_row.h"

namespace autotune {

// What is known of a measurement's row beside the Measurement itself.
struct RowFacts {
  bool typed = false;  // has run_type
  bool times_in_library_form = false;
  std::optional<std::int64_t> repetition_index;
  std::int64_t repetitions = 0;  // as the row claims; 0: it does not
  std::int64_t family_index = -1;
  std::int64_t instance_index = -1;
  std::size_t group = 0;  // rows of one name in a row share it
};

// Where a cut text ends: between rows, or in a row (and in which, when its name
// is still there).
struct Cut {
  bool in_row = false;
  std::string torn_name;
};

// Sorts a file's rows into samples, aggregates and rows that are neither.
class ResultRows {
 public:
  explicit ResultRows(ResultFile& file) : file_(file) {}

  // Takes the next row, its name and counters moved out of it. Returns what is
  // wrong, without the row's place, when it is no row of Google Benchmark:
  // "iterations: missing".
  std::optional<std::string> Add(ResultRow& row);

  // Makes room for `rows` rows in all.
  void Reserve(std::size_t rows);

  // After the last row: finds the aggregates of versions without run_type by
  // their shape, takes out the rows of a benchmark that `cut` tore, numbers
  // repetitions and registrations, and takes out what was not measured
  // (`dry_run`: everything). Then facts() of each measurement, by place.
  void Finish(const std::optional<Cut>& cut, bool dry_run);
  const std::vector<RowFacts>& facts() const { return facts_; }

 private:
  // Rows of one name that belong together.
  struct Registration {
    std::int64_t family_index = -1;
    std::int64_t instance_index = -1;
    std::int64_t rows = 0;
    std::int64_t last_index = -1;
    std::size_t last_group = 0;
  };
  using Registrations = std::vector<Registration>;

  void SuspectNotFinite(const ResultRow& row);
  void AddUnusable(const ResultRow& row);
  void AddMeasurement(Measurement measurement, const ResultRow& row);
  void SplitOffAggregates(bool cut);
  void DropTornBenchmark(const Cut& cut);
  void NumberRows();
  void Number(std::size_t place, Registrations& registrations);
  void TakeOutUnmeasured(bool dry_run);

  ResultFile& file_;
  std::vector<RowFacts> facts_;
  std::string last_name_;      // of the last row's benchmark
  std::string last_row_name_;  // with the suffix of an aggregate
  std::size_t group_ = 0;
  bool all_typed_ = true;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULT_ROWS_H_
