#ifndef AUTOTUNE_TESTS_COMPARATOR_RECORDED_COMPARISON_FIXTURE_H_
#define AUTOTUNE_TESTS_COMPARATOR_RECORDED_COMPARISON_FIXTURE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "comparator/policy/idle_setting.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "tests/support/result_builder.h"

namespace autotune {

using Files = std::vector<ResultFile>;

inline constexpr char kOneRunEach[] = "one run each; use `bench_compare run`";

// Six visits whose values spread by 0.1 %.
inline const std::vector<double>& Spread() {
  static const std::vector<double> spread = {1.0,   1.001,  0.999,
                                             1.002, 0.9985, 1.0005};
  return spread;
}
// The same, of the other side: not the same digits.
inline const std::vector<double>& OtherSpread() {
  static const std::vector<double> spread = {1.0003, 0.9992, 1.0011,
                                             0.9988, 1.0017, 0.9997};
  return spread;
}

// One file a visit with one row of each benchmark; `scales` per benchmark.
inline Files VisitsOf(
    const std::string& source, const std::vector<double>& spread,
    const std::vector<std::pair<std::string, double>>& benchmarks) {
  Files files;
  for (std::size_t i = 0; i < spread.size(); ++i) {
    ResultBuilder builder(source + std::to_string(i));
    for (std::size_t k = 0; k < benchmarks.size(); ++k) {
      // Each benchmark its own order of the same spread.
      const double factor = spread[(i + k) % spread.size()];
      builder.Times(benchmarks[k].first, {benchmarks[k].second * factor});
    }
    files.push_back(builder.Build());
  }
  return files;
}

inline Files Baseline(
    const std::vector<std::pair<std::string, double>>& benchmarks) {
  return VisitsOf("old", Spread(), benchmarks);
}
inline Files Contender(
    const std::vector<std::pair<std::string, double>>& benchmarks) {
  return VisitsOf("new", OtherSpread(), benchmarks);
}

inline Files OneFile(const std::string& source, const std::string& name,
                     const std::vector<double>& times) {
  return {ResultBuilder(source).Times(name, times).Build()};
}

inline NamePattern Pattern(const std::string& text) {
  return NamePattern::Create(text).value();
}

// The settings that take no part, as they are said.
inline std::vector<std::string> IdleIn(const ComparisonTable& table) {
  std::vector<std::string> said;
  for (const IdleSetting& idle : table.idle) {
    said.push_back(IdleText(idle) + (idle.vanished ? " (vanished)" : ""));
  }
  return said;
}

inline Policy GatePolicy() {
  Policy policy;
  policy.kind = PolicyKind::kGate;
  return policy;
}

inline Guard GuardOn(const std::string& pattern, double margin = 0.02) {
  Guard guard;
  guard.benchmark_pattern = pattern;
  guard.margin = margin;
  return guard;
}

// What a table says, in one line.
inline std::string Said(const ComparisonTable& table) {
  return std::string(OutcomeName(table, table.kind)) + ": " + table.reason;
}

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_COMPARATOR_RECORDED_COMPARISON_FIXTURE_H_
