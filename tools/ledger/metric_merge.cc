#include "tools/ledger/metric_merge.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tools/ledger/toml_scanner.h"

namespace autotune {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

// An entry without the blank lines around it: what makes two of them equal.
std::string_view Essence(std::string_view entry) {
  const std::size_t first = entry.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return entry.substr(first, entry.find_last_not_of(kSpaces) - first + 1);
}

void AppendEntry(std::string_view entry, std::string& text) {
  if (!text.empty() && text.back() != '\n') text.push_back('\n');
  text.append(Essence(entry));
  text.append("\n\n");
}

std::string JoinedPath(const TomlPath& path) {
  std::string joined;
  for (const std::string& key : path) joined.append(key).push_back('\0');
  return joined;
}

// No damaged line, and no key twice in one table.
bool IsWhole(std::string_view entry) {
  std::unordered_set<std::string> keys;
  std::string table;
  for (const ScannedItem& item : ScanToml(entry)) {
    if (item.kind == ScannedItem::Kind::kDamage) return false;
    if (item.kind == ScannedItem::Kind::kValue) {
      if (!keys.insert(table + JoinedPath(item.path)).second) return false;
    } else {
      table = JoinedPath(item.path) + "\n";
    }
  }
  return true;
}

// Calls `visit` with every line of `text` that is not blank, newline taken off.
template <typename Visit>
void ForEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::string_view line = Essence(text.substr(0, text.find('\n')));
    if (!line.empty()) visit(line);
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
}

// The entries that make the repaired file, each once.
class Repair {
 public:
  void Take(std::string_view text) {
    for (const std::string_view entry : SplitMetricEntries(text).entries) {
      std::string essence(Essence(entry));
      if (!seen_.insert(essence).second) continue;
      (IsWhole(entry) ? kept_ : damaged_).push_back(std::move(essence));
    }
  }

  RepairedMetricFile Result(std::string_view preamble) const {
    RepairedMetricFile repaired;
    repaired.text = std::string(preamble);
    for (const std::string& entry : kept_) AppendEntry(entry, repaired.text);
    const std::unordered_set<std::string_view> lines = KeptLines();
    for (const std::string& entry : damaged_) {
      if (!IsExplained(entry, lines)) repaired.dropped.push_back(entry);
    }
    return repaired;
  }

 private:
  std::unordered_set<std::string_view> KeptLines() const {
    std::unordered_set<std::string_view> lines;
    for (const std::string& entry : kept_) {
      ForEachLine(entry, [&](std::string_view line) { lines.insert(line); });
    }
    return lines;
  }

  // Whether every line of a damaged entry came from some whole one.
  static bool IsExplained(const std::string& entry,
                          const std::unordered_set<std::string_view>& lines) {
    bool explained = true;
    ForEachLine(entry, [&](std::string_view line) {
      explained = explained && lines.contains(line);
    });
    return explained;
  }

  std::unordered_set<std::string> seen_;
  std::vector<std::string> kept_;
  std::vector<std::string> damaged_;
};

}  // namespace

MetricEntries SplitMetricEntries(std::string_view text) {
  MetricEntries split;
  std::vector<std::size_t> starts;
  for (const ScannedItem& item : ScanToml(text)) {
    const bool top = item.path.size() == 1;
    if (item.kind == ScannedItem::Kind::kEntry && top) {
      starts.push_back(item.begin);
    }
  }
  split.preamble = text.substr(0, starts.empty() ? text.size() : starts[0]);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : text.size();
    split.entries.push_back(text.substr(starts[i], end - starts[i]));
  }
  return split;
}

std::string MergeMetricFiles(std::string_view base, std::string_view ours,
                             std::string_view theirs) {
  if (ours == base) return std::string(theirs);
  std::unordered_set<std::string_view> known;
  for (const std::string_view text : {base, ours}) {
    for (const std::string_view entry : SplitMetricEntries(text).entries) {
      known.insert(Essence(entry));
    }
  }
  std::string merged(ours);
  for (const std::string_view entry : SplitMetricEntries(theirs).entries) {
    if (known.insert(Essence(entry)).second) AppendEntry(entry, merged);
  }
  return merged;
}

RepairedMetricFile RepairMetricFile(std::string_view damaged,
                                    const std::vector<std::string>& versions) {
  Repair repair;
  for (const std::string& version : versions) repair.Take(version);
  repair.Take(damaged);
  return repair.Result(SplitMetricEntries(damaged).preamble);
}

}  // namespace autotune
