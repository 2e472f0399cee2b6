#include "tools/measure/judged.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/idle_setting.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/results/library_version.h"
#include "comparator/results/suspicion.h"

namespace autotune {
namespace {

// Bytes of names in one filter: libstdc++'s std::regex, which the library uses,
// refuses 100,000 states, one a byte, and takes 6 s to read as many as these.
constexpr std::size_t kLongestNames = 60'000;

// What takes no time, and what shows it.
using NoOps = std::map<std::string, std::string>;

bool IsProcessMetric(std::string_view metric) {
  return metric == "peak_rss" || metric == "excess_cpu" ||
         metric == "binary_size";
}

absl::StatusOr<Direction> DirectionOf(const Policy& policy,
                                      const std::string& metric) {
  if (policy.direction.has_value()) return *policy.direction;
  if (const auto known = KnownDirection(metric)) return *known;
  return absl::InvalidArgumentError(absl::StrCat(
      "metric \"", metric,
      "\": nothing says whether lower or higher is better: give its "
      "direction"));
}

// A guarded counter of no known direction must not grow.
Direction GuardDirection(const Policy& policy, const std::string& counter) {
  if (counter == policy.metric && policy.direction.has_value()) {
    return *policy.direction;
  }
  return KnownDirection(counter).value_or(Direction::kLowerIsBetter);
}

// Collects guards, each name once: what the policy says first wins.
class GuardList {
 public:
  explicit GuardList(const Metric& metric) : metric_(metric) {}

  void AddProcess(const Guard& guard) { Add(guard.metric, guard, {}); }
  void AddBenchmark(const Guard& guard, const PilotBenchmark& benchmark) {
    Add(benchmark.name, guard, metric_.direction);
  }
  void AddCounter(const Guard& guard, const PilotBenchmark& benchmark,
                  Direction direction) {
    Add(CounterEntryName(benchmark.name, guard.metric), guard, direction);
    counters_[benchmark.name].insert(guard.metric);
  }
  bool Holds(const std::string& name) const { return names_.count(name) != 0; }

  std::vector<JudgedGuard> Take() { return std::move(guards_); }
  std::vector<std::string> CountersOf(const std::string& benchmark) const {
    const auto found = counters_.find(benchmark);
    if (found == counters_.end()) return {};
    return {found->second.begin(), found->second.end()};
  }

 private:
  void Add(const std::string& name, const Guard& guard, Direction direction) {
    if (!names_.insert(name).second) return;
    JudgedGuard judged;
    judged.name = name;
    judged.margin = guard.margin;
    judged.mode = guard.mode;
    judged.direction = direction;
    guards_.push_back(std::move(judged));
  }

  Metric metric_;
  std::vector<JudgedGuard> guards_;
  std::set<std::string> names_;
  std::map<std::string, std::set<std::string>> counters_;
};

bool Reports(const PilotBenchmark& benchmark, const std::string& counter) {
  return std::find(benchmark.counters.begin(), benchmark.counters.end(),
                   counter) != benchmark.counters.end();
}

// The benchmarks that a guard picks: for a guard on the run's own metric only
// those that are no targets.
absl::StatusOr<std::vector<const PilotBenchmark*>> Picked(const Guard& guard,
                                                          const Pilot& pilot) {
  ASSIGN_OR_RETURN(const NamePattern pattern,
                   NamePattern::Create(guard.benchmark_pattern));
  std::vector<const PilotBenchmark*> picked;
  const auto pick = [&](const std::vector<PilotBenchmark>& group) {
    for (const PilotBenchmark& benchmark : group) {
      if (!pattern.Matches(benchmark.name)) continue;
      if (!guard.metric.empty() && !Reports(benchmark, guard.metric)) continue;
      picked.push_back(&benchmark);
    }
  };
  if (!guard.metric.empty()) pick(pilot.targets);
  pick(pilot.others);
  return picked;
}

// Whether the guard is of a benchmark that was added, or takes no time: there
// is nothing to compare.
bool IsOfUnmeasured(const Guard& guard, const Pilot& pilot,
                    const NoOps& no_ops) {
  const auto pattern = NamePattern::Create(guard.benchmark_pattern);
  if (!guard.metric.empty() || !pattern.ok()) return false;
  std::vector<std::string> names = pilot.added;
  for (const auto& [name, why] : no_ops) names.push_back(name);
  return std::any_of(
      names.begin(), names.end(),
      [&pattern](const std::string& name) { return pattern->Matches(name); });
}

absl::Status AddPicked(const Policy& policy, std::size_t index,
                       const Pilot& pilot, const NoOps& no_ops,
                       GuardList& list) {
  const Guard& guard = policy.guards[index];
  auto picked = Picked(guard, pilot);
  if (!picked.ok()) {
    return Annotate(picked.status(),
                    absl::StrCat("guard ", Quoted(guard.benchmark_pattern)));
  }
  if (picked->empty() && IsOfUnmeasured(guard, pilot, no_ops)) {
    return absl::OkStatus();
  }
  if (picked->empty()) {
    const bool named = guard.metric.empty();
    return IdleError({SettingKind::kGuard, index,
                      named ? guard.benchmark_pattern : guard.metric,
                      named ? "no benchmark besides the targets matches it"
                            : "no benchmark reports it"});
  }
  for (const PilotBenchmark* benchmark : *picked) {
    if (guard.metric.empty()) {
      list.AddBenchmark(guard, *benchmark);
      continue;
    }
    list.AddCounter(guard, *benchmark, GuardDirection(policy, guard.metric));
  }
  return absl::OkStatus();
}

absl::Status AddGuards(const Policy& policy, const Pilot& pilot,
                       const NoOps& no_ops, GuardList& list) {
  for (std::size_t i = 0; i < policy.guards.size(); ++i) {
    if (IsProcessMetric(policy.guards[i].metric)) {
      list.AddProcess(policy.guards[i]);
    } else {
      RETURN_IF_ERROR(AddPicked(policy, i, pilot, no_ops, list));
    }
  }
  Guard standard;
  standard.margin = policy.default_margin;
  for (const PilotBenchmark& benchmark : pilot.others) {
    list.AddBenchmark(standard, benchmark);
  }
  return absl::OkStatus();
}

absl::Status CheckMargins(const Policy& policy, const Pilot& pilot) {
  if (policy.kind != PolicyKind::kGate || policy.margins.empty()) {
    return absl::OkStatus();
  }
  const ComparisonRules rules(policy, "");
  std::set<const BenchmarkMargin*> used;
  for (const PilotBenchmark& target : pilot.targets) {
    used.insert(rules.NamedMarginOf(target.name));
  }
  for (const std::string& name : pilot.added) {
    used.insert(rules.NamedMarginOf(name));
  }
  for (std::size_t i = 0; i < policy.margins.size(); ++i) {
    if (used.count(&policy.margins[i]) != 0) continue;
    return IdleError({SettingKind::kMargin, i,
                      policy.margins[i].benchmark_pattern,
                      "no target matches it that an earlier one leaves"});
  }
  return absl::OkStatus();
}

// A counter that no benchmark reports cannot be judged by.
absl::Status CheckMetric(const Policy& policy, const Pilot& pilot) {
  const std::string& metric = policy.metric;
  if (metric == "auto" || metric == "real_time" || metric == "cpu_time") {
    return absl::OkStatus();
  }
  std::vector<std::string> there = {"real_time", "cpu_time"};
  for (const auto* group : {&pilot.targets, &pilot.others}) {
    for (const PilotBenchmark& benchmark : *group) {
      if (Reports(benchmark, metric)) return absl::OkStatus();
      for (const std::string& name : benchmark.counters) {
        if (std::find(there.begin(), there.end(), name) == there.end()) {
          there.push_back(name);
        }
      }
    }
  }
  return IdleError({SettingKind::kMetric, 0, metric,
                    WithWhatThereIs("no benchmark reports it", metric, there)});
}

// Moves what takes no time on either side from the pilot to `no_ops`.
absl::Status TakeNoOps(const Metric& metric, Pilot& pilot, NoOps& no_ops) {
  for (auto* group : {&pilot.targets, &pilot.others}) {
    std::erase_if(*group, [&](const PilotBenchmark& benchmark) {
      const bool both =
          benchmark.no_time.size() > 1 &&
          std::all_of(benchmark.no_time.begin(), benchmark.no_time.end(),
                      [&metric](const Suspicion& suspicion) {
                        return Doubts(suspicion, metric.name,
                                      /*by_repetition=*/false);
                      });
      if (!both) return false;
      no_ops[benchmark.name] = benchmark.no_time.front().text;
      return true;
    });
  }
  if (!pilot.targets.empty() || no_ops.empty()) return absl::OkStatus();
  return absl::AbortedError(
      absl::StrCat(Quoted(no_ops.begin()->first), ": ", no_ops.begin()->second,
                   ": no target takes time, so there is nothing to compare"));
}

absl::Status CheckThreads(const Metric& metric, const Pilot& pilot) {
  const std::vector<const ResultContext*> contexts = {&pilot.baseline.context,
                                                      &pilot.contender.context};
  const ThreadFindings findings = CompareThreads(contexts);
  for (const auto* group : {&pilot.targets, &pilot.others}) {
    for (const PilotBenchmark& benchmark : *group) {
      const std::string why(
          WhyThreadsDiffer(benchmark.name, metric.name, findings));
      if (why.empty()) continue;
      return absl::AbortedError(
          absl::StrCat(Quoted(benchmark.name), ": ", why));
    }
  }
  return absl::OkStatus();
}

// The library's other words for everything.
std::string WholeFilter(const std::string& filter) {
  return filter.empty() || filter == "all" ? "." : filter;
}

std::vector<std::string> Names(const std::vector<PilotBenchmark>& benchmarks) {
  std::vector<std::string> names;
  for (const PilotBenchmark& benchmark : benchmarks) {
    names.push_back(benchmark.name);
  }
  return names;
}

}  // namespace

std::string GuardFilter(const Policy& policy, const std::string& guard_filter) {
  if (!guard_filter.empty()) return guard_filter;
  std::string filter;
  for (const Guard& guard : policy.guards) {
    if (guard.benchmark_pattern.empty()) continue;
    absl::StrAppend(&filter, filter.empty() ? "" : "|", "(",
                    guard.benchmark_pattern, ")");
  }
  return filter;
}

absl::StatusOr<Metric> ResolveMetric(const Policy& policy, const Pilot& pilot) {
  if (policy.metric != "auto") {
    ASSIGN_OR_RETURN(const Direction direction,
                     DirectionOf(policy, policy.metric));
    return Metric{policy.metric, direction};
  }
  for (const auto* group : {&pilot.targets, &pilot.others}) {
    for (const PilotBenchmark& benchmark : *group) {
      const Metric metric = DefaultMetric(benchmark.name);
      if (metric.name != "cpu_time") return metric;
    }
  }
  return Metric{"cpu_time", Direction::kLowerIsBetter};
}

absl::StatusOr<Judged> ResolveJudged(const Policy& policy,
                                     const Pilot& whole_pilot,
                                     std::optional<double> alpha_override,
                                     std::string_view today) {
  Judged judged;
  Pilot pilot = whole_pilot;
  ASSIGN_OR_RETURN(judged.metric, ResolveMetric(policy, pilot));
  RETURN_IF_ERROR(CheckMetric(policy, pilot));
  RETURN_IF_ERROR(CheckMargins(policy, pilot));
  RETURN_IF_ERROR(TakeNoOps(judged.metric, pilot, judged.no_ops));
  RETURN_IF_ERROR(CheckThreads(judged.metric, pilot));
  GuardList guards(judged.metric);
  RETURN_IF_ERROR(AddGuards(policy, pilot, judged.no_ops, guards));
  for (const auto* group : {&pilot.targets, &pilot.others}) {
    for (const PilotBenchmark& benchmark : *group) {
      ExpectedBenchmark& expected = judged.expected.emplace_back();
      expected.name = benchmark.name;
      // More than one row: the code sets the repetitions. None: aggregates
      // only.
      if (benchmark.rows > 1) expected.rows = benchmark.rows;
      expected.counters = guards.CountersOf(benchmark.name);
    }
  }
  std::vector<std::string> names = Names(pilot.targets);
  for (const std::string& other : Names(pilot.others)) names.push_back(other);
  judged.filter = ExactFilter(names);
  judged.settings =
      MakeJudgeSettings(policy, Names(pilot.targets), guards.Take(), today);
  if (alpha_override.has_value()) judged.settings.alpha = *alpha_override;
  return judged;
}

absl::StatusOr<std::string> VisitFilter(const Judged& judged,
                                        const Pilot& pilot,
                                        const PilotFilters& filters) {
  const bool same = pilot.added.empty();
  const std::string targets = WholeFilter(filters.targets);
  if (same && pilot.others.empty() && judged.no_ops.empty()) return targets;
  if (judged.filter.size() <= kLongestNames) return judged.filter;
  if (same && pilot.others.empty()) return targets;
  const std::string guards = WholeFilter(filters.guards);
  if (same && targets.front() != '-' && guards.front() != '-') {
    return absl::StrCat("(", targets, ")|(", guards, ")");
  }
  return absl::FailedPreconditionError(absl::StrCat(
      judged.expected.size(),
      " benchmarks: their names are more than --benchmark_filter can hold, and "
      "the filter selects others too: narrow it until it selects those alone"));
}

RoundSetup StillMeasured(const RoundSetup& setup,
                         const SequentialJudge& judge) {
  const std::vector<std::string>& targets = judge.settings().targets;
  std::set<std::string> decided;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!judge.measures(i)) decided.insert(targets[i]);
  }
  if (decided.empty()) return setup;
  RoundSetup rest = setup;
  rest.expected.clear();
  std::vector<std::string> names;
  for (const ExpectedBenchmark& benchmark : setup.expected) {
    if (decided.count(benchmark.name) != 0) continue;
    rest.expected.push_back(benchmark);
    names.push_back(benchmark.name);
  }
  // Else the decided ones are measured on, and not looked at.
  std::string filter = ExactFilter(names);
  if (filter.size() <= kLongestNames) rest.filter = std::move(filter);
  return rest;
}

}  // namespace autotune
