#include "tools/ledger/metric_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "base/utf8_text.h"
#include "tools/ledger/toml_scanner.h"
#include "tools/ledger/toml_text.h"

namespace autotune {
namespace {

constexpr std::string_view kBaseline = "baseline";
constexpr std::string_view kStatusExpected =
    "status: expected \"keep\", \"discard\" or \"crash\", got ";
constexpr std::array<std::string_view, 9> kReservedKeys = {
    "commit",    "status", "description", "outcome", "notes",
    "iteration", "name",   "metrics",     "claimed"};

template <std::size_t kSize>
bool IsOneOf(const std::array<std::string_view, kSize>& names,
             std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsRowStatus(std::optional<AttemptStatus> status) {
  return status.has_value() && RowStatus(*status) == *status;
}

bool IsRowTable(std::string_view name) {
  return name == "metric" || name == "result";
}

// Gathers the rows of a scanned file.
class RowReader {
 public:
  explicit RowReader(std::string_view source) : source_(source) {}

  MetricFile Read(std::string_view text) {
    ScanToml(text, [this](const ScannedItem& item) { Take(item); });
    FinishRow();
    return std::move(file_);
  }

 private:
  void Take(const ScannedItem& item) {
    switch (item.kind) {
      case ScannedItem::Kind::kEntry:
        return StartEntry(item);
      case ScannedItem::Kind::kTable:
        return StartTable(item);
      case ScannedItem::Kind::kValue:
        return TakeValue(item);
      case ScannedItem::Kind::kDamage:
        return Warn(item.line, item.note + "; the line is left out");
    }
  }

  void StartEntry(const ScannedItem& item) {
    const bool below_row = row_.has_value() && item.path.size() > 1 &&
                           item.path.front() == row_table_;
    if (below_row) return Ignore();
    FinishRow();
    if (item.path.size() != 1 || !IsRowTable(item.path.front())) {
      return Ignore();
    }
    row_.emplace();
    status_.clear();
    row_->line = item.line;
    row_table_ = item.path.front();
    prefix_.clear();
    ignoring_ = false;
  }

  // [result.metrics] belongs to the last row; other tables to none.
  void StartTable(const ScannedItem& item) {
    const bool below_row = row_.has_value() && item.path.size() > 1 &&
                           item.path.front() == row_table_;
    if (!below_row) return Ignore();
    prefix_.assign(item.path.begin() + 1, item.path.end());
    ignoring_ = false;
  }

  void Ignore() { ignoring_ = true; }

  void TakeValue(const ScannedItem& item) {
    if (ignoring_ || !row_.has_value()) return;
    if (!item.note.empty()) Warn(item.line, item.note);
    TomlPath path = prefix_;
    path.insert(path.end(), item.path.begin(), item.path.end());
    if (path.size() > 1 && path.front() == "metrics") path.erase(path.begin());
    const std::string key = JoinKeys(path);
    if (!keys_.insert(key).second) {
      return Warn(item.line,
                  absl::StrFormat("%s stands twice in one entry; the first "
                                  "counts",
                                  TomlString(key)));
    }
    TakeField(key, item);
  }

  static std::string JoinKeys(const TomlPath& path) {
    std::string joined;
    for (const std::string& key : path) {
      if (!joined.empty()) joined += "/";
      joined += key;
    }
    return joined;
  }

  void TakeField(const std::string& key, const ScannedItem& item) {
    const ScannedValue& value = item.value;
    const bool number = value.kind == ScannedValue::Kind::kNumber;
    if (key == "iteration" || key == "name") {
      if (row_->id.empty()) row_->id = value.text;
    } else if (key == "claimed") {
      row_->claimed = number && value.number != 0.0;
    } else if (std::string* text = TextField(key)) {
      if (text->empty()) *text = value.text;
    } else if (number) {
      row_->metrics.emplace_back(key, value.number);
    } else if (IsNotFinite(value)) {
      Warn(item.line, absl::StrFormat("%s is not finite; it is left out",
                                      TomlString(key)));
    }
  }

  std::string* TextField(std::string_view key) {
    if (key == "commit") return &row_->commit;
    if (key == "status" || key == "outcome") return &status_;
    if (key == "description" || key == "notes") return &row_->description;
    return nullptr;
  }

  static bool IsNotFinite(const ScannedValue& value) {
    if (value.kind != ScannedValue::Kind::kOther) return false;
    const std::string_view word = value.text;
    return word.ends_with("inf") || word.ends_with("nan");
  }

  void FinishRow() {
    if (row_.has_value() && NormalizeStatus(*row_)) {
      file_.rows.push_back(*std::move(row_));
    }
    row_.reset();
    keys_.clear();
  }

  // The word of another tool in ours; false when the entry has none.
  bool NormalizeStatus(MetricRow& row) {
    if (status_.empty()) {
      Warn(row.line, "an entry without a status is left out");
      return false;
    }
    const std::string word = absl::AsciiStrToLower(status_);
    row.status = ValueNamed<AttemptStatus>(word);
    if (row.status == AttemptStatus::kReverted) {
      row.status = AttemptStatus::kDiscard;
    }
    if (word == kBaseline) {
      row.status = AttemptStatus::kKeep;
      MarkBaseline(row.description);
    }
    if (IsRowStatus(row.status)) return true;
    row.status.reset();
    Warn(row.line,
         absl::StrFormat("%s%s", kStatusExpected, TomlString(status_)));
    return true;
  }

  static void MarkBaseline(std::string& description) {
    if (std::string_view(description).starts_with(kBaseline)) return;
    description.insert(0, description.empty() ? "baseline" : "baseline: ");
  }

  void Warn(int line, const std::string& what) {
    file_.warnings.push_back(absl::StrFormat("%s:%d: %s", source_, line, what));
  }

  std::string_view source_;
  MetricFile file_;
  std::optional<MetricRow> row_;
  std::string row_table_;  // "metric" or "result"
  std::string status_;     // of the row, as written
  TomlPath prefix_;        // below the row
  std::unordered_set<std::string> keys_;
  bool ignoring_ = true;
};

absl::Status CheckMetric(const std::string& name, double value) {
  if (IsOneOf(kReservedKeys, name)) {
    return absl::InvalidArgumentError(
        absl::StrFormat("metric %s: this key is reserved for the row itself",
                        TomlString(name)));
  }
  if (std::isfinite(value)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("metric %s: expected a finite number", TomlString(name)));
}

absl::Status CheckMetrics(const MetricRow& row) {
  std::unordered_set<std::string> names;
  for (const auto& [name, value] : row.metrics) {
    RETURN_IF_ERROR(CheckMetric(name, value));
    if (!names.insert(ValidUtf8(name)).second) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "metric %s: stands twice in one row", TomlString(name)));
    }
  }
  return absl::OkStatus();
}

std::string StatusText(const MetricRow& row) {
  if (!row.status.has_value()) return "none";
  return TomlString(NameOf(*row.status));
}

absl::Status CheckRow(const MetricRow& row) {
  if (!IsRowStatus(row.status)) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s%s", kStatusExpected, StatusText(row)));
  }
  if (!row.commit.empty() && !IsFullSha(row.commit)) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "commit: expected a full commit name, got %s", TomlString(row.commit)));
  }
  return CheckMetrics(row);
}

}  // namespace

AttemptStatus RowStatus(AttemptStatus status) {
  switch (status) {
    case AttemptStatus::kInconclusive:
    case AttemptStatus::kReverted:
      return AttemptStatus::kDiscard;
    case AttemptStatus::kViolation:
      return AttemptStatus::kCrash;
    case AttemptStatus::kKeep:
    case AttemptStatus::kDiscard:
    case AttemptStatus::kCrash:
      break;
  }
  return status;
}

MetricFile ParseMetricFile(std::string_view text,
                           std::string_view source_name) {
  return RowReader(source_name).Read(text);
}

bool IsFullSha(std::string_view text) {
  const auto is_hex = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  };
  return (text.size() == 40 || text.size() == 64) &&
         std::all_of(text.begin(), text.end(), is_hex);
}

bool IsBaseline(const MetricRow& row) {
  return row.status == AttemptStatus::kKeep &&
         std::string_view(row.description).starts_with(kBaseline);
}

absl::StatusOr<std::string> FormatMetricRow(const MetricRow& row) {
  RETURN_IF_ERROR(CheckRow(row));
  std::string text = "[[metric]]\n";
  absl::StrAppend(&text, "\"commit\" = ", TomlString(row.commit), "\n");
  absl::StrAppend(&text, "\"status\" = ", StatusText(row), "\n");
  absl::StrAppend(&text, "\"description\" = ", TomlString(row.description),
                  "\n");
  if (row.claimed) absl::StrAppend(&text, "\"claimed\" = 1\n");
  for (const auto& [name, value] : row.metrics) {
    absl::StrAppend(&text, TomlString(name), " = ", TomlFloat(value), "\n");
  }
  return text + "\n";
}

absl::StatusOr<std::string> AppendMetricRow(std::string_view existing,
                                            const MetricRow& row) {
  ASSIGN_OR_RETURN(const std::string entry, FormatMetricRow(row));
  std::string text(existing);
  if (!text.empty() && text.back() != '\n') text.push_back('\n');
  return text + entry;
}

}  // namespace autotune
