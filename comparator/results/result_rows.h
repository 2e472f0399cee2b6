#ifndef AUTOTUNE_COMPARATOR_RESULTS_RESULT_ROWS_H_
#define AUTOTUNE_COMPARATOR_RESULTS_RESULT_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "comparator/results/result_row.h"
#include "comparator/results/row_facts.h"
#include "comparator/results/suspicion.h"

namespace autotune {

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
  void NoteNotFinite(const ResultRow& row);
  void SuspectNotFinite();
  void AddUnusable(const ResultRow& row);
  void AddMeasurement(Measurement measurement, const ResultRow& row);
  void SplitOffAggregates(bool cut);
  void DropTornBenchmark(const Cut& cut);
  void TakeOutUnmeasured(bool dry_run);
  void Warn();

  ResultFile& file_;
  std::vector<RowFacts> facts_;
  std::string last_name_;      // of the last row's benchmark
  std::string last_row_name_;  // with the suffix of an aggregate
  std::size_t group_ = 0;
  // Of iteration rows, each key once a group, by the row's own name.
  std::vector<Suspicion> not_finite_;
  std::set<std::string> group_not_finite_;  // keys of this group
  bool all_typed_ = true;
  std::size_t rows_without_unit_ = 0;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_RESULT_ROWS_H_
