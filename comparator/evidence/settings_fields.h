#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_SETTINGS_FIELDS_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_SETTINGS_FIELDS_H_

#include <variant>

#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"

namespace autotune {

// The keys of the evidence file, once for its writer and its reader: an archive
// is called with each field's name and the field itself, in the file's order.

// FieldsOf<T>::Describe(archive, object); `object` is const for a writer.
template <typename T>
struct FieldsOf;

// The settings of a policy, by their own tables.
void DescribeSettings(auto& archive, auto fields, auto& object) {
  for (const auto& field : fields) {
    if (field.json_key == kNotInEvidence) continue;
    std::visit(
        [&](auto member) {
          archive(field.json_key.empty() ? field.key : field.json_key,
                  object.*member);
        },
        field.member);
  }
}
template <>
struct FieldsOf<Guard> {
  static void Describe(auto& archive, auto& guard) {
    DescribeSettings(archive, GuardFields(), guard);
  }
};
template <>
struct FieldsOf<BenchmarkMargin> {
  static void Describe(auto& archive, auto& margin) {
    DescribeSettings(archive, MarginFields(), margin);
  }
};
template <>
struct FieldsOf<Waiver> {
  static void Describe(auto& archive, auto& waiver) {
    DescribeSettings(archive, WaiverFields(), waiver);
  }
};
template <>
struct FieldsOf<Policy> {
  static void Describe(auto& archive, auto& policy) {
    DescribeSettings(archive, PolicyFields(), policy);
    archive("guards", policy.guards);
    archive("margins", policy.margins);
    archive("waivers", policy.waivers);
  }
};
template <>
struct FieldsOf<Metric> {
  static void Describe(auto& archive, auto& metric) {
    archive("name", metric.name);
    archive("direction", metric.direction);
  }
};
template <>
struct FieldsOf<JudgedGuard> {
  static void Describe(auto& archive, auto& guard) {
    archive("name", guard.name);
    archive("margin", guard.margin);
    archive("mode", guard.mode);
    archive("direction", guard.direction);
  }
};
template <>
struct FieldsOf<JudgeSettings> {
  static void Describe(auto& archive, auto& settings) {
    archive("kind", settings.kind);
    archive("targets", settings.targets);
    archive("guards", settings.guards);
    archive("rule", settings.rule);
    archive("direction", settings.direction);
    archive("min_log_improvement", settings.min_log_improvement);
    archive("floor", settings.floor);
    archive("alpha", settings.alpha);
    archive("beta", settings.beta);
    archive("review_ratio", settings.review_ratio);
    archive("target_margins", settings.target_margins);
    archive("stop_when_decided", settings.stop_when_decided);
  }
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_SETTINGS_FIELDS_H_
