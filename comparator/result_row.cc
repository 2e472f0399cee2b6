#include "comparator/result_row.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "comparator/json_scanner.h"
#include "comparator/json_values.h"

namespace autotune {

enum class ResultRowReader::Field : std::uint8_t {
  kName,
  kRunName,
  kRunType,
  kAggregateName,
  kAggregateUnit,
  kTimeUnit,
  kLabel,
  kMessage,
  kErrored,
  kSkipped,
  kIterations,
  kRepetitions,
  kRepetitionIndex,
  kThreads,
  kFamilyIndex,
  kInstanceIndex,
  kRealTime,
  kCpuTime,
  kBigO,
  kRms,
  kOther,
};

namespace {

// "1.2345678901234567e+02": how every version since 1.3 writes a double.
bool IsInLibraryForm(std::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  return text.size() >= 22 && text[1] == '.' && text[18] == 'e';
}

bool ReadTime(JsonScanner& scanner, RowTime& time) {
  JsonNumber number;
  if (!ReadNumberOrNull(scanner, number)) return false;
  time.present = true;
  time.value = number.value;
  time.in_library_form = IsInLibraryForm(number.text);
  return true;
}

bool ReadName(JsonScanner& scanner, ResultRow& row) {
  row.name.emplace();
  return ReadText(scanner, *row.name);
}

}  // namespace

ResultRowReader::Field ResultRowReader::FieldOf(std::string_view key) {
  struct Entry {
    std::string_view key;
    Field field;
  };
  static constexpr std::array<Entry, 23> kFields = {{
      {"name", Field::kName},
      {"run_name", Field::kRunName},
      {"run_type", Field::kRunType},
      {"aggregate_name", Field::kAggregateName},
      {"aggregate_unit", Field::kAggregateUnit},
      {"time_unit", Field::kTimeUnit},
      {"label", Field::kLabel},
      {"error_message", Field::kMessage},
      {"skip_message", Field::kMessage},
      {"error_occurred", Field::kErrored},
      {"skipped", Field::kSkipped},
      {"iterations", Field::kIterations},
      {"repetitions", Field::kRepetitions},
      {"repetition_index", Field::kRepetitionIndex},
      {"threads", Field::kThreads},
      {"family_index", Field::kFamilyIndex},
      {"per_family_instance_index", Field::kInstanceIndex},
      {"real_time", Field::kRealTime},
      {"cpu_time", Field::kCpuTime},
      {"cpu_coefficient", Field::kBigO},
      {"real_coefficient", Field::kBigO},
      {"big_o", Field::kBigO},
      {"rms", Field::kRms},
  }};
  const auto* const found =
      std::find_if(kFields.begin(), kFields.end(),
                   [key](const Entry& entry) { return entry.key == key; });
  return found == kFields.end() ? Field::kOther : found->field;
}

// Rows repeat their keys: each place's field is looked up once.
ResultRowReader::Field ResultRowReader::FieldOfLastKey(std::string_view key) {
  const std::size_t place = keys_.index();
  if (!keys_.repeats_previous() || place >= fields_.size()) {
    fields_.resize(place);
    fields_.push_back(FieldOf(key));
  }
  return fields_[place];
}

bool ResultRowReader::Read(JsonScanner& scanner, ResultRow& row) {
  field_.clear();
  scanner.Next();
  row.offset = scanner.offset();
  if (!BeginObjectValue(scanner, keys_)) return false;
  std::string_view key;
  while (scanner.NextKey(keys_, key)) {
    ++row.keys;
    field_.assign(key);
    if (!ReadField(scanner, FieldOfLastKey(key), key, row)) return false;
  }
  if (!scanner.ok()) return false;
  field_.clear();
  return true;
}

bool ResultRowReader::ReadField(JsonScanner& scanner, Field field,
                                std::string_view key, ResultRow& row) {
  switch (field) {
    case Field::kName:
      return ReadName(scanner, row);
    case Field::kRunName:
      return ReadText(scanner, row.run_name);
    case Field::kRunType:
      return ReadText(scanner, row.run_type);
    case Field::kAggregateName:
      return ReadText(scanner, row.aggregate_name);
    case Field::kAggregateUnit:
      return ReadText(scanner, row.aggregate_unit);
    case Field::kTimeUnit:
      return ReadText(scanner, row.time_unit);
    case Field::kLabel:
      return ReadText(scanner, row.label);
    case Field::kMessage:
      return ReadText(scanner, row.message);
    case Field::kErrored:
      return ReadFlag(scanner, row.errored);
    case Field::kSkipped:
      return ReadFlag(scanner, row.skipped);
    case Field::kRealTime:
      return ReadTime(scanner, row.real_time);
    case Field::kCpuTime:
      return ReadTime(scanner, row.cpu_time);
    case Field::kBigO:
      row.big_o = true;
      return ReadOther(scanner, key, row);
    case Field::kRms:
      row.rms = true;
      return ReadOther(scanner, key, row);
    case Field::kOther:
      return ReadOther(scanner, key, row);
    default:
      return ReadIntegerField(scanner, field, row);
  }
}

bool ResultRowReader::ReadIntegerField(JsonScanner& scanner, Field field,
                                       ResultRow& row) {
  switch (field) {
    case Field::kIterations:
      return ReadInteger(scanner, row.iterations);
    case Field::kRepetitions:
      return ReadInteger(scanner, row.repetitions);
    case Field::kRepetitionIndex:
      return ReadInteger(scanner, row.repetition_index);
    case Field::kThreads:
      return ReadInteger(scanner, row.threads);
    case Field::kFamilyIndex:
      return ReadInteger(scanner, row.family_index);
    default:
      return ReadInteger(scanner, row.instance_index);
  }
}

// A counter, a memory field, a coefficient, or a key of a version to come.
bool ResultRowReader::ReadOther(JsonScanner& scanner, std::string_view key,
                                ResultRow& row) {
  if (scanner.Next() != JsonType::kNumber) return scanner.Skip();
  JsonNumber number;
  if (!scanner.ReadNumber(number)) return false;
  if (number.value.has_value()) {
    row.counters.emplace_back(key, *number.value);
  } else {
    row.not_finite.emplace_back(key);
  }
  return true;
}

}  // namespace autotune
