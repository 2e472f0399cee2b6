#ifndef AUTOTUNE_COMPARATOR_RESULTS_RESULT_ROW_H_
#define AUTOTUNE_COMPARATOR_RESULTS_RESULT_ROW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comparator/results/json_scanner.h"

namespace autotune {

// A time of a row as it stands in the file.
struct RowTime {
  bool present = false;
  std::optional<double> value;   // in the row's unit; absent when not finite
  bool is_whole = false;         // no fraction: before 1.3 none has one
  bool in_library_form = false;  // "1.2345678901234567e+02", 16 decimals
  // In that form, and of a size that others write without an exponent.
  bool in_library_form_alone = false;
  double step = 0.0;  // one of its last written digit, in the row's unit
};

// The "run_type" of a row; before 1.5.0 rows have none.
enum class RunType { kNone, kIteration, kAggregate };

// One object of a file's "benchmarks", typed but not yet judged. Absent or
// empty: the row does not have the key.
struct ResultRow {
  std::size_t offset = 0;  // of its '{'
  std::size_t keys = 0;
  std::optional<std::string> name;
  std::string run_name;
  RunType run_type = RunType::kNone;
  std::string aggregate_name;
  std::string aggregate_unit;
  std::optional<double> unit_ns;  // nanoseconds in its time_unit
  std::string label;
  std::string visit_id;  // of the visit that wrote the row
  std::string message;   // error_message or skip_message
  bool errored = false;
  bool skipped = false;
  bool big_o = false;  // has a key of fitted coefficients
  bool rms = false;    // has the key of the fit's error
  std::optional<std::int64_t> iterations;
  std::optional<std::int64_t> repetitions;
  std::optional<std::int64_t> repetition_index;
  std::optional<std::int64_t> threads;
  std::optional<std::int64_t> family_index;
  std::optional<std::int64_t> instance_index;  // per_family_instance_index
  RowTime real_time;
  RowTime cpu_time;
  std::vector<std::pair<std::string, double>> counters;  // finite, file order
  std::vector<std::string> not_finite;  // keys of counters that are not

  // Makes it an empty row, its strings' memory kept.
  void Clear();
};

// Reads the rows of one file, one after the other.
class ResultRowReader {
 public:
  // Reads the row at `scanner` into `row`, whatever that held; false after a
  // fault, `field()` then says in which key. A known key of a wrong type, or of
  // a value that no version writes, is such a fault; unknown keys are counters
  // when they are numbers or null (as converters write NaN), else ignored.
  bool Read(JsonScanner& scanner, ResultRow& row);

  // The key read last; empty outside of one.
  std::string_view field() const { return field_; }

 private:
  enum class Field : std::uint8_t;

  static Field FieldOf(std::string_view key);
  Field FieldOfLastKey(std::string_view key);
  bool ReadField(JsonScanner& scanner, Field field, std::string_view key,
                 ResultRow& row);
  bool ReadIntegerField(JsonScanner& scanner, Field field, ResultRow& row);
  bool ReadOther(JsonScanner& scanner, std::string_view key, ResultRow& row);

  JsonKeys keys_;
  std::vector<Field> fields_;  // of the keys, by place
  std::string_view field_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_RESULT_ROW_H_
