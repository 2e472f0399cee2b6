#include "comparator/recorded/comparison.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/comparison_rows.h"
#include "comparator/recorded/conclusion.h"
#include "comparator/recorded/idle_settings.h"
#include "comparator/recorded/overall_figure.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/recorded/side_suspicion.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/library_version.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/mann_whitney.h"
#include "comparator/statistics/sample.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

constexpr std::string_view kScaledCopy =
    "every contender value is the same multiple of the baseline's: a scaled "
    "copy";
constexpr std::string_view kDependentRepetitions =
    "repetitions of one process are not independent: on a busy machine "
    "identical binaries compared this way look different in 35 to 60 % of "
    "cases";

using Rows = std::vector<ComparisonRow>;
// Places in Rows of the comparisons that share their error.
using Family = std::vector<std::size_t>;

std::string OneRunReason(const Comparison& comparison) {
  const bool one_baseline = comparison.baseline_visits <= 1;
  const bool one_contender = comparison.contender_visits <= 1;
  std::string_view who = "one run each";
  if (!one_contender) who = "one run of the baseline";
  if (!one_baseline) who = "one run of the contender";
  return absl::StrFormat("%s; use `bench_compare run`", who);
}

// Doubts every row that is not doubted yet.
void SuspectAll(std::string_view suspicion, Rows& rows) {
  for (ComparisonRow& row : rows) {
    if (row.comparison.suspicion.empty()) row.comparison.suspicion = suspicion;
  }
}

// Gives the rows their verdicts and standings.
class RowJudge {
 public:
  RowJudge(Rows& rows, const Policy& policy, const CompareOptions& options)
      : rows_(rows), policy_(policy), options_(options) {}

  void Judge() {
    SuspectScaledCopy();
    AdjustTable();
    for (ComparisonRow& row : rows_) SetUndecided(row);
    for (const ComparisonRole role :
         {ComparisonRole::kTarget, ComparisonRole::kGuard}) {
      DecideVerdicts(FamilyOf(role));
      DecideStandings(FamilyOf(role));
    }
    for (ComparisonRow& row : rows_) {
      StandExactly(row);
      CompareZeros(row);
    }
  }

  // Whether the values of a comparison may prove anything.
  bool MayProve(const Comparison& comparison) const {
    return comparison.unit == SamplingUnit::kVisit ||
           (options_.assume_independent && !comparison.from_aggregates);
  }

 private:
  void SuspectScaledCopy() {
    std::vector<const PairValues*> values;
    for (const ComparisonRow& row : rows_) {
      if (row.test.has_value() &&
          CanTellCopies(*row.values, row.comparison.metric)) {
        values.push_back(&*row.values);
      }
    }
    if (IsScaledCopy(values)) SuspectAll(kScaledCopy, rows_);
  }

  // The two-sided p-values that are shown, over the whole table.
  void AdjustTable() {
    std::vector<double> p_values;
    for (const ComparisonRow& row : rows_) {
      const std::optional<double>& p_value = row.comparison.p_value;
      if (p_value.has_value()) p_values.push_back(*p_value);
    }
    p_values = AdjustPValues(p_values, options_.adjustment);
    std::size_t next = 0;
    for (ComparisonRow& row : rows_) {
      if (row.comparison.p_value.has_value()) {
        row.comparison.adjusted_p_value = p_values[next++];
      }
    }
  }

  void SetUndecided(ComparisonRow& row) const {
    Comparison& comparison = row.comparison;
    if (!row.test.has_value()) return;
    comparison.can_be_decided = MayProve(comparison);
    if (!comparison.suspicion.empty()) {
      comparison.reason = "needs review: " + comparison.suspicion;
    } else if (!comparison.can_be_decided) {
      comparison.reason = OneRunReason(comparison);
    }
  }

  Family FamilyOf(ComparisonRole role) const {
    Family family;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Comparison& comparison = rows_[i].comparison;
      if (comparison.role == role && rows_[i].sound() && MayProve(comparison)) {
        family.push_back(i);
      }
    }
    return family;
  }

  std::vector<const RecordedShift*> TestsOf(const Family& family) const {
    std::vector<const RecordedShift*> tests;
    tests.reserve(family.size());
    for (const std::size_t i : family) tests.push_back(&*rows_[i].test);
    return tests;
  }

  void DecideVerdicts(const Family& family) {
    const std::vector<const RecordedShift*> tests = TestsOf(family);
    std::vector<RecordedVerdict> verdicts =
        DecideFamily(tests, policy_, options_.adjustment);
    for (std::size_t i = 0; i < family.size(); ++i) {
      Comparison& comparison = rows_[family[i]].comparison;
      comparison.verdict = verdicts[i].verdict;
      comparison.reason = std::move(verdicts[i].reason);
      comparison.more_visits = verdicts[i].more_visits;
      comparison.can_be_decided = CanReach(*tests[i], policy_.alpha);
    }
  }

  // Not worse than the margin is proven at alpha, each for itself as all must
  // be; worse at beta, over the family.
  void DecideStandings(Family family) {
    std::erase_if(family, [this](std::size_t i) {
      return !rows_[i].comparison.margin.has_value();
    });
    std::vector<double> margins;
    margins.reserve(family.size());
    for (const std::size_t i : family) {
      margins.push_back(*rows_[i].comparison.margin);
    }
    const std::vector<MarginStanding> standings =
        StandFamily(TestsOf(family), margins, {policy_.alpha, policy_.beta},
                    options_.adjustment);
    for (std::size_t i = 0; i < family.size(); ++i) {
      rows_[family[i]].comparison.standing = standings[i];
      SayWhetherALossCanBeFound(rows_[family[i]], family.size());
    }
  }

  // A gate that cannot fail passes nothing. The smallest p-value counts as many
  // times as there are benchmarks; by Benjamini and Hochberg two losses need
  // not be so clear, but one alone must.
  void SayWhetherALossCanBeFound(ComparisonRow& row,
                                 std::size_t family_size) const {
    if (policy_.kind != PolicyKind::kGate) return;
    const RecordedShift& test = *row.test;
    const double error = policy_.beta / static_cast<double>(family_size);
    if (!row.comparison.can_be_decided || CanReach(test, error)) return;
    row.comparison.can_be_decided = false;
    row.comparison.reason = absl::StrFormat(
        "too few visits: %d against %d cannot find %s loss among %d "
        "benchmark%s; %d a side can",
        test.baseline_size(), test.contender_size(),
        options_.adjustment == ErrorAdjustment::kHolm ? "any" : "a single",
        family_size, family_size == 1 ? "" : "s", test.VisitsNeeded(error));
  }

  // A deterministic number needs no test: any loss is one.
  static void StandExactly(ComparisonRow& row) {
    Comparison& comparison = row.comparison;
    if (comparison.guard_mode != GuardMode::kExact || !row.values.has_value()) {
      return;
    }
    const bool lower = comparison.metric.direction == Direction::kLowerIsBetter;
    const auto [baseline_low, baseline_high] = std::minmax_element(
        row.values->baseline.values.begin(), row.values->baseline.values.end());
    const auto [contender_low, contender_high] =
        std::minmax_element(row.values->contender.values.begin(),
                            row.values->contender.values.end());
    const bool worse = lower ? *contender_high > *baseline_high
                             : *contender_low < *baseline_low;
    comparison.standing =
        worse ? MarginStanding::kBeyond : MarginStanding::kWithin;
  }

  // Counts of which some are 0 have no ratio: 0 everywhere is no change, 0 on
  // one side alone is a gain or a loss whatever its size. Where a side has
  // both, the ranks decide whether there is one, and none is never proven.
  void CompareZeros(ComparisonRow& row) const {
    Comparison& comparison = row.comparison;
    if (row.test.has_value() || !row.values.has_value() ||
        comparison.guard_mode == GuardMode::kExact ||
        !comparison.cannot_judge.empty() || !comparison.suspicion.empty()) {
      return;
    }
    switch (ChangeOfZeros(row)) {
      case ZeroChange::kNone:
        comparison.verdict = Verdict::kEquivalent;
        comparison.standing = MarginStanding::kWithin;
        break;
      case ZeroChange::kGain:
        comparison.verdict = Verdict::kImproved;
        comparison.standing = MarginStanding::kWithin;
        break;
      case ZeroChange::kLoss:
        comparison.verdict = Verdict::kRegressed;
        comparison.standing = MarginStanding::kBeyond;
        break;
      case ZeroChange::kOpen:
        comparison.reason =
            "some values are 0 and others are not: there is no ratio, and "
            "their ranks show no difference";
    }
  }

  enum class ZeroChange { kNone, kGain, kLoss, kOpen };

  ZeroChange ChangeOfZeros(const ComparisonRow& row) const {
    const bool lower =
        row.comparison.metric.direction == Direction::kLowerIsBetter;
    const std::vector<double>& before = row.values->baseline.values;
    const std::vector<double>& after = row.values->contender.values;
    const auto all_zero = [](const std::vector<double>& values) {
      return std::all_of(values.begin(), values.end(),
                         [](double value) { return value == 0.0; });
    };
    const auto none_zero = [](const std::vector<double>& values) {
      return std::all_of(values.begin(), values.end(),
                         [](double value) { return value > 0.0; });
    };
    if (all_zero(before) && all_zero(after)) return ZeroChange::kNone;
    const bool rises = all_zero(before) && none_zero(after);
    const bool falls = none_zero(before) && all_zero(after);
    if (rises || falls) {
      return rises == lower ? ZeroChange::kLoss : ZeroChange::kGain;
    }
    if (!MayProve(row.comparison)) return ZeroChange::kOpen;
    const absl::StatusOr<Sample> x = Sample::Create(before);
    const absl::StatusOr<Sample> y = Sample::Create(after);
    assert(x.ok() && y.ok());  // ValuesOf gives at least one, all finite
    const MannWhitney test = MannWhitneyTest(*x, *y);
    if (test.p_contender_higher <= policy_.alpha) {
      return lower ? ZeroChange::kLoss : ZeroChange::kGain;
    }
    if (test.p_contender_lower <= policy_.alpha) {
      return lower ? ZeroChange::kGain : ZeroChange::kLoss;
    }
    return ZeroChange::kOpen;
  }

  Rows& rows_;
  const Policy& policy_;
  const CompareOptions& options_;
};

// Adds the geometric mean over the sound targets.
void AddOverall(const Rows& rows, const RowJudge& judge, const Policy& policy,
                RankTables& tables, const HostStrata& strata,
                ComparisonTable& table) {
  std::vector<OverallMember> members;
  const Comparison* unproven = nullptr;
  for (const ComparisonRow& row : rows) {
    const Comparison& comparison = row.comparison;
    if (comparison.role != ComparisonRole::kTarget || !row.sound()) continue;
    members.push_back({&*row.values, comparison.metric.direction});
    if (!judge.MayProve(comparison)) unproven = &comparison;
  }
  if (members.empty()) return;
  OverallFigure figure = MakeOverallFigure(members, policy, tables, strata);
  Comparison& overall = table.overall.emplace();
  overall.name = "geomean";
  overall.metric.direction = members.front().direction;
  overall.estimate = figure.estimate;
  table.overall_size = members.size();
  if (unproven != nullptr) {
    overall.reason = OneRunReason(*unproven);
    return;
  }
  overall.verdict = figure.verdict.verdict;
  overall.more_visits = figure.verdict.more_visits;
  overall.reason = std::move(figure.verdict.reason);
}

void AddUnitWarning(const Rows& rows, ComparisonTable& table) {
  const bool single =
      std::any_of(rows.begin(), rows.end(), [](const ComparisonRow& row) {
        return row.test.has_value() &&
               row.comparison.unit == SamplingUnit::kRepetition;
      });
  if (single) table.warnings.emplace_back(kDependentRepetitions);
}

void AddExpiredWaivers(const ComparisonRules& rules, ComparisonTable& table) {
  for (std::string& warning : rules.ExpiryWarnings()) {
    table.warnings.push_back(std::move(warning));
  }
}

void RefuseThreads(const ThreadFindings& threads, Rows& rows) {
  for (ComparisonRow& row : rows) {
    const std::string_view why = WhyThreadsDiffer(
        row.comparison.name, row.comparison.metric.name, threads);
    if (why.empty()) continue;
    row.test.reset();
    row.values.reset();
    row.comparison.estimate.reset();
    row.comparison.p_value.reset();
    row.comparison.cannot_judge = why;
  }
}

void SuspectRepeatedRuns(std::span<const ResultFile> baseline,
                         std::span<const ResultFile> contender, Rows& rows) {
  for (const std::span<const ResultFile> files : {baseline, contender}) {
    const std::string suspicion = RepeatedRun(files);
    if (!suspicion.empty()) SuspectAll(suspicion, rows);
  }
}

}  // namespace

ComparisonTable CompareFiles(std::span<const ResultFile> baseline,
                             std::span<const ResultFile> contender,
                             const Policy& policy,
                             const CompareOptions& options) {
  const ComparisonRules rules(policy, options.today);
  MatchOptions match = options.match;
  if (match.filter.has_value()) match.also = rules.GuardPatterns();
  const MatchedBenchmarks matched = MatchBenchmarks(baseline, contender, match);
  ContextFindings context = CompareContexts(baseline, contender);

  ComparisonTable table;
  table.kind = policy.kind;
  table.adjustment = options.adjustment;
  table.may_lose = options.common_only;
  table.may_add = options.common_only || policy.added == AddedRule::kList;
  table.baseline_visits = matched.baseline_visits;
  table.contender_visits = matched.contender_visits;
  RankTables tables;
  Rows rows =
      MakeComparisonRows(matched, rules, policy, options, tables, table);
  RefuseThreads(context.threads, rows);
  SuspectRepeatedRuns(baseline, contender, rows);
  RowJudge judge(rows, policy, options);
  judge.Judge();
  AddOverall(rows, judge, policy, tables, matched.strata, table);
  std::string mismatch = std::move(context.mismatch);
  if (options.ignore_context && !mismatch.empty()) {
    table.warnings.push_back(std::exchange(mismatch, ""));
  }
  if (!mismatch.empty()) mismatch = "context: " + mismatch;
  if (!matched.strata.empty()) {
    table.warnings.push_back(absl::StrFormat(
        "both sides were recorded on %d hosts: compared within each host",
        std::set<std::size_t>(matched.strata.baseline.begin(),
                              matched.strata.baseline.end())
            .size()));
  }
  AddUnitWarning(rows, table);
  table.warnings.insert(table.warnings.end(), matched.warnings.begin(),
                        matched.warnings.end());
  std::move(context.warnings.begin(), context.warnings.end(),
            std::back_inserter(table.warnings));
  AddExpiredWaivers(rules, table);
  FindIdleSettings({baseline, contender, matched, rows}, rules, policy, options,
                   table);
  table.comparisons.reserve(rows.size());
  for (ComparisonRow& row : rows) {
    table.comparisons.push_back(std::move(row.comparison));
    table.values.push_back(std::move(row.values));
  }
  Conclude(policy, mismatch, table);
  return table;
}

}  // namespace autotune
