#ifndef AUTOTUNE_COMPARATOR_RECORDED_BENCHMARK_PAIRS_H_
#define AUTOTUNE_COMPARATOR_RECORDED_BENCHMARK_PAIRS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "comparator/results/suspicion.h"

namespace autotune {

// One --rename: where `pattern` is found in a name, `replacement` stands
// instead (NamePattern::Replace).
struct RenameRule {
  NamePattern pattern;
  std::string replacement;
};

// Reads "REGEX=TEXT", split at the last '='. InvalidArgument when there is no
// '=', the expression is bad or negated.
absl::StatusOr<RenameRule> ParseRenameRule(std::string_view text);

// Which benchmarks are compared, and under which name they meet.
struct MatchOptions {
  std::optional<NamePattern> filter;  // both sides
  // One side each. When both are given and differ, two families are compared:
  // the place each one finds becomes "[FIRST vs SECOND]" in the common name.
  std::optional<NamePattern> filter_baseline;
  std::optional<NamePattern> filter_contender;
  std::vector<RenameRule> renames;  // both sides, in order, after the filters
  // Benchmarks to take in although the filters leave them out: guards.
  std::vector<NamePattern> also;
};

struct VisitRow {
  const Measurement* row = nullptr;
  std::size_t visit = 0;  // index among the side's visits
};

struct VisitAggregate {
  const Aggregate* aggregate = nullptr;
  std::size_t visit = 0;
};

struct VisitUnusable {
  const UnusableRow* row = nullptr;
  std::size_t visit = 0;
};

// Everything one side's files say about one benchmark, in their order.
struct BenchmarkSide {
  std::vector<VisitRow> rows;
  std::vector<VisitAggregate> aggregates;
  std::vector<VisitUnusable> unusable;
  std::vector<const Suspicion*> suspicions;
  // Names in the files; several when filters and renames made them meet.
  std::vector<std::string> file_names;
  // Visits that should hold the benchmark, and those of them that do not. Two
  // visits should hold the same when they share some benchmark: runs that were
  // given disjoint parts of a program do not miss each other's.
  std::size_t expected_visits = 0;
  std::size_t missing_visits = 0;

  bool present() const { return !file_names.empty(); }
  bool measured() const { return !rows.empty() || !aggregates.empty(); }
};

struct BenchmarkPair {
  std::string name;
  bool selected = false;  // by the filters, on some side
  BenchmarkSide baseline;
  BenchmarkSide contender;
};

// Which machine each visit of a side was recorded on, by number, when both
// sides were recorded on the same several machines; else empty. Visits are
// compared within a machine then.
struct HostStrata {
  std::vector<std::size_t> baseline;   // by visit
  std::vector<std::size_t> contender;  // by visit

  bool empty() const { return baseline.empty(); }
};

// The benchmarks of both sides by common name. Points into the files, which
// must outlive it.
struct MatchedBenchmarks {
  // In the baseline's order, then those that only the contender has.
  std::vector<BenchmarkPair> pairs;
  std::size_t baseline_visits = 0;
  std::size_t contender_visits = 0;
  HostStrata strata;
  // Of each of MatchOptions::renames, whether it changed some name.
  std::vector<bool> renamed;
  std::vector<std::string> warnings;
};

// Matches by name in time linear in the rows.
//
// A visit is what a row's own visit id says, else its file's, else the file.
// Programs that share a benchmark name inside one side are kept apart (the name
// is then "PROGRAM: NAME") when both sides tell them apart the same way or
// their file names differ; otherwise they count as visits of one program and a
// warning says so.
MatchedBenchmarks MatchBenchmarks(std::span<const ResultFile> baseline,
                                  std::span<const ResultFile> contender,
                                  const MatchOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_BENCHMARK_PAIRS_H_
