#include "tools/report/next_steps.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "comparator/evidence/evidence.h"
#include "comparator/recorded/comparison.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/statistics/verdict.h"
#include "tools/report/json_writer.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr char kRun[] =
    "bench_compare run --baseline OLD_BINARY --contender NEW_BINARY";

// Whether nothing but benchmarks of one side only is in the way.
bool IsMissingOnly(const ComparisonTable& table) {
  const bool missing =
      !table.only_in_baseline.empty() || !table.only_in_contender.empty();
  return table.cannot_judge && missing && !table.comparisons.empty() &&
         std::all_of(table.comparisons.begin(), table.comparisons.end(),
                     [](const Comparison& comparison) {
                       return comparison.cannot_judge.empty();
                     });
}

bool HasSingleRuns(const ComparisonTable& table) {
  return std::any_of(table.comparisons.begin(), table.comparisons.end(),
                     [](const Comparison& comparison) {
                       return comparison.estimate.has_value() &&
                              comparison.unit == SamplingUnit::kRepetition &&
                              comparison.verdict == Verdict::kInconclusive;
                     });
}

}  // namespace

void WriteNext(const std::vector<NextStep>& steps, JsonWriter& json) {
  json.BeginArray("next");
  for (const NextStep& step : steps) {
    json.BeginObject();
    json.Text("command", step.command);
    json.Text("why", step.why);
    json.EndObject();
  }
  json.EndArray();
}

std::string NextText(const std::vector<NextStep>& steps) {
  std::string text;
  for (const NextStep& step : steps) {
    absl::StrAppend(&text, "next: ", PrintableText(step.command), "  (",
                    step.why, ")\n");
  }
  return text;
}

std::vector<NextStep> NextSteps(const ComparisonTable& table) {
  if (!table.cannot_judge && table.decision != Decision::kInconclusive) {
    return {};
  }
  std::vector<NextStep> steps;
  if (IsMissingOnly(table)) {
    steps.push_back({"--common",
                     "judge the benchmarks that both sides have and only list "
                     "the rest"});
  }
  if (absl::StartsWith(table.reason, "context: ")) {
    steps.push_back({"--ignore-context",
                     "if both sides did run on equal machines after all"});
  }
  if (HasSingleRuns(table)) {
    steps.push_back({kRun,
                     "measure both programs in turns: proves a change of 1 % "
                     "in seconds"});
  } else if (table.more_visits.has_value()) {
    steps.push_back(
        {kRun, absl::StrFormat("or record about %d more runs a side",
                               *table.more_visits)});
  }
  return steps;
}

std::vector<NextStep> NextSteps(const Evidence& evidence,
                                const std::string& evidence_path) {
  if (evidence.decision != Decision::kInconclusive) return {};
  if (!evidence.downgrade.empty() || evidence.reason.starts_with("needs")) {
    return {};
  }
  if (evidence_path.empty()) {
    return {{"bench_compare run ... --budget 5m --evidence FILE",
             "more time, and a run that can be continued"}};
  }
  return {{absl::StrCat("bench_compare run ... --evidence ", evidence_path,
                        " --resume --budget 5m"),
           "continues this run; what was measured counts"}};
}

}  // namespace autotune
