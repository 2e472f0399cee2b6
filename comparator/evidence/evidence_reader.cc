#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
#include "base/did_you_mean.h"
#include "base/display_text.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/evidence/evidence_check.h"
#include "comparator/evidence/evidence_fields.h"
#include "comparator/results/json_scanner.h"
#include "nlohmann/json.hpp"

namespace autotune {
namespace {

using Json = nlohmann::json;

// What was found where something else was expected, short enough for a line.
std::string FoundText(const Json& json) {
  switch (json.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return Quoted(json.get_ref<const std::string&>());
    default:
      return json.dump();
  }
}

// Where the reader is, and the first thing it could not read.
class Cursor {
 public:
  bool ok() const { return status_.ok(); }
  const absl::Status& status() const { return status_; }

  void Fail(const std::string& message) {
    if (!ok()) return;
    status_ = absl::InvalidArgumentError(
        path_.empty() ? message : absl::StrCat(path_, ": ", message));
  }
  void FailAt(const Json& json, std::string_view expected) {
    Fail(absl::StrCat("expected ", std::string(expected), ", got ",
                      FoundText(json)));
  }

  // Runs `read` one step further down the path.
  template <typename Read>
  void Within(const std::string& step, const Read& read) {
    const std::size_t length = path_.size();
    path_ += step;
    read();
    path_.resize(length);
  }

  std::string Step(const std::string& key) const {
    return path_.empty() ? key : "." + key;
  }

 private:
  std::string path_;
  absl::Status status_;
};

template <typename T>
void Read(Cursor& cursor, const Json& json, T& value);

template <typename T>
void Read(Cursor& cursor, const Json& json, std::optional<T>& value) {
  value.reset();
  if (json.is_null()) return;
  Read(cursor, json, value.emplace());
}

template <typename T>
void Read(Cursor& cursor, const Json& json, std::vector<T>& values) {
  values.clear();
  if (!json.is_array()) return cursor.FailAt(json, "a list");
  values.resize(json.size());
  for (std::size_t i = 0; i < values.size() && cursor.ok(); ++i) {
    cursor.Within(absl::StrCat("[", i, "]"),
                  [&] { Read(cursor, json[i], values[i]); });
  }
}

void Read(Cursor& cursor, const Json& json,
          std::map<std::string, std::string>& entries) {
  entries.clear();
  if (!json.is_object()) return cursor.FailAt(json, "an object");
  for (const auto& [key, value] : json.items()) {
    cursor.Within(cursor.Step(absl::CHexEscape(key)),
                  [&, &k = key, &v = value] { Read(cursor, v, entries[k]); });
  }
}

void ReadInteger(Cursor& cursor, const Json& json, std::int64_t low,
                 std::int64_t high, std::int64_t& value) {
  const bool fits =
      json.is_number_unsigned()
          ? json.get<std::uint64_t>() <= static_cast<std::uint64_t>(high)
          : json.is_number_integer() && json.get<std::int64_t>() <= high;
  if (!fits || json.get<std::int64_t>() < low) {
    return cursor.FailAt(
        json, high == std::numeric_limits<std::int64_t>::max() && low >= 0
                  ? absl::StrCat("a whole number of at least ", low)
                  : absl::StrCat("a whole number from ", low, " to ", high));
  }
  value = json.get<std::int64_t>();
}

template <typename Enum>
void ReadEnum(Cursor& cursor, const Json& json, Enum& value) {
  const std::optional<Enum> read =
      json.is_string() ? ValueNamed<Enum>(json.get_ref<const std::string&>())
                       : std::nullopt;
  if (!read.has_value()) {
    return cursor.FailAt(json,
                         "one of " + absl::StrJoin(NamesOf<Enum>(), ", "));
  }
  value = *read;
}

// Reads the fields of one object and refuses what is missing or left over.
class ObjectReader {
 public:
  ObjectReader(Cursor& cursor, const Json& json)
      : cursor_(cursor), json_(json) {
    if (!json.is_object()) cursor.FailAt(json, "an object");
  }

  template <typename T>
  void operator()(std::string_view name, T& value) {
    if (!cursor_.ok()) return;
    known_.emplace_back(name);
    const auto found = json_.find(known_.back());
    if (found == json_.end()) {
      return cursor_.Fail(
          absl::StrCat("expected the key \"", known_.back(), "\", got none"));
    }
    cursor_.Within(cursor_.Step(known_.back()),
                   [&] { Read(cursor_, *found, value); });
  }

  void RefuseOthers() {
    if (!cursor_.ok() || json_.size() == known_.size()) return;
    for (const auto& [key, value] : json_.items()) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) {
        continue;
      }
      const std::optional<std::string> guess = ClosestName(key, known_);
      return cursor_.Fail(absl::StrCat(
          "unknown key \"", absl::CHexEscape(key), "\"",
          guess ? absl::StrCat("; did you mean \"", *guess, "\"?") : ""));
    }
  }

 private:
  Cursor& cursor_;
  const Json& json_;
  std::vector<std::string> known_;
};

template <typename T>
void Read(Cursor& cursor, const Json& json, T& value) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) return cursor.FailAt(json, "true or false");
    value = json.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    // Copies are 0 or 1; everything else counts.
    std::int64_t wide = 0;
    ReadInteger(cursor, json, 0, std::is_same_v<T, int> ? 1 : kMost, wide);
    value = static_cast<T>(wide);
  } else if constexpr (std::is_same_v<T, double>) {
    if (!json.is_number()) return cursor.FailAt(json, "a number");
    value = json.get<double>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) return cursor.FailAt(json, "a string");
    value = json.get<std::string>();
  } else if constexpr (std::is_enum_v<T>) {
    ReadEnum(cursor, json, value);
  } else {
    ObjectReader reader(cursor, json);
    FieldsOf<T>::Describe(reader, value);
    reader.RefuseOthers();
  }
}

// Refuses repeated keys, of which the parser would keep the last one.
class RepeatedKeys {
 public:
  bool operator()(int /*depth*/, Json::parse_event_t event, const Json& json) {
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& key = json.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second && !repeated_) repeated_ = key;
    }
    return true;
  }
  const std::optional<std::string>& repeated() const { return repeated_; }

 private:
  std::vector<std::set<std::string>> keys_;
  std::optional<std::string> repeated_;
};

// One JSON value that is the whole of `text`. `first_line` is the number of its
// first line in the file.
absl::StatusOr<Json> ParseJson(std::string_view text, std::size_t first_line) {
  RepeatedKeys keys;
  std::size_t stop = 0;
  try {
    Json json = Json::parse(
        text.begin(), text.end(),
        [&keys](int depth, Json::parse_event_t event, const Json& value) {
          return keys(depth, event, value);
        });
    if (keys.repeated()) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", first_line, ": the key \"",
                       absl::CHexEscape(*keys.repeated()), "\" is repeated"));
    }
    return json;
  } catch (const Json::parse_error& error) {
    stop = error.byte;
  } catch (const Json::exception&) {
    return absl::InvalidArgumentError(absl::StrCat(
        "line ", first_line, ": a number is too large for a double"));
  }
  const std::size_t offset = std::min(stop > 0 ? stop - 1 : 0, text.size());
  const TextPlace place = PlaceAt(text, offset);
  return absl::InvalidArgumentError(absl::StrCat(
      "line ", first_line + place.line - 1, ", column ", place.column,
      offset >= text.size() ? ": expected more JSON, the text is cut off here"
                            : ": expected JSON, the text is damaged here"));
}

bool IsJournalHeader(const absl::StatusOr<Json>& json) {
  if (!json.ok() || !json->is_object()) return false;
  const auto format = json->find("format");
  return format != json->end() && *format == std::string(kJournalFormat);
}

absl::Status NotEvidence(const std::string& got) {
  return absl::InvalidArgumentError(absl::StrCat(
      "expected evidence as bench_compare run --evidence writes it, got ",
      got));
}

absl::Status CheckFormat(const EvidenceFormat& format) {
  if (format.format != kWholeFormat && format.format != kJournalFormat) {
    return NotEvidence(
        absl::StrCat("format \"", absl::CHexEscape(format.format), "\""));
  }
  if (format.schema_version != kEvidenceSchemaVersion) {
    return absl::InvalidArgumentError(absl::StrCat(
        "schema_version: expected ", kEvidenceSchemaVersion, ", got ",
        format.schema_version, "; use the version that wrote the file"));
  }
  return absl::OkStatus();
}

// The first keys, read before any other so that a file of another kind or
// version is named as such.
absl::Status CheckFormatOf(const Json& json) {
  if (!json.is_object()) return NotEvidence(FoundText(json));
  if (!json.contains("format")) return NotEvidence("another JSON object");
  Cursor cursor;
  EvidenceFormat format;
  ObjectReader reader(cursor, json);
  FieldsOf<EvidenceFormat>::Describe(reader, format);
  RETURN_IF_ERROR(cursor.status());
  return CheckFormat(format);
}

absl::StatusOr<Evidence> ReadWhole(const Json& json) {
  RETURN_IF_ERROR(CheckFormatOf(json));
  Cursor cursor;
  Evidence evidence;
  EvidenceFormat format;
  ObjectReader reader(cursor, json);
  FieldsOf<EvidenceFormat>::Describe(reader, format);
  DescribeEvidenceHeader(reader, evidence);
  reader("rounds", evidence.rounds);
  DescribeEvidenceOutcome(reader, evidence);
  reader.RefuseOthers();
  RETURN_IF_ERROR(cursor.status());
  return evidence;
}

absl::StatusOr<Evidence> ReadJournalHeader(const Json& json) {
  RETURN_IF_ERROR(CheckFormatOf(json));
  Cursor cursor;
  Evidence evidence;
  EvidenceFormat format;
  ObjectReader reader(cursor, json);
  FieldsOf<EvidenceFormat>::Describe(reader, format);
  DescribeEvidenceHeader(reader, evidence);
  reader.RefuseOthers();
  RETURN_IF_ERROR(cursor.status());
  return evidence;
}

absl::StatusOr<RoundEvidence> ReadRoundLine(std::string_view line,
                                            std::size_t number) {
  ASSIGN_OR_RETURN(const Json json, ParseJson(line, number));
  Cursor cursor;
  RoundEvidence round;
  Read(cursor, json, round);
  RETURN_IF_ERROR(Annotate(cursor.status(), absl::StrCat("line ", number)));
  return round;
}

double EndOf(const VisitEvidence& visit) {
  return visit.start_seconds + visit.wall_seconds;
}

// `rest` starts after the header's line.
absl::StatusOr<Evidence> ReadJournal(const Json& header,
                                     std::string_view rest) {
  absl::StatusOr<Evidence> evidence = ReadJournalHeader(header);
  RETURN_IF_ERROR(Annotate(evidence.status(), "line 1"));
  for (std::size_t number = 2; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const bool torn = end == std::string_view::npos;
    absl::StatusOr<RoundEvidence> round =
        ReadRoundLine(rest.substr(0, end), number);
    if (!round.ok()) {
      // Only what was being written when the run ended may be incomplete.
      if (!torn) return round.status();
      evidence->warnings.push_back(absl::StrCat(
          "dropped the torn last line of the journal (line ", number, ")"));
      break;
    }
    evidence->measuring_seconds =
        std::max({evidence->measuring_seconds, EndOf(round->baseline),
                  EndOf(round->contender)});
    evidence->rounds.push_back(*std::move(round));
    rest.remove_prefix(torn ? rest.size() : end + 1);
  }
  return evidence;
}

absl::StatusOr<Evidence> ReadEither(std::string_view text) {
  if (text.empty()) return NotEvidence("an empty file");
  const std::size_t line_end = text.find('\n');
  const absl::StatusOr<Json> first = ParseJson(text.substr(0, line_end), 1);
  if (IsJournalHeader(first)) {
    return ReadJournal(*first, line_end == std::string_view::npos
                                   ? std::string_view()
                                   : text.substr(line_end + 1));
  }
  ASSIGN_OR_RETURN(const Json whole, ParseJson(text, 1));
  return ReadWhole(whole);
}

}  // namespace

absl::StatusOr<Evidence> ParseEvidence(std::string_view text,
                                       std::string_view source_name) {
  absl::StatusOr<Evidence> evidence = ReadEither(text);
  absl::Status status = evidence.status();
  if (status.ok()) status = CheckEvidence(*evidence);
  if (status.ok()) CompleteComparisons(*evidence);
  RETURN_IF_ERROR(Annotate(status, std::string(source_name)));
  return evidence;
}

}  // namespace autotune
