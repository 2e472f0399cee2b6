#include "tools/ledger/task_edit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "comparator/policy/field.h"
#include "comparator/policy/toml_node.h"
#include "tools/ledger/task_settings.h"
#include "tools/ledger/toml_scanner.h"
#include "tools/ledger/toml_text.h"

namespace autotune {
namespace {

constexpr std::array<std::string_view, 5> kEditable = {
    "commands", "target", "end_to_end", "scope", "policy"};

struct Key {
  std::string table;
  std::string name;
};

absl::StatusOr<Key> ParseKey(std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::string table(text.substr(0, dot));
  const bool known =
      std::find(kEditable.begin(), kEditable.end(), table) != kEditable.end();
  if (known && dot != std::string_view::npos && dot + 1 < text.size()) {
    return Key{table, std::string(text.substr(dot + 1))};
  }
  if (table == "task") {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: stays as it is for the whole task; start a new task instead",
        TomlString(text)));
  }
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s: expected TABLE.KEY with one of the tables commands, target, "
      "end_to_end, scope and policy; edit task.toml for anything else",
      TomlString(text)));
}

// Bytes of the text to replace; an empty range is a place to insert at.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The value of `key` in the text, and where its table's first line ends.
struct Found {
  std::optional<Range> value;
  std::optional<std::size_t> table_end;
};

std::size_t LineEnd(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

Found Find(std::string_view text, const Key& key) {
  Found found;
  bool inside = false;
  for (const ScannedItem& item : ScanToml(text)) {
    if (item.kind == ScannedItem::Kind::kTable ||
        item.kind == ScannedItem::Kind::kEntry) {
      inside = item.kind == ScannedItem::Kind::kTable &&
               item.path == TomlPath{key.table};
      if (inside) found.table_end = LineEnd(text, item.begin);
    } else if (inside && item.path == TomlPath{key.name}) {
      found.value = Range{item.value_begin, item.value_end};
    }
  }
  return found;
}

std::string WithValue(std::string_view text, const Key& key,
                      std::string_view value) {
  const Found found = Find(text, key);
  std::string edited(text);
  if (found.value.has_value()) {
    const Range range = *found.value;
    return edited.replace(range.begin, range.end - range.begin, value);
  }
  const std::string line = absl::StrFormat("\n%s = %s", key.name, value);
  if (found.table_end.has_value()) {
    return edited.insert(*found.table_end, line);
  }
  if (!edited.empty() && edited.back() != '\n') edited.push_back('\n');
  return absl::StrFormat("%s\n[%s]%s\n", edited, key.table, line);
}

// `values` in TOML as the setting is written, whatever their look.
absl::StatusOr<std::string> Written(const Key& key,
                                    const std::vector<std::string>& values) {
  const FieldSpec* spec = FindSetting(key.table, key.name);
  const bool list = spec != nullptr && (spec->form == ValueForm::kArgv ||
                                        spec->form == ValueForm::kTexts);
  if (list || values.size() != 1) return TomlStringArray(values);
  // Of an unknown key the reader says so, with a guess.
  if (spec == nullptr) return TomlString(values.front());
  const absl::StatusOr<FieldValue> value = ParseField(*spec, values.front());
  RETURN_IF_ERROR(
      Annotate(value.status(), absl::StrFormat("%s.%s", key.table, key.name)));
  // A text stays as it was written: "5m" is no "300s".
  return spec->form == ValueForm::kFraction ? TomlValue(*spec, *value)
                                            : TomlString(values.front());
}

// Whether `value` is TOML; with a line break or a comment it could carry other
// keys in.
bool IsOneValue(std::string_view value) {
  const std::string line = absl::StrFormat("x = %s", value);
  const std::vector<ScannedItem> items = ScanToml(line);
  return items.size() == 1 && items[0].kind == ScannedItem::Kind::kValue &&
         items[0].path == TomlPath{"x"} && items[0].value_end == line.size() &&
         ParseToml(line, "").ok();
}

}  // namespace

absl::StatusOr<std::string> SetTaskValue(
    std::string_view text, std::string_view source_name, std::string_view key,
    const std::vector<std::string>& values) {
  ASSIGN_OR_RETURN(const Key parsed, ParseKey(key));
  RETURN_IF_ERROR(ParseTaskSettings(text, source_name).status());
  const auto set = [&](std::string_view value) -> absl::StatusOr<std::string> {
    std::string edited = WithValue(text, parsed, value);
    RETURN_IF_ERROR(ParseTaskSettings(edited, source_name).status());
    return edited;
  };
  // TOML first: "[\"make\", \"-j4\"]" is a list, not a program of that name.
  absl::Status raw_error;
  if (values.size() == 1 && IsOneValue(values.front())) {
    absl::StatusOr<std::string> edited = set(values.front());
    if (edited.ok()) return edited;
    raw_error = edited.status();
  }
  const absl::StatusOr<std::string> written = Written(parsed, values);
  absl::StatusOr<std::string> edited =
      written.ok() ? set(*written) : written.status();
  return edited.ok() || raw_error.ok() ? edited : raw_error;
}

}  // namespace autotune
