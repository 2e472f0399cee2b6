#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "absl/strings/str_replace.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/verdict.h"
#include "tools/report/json_writer.h"
#include "tools/report/next_step.h"
#include "tools/report/report.h"
#include "tools/report/report_parts.h"

namespace autotune {
namespace {

void WriteSide(std::string_view key, std::size_t visits, std::size_t size,
               double median, bool measured, JsonWriter& json) {
  json.BeginObject(key);
  json.Count("visits", static_cast<std::int64_t>(visits));
  json.Count("size", static_cast<std::int64_t>(size));
  measured ? json.Number("median", median) : json.Null("median");
  json.EndObject();
}

// Evidence of rounds; null for recorded files.
void WriteBets(const Comparison& comparison, JsonWriter& json) {
  const auto number = [&](std::string_view key, double value) {
    comparison.rounds > 0 ? json.Number(key, value) : json.Null(key);
  };
  comparison.rounds > 0
      ? json.Count("rounds", static_cast<std::int64_t>(comparison.rounds))
      : json.Null("rounds");
  number("log_e_keep", comparison.log_e_keep);
  number("log_e_discard", comparison.log_e_discard);
  number("log_e_worse", comparison.log_e_worse);
}

void WriteNumbers(const Comparison& comparison, JsonWriter& json) {
  const bool measured = HasMedians(comparison);
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
  WriteBets(comparison, json);
}

void WriteBenchmark(const Comparison& comparison, JsonWriter& json) {
  const bool judged = comparison.cannot_judge.empty();
  const bool guard = comparison.role != ComparisonRole::kTarget;
  json.BeginObject();
  json.Text("name", comparison.name);
  json.Text("role", NameOf(comparison.role));
  json.Text("metric", comparison.metric.name);
  json.Text("direction", NameOf(comparison.metric.direction));
  json.Text("unit", NameOf(comparison.unit));
  WriteNumbers(comparison, json);
  judged ? json.Text("verdict", NameOf(comparison.verdict))
         : json.Null("verdict");
  json.Text("reason", comparison.reason);
  json.Count("more_visits", comparison.more_visits);
  json.Number("margin", comparison.margin);
  comparison.margin.has_value()
      ? json.Text("standing", NameOf(comparison.standing))
      : json.Null("standing");
  guard ? json.Text("mode", NameOf(comparison.guard_mode)) : json.Null("mode");
  json.Text("waiver", comparison.waiver);
  json.Text("cannot_judge", comparison.cannot_judge);
  json.Text("suspicion", comparison.suspicion);
  json.Texts("warnings", comparison.warnings);
  json.EndObject();
}

void WriteOverall(const Outcome& outcome, JsonWriter& json) {
  if (!outcome.overall.has_value()) return json.Null("overall");
  const Comparison& overall = *outcome.overall;
  json.BeginObject("overall");
  json.Count("benchmarks", static_cast<std::int64_t>(outcome.overall_size));
  json.Estimate(overall.estimate);
  json.Text("verdict", NameOf(overall.verdict));
  json.Text("reason", overall.reason);
  WriteBets(overall, json);
  json.EndObject();
}

void WriteFact(const Report::Fact& fact, JsonWriter& json) {
  std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          json.Null(fact.key);
        } else if constexpr (std::is_same_v<T, bool>) {
          json.Flag(fact.key, value);
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          json.Count(fact.key, value);
        } else if constexpr (std::is_same_v<T, double>) {
          json.Number(fact.key, value);
        } else {
          json.Text(fact.key, value);
        }
      },
      fact.value);
}

void WriteLeftOut(const Report::LeftOut& left_out, JsonWriter& json) {
  json.BeginArray(left_out.key);
  for (const Report::LeftOut::Entry& entry : left_out.entries) {
    if (!left_out.with_reasons) {
      json.Text("", entry.name);
      continue;
    }
    json.BeginObject();
    json.Text("name", entry.name);
    json.Text("kind", absl::StrReplaceAll(entry.kind, {{" ", "_"}}));
    json.Text("reason", entry.reason);
    json.Count("rows", static_cast<std::int64_t>(entry.count));
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string ReportJson(const Report& report) {
  const Outcome& outcome = report.outcome;
  JsonWriter json;
  json.BeginObject();
  json.Count("schema_version", 1);
  json.Flag("ok", true);
  json.Text("decision", outcome.cannot_judge()
                            ? "cannot_judge"
                            : OutcomeName(outcome, outcome.kind));
  json.Text("code", NameOf(outcome.code));
  json.Text("reason", outcome.reason);
  WriteNext(report.next, json);
  json.Text("policy_kind", NameOf(outcome.kind));
  for (const Report::Fact& fact : report.facts) WriteFact(fact, json);
  json.Count("more_visits", outcome.overall.has_value()
                                ? outcome.overall->more_visits
                                : std::nullopt);
  WriteOverall(outcome, json);
  json.BeginArray("benchmarks");
  for (const Comparison& comparison : outcome.comparisons) {
    WriteBenchmark(comparison, json);
  }
  json.EndArray();
  for (const Report::LeftOut& left_out : report.left_out) {
    WriteLeftOut(left_out, json);
  }
  json.Texts("review", report.review);
  json.Texts("warnings", outcome.warnings);
  json.EndObject();
  return json.Take();
}

}  // namespace autotune
