#include "tools/report/comparison_junit.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "comparator/recorded/comparison.h"
#include "tools/report/outcome.h"
#include "tools/report/value_text.h"
#include "tools/report/xml_text.h"

namespace autotune {
namespace {

using Kind = RowOutcome::Kind;

struct TestCase {
  std::string name;
  Kind kind = Kind::kPassed;
  std::string message;
  std::string output;  // the numbers
};

std::string NumbersText(const Comparison& comparison) {
  if (!comparison.estimate.has_value()) return "";
  const std::string& metric = comparison.metric.name;
  return absl::StrFormat("%s: %s -> %s, %s %s", metric,
                         ValueText(metric, comparison.baseline_median),
                         ValueText(metric, comparison.contender_median),
                         ChangeText(comparison.estimate->ratio),
                         IntervalText(comparison.estimate->interval));
}

TestCase CaseOf(const Comparison& comparison) {
  const RowOutcome outcome = OutcomeOf(comparison);
  return {comparison.role == ComparisonRole::kGuard
              ? absl::StrCat(comparison.name, " [", comparison.metric.name, "]")
              : comparison.name,
          outcome.kind, outcome.message, NumbersText(comparison)};
}

TestCase DecisionCase(const ComparisonTable& table) {
  TestCase decision;
  decision.name = "decision";
  decision.output =
      absl::StrCat(std::string(OutcomeName(table)), ": ", table.reason);
  decision.message = decision.output;
  if (table.cannot_judge) {
    decision.kind = Kind::kCannotJudge;
  } else if (table.decision == Decision::kDiscard) {
    decision.kind = Kind::kFailed;
  } else if (table.decision == Decision::kInconclusive) {
    decision.kind = Kind::kUndecided;
  }
  return decision;
}

std::vector<TestCase> CasesOf(const ComparisonTable& table) {
  std::vector<TestCase> cases;
  for (const Comparison& comparison : table.comparisons) {
    cases.push_back(CaseOf(comparison));
  }
  const Kind missing =
      table.cannot_judge ? Kind::kCannotJudge : Kind::kUndecided;
  for (const std::string& name : table.only_in_baseline) {
    cases.push_back({name, missing, "only in the baseline", ""});
  }
  for (const std::string& name : table.only_in_contender) {
    cases.push_back({name, missing, "only in the contender", ""});
  }
  cases.push_back(DecisionCase(table));
  return cases;
}

std::string_view ElementOf(Kind kind) {
  switch (kind) {
    case Kind::kFailed:
      return "failure";
    case Kind::kUndecided:
      return "skipped";
    case Kind::kCannotJudge:
      return "error";
    case Kind::kPassed:
      break;
  }
  return "";
}

std::string CaseXml(const TestCase& test) {
  std::string xml = absl::StrFormat(
      "    <testcase classname=\"bench_compare\" name=\"%s\">\n",
      XmlText(test.name));
  const std::string_view element = ElementOf(test.kind);
  if (!element.empty()) {
    absl::StrAppend(&xml, absl::StrFormat("      <%s message=\"%s\"/>\n",
                                          element, XmlText(test.message)));
  }
  if (!test.output.empty()) {
    absl::StrAppend(&xml, "      <system-out>", XmlText(test.output),
                    "</system-out>\n");
  }
  return absl::StrCat(xml, "    </testcase>\n");
}

}  // namespace

std::string ComparisonJunit(const ComparisonTable& table) {
  const std::vector<TestCase> cases = CasesOf(table);
  const auto count = [&cases](Kind kind) {
    return std::count_if(
        cases.begin(), cases.end(),
        [kind](const TestCase& test) { return test.kind == kind; });
  };
  std::string xml = absl::StrFormat(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"bench_compare\" tests=\"%d\" failures=\"%d\" "
      "errors=\"%d\" skipped=\"%d\">\n",
      cases.size(), count(Kind::kFailed), count(Kind::kCannotJudge),
      count(Kind::kUndecided));
  for (const TestCase& test : cases) absl::StrAppend(&xml, CaseXml(test));
  return absl::StrCat(xml, "  </testsuite>\n</testsuites>\n");
}

}  // namespace autotune
