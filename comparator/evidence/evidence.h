#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/names.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/turn_bias.h"
#include "comparator/statistics/verdict.h"

namespace autotune {

// What was run on one side. Hashes and SHAs are lower-case hex, empty when
// unknown.
struct EvidenceSide {
  std::vector<std::string> argv;
  // Given for this side besides what it inherits.
  std::map<std::string, std::string> environment = {};
  std::string working_directory = {};  // where its visits ran
  // SHA-256 by name of the libraries that its run path finds.
  std::map<std::string, std::string> libraries = {};
  std::string sha256;    // of the executable
  std::string build_id;  // from its ELF note
  std::string commit;    // autotune: what the side's tree came from
  std::string tree;
};

// One benchmark's numbers in one visit. `values` are the metric per repetition
// (ns for times); `value` is what the round's ratio used: mean or median by
// mode.
struct VisitBenchmark {
  std::string name;
  std::vector<std::int64_t> iterations;
  std::vector<double> values;
  double value = 0.0;
};

// One process run of one side.
struct VisitEvidence {
  int file_copy = 0;           // which of the two fresh copies, 0 or 1
  double start_seconds = 0.0;  // since the run's start
  double wall_seconds = 0.0;
  double user_cpu_seconds = 0.0;
  double system_cpu_seconds = 0.0;
  double excess_cpu_seconds = 0.0;
  std::optional<std::int64_t> peak_rss_bytes;
  std::int64_t voluntary_switches = 0;
  std::int64_t involuntary_switches = 0;
  std::optional<std::int64_t> threads;        // the most seen alive
  std::optional<std::int64_t> program_bytes;  // size of the executable
  std::string visit_id;                       // from our reporter
  std::vector<VisitBenchmark> benchmarks;
};

// What a round is for.
enum class RoundUse {
  kCounts,        // enters the test
  kConfirmation,  // one visit after the other: checks a keep
  kBiasCheck,     // checks a decision for the bias of the turns
  kSettled,       // entered a test that a fresh one in longer turns replaced
  kVoid,          // no sound pair of visits
};

template <>
struct NameTable<RoundUse> {
  static constexpr Named<RoundUse> kAll[] = {
      {"counts", RoundUse::kCounts},
      {"confirmation", RoundUse::kConfirmation},
      {"bias check", RoundUse::kBiasCheck},
      {"settled", RoundUse::kSettled},
      {"void", RoundUse::kVoid}};
};

// One round: one visit of each side in positions drawn by a coin.
struct RoundEvidence {
  std::int64_t index = 0;      // counts voided rounds too
  bool baseline_first = true;  // start order
  int baseline_copy = 0;       // file copy that held the baseline
  std::int64_t padding_bytes_first =
      0;  // environment padding of the first slot
  std::int64_t padding_bytes_second = 0;
  MeasureMode mode = MeasureMode::kAlternate;
  // Share of the round's time in which both visits were alive: 1 in alternate.
  double overlap = 1.0;
  std::optional<double> turn_seconds;  // length of a turn, in mode turns
  // CPU time that a turn really gave: other programs and the switches
  // themselves make it shorter or longer than asked for.
  std::optional<double> given_turn_seconds;
  RoundUse use = RoundUse::kCounts;
  std::string why;  // one clause: what made it void; else empty
  VisitEvidence baseline;
  VisitEvidence contender;
  RoundRatios ratios;  // empty unless it counts
};

// What the rounds after a decision said of the bias of the turns it was made
// in; see BiasTrial.
struct BiasRecord {
  double turn_seconds = 0.0;
  double check_turn_seconds = 0.0;
  std::optional<TurnBias> estimate;            // of the overall figure
  std::size_t pairs = 0;                       // of rounds in both lengths
  Decision decided = Decision::kInconclusive;  // by the rounds as they are
  Decision freed = Decision::kInconclusive;    // by the pairs freed of bias
};

// Everything a decision was computed from, and the ruling: an empty reason
// while running.
struct Evidence : Ruling {
  std::string tool_version;
  std::string started;  // RFC 3339, UTC
  Policy policy;        // as resolved
  Metric metric;
  JudgeSettings settings;  // targets, guards and the level really used
  std::optional<std::int64_t> task_decision;  // t of the task's level
  EvidenceSide baseline;
  EvidenceSide contender;
  std::map<std::string, std::string> machine;  // fingerprint, sorted keys
  std::map<std::string, std::string> build;
  std::string entropy;                       // "system", or "seed:N" in tests
  double repetition_min_time_seconds = 0.0;  // the visit's T
  std::int64_t repetitions = 0;              // the visit's R
  std::optional<double> turn_seconds;  // of the last rounds, in mode turns
  // One a length of turn that decided something, the last one's at the end. A
  // decision stands when `freed` of the last one is the same.
  std::vector<BiasRecord> bias;
  // Findings made before the first round, never part of the test; sorted keys.
  std::map<std::string, std::string> pilot;
  // The programs are equal in all that a visit uses: decided without a round.
  bool identical = false;
  // Benchmarks that were added, where the policy lists them: not measured.
  std::vector<std::string> only_in_contender;
  // Benchmarks that take no time on either side, which are not measured, and
  // what shows it.
  std::map<std::string, std::string> no_ops;
  std::vector<RoundEvidence> rounds;
  double measuring_seconds = 0.0;
  std::vector<std::string> warnings;
  // What a person should look at besides the numbers; never part of the test.
  std::vector<std::string> review;
  // Why a decision that the rounds prove is not taken (carry-over, a bias in
  // the way): `decision` is then inconclusive. Empty: it is taken.
  std::string downgrade;
  // As in SequentialJudge.
  Comparison overall;
  std::vector<Comparison> targets;
  std::vector<Comparison> guards;
};

// Sets the ruling and the comparisons to what `judge` comes to, with their
// metrics.
void SetOutcome(const SequentialJudge& judge, Evidence& evidence);

// The day on which the run started, YYYY-MM-DD in UTC: which waivers hold.
std::string DayOf(const Evidence& evidence);

// Gives the comparisons, which are stored without, their role and metric: the
// run's own, of a guard on another number that ("peak_rss", "excess_cpu",
// "binary_size", a counter); and a gate's benchmarks their waivers.
void CompleteComparisons(Evidence& evidence);

// The whole evidence as one JSON object (schema_version 3), stable key order,
// numbers that read back as the same double, bytes that are not UTF-8 replaced
// by U+FFFD, a final newline. All numbers must be finite.
std::string EvidenceToJson(const Evidence& evidence);

// The journal form: a header line (all but rounds and outcome), then one line a
// round, each without inner newlines and ended by one.
std::string EvidenceHeaderLine(const Evidence& evidence);
std::string EvidenceRoundLine(const RoundEvidence& round);

// Reads either form. A torn last line of a journal (no newline, no whole
// object) is dropped with a warning in Evidence::warnings: append only after
// writing the journal anew. Of a journal, measuring_seconds is the end of the
// last visit. Any other damage is InvalidArgument,
// "SOURCE: [line N: ]PATH: expected ..., got ...": unknown, missing and
// repeated keys, numbers out of range, rounds that are missing or of another
// shape.
absl::StatusOr<Evidence> ParseEvidence(std::string_view text,
                                       std::string_view source_name);

// The judge after all valid rounds of `evidence`, with the ratios recomputed
// from the visits' values. InvalidArgument "rounds[I]: ..." when a round's own
// numbers are missing, lie outside their repetitions, or give other ratios
// than the stored ones by more than 1e-9, or when it measures what a gate had
// decided before.
absl::StatusOr<SequentialJudge> Recompute(const Evidence& evidence);

// OK when the recomputed decision, verdicts, e-values and intervals agree with
// the stored ones within 1e-9 (relative beyond 1); else FailedPrecondition
// naming the first that differs, or Recompute's error. Identical programs are a
// discard, in a gate a pass, without rounds.
absl::Status VerifyEvidence(const Evidence& evidence);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_H_
