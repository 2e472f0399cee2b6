#ifndef AUTOTUNE_COMPARATOR_POLICY_POLICY_H_
#define AUTOTUNE_COMPARATOR_POLICY_POLICY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/names.h"
#include "comparator/statistics/metric.h"

namespace autotune {

class TomlTable;

enum class PolicyKind { kTune, kGate };
enum class ErrorControl { kFdr, kPerDecision };
// How several targets make one decision: their geometric mean, or any one of
// them with the others as guards.
enum class TargetRule { kGeomean, kEach };
// How the two sides of a round share the machine; see docs/measuring.md.
enum class MeasureMode { kAuto, kTurns, kAlternate, kDuet };
// Benchmarks that only the contender has: nothing can be judged, or they are
// listed and the others judged.
enum class AddedRule { kFail, kList };
enum class GuardMode {
  kProve,  // must be proven unharmed within its margin for a keep
  kVeto,   // only blocks when harm is proven
  kExact,  // deterministic numbers, compared exactly
};

// What a gate that proves nothing either way comes to.
enum class OnInconclusive {
  kNeutral,  // an outcome of its own, exit 3
  kFail,     // as a regression, exit 1
  kWarn,     // a pass with a warning, exit 0
};

template <>
struct NameTable<PolicyKind> {
  static constexpr Named<PolicyKind> kAll[] = {{"tune", PolicyKind::kTune},
                                               {"gate", PolicyKind::kGate}};
};
template <>
struct NameTable<ErrorControl> {
  static constexpr Named<ErrorControl> kAll[] = {
      {"fdr", ErrorControl::kFdr},
      {"per-decision", ErrorControl::kPerDecision}};
};
template <>
struct NameTable<TargetRule> {
  static constexpr Named<TargetRule> kAll[] = {
      {"geomean", TargetRule::kGeomean}, {"each", TargetRule::kEach}};
};
template <>
struct NameTable<MeasureMode> {
  static constexpr Named<MeasureMode> kAll[] = {
      {"auto", MeasureMode::kAuto},
      {"turns", MeasureMode::kTurns},
      {"alternate", MeasureMode::kAlternate},
      {"duet", MeasureMode::kDuet}};
};
template <>
struct NameTable<AddedRule> {
  static constexpr Named<AddedRule> kAll[] = {{"fail", AddedRule::kFail},
                                              {"list", AddedRule::kList}};
};
template <>
struct NameTable<GuardMode> {
  static constexpr Named<GuardMode> kAll[] = {{"prove", GuardMode::kProve},
                                              {"veto", GuardMode::kVeto},
                                              {"exact", GuardMode::kExact}};
};

template <>
struct NameTable<OnInconclusive> {
  static constexpr Named<OnInconclusive> kAll[] = {
      {"neutral", OnInconclusive::kNeutral},
      {"fail", OnInconclusive::kFail},
      {"warn", OnInconclusive::kWarn}};
};

// Something that must not get worse by more than `margin` (a fraction).
struct Guard {
  std::string benchmark_pattern;  // regular expression, searched; or empty
  std::string metric;  // "peak_rss", "excess_cpu", a counter; or empty
  double margin = 0.02;
  GuardMode mode = GuardMode::kProve;

  friend bool operator==(const Guard&, const Guard&) = default;
};

// Gate: the loss tolerated for benchmarks whose name matches, a fraction.
struct BenchmarkMargin {
  std::string benchmark_pattern;
  double margin = 0.02;
};

// Gate: a known regression accepted up to `ceiling` (fraction) through `until`.
struct Waiver {
  std::string name;  // exact
  double ceiling = 0.0;
  std::string until;  // YYYY-MM-DD
  std::string reason;
};

// Every threshold and rule of a decision, as data. Fractions, not per cent.
struct Policy {
  PolicyKind kind = PolicyKind::kTune;
  std::string metric = "auto";  // or real_time, cpu_time, a counter's name
  std::optional<Direction> direction;  // required for counters of no known one
  double min_effect = 0.01;  // smallest improvement worth having, in (0, 1)
  double floor = 0.0;        // log-improvement a keep must exceed, >= 0
  double alpha = 0.05;       // bound on the false keep probability
  double beta = 0.10;        // bound on the false discard probability
  ErrorControl error_control = ErrorControl::kFdr;
  double fdr = 0.10;           // tasks: bound on the share of false keeps
  std::int64_t horizon = 100;  // tasks: measured decisions planned
  TargetRule targets = TargetRule::kGeomean;
  AddedRule added = AddedRule::kFail;
  MeasureMode mode = MeasureMode::kAuto;
  double budget_seconds = 120.0;
  std::int64_t max_rounds = 2000;
  double review_ratio = 5.0;  // gains above this factor need a human's review
  double default_margin = 0.02;  // guards and gate, when nothing else is said
  OnInconclusive on_inconclusive = OnInconclusive::kNeutral;  // of a gate
  std::vector<Guard> guards;
  std::vector<BenchmarkMargin> margins;
  std::vector<Waiver> waivers;
};

// Smallest log-improvement worth having, m = -ln(1 - min_effect).
double MinLogImprovement(const Policy& policy);

// Reads a policy from TOML: the tables [policy], [[guard]], [[margin]] and
// [[waiver]]; any other key is an error with its line and a did-you-mean.
// Errors: InvalidArgument, "SOURCE:LINE: KEY: expected ..., got ...". Every
// value is range-checked; what is absent keeps its default.
absl::StatusOr<Policy> ParsePolicy(std::string_view text,
                                   std::string_view source_name);

// The same of the top table of a parsed text that holds `other_tables` besides,
// which are the caller's (task.toml).
absl::StatusOr<Policy> ReadPolicy(
    const TomlTable& top, std::span<const std::string_view> other_tables = {});

// InvalidArgument naming the field when a value is out of its range: callers
// that set fields from flags check with this.
absl::Status CheckPolicy(const Policy& policy);

// The metric `policy` judges the named benchmark by: the policy's own, or
// DefaultMetric for "auto". `policy` must pass CheckPolicy.
Metric MetricFor(const Policy& policy, std::string_view benchmark_name);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_POLICY_H_
