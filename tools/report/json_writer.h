#ifndef AUTOTUNE_TOOLS_REPORT_JSON_WRITER_H_
#define AUTOTUNE_TOOLS_REPORT_JSON_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comparator/statistics/estimate.h"

namespace autotune {

// Writes one JSON document, keys in the order they are written, indented by
// two. Text that is no UTF-8 is replaced by U+FFFD; numbers are the shortest
// that read back the same and must be finite.
class JsonWriter {
 public:
  void BeginObject(std::string_view key = "") { Begin(key, '{'); }
  void EndObject() { End('}'); }
  void BeginArray(std::string_view key = "") { Begin(key, '['); }
  void EndArray() { End(']'); }

  // One value; `key` inside an object, "" inside an array.
  void Text(std::string_view key, std::string_view value);
  void Number(std::string_view key, double value);
  void Count(std::string_view key, std::int64_t value);
  void Flag(std::string_view key, bool value);
  void Null(std::string_view key);

  // Null when absent.
  void Number(std::string_view key, const std::optional<double>& value);
  void Count(std::string_view key, const std::optional<std::int64_t>& value);
  void Texts(std::string_view key, const std::vector<std::string>& values);
  // An object of numbers.
  void Numbers(std::string_view key,
               const std::vector<std::pair<std::string, double>>& values);
  // ratio, ratio_low, ratio_high and confidence_level; null what is absent.
  void Estimate(const std::optional<RatioEstimate>& estimate);

  // A writer of members only, for an object that another writer begins, and
  // the place in that object, which is the outermost one, where they stand.
  static JsonWriter OfMembers();
  void Members(const JsonWriter& members);

  // The document, ended by a newline; all objects and arrays must be ended.
  std::string Take();

 private:
  void Begin(std::string_view key, char bracket);
  void End(char bracket);
  void StartValue(std::string_view key);
  void NewLine();

  std::string text_;
  std::string open_;   // the brackets that are open, outermost first
  bool first_ = true;  // nothing yet in the innermost object or array
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_JSON_WRITER_H_
