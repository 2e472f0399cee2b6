#ifndef AUTOTUNE_COMPARATOR_OUTCOME_OUTCOME_H_
#define AUTOTUNE_COMPARATOR_OUTCOME_OUTCOME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/metric.h"
#include "comparator/statistics/verdict.h"

namespace autotune {

// What a benchmark is to the decision.
enum class ComparisonRole {
  kTarget,  // what the change is about; in a gate, everything
  kGuard,   // must not get worse by more than its margin
  kHost     // one machine of a fleet: all that its own rounds say
};

template <>
struct NameTable<ComparisonRole> {
  static constexpr Named<ComparisonRole> kAll[] = {
      {"target", ComparisonRole::kTarget},
      {"guard", ComparisonRole::kGuard},
      {"host", ComparisonRole::kHost}};
};

// Where a benchmark stands against the loss that is tolerated.
enum class MarginStanding { kUndecided, kWithin, kBeyond };

template <>
struct NameTable<MarginStanding> {
  static constexpr Named<MarginStanding> kAll[] = {
      {"undecided", MarginStanding::kUndecided},
      {"within", MarginStanding::kWithin},
      {"beyond", MarginStanding::kBeyond}};
};

// What counts as one independent value of recorded files.
enum class SamplingUnit {
  kVisit,       // one process run: the median of its repetitions
  kRepetition,  // one repetition of a single run: shows, never proves
};

template <>
struct NameTable<SamplingUnit> {
  static constexpr Named<SamplingUnit> kAll[] = {
      {"visit", SamplingUnit::kVisit},
      {"repetition", SamplingUnit::kRepetition}};
};

// Where one benchmark, or the geometric mean of several, stands: the row that
// rounds (live or replayed) and recorded files both come to, that Decide judges
// and that every report shows.
struct Comparison {
  std::string name;
  Metric metric;
  ComparisonRole role = ComparisonRole::kTarget;
  double baseline_median = 0.0;  // of the values compared; see `estimate`
  double contender_median = 0.0;
  // Absent: cannot judge, no round yet, or counts of which some are 0.
  std::optional<RatioEstimate> estimate;
  Verdict verdict = Verdict::kInconclusive;
  std::string reason;  // of an inconclusive verdict
  // Guards, gates and TargetRule::kEach: the loss tolerated, a fraction, and
  // where the benchmark stands against it. Absent for other targets, and for a
  // host that must improve itself.
  std::optional<double> margin;
  MarginStanding standing = MarginStanding::kUndecided;
  GuardMode guard_mode = GuardMode::kProve;
  std::string waiver;        // gate: why a larger loss is tolerated; else empty
  std::string cannot_judge;  // why there is no verdict at all; else empty
  std::string suspicion;     // why its numbers are doubted; else empty
  // Takes no time on either side, a no-op: doubted, but no hindrance to what is
  // decided of the others.
  bool takes_no_time = false;
  std::vector<std::string> warnings;
  // Visits a side, more than there are, that would probably decide.
  std::optional<std::int64_t> more_visits;
  // False when no numbers of these sizes could decide: too few visits, or one
  // run each.
  bool can_be_decided = true;

  // Recorded files only.
  SamplingUnit unit = SamplingUnit::kVisit;
  std::size_t baseline_visits = 0;
  std::size_t contender_visits = 0;
  std::size_t baseline_size = 0;  // values compared, one a unit
  std::size_t contender_size = 0;
  bool from_aggregates = false;  // repetitions were not published
  // Two-sided Mann-Whitney; absent with the estimate, and where single runs
  // published aggregates only.
  std::optional<double> p_value;
  std::optional<double> adjusted_p_value;  // over the table
  std::optional<double> probability_of_superiority;

  // Rounds only: how many were looked at, and natural logarithms of e-values.
  // Keep is evidence of an improvement, under a margin that it is not exceeded;
  // discard of none worth having, under a margin (in a gate adjusted over the
  // table) that it is exceeded. All 0 for exact guards, which bet on nothing:
  // their interval is the worst ratio seen, at level 1.
  std::size_t rounds = 0;
  double log_e_keep = 0.0;
  double log_e_discard = 0.0;
  double log_e_worse = 0.0;  // of any loss; no use under a margin
};

// How many times better a comparison's estimate is than no change, > 0: 1
// without an estimate, below 1 when it is worse.
double GainFactor(const Comparison& comparison);

// Why a decision is what it is: what advice, exit codes and reports go by.
enum class ReasonCode {
  kImproved,          // keep: proven better, nothing harmed
  kWithinMargins,     // pass: no loss beyond a margin is possible
  kUnchanged,         // the programs are equal
  kHarmed,            // something is proven worse than its margin
  kNoGain,            // an improvement worth having is excluded
  kUndecided,         // more rounds or visits may decide
  kGainBeyondBelief,  // larger than the policy lets pass without a person
  kDoubted,           // the numbers of a target are suspect
  kObjection,         // what the rounds prove was not taken: see the reason
  kDiffersByMachine,  // better on one host and worse on another
  // From here on: cannot judge.
  kUnjudgeable,  // a selected benchmark has no verdict at all
  kNothing,      // nothing to judge: no benchmark, no target
  kMissing,      // a benchmark on one side only
  kTooFewRuns,   // gate: no numbers of these sizes could pass, or fail
  kOtherMachine  // the sides' files come from different machines
};

// For JSON and the evidence file.
template <>
struct NameTable<ReasonCode> {
  static constexpr Named<ReasonCode> kAll[] = {
      {"improved", ReasonCode::kImproved},
      {"within_margins", ReasonCode::kWithinMargins},
      {"unchanged", ReasonCode::kUnchanged},
      {"harmed", ReasonCode::kHarmed},
      {"no_gain", ReasonCode::kNoGain},
      {"undecided", ReasonCode::kUndecided},
      {"gain_beyond_belief", ReasonCode::kGainBeyondBelief},
      {"doubted", ReasonCode::kDoubted},
      {"objection", ReasonCode::kObjection},
      {"differs_by_machine", ReasonCode::kDiffersByMachine},
      {"unjudgeable", ReasonCode::kUnjudgeable},
      {"nothing", ReasonCode::kNothing},
      {"missing", ReasonCode::kMissing},
      {"too_few_runs", ReasonCode::kTooFewRuns},
      {"other_machine", ReasonCode::kOtherMachine}};
};

// What a whole change comes to.
struct Ruling {
  // In a gate keep stands for "pass" and discard for "regression".
  Decision decision = Decision::kInconclusive;
  ReasonCode code = ReasonCode::kUndecided;
  std::string reason;  // one sentence about it

  // Exit 2; wins over everything. The decision is then inconclusive.
  bool cannot_judge() const { return code >= ReasonCode::kUnjudgeable; }
};

// "keep", "discard", "inconclusive"; in a gate "pass", "regression",
// "inconclusive"; "cannot judge" when it cannot.
std::string_view OutcomeName(const Ruling& ruling, PolicyKind kind);

// Two programs that are equal: nothing to keep, and for a gate nothing lost.
Ruling UnchangedRuling(PolicyKind kind);

// The rule by which comparisons become a ruling.
struct DecisionRule {
  PolicyKind kind = PolicyKind::kTune;
  TargetRule targets = TargetRule::kGeomean;
  double alpha = 0.05;
  double min_effect = 0.01;   // the gain that kNoGain excludes, a fraction
  double review_ratio = 5.0;  // larger gains are never a keep
};
DecisionRule RuleOf(const Policy& policy);

// The decision of a whole change from where its benchmarks stand: pure and
// total. `overall` is the geometric mean of several targets, null when there is
// none. In this order:
//   what cannot be judged wins over everything (and in a gate sizes that cannot
//   decide); then harm to anything with a margin is a discard.
//   Tune: a loss without a ratio (of counts that are 0) is a discard; then one
//   target by its verdict, several by the mean's, or under
//   TargetRule::kEach a keep when one improved and every other one did too or
//   is within its margin. An improvement is kept unless the gain is beyond
//   review_ratio, a target, or a prove or exact guard, is doubted, or such a
//   guard is open.
//   Gate: a pass when everything but veto guards is within its margin, and none
//   of it doubted.
// Hosts of a fleet are guards too, with two additions when tuning: one host
// improved or the whole, and another regressed, is kDiffersByMachine; and hosts
// without a margin decide alone, a keep when all of them improved.
Ruling Decide(const DecisionRule& rule, std::span<const Comparison> comparisons,
              const Comparison* overall);

// What is decided about a change, with all that it was decided from.
struct Outcome : Ruling {
  PolicyKind kind = PolicyKind::kTune;
  // Targets and guards: recorded files in the baseline's order, a run's targets
  // first.
  std::vector<Comparison> comparisons;
  // Geometric mean over the matched, valid and unsuspected targets; absent when
  // there are none. Under TargetRule::kEach a run has the target that improved,
  // until then the one nearest to it.
  std::optional<Comparison> overall;
  std::size_t overall_size = 0;  // benchmarks in the mean
  std::vector<std::string> warnings;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_OUTCOME_OUTCOME_H_
