#include "comparator/results/result_row.h"

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

#include "absl/strings/str_format.h"
#include "comparator/results/json_scanner.h"
#include "comparator/results/json_values.h"

namespace autotune {

enum class ResultRowReader::Field : std::uint8_t {
  kName,
  kRunName,
  kRunType,
  kAggregateName,
  kAggregateUnit,
  kTimeUnit,
  kLabel,
  kErrorMessage,
  kSkipMessage,
  kErrored,
  kSkipped,
  kIterations,
  kRepetitions,
  kRepetitionIndex,
  kThreads,
  kFamilyIndex,
  kInstanceIndex,
  kVisitId,
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

// The power of ten of the last digit that `text`, a finite number, writes:
// 0.01 for "995.66" and for "9.9566e+02".
double StepOf(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  int exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view digits = text.substr(mark + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    text = text.substr(0, mark);
  }
  const std::size_t point = text.find('.');
  if (point != std::string_view::npos) {
    exponent -= static_cast<int>(text.size() - point - 1);
  }
  return std::pow(10.0, exponent);
}

// Sizes between which every writer of JSON leaves the exponent away.
bool IsUsuallyWithoutExponent(double value) {
  return std::abs(value) >= 1e-3 && std::abs(value) < 1e15;
}

bool ReadTime(JsonScanner& scanner, RowTime& time) {
  JsonNumber number;
  if (!ReadNumberOrNull(scanner, number)) return false;
  time.present = true;
  time.value = number.value;
  time.is_whole =
      number.text.find_first_not_of("0123456789") == std::string_view::npos;
  time.in_library_form = IsInLibraryForm(number.text);
  if (!number.value.has_value()) return true;
  time.in_library_form_alone =
      time.in_library_form && IsUsuallyWithoutExponent(*number.value);
  time.step = StepOf(number.text);
  return true;
}

bool ReadName(JsonScanner& scanner, ResultRow& row) {
  return ReadText(scanner, row.name.emplace());
}

// Stops the scanner at the string just read.
bool RejectText(JsonScanner& scanner, std::string_view expected,
                std::string_view found) {
  return scanner.Reject(
      scanner.value_offset(),
      absl::StrFormat("expected %s, got \"%s\"", expected, found));
}

bool ReadUnit(JsonScanner& scanner, std::optional<double>& unit_ns) {
  struct Unit {
    std::string_view name;
    double nanoseconds;
  };
  static constexpr std::array<Unit, 4> kUnits = {
      {{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  std::string_view text;
  if (!ReadView(scanner, text)) return false;
  for (const Unit& unit : kUnits) {
    if (unit.name != text) continue;
    unit_ns = unit.nanoseconds;
    return true;
  }
  return RejectText(scanner, "ns, us, ms or s", text);
}

bool ReadRunType(JsonScanner& scanner, RunType& type) {
  std::string_view text;
  if (!ReadView(scanner, text)) return false;
  if (text == "iteration") {
    type = RunType::kIteration;
  } else if (text == "aggregate") {
    type = RunType::kAggregate;
  } else {
    return RejectText(scanner, "\"iteration\" or \"aggregate\"", text);
  }
  return true;
}

// Why the row is no sample: who says why says that it is none, with or without
// the flag that the library writes beside it. An empty text says nothing.
bool ReadMessage(JsonScanner& scanner, std::string& message, bool& mark) {
  std::string text;
  if (!ReadText(scanner, text)) return false;
  if (text.empty()) return true;
  message = std::move(text);
  mark = true;
  return true;
}

// error_occurred and skipped, which a message may have set before.
bool ReadMark(JsonScanner& scanner, bool& mark) {
  bool value = false;
  if (!ReadFlag(scanner, value)) return false;
  mark = mark || value;
  return true;
}

}  // namespace

void ResultRow::Clear() {
  ResultRow empty;
  const auto keep = [](std::string& text, std::string& emptied) {
    text.clear();
    emptied = std::move(text);
  };
  keep(run_name, empty.run_name);
  keep(aggregate_name, empty.aggregate_name);
  keep(aggregate_unit, empty.aggregate_unit);
  keep(label, empty.label);
  keep(visit_id, empty.visit_id);
  keep(message, empty.message);
  *this = std::move(empty);
}

ResultRowReader::Field ResultRowReader::FieldOf(std::string_view key) {
  struct Entry {
    std::string_view key;
    Field field;
  };
  static constexpr std::array<Entry, 24> kFields = {{
      {"name", Field::kName},
      {"run_name", Field::kRunName},
      {"run_type", Field::kRunType},
      {"aggregate_name", Field::kAggregateName},
      {"aggregate_unit", Field::kAggregateUnit},
      {"time_unit", Field::kTimeUnit},
      {"label", Field::kLabel},
      {"error_message", Field::kErrorMessage},
      {"skip_message", Field::kSkipMessage},
      {"error_occurred", Field::kErrored},
      {"skipped", Field::kSkipped},
      {"iterations", Field::kIterations},
      {"repetitions", Field::kRepetitions},
      {"repetition_index", Field::kRepetitionIndex},
      {"threads", Field::kThreads},
      {"family_index", Field::kFamilyIndex},
      {"per_family_instance_index", Field::kInstanceIndex},
      {"visit_id", Field::kVisitId},
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
  row.Clear();
  field_ = {};
  scanner.Next();
  row.offset = scanner.offset();
  if (!BeginObjectValue(scanner, keys_)) return false;
  std::string_view key;
  while (scanner.NextKey(keys_, key)) {
    ++row.keys;
    field_ = key;
    if (!ReadField(scanner, FieldOfLastKey(key), key, row)) return false;
  }
  return scanner.ok();
}

bool ResultRowReader::ReadField(JsonScanner& scanner, Field field,
                                std::string_view key, ResultRow& row) {
  // Tools that make tables of rows write null where a row has no such key.
  const bool may_be_absent = field != Field::kName && field < Field::kVisitId;
  if (may_be_absent && scanner.Next() == JsonType::kNull) return scanner.Skip();
  switch (field) {
    case Field::kName:
      return ReadName(scanner, row);
    case Field::kRunName:
      return ReadText(scanner, row.run_name);
    case Field::kRunType:
      return ReadRunType(scanner, row.run_type);
    case Field::kAggregateName:
      return ReadText(scanner, row.aggregate_name);
    case Field::kAggregateUnit:
      return ReadText(scanner, row.aggregate_unit);
    case Field::kTimeUnit:
      return ReadUnit(scanner, row.unit_ns);
    case Field::kLabel:
      return ReadText(scanner, row.label);
    case Field::kErrorMessage:
      return ReadMessage(scanner, row.message, row.errored);
    case Field::kSkipMessage:
      return ReadMessage(scanner, row.message, row.skipped);
    case Field::kVisitId:
      // A number of this name is a counter.
      return scanner.Next() == JsonType::kString
                 ? ReadText(scanner, row.visit_id)
                 : ReadOther(scanner, key, row);
    case Field::kErrored:
      return ReadMark(scanner, row.errored);
    case Field::kSkipped:
      return ReadMark(scanner, row.skipped);
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
  const JsonType type = scanner.Next();
  if (type != JsonType::kNumber && type != JsonType::kNull) {
    return scanner.Skip();
  }
  JsonNumber number;
  if (!ReadNumberOrNull(scanner, number)) return false;
  if (number.value.has_value()) {
    row.counters.emplace_back(key, *number.value);
  } else {
    row.not_finite.emplace_back(key);
  }
  return true;
}

}  // namespace autotune
