#include "tools/report/comparison_json.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/verdict.h"
#include "tools/report/comparison_lists.h"
#include "tools/report/json_writer.h"
#include "tools/report/next_steps.h"

namespace autotune {
namespace {

std::string_view StandingName(MarginStanding standing) {
  switch (standing) {
    case MarginStanding::kWithin:
      return "within";
    case MarginStanding::kBeyond:
      return "beyond";
    case MarginStanding::kUndecided:
      break;
  }
  return "undecided";
}

std::string_view KindName(UnusableRow::Kind kind) {
  return kind == UnusableRow::Kind::kNotMeasured ? "not_measured"
                                                 : UnusableWord(kind);
}

void WriteSide(std::string_view key, std::size_t visits, std::size_t size,
               double median, bool measured, JsonWriter& json) {
  json.BeginObject(key);
  json.Count("visits", static_cast<std::int64_t>(visits));
  json.Count("size", static_cast<std::int64_t>(size));
  measured ? json.Number("median", median) : json.Null("median");
  json.EndObject();
}

void WriteNumbers(const Comparison& comparison, JsonWriter& json) {
  const bool measured = comparison.estimate.has_value();
  WriteSide("baseline", comparison.baseline_visits, comparison.baseline_size,
            comparison.baseline_median, measured, json);
  WriteSide("contender", comparison.contender_visits, comparison.contender_size,
            comparison.contender_median, measured, json);
  json.Flag("from_aggregates", comparison.from_aggregates);
  json.Estimate(comparison.estimate);
  json.Number("p_value", comparison.p_value);
  json.Number("adjusted_p_value", comparison.adjusted_p_value);
  json.Number("probability_of_superiority",
              comparison.probability_of_superiority);
}

void WriteBenchmark(const Comparison& comparison, JsonWriter& json) {
  const bool judged = comparison.cannot_judge.empty();
  json.BeginObject();
  json.Text("name", comparison.name);
  json.Text("role",
            comparison.role == ComparisonRole::kGuard ? "guard" : "target");
  json.Text("metric", comparison.metric.name);
  json.Text("direction", NameOf(comparison.metric.direction));
  json.Text("unit", SamplingUnitName(comparison.unit));
  WriteNumbers(comparison, json);
  judged ? json.Text("verdict", NameOf(comparison.verdict))
         : json.Null("verdict");
  json.Text("reason", comparison.reason);
  json.Count("more_visits", comparison.more_visits);
  json.Number("margin", comparison.margin);
  comparison.margin.has_value()
      ? json.Text("standing", StandingName(comparison.standing))
      : json.Null("standing");
  json.Text("waiver", comparison.waiver);
  json.Text("cannot_judge", comparison.cannot_judge);
  json.Text("suspicion", comparison.suspicion);
  json.Texts("warnings", comparison.warnings);
  json.EndObject();
}

void WriteUnusable(std::string_view key, const std::vector<UnusableRow>& rows,
                   JsonWriter& json) {
  json.BeginArray(key);
  for (const UnusableRow& row : rows) {
    json.BeginObject();
    json.Text("name", row.name);
    json.Text("kind", KindName(row.kind));
    json.Text("reason", row.reason);
    json.EndObject();
  }
  json.EndArray();
}

void WriteOverall(const ComparisonTable& table, JsonWriter& json) {
  if (!table.overall.has_value()) return json.Null("overall");
  json.BeginObject("overall");
  json.Count("benchmarks", static_cast<std::int64_t>(table.overall_size));
  json.Estimate(table.overall);
  json.Text("verdict", NameOf(table.overall_verdict));
  json.EndObject();
}

void WriteLists(const ComparisonTable& table, JsonWriter& json) {
  json.Texts("only_in_baseline", table.only_in_baseline);
  json.Texts("only_in_contender", table.only_in_contender);
  json.Texts("without_metric", table.without_metric);
  WriteUnusable("unusable_baseline", table.unusable_baseline, json);
  WriteUnusable("unusable_contender", table.unusable_contender, json);
  json.Texts("warnings", table.warnings);
}

}  // namespace

std::string ComparisonJson(const ComparisonTable& table) {
  JsonWriter json;
  json.BeginObject();
  json.Count("schema_version", 1);
  json.Flag("ok", true);
  json.Text("decision",
            table.cannot_judge ? "cannot_judge" : OutcomeName(table));
  json.Text("reason", table.reason);
  WriteNext(NextSteps(table), json);
  json.Text("policy_kind", NameOf(table.kind));
  json.Text("order", "not randomised");
  json.Text("adjustment", ErrorAdjustmentName(table.adjustment));
  json.Count("baseline_visits",
             static_cast<std::int64_t>(table.baseline_visits));
  json.Count("contender_visits",
             static_cast<std::int64_t>(table.contender_visits));
  json.Count("more_visits", table.more_visits);
  WriteOverall(table, json);
  json.BeginArray("benchmarks");
  for (const Comparison& comparison : table.comparisons) {
    WriteBenchmark(comparison, json);
  }
  json.EndArray();
  WriteLists(table, json);
  json.EndObject();
  return json.Take();
}

}  // namespace autotune
