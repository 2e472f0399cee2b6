#include "tools/report/comparison_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/comparison.h"
#include "comparator/estimate.h"
#include "comparator/measurement.h"
#include "comparator/policy.h"
#include "comparator/recorded_shift.h"
#include "comparator/result_file.h"
#include "comparator/verdict.h"
#include "comparator/visit_values.h"
#include "tools/report/next_steps.h"

namespace autotune {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value.has_value() ? Json(*value) : Json(nullptr);
}

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
  switch (kind) {
    case UnusableRow::Kind::kErrored:
      return "errored";
    case UnusableRow::Kind::kSkipped:
      return "skipped";
    case UnusableRow::Kind::kNotMeasured:
      break;
  }
  return "not_measured";
}

std::string_view RoleName(ComparisonRole role) {
  return role == ComparisonRole::kGuard ? "guard" : "target";
}

void AddEstimate(const std::optional<RatioEstimate>& estimate, Json& json) {
  json["ratio"] = estimate.has_value() ? Json(estimate->ratio) : Json(nullptr);
  json["ratio_low"] =
      estimate.has_value() ? OrNull(estimate->interval.lower) : Json(nullptr);
  json["ratio_high"] =
      estimate.has_value() ? OrNull(estimate->interval.upper) : Json(nullptr);
  json["confidence_level"] = estimate.has_value()
                                 ? Json(estimate->interval.confidence_level)
                                 : Json(nullptr);
}

Json SideJson(const Comparison& comparison, std::size_t visits,
              std::size_t size, double median) {
  const bool measured = comparison.estimate.has_value();
  return {{"visits", visits},
          {"size", size},
          {"median", measured ? Json(median) : Json(nullptr)}};
}

Json BenchmarkJson(const Comparison& comparison) {
  Json json;
  json["name"] = comparison.name;
  json["role"] = RoleName(comparison.role);
  json["metric"] = comparison.metric.name;
  json["direction"] = DirectionName(comparison.metric.direction);
  json["unit"] = SamplingUnitName(comparison.unit);
  json["baseline"] =
      SideJson(comparison, comparison.baseline_visits, comparison.baseline_size,
               comparison.baseline_median);
  json["contender"] =
      SideJson(comparison, comparison.contender_visits,
               comparison.contender_size, comparison.contender_median);
  json["from_aggregates"] = comparison.from_aggregates;
  AddEstimate(comparison.estimate, json);
  json["p_value"] = OrNull(comparison.p_value);
  json["adjusted_p_value"] = OrNull(comparison.adjusted_p_value);
  json["probability_of_superiority"] =
      OrNull(comparison.probability_of_superiority);
  json["verdict"] = comparison.cannot_judge.empty()
                        ? Json(VerdictName(comparison.verdict))
                        : Json(nullptr);
  json["reason"] = comparison.reason;
  json["more_visits"] = OrNull(comparison.more_visits);
  json["margin"] = OrNull(comparison.margin);
  json["standing"] = comparison.margin.has_value()
                         ? Json(StandingName(comparison.standing))
                         : Json(nullptr);
  json["waiver"] = comparison.waiver;
  json["cannot_judge"] = comparison.cannot_judge;
  json["suspicion"] = comparison.suspicion;
  json["warnings"] = comparison.warnings;
  return json;
}

Json UnusableJson(const std::vector<UnusableRow>& rows) {
  Json list = Json::array();
  for (const UnusableRow& row : rows) {
    list.push_back({{"name", row.name},
                    {"kind", KindName(row.kind)},
                    {"reason", row.reason}});
  }
  return list;
}

Json OverallJson(const ComparisonTable& table) {
  if (!table.overall.has_value()) return nullptr;
  Json json;
  json["benchmarks"] = table.overall_size;
  AddEstimate(table.overall, json);
  json["verdict"] = VerdictName(table.overall_verdict);
  return json;
}

Json NextJson(const std::vector<NextStep>& steps) {
  Json list = Json::array();
  for (const NextStep& step : steps) {
    list.push_back({{"command", step.command}, {"why", step.why}});
  }
  return list;
}

}  // namespace

std::string ComparisonJson(const ComparisonTable& table) {
  Json json;
  json["schema_version"] = 1;
  json["ok"] = true;
  json["decision"] =
      table.cannot_judge ? "cannot_judge" : Json(OutcomeName(table));
  json["reason"] = table.reason;
  json["next"] = NextJson(NextSteps(table));
  json["policy_kind"] = PolicyKindName(table.kind);
  json["order"] = "not randomised";
  json["adjustment"] = ErrorAdjustmentName(table.adjustment);
  json["baseline_visits"] = table.baseline_visits;
  json["contender_visits"] = table.contender_visits;
  json["more_visits"] = OrNull(table.more_visits);
  json["overall"] = OverallJson(table);
  Json& benchmarks = json["benchmarks"] = Json::array();
  for (const Comparison& comparison : table.comparisons) {
    benchmarks.push_back(BenchmarkJson(comparison));
  }
  json["only_in_baseline"] = table.only_in_baseline;
  json["only_in_contender"] = table.only_in_contender;
  json["without_metric"] = table.without_metric;
  json["unusable_baseline"] = UnusableJson(table.unusable_baseline);
  json["unusable_contender"] = UnusableJson(table.unusable_contender);
  json["warnings"] = table.warnings;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace autotune
