#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_FIELDS_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_FIELDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "comparator/evidence/evidence.h"
#include "comparator/evidence/settings_fields.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"

namespace autotune {

// The first keys of both forms; `format` tells them apart.
struct EvidenceFormat {
  std::string format;
  std::int64_t schema_version = 0;
};
inline constexpr std::string_view kWholeFormat = "autotune evidence";
inline constexpr std::string_view kJournalFormat = "autotune evidence journal";
inline constexpr std::int64_t kEvidenceSchemaVersion = 3;

template <>
struct FieldsOf<EvidenceSide> {
  static void Describe(auto& archive, auto& side) {
    archive("argv", side.argv);
    archive("environment", side.environment);
    archive("working_directory", side.working_directory);
    archive("libraries", side.libraries);
    archive("sha256", side.sha256);
    archive("build_id", side.build_id);
    archive("commit", side.commit);
    archive("tree", side.tree);
  }
};
template <>
struct FieldsOf<VisitBenchmark> {
  static void Describe(auto& archive, auto& benchmark) {
    archive("name", benchmark.name);
    archive("value", benchmark.value);
    archive("values", benchmark.values);
    archive("iterations", benchmark.iterations);
  }
};
template <>
struct FieldsOf<VisitEvidence> {
  static void Describe(auto& archive, auto& visit) {
    archive("file_copy", visit.file_copy);
    archive("start_seconds", visit.start_seconds);
    archive("wall_seconds", visit.wall_seconds);
    archive("user_cpu_seconds", visit.user_cpu_seconds);
    archive("system_cpu_seconds", visit.system_cpu_seconds);
    archive("excess_cpu_seconds", visit.excess_cpu_seconds);
    archive("peak_rss_bytes", visit.peak_rss_bytes);
    archive("voluntary_switches", visit.voluntary_switches);
    archive("involuntary_switches", visit.involuntary_switches);
    archive("threads", visit.threads);
    archive("program_bytes", visit.program_bytes);
    archive("visit_id", visit.visit_id);
    archive("benchmarks", visit.benchmarks);
  }
};
template <>
struct FieldsOf<RoundRatios> {
  static void Describe(auto& archive, auto& ratios) {
    archive("targets", ratios.targets);
    archive("guards", ratios.guards);
  }
};
template <>
struct FieldsOf<RoundEvidence> {
  static void Describe(auto& archive, auto& round) {
    archive("index", round.index);
    archive("baseline_first", round.baseline_first);
    archive("baseline_copy", round.baseline_copy);
    archive("padding_bytes_first", round.padding_bytes_first);
    archive("padding_bytes_second", round.padding_bytes_second);
    archive("mode", round.mode);
    archive("overlap", round.overlap);
    archive("turn_seconds", round.turn_seconds);
    archive("given_turn_seconds", round.given_turn_seconds);
    archive("use", round.use);
    archive("why", round.why);
    archive("ratios", round.ratios);
    archive("baseline", round.baseline);
    archive("contender", round.contender);
  }
};
template <>
struct FieldsOf<TurnBias> {
  static void Describe(auto& archive, auto& bias) {
    archive("bias", bias.bias);
    archive("error", bias.error);
  }
};
template <>
struct FieldsOf<BiasRecord> {
  static void Describe(auto& archive, auto& record) {
    archive("turn_seconds", record.turn_seconds);
    archive("check_turn_seconds", record.check_turn_seconds);
    archive("estimate", record.estimate);
    archive("pairs", record.pairs);
    archive("decided", record.decided);
    archive("freed", record.freed);
  }
};
template <>
struct FieldsOf<Interval> {
  static void Describe(auto& archive, auto& interval) {
    archive("lower", interval.lower);
    archive("upper", interval.upper);
    archive("confidence_level", interval.confidence_level);
  }
};
template <>
struct FieldsOf<RatioEstimate> {
  static void Describe(auto& archive, auto& estimate) {
    archive("ratio", estimate.ratio);
    archive("interval", estimate.interval);
  }
};
template <>
struct FieldsOf<Comparison> {
  static void Describe(auto& archive, auto& comparison) {
    archive("name", comparison.name);
    archive("verdict", comparison.verdict);
    archive("reason", comparison.reason);
    archive("estimate", comparison.estimate);
    archive("margin", comparison.margin);
    archive("standing", comparison.standing);
    archive("mode", comparison.guard_mode);
    archive("log_e_keep", comparison.log_e_keep);
    archive("log_e_discard", comparison.log_e_discard);
    archive("log_e_worse", comparison.log_e_worse);
    archive("rounds", comparison.rounds);
  }
};

template <>
struct FieldsOf<EvidenceFormat> {
  static void Describe(auto& archive, auto& format) {
    archive("schema_version", format.schema_version);
    archive("format", format.format);
  }
};

// Evidence comes in parts: what is known before the first round, the rounds,
// and the outcome.
void DescribeEvidenceHeader(auto& archive, auto& evidence) {
  archive("tool_version", evidence.tool_version);
  archive("started", evidence.started);
  archive("policy", evidence.policy);
  archive("metric", evidence.metric);
  archive("settings", evidence.settings);
  archive("task_decision", evidence.task_decision);
  archive("baseline", evidence.baseline);
  archive("contender", evidence.contender);
  archive("machine", evidence.machine);
  archive("build", evidence.build);
  archive("entropy", evidence.entropy);
  archive("repetition_min_time_seconds", evidence.repetition_min_time_seconds);
  archive("repetitions", evidence.repetitions);
  archive("turn_seconds", evidence.turn_seconds);
  archive("bias", evidence.bias);
  archive("pilot", evidence.pilot);
  archive("identical", evidence.identical);
  archive("only_in_contender", evidence.only_in_contender);
  archive("no_ops", evidence.no_ops);
  archive("warnings", evidence.warnings);
}

void DescribeEvidenceOutcome(auto& archive, auto& evidence) {
  archive("measuring_seconds", evidence.measuring_seconds);
  archive("decision", evidence.decision);
  archive("code", evidence.code);
  archive("reason", evidence.reason);
  archive("review", evidence.review);
  archive("downgrade", evidence.downgrade);
  archive("overall", evidence.overall);
  archive("targets", evidence.targets);
  archive("guards", evidence.guards);
}

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_FIELDS_H_
