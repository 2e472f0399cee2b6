#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "comparator/outcome/outcome.h"
#include "tools/report/markup.h"
#include "tools/report/report.h"
#include "tools/report/report_parts.h"

namespace autotune {
namespace {

using Kind = RowOutcome::Kind;

struct TestCase {
  std::string name;
  Kind kind = Kind::kPassed;
  std::string message;
  std::string output;  // the numbers
};

TestCase CaseOf(const Comparison& comparison) {
  const RowOutcome outcome = RowOutcomeOf(comparison);
  // A guard on another number may share its name with a target, a host with
  // anything.
  const std::string name =
      comparison.role == ComparisonRole::kGuard
          ? absl::StrCat(comparison.name, " [", comparison.metric.name, "]")
          : comparison.name + RoleText(comparison);
  return {name, outcome.kind, outcome.message, NumbersText(comparison)};
}

std::vector<TestCase> CasesOf(const Report& report) {
  std::vector<TestCase> cases;
  for (const Comparison& comparison : report.outcome.comparisons) {
    cases.push_back(CaseOf(comparison));
  }
  const RowOutcome whole = WholeOutcomeOf(report.outcome);
  const Kind missing =
      whole.kind == Kind::kCannotJudge ? Kind::kCannotJudge : Kind::kUndecided;
  for (const Report::LeftOut& left_out : report.left_out) {
    if (!left_out.lost) continue;
    for (const Report::LeftOut::Entry& entry : left_out.entries) {
      cases.push_back({entry.name, missing, std::string(left_out.label), ""});
    }
  }
  cases.push_back({"decision", whole.kind, whole.message, whole.message});
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
      MarkupText(test.name));
  const std::string_view element = ElementOf(test.kind);
  if (!element.empty()) {
    absl::StrAppend(&xml, absl::StrFormat("      <%s message=\"%s\"/>\n",
                                          element, MarkupText(test.message)));
  }
  if (!test.output.empty()) {
    absl::StrAppend(&xml, "      <system-out>", MarkupText(test.output),
                    "</system-out>\n");
  }
  return absl::StrCat(xml, "    </testcase>\n");
}

}  // namespace

std::string ReportJunit(const Report& report) {
  const std::vector<TestCase> cases = CasesOf(report);
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
