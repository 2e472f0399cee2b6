#include "comparator/recorded/idle_settings.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "comparator/policy/idle_setting.h"
#include "comparator/policy/name_pattern.h"

namespace autotune {
namespace {

using Names = std::vector<std::string>;
using Selects = std::function<bool(std::string_view)>;

// Benchmarks of the files, each once, in their order.
void AddNames(std::span<const ResultFile> files, Names& names) {
  std::unordered_set<std::string> seen(names.begin(), names.end());
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const ResultFile& file : files) {
    for (const Measurement& row : file.measurements) add(row.name);
    for (const Aggregate& aggregate : file.aggregates) add(aggregate.row.name);
    for (const UnusableRow& row : file.unusable) add(row.name);
  }
}

Selects MatchesOf(const std::string& pattern) {
  absl::StatusOr<NamePattern> compiled = NamePattern::Create(pattern);
  // CheckPolicy has compiled it before.
  return [compiled = *std::move(compiled)](std::string_view name) {
    return compiled.Matches(name);
  };
}

template <typename Range>
bool AnyOf(const Range& names, const Selects& selects) {
  return std::any_of(names.begin(), names.end(), selects);
}

class IdleFinder {
 public:
  IdleFinder(const ComparedSides& sides, const ComparisonRules& rules,
             const Policy& policy, const CompareOptions& options,
             ComparisonTable& table)
      : sides_(sides),
        rules_(rules),
        policy_(policy),
        options_(options),
        table_(table) {}

  void Find() {
    LookAtFilters();
    LookAtRenames();
    // What is selected nowhere uses nothing: one reason is enough.
    if (!table_.idle.empty()) return;
    LookAtMetric();
    LookAtGuards();
    if (policy_.kind != PolicyKind::kGate) return;
    LookAtMargins();
    LookAtWaivers();
  }

 private:
  void Add(SettingKind kind, std::size_t index, const std::string& name,
           std::string why, bool vanished = false) {
    table_.idle.push_back({kind, index, name, std::move(why), vanished});
  }

  const Names& names() {
    if (names_.empty()) {
      AddNames(sides_.baseline, names_);
      AddNames(sides_.contender, names_);
    }
    return names_;
  }

  void LookAtFilters() {
    const MatchOptions& match = options_.match;
    LookAtFilter(SettingKind::kFilter, match.filter,
                 {sides_.baseline, sides_.contender},
                 "no benchmark matches it");
    LookAtFilter(SettingKind::kBaselineFilter, match.filter_baseline,
                 {sides_.baseline}, "no benchmark of the baseline matches it");
    LookAtFilter(SettingKind::kContenderFilter, match.filter_contender,
                 {sides_.contender},
                 "no benchmark of the contender matches it");
  }

  void LookAtFilter(SettingKind kind, const std::optional<NamePattern>& filter,
                    const std::vector<std::span<const ResultFile>>& sides,
                    std::string_view nothing) {
    if (!filter.has_value()) return;
    Names there;
    for (const auto& files : sides) AddNames(files, there);
    if (there.empty()) return;
    const bool excludes = filter->text().starts_with('-');
    const auto selected = std::count_if(
        there.begin(), there.end(),
        [&](const std::string& name) { return filter->Matches(name); });
    const bool all = selected == static_cast<std::ptrdiff_t>(there.size());
    if (excludes && (selected == 0 || all)) {
      const std::string why =
          all ? absl::StrCat(std::string(nothing), ", so it excludes none")
              : std::string("it excludes every benchmark");
      Add(kind, 0, filter->text(),
          all ? WithWhatThereIs(why, filter->text().substr(1), there) : why);
    } else if (selected == 0) {
      Add(kind, 0, filter->text(),
          WithWhatThereIs(nothing, filter->text(), there));
    }
  }

  void LookAtRenames() {
    for (std::size_t i = 0; i < sides_.matched.renamed.size(); ++i) {
      if (sides_.matched.renamed[i]) continue;
      const std::string& pattern = options_.match.renames[i].pattern.text();
      Add(SettingKind::kRename, i, pattern,
          WithWhatThereIs("it changes no name", pattern, names()));
    }
  }

  void LookAtMetric() {
    if (policy_.metric == "auto" || table_.without_metric.empty()) return;
    const bool carried = std::any_of(
        sides_.rows.begin(), sides_.rows.end(), [this](const auto& row) {
          return row.comparison.metric.name == policy_.metric;
        });
    if (carried) return;
    Add(SettingKind::kMetric, 0, policy_.metric,
        WithWhatThereIs("no benchmark carries it", policy_.metric, Counters()));
  }

  // The metrics that rows can be judged by: times first.
  Names Counters() const {
    Names metrics = {"real_time", "cpu_time"};
    std::set<std::string> seen;
    for (const auto& files : {sides_.baseline, sides_.contender}) {
      for (const ResultFile& file : files) {
        for (const Measurement& row : file.measurements) {
          for (const auto& [name, value] : row.counters) {
            if (seen.insert(name).second) metrics.push_back(name);
          }
        }
      }
    }
    return metrics;
  }

  // Whether some comparison was made with the setting.
  template <typename Uses>
  bool IsUsed(const Uses& uses) const {
    return std::any_of(
        sides_.rows.begin(), sides_.rows.end(),
        [&](const ComparisonRow& row) { return uses(row.comparison); });
  }

  void LookAtGuards() {
    for (std::size_t i = 0; i < policy_.guards.size(); ++i) {
      const Guard& guard = policy_.guards[i];
      if (guard.metric.empty()) {
        LookAtNamedGuard(guard, i);
      } else if (!IsUsed([&guard](const Comparison& row) {
                   return row.role == ComparisonRole::kGuard &&
                          row.metric.name == guard.metric;
                 })) {
        Add(SettingKind::kGuard, i, guard.metric,
            WithWhatThereIs("no target carries it", guard.metric, Counters()));
      }
    }
  }

  void LookAtNamedGuard(const Guard& guard, std::size_t index) {
    if (IsUsed([&](const Comparison& row) {
          return row.role == ComparisonRole::kGuard &&
                 rules_.GuardOf(row.name) == &guard;
        })) {
      return;
    }
    Explain(SettingKind::kGuard, index, guard.benchmark_pattern,
            MatchesOf(guard.benchmark_pattern),
            [&](const Comparison& row) -> std::string {
              return row.role == ComparisonRole::kTarget
                         ? "the filter makes targets of all that it matches"
                         : "an earlier guard takes all that it matches";
            });
  }

  void LookAtMargins() {
    for (std::size_t i = 0; i < policy_.margins.size(); ++i) {
      const BenchmarkMargin& margin = policy_.margins[i];
      if (IsUsed([&](const Comparison& row) {
            return rules_.NamedMarginOf(row.name) == &margin;
          })) {
        continue;
      }
      Explain(SettingKind::kMargin, i, margin.benchmark_pattern,
              MatchesOf(margin.benchmark_pattern), [](const Comparison&) {
                return "an earlier margin takes all that it matches";
              });
    }
  }

  void LookAtWaivers() {
    const std::vector<const Waiver*>& expired = rules_.expired();
    for (std::size_t i = 0; i < policy_.waivers.size(); ++i) {
      const Waiver& waiver = policy_.waivers[i];
      if (std::find(expired.begin(), expired.end(), &waiver) != expired.end() ||
          IsUsed([&](const Comparison& row) {
            return !row.waiver.empty() && rules_.WaiverOf(row.name) == &waiver;
          })) {
        continue;
      }
      Explain(
          SettingKind::kWaiver, i, waiver.name,
          [&waiver](std::string_view name) { return name == waiver.name; },
          [&](const Comparison& row) -> std::string {
            if (rules_.WaiverOf(row.name) != &waiver) {
              return "an earlier waiver is of the same benchmark";
            }
            return absl::StrCat("its ceiling of ", PercentText(waiver.ceiling),
                                " is not above the margin of ",
                                PercentText(rules_.MarginOf(row.name)));
          });
    }
  }

  // Finds out why a setting about the benchmarks that `selects` took no part.
  // `among_rows` says it where there are comparisons of them.
  template <typename AmongRows>
  void Explain(SettingKind kind, std::size_t index, const std::string& name,
               const Selects& selects, const AmongRows& among_rows) {
    for (const ComparisonRow& row : sides_.rows) {
      if (!selects(row.comparison.name)) continue;
      return Add(kind, index, name, among_rows(row.comparison));
    }
    if (AnyOf(table_.without_metric, selects)) {
      return Add(kind, index, name,
                 absl::StrCat("nothing that it matches carries ",
                              PrintableName(policy_.metric)));
    }
    if (AnyOf(table_.only_in_contender, selects)) return;
    const auto lost = std::find_if(table_.only_in_baseline.begin(),
                                   table_.only_in_baseline.end(), selects);
    if (lost != table_.only_in_baseline.end()) {
      return Add(kind, index, name,
                 PrintableName(*lost) + " is only in the baseline", true);
    }
    // Skipped on both sides, and listed as that.
    for (const BenchmarkPair& pair : sides_.matched.pairs) {
      if (selects(pair.name)) return;
    }
    if (IsFiltered() && AnyOf(names(), selects)) {
      table_.warnings.push_back(
          IdleText({kind, index, name, "the filter leaves out what it is of"}));
      return;
    }
    Add(kind, index, name,
        WithWhatThereIs(kind == SettingKind::kWaiver
                            ? "no benchmark has it"
                            : "no benchmark matches it",
                        name, CommonNames()));
  }

  bool IsFiltered() const {
    const MatchOptions& match = options_.match;
    return match.filter.has_value() || match.filter_baseline.has_value() ||
           match.filter_contender.has_value();
  }

  // The names under which benchmarks are compared.
  Names CommonNames() const {
    Names common;
    for (const BenchmarkPair& pair : sides_.matched.pairs) {
      common.push_back(pair.name);
    }
    return common;
  }

  const ComparedSides& sides_;
  const ComparisonRules& rules_;
  const Policy& policy_;
  const CompareOptions& options_;
  ComparisonTable& table_;
  Names names_;
};

}  // namespace

void FindIdleSettings(const ComparedSides& sides, const ComparisonRules& rules,
                      const Policy& policy, const CompareOptions& options,
                      ComparisonTable& table) {
  IdleFinder(sides, rules, policy, options, table).Find();
}

}  // namespace autotune
