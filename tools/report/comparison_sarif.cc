#include "tools/report/comparison_sarif.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/version.h"
#include "comparator/recorded/comparison.h"
#include "tools/report/json_writer.h"
#include "tools/report/outcome.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

struct Rule {
  std::string_view id;
  std::string_view description;
};

constexpr Rule kRegression = {"performance-regression",
                              "A benchmark is proven worse."};
constexpr Rule kCannotJudge = {"cannot-judge",
                               "A benchmark is missing, errored or otherwise "
                               "impossible to compare."};
constexpr Rule kSuspect = {"suspect-numbers",
                           "A benchmark's numbers are doubted."};
constexpr Rule kInconclusive = {"inconclusive",
                                "The evidence decides nothing."};
constexpr std::array<Rule, 4> kRules = {kRegression, kCannotJudge, kSuspect,
                                        kInconclusive};

struct Finding {
  Rule rule;
  std::string_view level;
  std::string benchmark;  // empty: of the whole
  std::string message;
};

std::string NumbersText(const Comparison& comparison) {
  if (!comparison.estimate.has_value()) return "";
  return absl::StrCat(": ", comparison.metric.name, " ",
                      ChangeText(comparison.estimate->ratio), " ",
                      IntervalText(comparison.estimate->interval));
}

std::vector<Finding> FindingsOf(const ComparisonTable& table) {
  std::vector<Finding> findings;
  for (const Comparison& comparison : table.comparisons) {
    const RowOutcome outcome = OutcomeOf(comparison);
    const std::string& name = comparison.name;
    if (outcome.kind == RowOutcome::Kind::kCannotJudge) {
      findings.push_back({kCannotJudge, "error", name, outcome.message});
    } else if (!comparison.suspicion.empty()) {
      findings.push_back({kSuspect, "warning", name, outcome.message});
    } else if (outcome.kind == RowOutcome::Kind::kFailed) {
      findings.push_back({kRegression, "error", name,
                          outcome.message + NumbersText(comparison)});
    }
  }
  if (table.cannot_judge) {
    findings.push_back({kCannotJudge, "error", "", table.reason});
  } else if (table.decision == Decision::kInconclusive) {
    findings.push_back({kInconclusive, "note", "", table.reason});
  }
  return findings;
}

void WriteMessage(std::string_view key, std::string_view text,
                  JsonWriter& json) {
  json.BeginObject(key);
  json.Text("text", text);
  json.EndObject();
}

void WriteDriver(JsonWriter& json) {
  json.BeginObject("tool");
  json.BeginObject("driver");
  json.Text("name", "bench_compare");
  json.Text("version", kVersion);
  json.BeginArray("rules");
  for (const Rule& rule : kRules) {
    json.BeginObject();
    json.Text("id", rule.id);
    WriteMessage("shortDescription", rule.description, json);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  json.EndObject();
}

void WriteFinding(const Finding& finding, JsonWriter& json) {
  json.BeginObject();
  json.Text("ruleId", finding.rule.id);
  json.Text("level", finding.level);
  WriteMessage("message",
               finding.benchmark.empty()
                   ? finding.message
                   : absl::StrCat(finding.benchmark, ": ", finding.message),
               json);
  if (!finding.benchmark.empty()) {
    json.BeginArray("locations");
    json.BeginObject();
    json.BeginArray("logicalLocations");
    json.BeginObject();
    json.Text("fullyQualifiedName", finding.benchmark);
    json.Text("kind", "function");
    json.EndObject();
    json.EndArray();
    json.EndObject();
    json.EndArray();
  }
  json.EndObject();
}

}  // namespace

std::string ComparisonSarif(const ComparisonTable& table) {
  JsonWriter json;
  json.BeginObject();
  json.Text("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.Text("version", "2.1.0");
  json.BeginArray("runs");
  json.BeginObject();
  WriteDriver(json);
  json.BeginArray("results");
  for (const Finding& finding : FindingsOf(table)) WriteFinding(finding, json);
  json.EndArray();
  json.EndObject();
  json.EndArray();
  json.EndObject();
  return json.Take();
}

}  // namespace autotune
