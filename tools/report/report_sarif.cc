// Source: OASIS, Static Analysis Results Interchange Format 2.1.0. GitHub
// refuses the whole file when one result names no file, and takes results for
// the same whose primaryLocationLineHash is equal.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/sha256.h"
#include "base/version.h"
#include "comparator/outcome/outcome.h"
#include "tools/report/json_writer.h"
#include "tools/report/report.h"
#include "tools/report/report_parts.h"

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

// GitHub shows the first 5,000 results of a run and refuses from 25,000 on.
constexpr std::size_t kMostResults = 4'998;

Finding FindingOf(const Comparison& comparison, const RowOutcome& outcome) {
  const std::string& name = comparison.name;
  if (outcome.kind == RowOutcome::Kind::kCannotJudge) {
    return {kCannotJudge, "error", name, outcome.message};
  }
  if (!comparison.suspicion.empty()) {
    return {kSuspect, "warning", name, outcome.message};
  }
  const std::string numbers = NumbersText(comparison);
  return {kRegression, "error", name,
          absl::StrCat(outcome.message, numbers.empty() ? "" : ": ", numbers)};
}

std::vector<Finding> FindingsOf(const Outcome& outcome) {
  std::vector<Finding> findings;
  std::size_t more = 0;
  for (const Comparison& comparison : outcome.comparisons) {
    const RowOutcome row = RowOutcomeOf(comparison);
    const bool found = row.kind == RowOutcome::Kind::kCannotJudge ||
                       row.kind == RowOutcome::Kind::kFailed ||
                       !comparison.suspicion.empty();
    if (!found) continue;
    if (findings.size() < kMostResults) {
      findings.push_back(FindingOf(comparison, row));
    } else {
      ++more;
    }
  }
  if (more > 0) {
    findings.push_back(
        {kRegression, "note", "", absl::StrCat(more, " more results")});
  }
  if (outcome.cannot_judge()) {
    findings.push_back({kCannotJudge, "error", "", outcome.reason});
  } else if (outcome.decision == Decision::kInconclusive) {
    findings.push_back({kInconclusive, "note", "", outcome.reason});
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

// A benchmark has no place in the sources that a result file would tell: what
// is named is the file in which its margin and waiver stand.
void WriteLocation(const Finding& finding, JsonWriter& json) {
  json.BeginArray("locations");
  json.BeginObject();
  json.BeginObject("physicalLocation");
  json.BeginObject("artifactLocation");
  json.Text("uri", ".bench_compare.toml");
  json.EndObject();
  json.BeginObject("region");
  json.Count("startLine", 1);
  json.EndObject();
  json.EndObject();
  if (!finding.benchmark.empty()) {
    json.BeginArray("logicalLocations");
    json.BeginObject();
    json.Text("fullyQualifiedName", finding.benchmark);
    json.Text("kind", "function");
    json.EndObject();
    json.EndArray();
  }
  json.EndObject();
  json.EndArray();
  json.BeginObject("partialFingerprints");
  json.Text("primaryLocationLineHash",
            Sha256Hex(absl::StrCat(std::string(finding.rule.id), "\n",
                                   finding.benchmark))
                .substr(0, 16));
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
  WriteLocation(finding, json);
  json.EndObject();
}

}  // namespace

std::string ReportSarif(const Report& report) {
  JsonWriter json;
  json.BeginObject();
  json.Text("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.Text("version", "2.1.0");
  json.BeginArray("runs");
  json.BeginObject();
  WriteDriver(json);
  json.BeginArray("results");
  for (const Finding& finding : FindingsOf(report.outcome))
    WriteFinding(finding, json);
  json.EndArray();
  json.EndObject();
  json.EndArray();
  json.EndObject();
  return json.Take();
}

}  // namespace autotune
