#include "comparator/policy/policy.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/names.h"
#include "comparator/policy/toml_node.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string ErrorOf(std::string_view text) {
  return std::string(ParsePolicy(text, "p.toml").status().message());
}

// The message of the error that `[policy]` with one more line gives.
std::string PolicyErrorOf(const std::string& line) {
  return ErrorOf("schema_version = 1\n[policy]\n" + line + "\n");
}

std::string CheckErrorOf(const Policy& policy) {
  return std::string(CheckPolicy(policy).message());
}

Guard GuardOn(const std::string& benchmark_pattern, const std::string& metric) {
  Guard guard;
  guard.benchmark_pattern = benchmark_pattern;
  guard.metric = metric;
  return guard;
}

TEST(PolicyTest, DefaultsAreTheDocumentedOnesAndPassTheCheck) {
  const Policy policy;
  EXPECT_EQ(policy.kind, PolicyKind::kTune);
  EXPECT_EQ(policy.metric, "auto");
  EXPECT_EQ(policy.min_effect, 0.01);
  EXPECT_EQ(policy.alpha, 0.05);
  EXPECT_EQ(policy.beta, 0.10);
  EXPECT_EQ(policy.default_margin, 0.02);
  EXPECT_OK(CheckPolicy(policy));
}

TEST(PolicyTest, SmallestLogImprovementIsMinusTheLogOfWhatIsLeft) {
  Policy policy;
  policy.min_effect = 0.01;
  EXPECT_DOUBLE_EQ(MinLogImprovement(policy), 0.010050335853501442);
  policy.min_effect = 0.5;
  EXPECT_DOUBLE_EQ(MinLogImprovement(policy), 0.69314718055994531);
}

TEST(ParsePolicyTest, EmptyTextGivesTheDefaults) {
  ASSERT_OK_AND_ASSIGN(const Policy policy, ParsePolicy("", "p.toml"));
  EXPECT_EQ(policy.budget_seconds, 120.0);
  EXPECT_EQ(policy.max_rounds, 2000);
  EXPECT_EQ(policy.direction, std::nullopt);
  EXPECT_THAT(policy.guards, IsEmpty());
}

TEST(ParsePolicyTest, EveryKeyOfThePolicyTableIsRead) {
  ASSERT_OK_AND_ASSIGN(const Policy policy, ParsePolicy(R"(
schema_version = 1
[policy]
kind = "gate"
metric = "widgets"
direction = "higher"
min_effect = 0.02
floor = 0.001
alpha = 0.01
beta = 0.2
error_control = "per-decision"
fdr = 0.05
horizon = 40
targets = "each"
mode = "turns"
budget = "2m"
max_rounds = 300
review_ratio = 3
default_margin = 0.03
)",
                                                        "p.toml"));
  EXPECT_EQ(policy.kind, PolicyKind::kGate);
  EXPECT_EQ(policy.metric, "widgets");
  EXPECT_THAT(policy.direction, Optional(Direction::kHigherIsBetter));
  EXPECT_EQ(policy.min_effect, 0.02);
  EXPECT_EQ(policy.floor, 0.001);
  EXPECT_EQ(policy.alpha, 0.01);
  EXPECT_EQ(policy.beta, 0.2);
  EXPECT_EQ(policy.error_control, ErrorControl::kPerDecision);
  EXPECT_EQ(policy.fdr, 0.05);
  EXPECT_EQ(policy.horizon, 40);
  EXPECT_EQ(policy.targets, TargetRule::kEach);
  EXPECT_EQ(policy.mode, MeasureMode::kTurns);
  EXPECT_EQ(policy.budget_seconds, 120.0);
  EXPECT_EQ(policy.max_rounds, 300);
  EXPECT_EQ(policy.review_ratio, 3.0);
  EXPECT_EQ(policy.default_margin, 0.03);
}

TEST(ParsePolicyTest, GuardsMarginsAndWaiversAreReadInOrder) {
  ASSERT_OK_AND_ASSIGN(const Policy policy, ParsePolicy(R"(
[policy]
default_margin = 0.04
[[guard]]
name = "BM_Encode.*"
[[guard]]
metric = "peak_rss"
margin = 0.1
mode = "veto"
[[margin]]
name = "BM_Small.*"
margin = 0.05
[[waiver]]
name = "BM_Slow/64"
ceiling = 0.12
until = 2027-01-31
reason = "needs the new parser"
)",
                                                        "p.toml"));
  ASSERT_THAT(policy.guards, SizeIs(2));
  EXPECT_EQ(policy.guards[0].benchmark_pattern, "BM_Encode.*");
  EXPECT_EQ(policy.guards[0].margin, 0.04);
  EXPECT_EQ(policy.guards[0].mode, GuardMode::kProve);
  EXPECT_EQ(policy.guards[1].metric, "peak_rss");
  EXPECT_EQ(policy.guards[1].margin, 0.1);
  EXPECT_EQ(policy.guards[1].mode, GuardMode::kVeto);
  ASSERT_THAT(policy.margins, SizeIs(1));
  EXPECT_EQ(policy.margins[0].benchmark_pattern, "BM_Small.*");
  EXPECT_EQ(policy.margins[0].margin, 0.05);
  ASSERT_THAT(policy.waivers, SizeIs(1));
  EXPECT_EQ(policy.waivers[0].name, "BM_Slow/64");
  EXPECT_EQ(policy.waivers[0].ceiling, 0.12);
  EXPECT_EQ(policy.waivers[0].until, "2027-01-31");
  EXPECT_EQ(policy.waivers[0].reason, "needs the new parser");
}

TEST(ParsePolicyTest, DateOfAWaiverMayBeAString) {
  ASSERT_OK_AND_ASSIGN(const Policy policy, ParsePolicy(R"([[waiver]]
name = "a"
ceiling = 0.1
until = "2028-02-29"
reason = "r"
)",
                                                        "p.toml"));
  EXPECT_EQ(policy.waivers[0].until, "2028-02-29");
}

TEST(ParsePolicyTest, ByteOrderMarkIsSkipped) {
  ASSERT_OK_AND_ASSIGN(
      const Policy policy,
      ParsePolicy("\xEF\xBB\xBF[policy]\nalpha = 0.01\n", "p.toml"));
  EXPECT_EQ(policy.alpha, 0.01);
}

TEST(ParsePolicyTest, TablesOfTheCallerAreLeftToIt) {
  constexpr std::array<std::string_view, 2> kOthers = {"task", "scope"};
  ASSERT_OK_AND_ASSIGN(
      const TomlNode document,
      ParseToml("[task]\nx = 1\n[scope]\n[policy]\nalpha = 0.01\n", "t"));
  EXPECT_OK(ReadPolicy(TomlTable(document, "t", ""), kOthers));
  EXPECT_EQ(ErrorOf("[policy]\nalpha = 0.01\n[task]\nx = 1\n"),
            "p.toml:3: task: unknown key; known are schema_version, policy, "
            "guard, margin or waiver");
}

TEST(ParsePolicyTest, UnknownKeyIsNamedWithItsLineAndTheNearestKnownOne) {
  EXPECT_EQ(PolicyErrorOf("alhpa = 0.05"),
            "p.toml:3: policy.alhpa: unknown key; did you mean alpha?");
  EXPECT_EQ(ErrorOf("[polcy]\n"),
            "p.toml:1: polcy: unknown key; did you mean policy?");
  EXPECT_EQ(ErrorOf("[[guard]]\nname = \"a\"\n\n[[guard]]\nmargn = 0.1\n"),
            "p.toml:5: guard[1].margn: unknown key; did you mean margin?");
  EXPECT_EQ(ErrorOf("zzzzzzzz = 1\n"),
            "p.toml:1: zzzzzzzz: unknown key; known are schema_version, "
            "policy, guard, margin or waiver");
}

TEST(ParsePolicyTest, ValueOutsideItsRangeIsNamedWithLineAndRange) {
  EXPECT_EQ(PolicyErrorOf("alpha = 1.5"),
            "p.toml:3: policy.alpha: expected a probability in (0, 1) such as "
            "0.05 or 5%, got 1.5; did you mean 1.5%?");
  EXPECT_EQ(PolicyErrorOf("alpha = 0"),
            "p.toml:3: policy.alpha: expected a probability in (0, 1) such as "
            "0.05 or 5%, got 0");
  EXPECT_EQ(PolicyErrorOf("min_effect = \"100%\""),
            "p.toml:3: policy.min_effect: expected a fraction in (0, 1) such "
            "as 0.01 or 1%, got \"100%\"");
  EXPECT_EQ(PolicyErrorOf("min_effect = \"0.01\""),
            "p.toml:3: policy.min_effect: expected a fraction in (0, 1) such "
            "as 0.01 or 1%, got \"0.01\"");
  EXPECT_EQ(PolicyErrorOf("min_effect = nan"),
            "p.toml:3: policy.min_effect: expected a fraction in (0, 1) such "
            "as 0.01 or 1%, got NaN");
  EXPECT_EQ(PolicyErrorOf("floor = -0.1"),
            "p.toml:3: policy.floor: expected a fraction of at least 0 such as "
            "0.001, got -0.1");
  EXPECT_EQ(PolicyErrorOf("floor = inf"),
            "p.toml:3: policy.floor: expected a fraction of at least 0 such as "
            "0.001, got infinity");
  EXPECT_EQ(PolicyErrorOf("horizon = 0"),
            "p.toml:3: policy.horizon: expected a whole number of at least 1, "
            "got 0");
  EXPECT_EQ(PolicyErrorOf("max_rounds = 1.5"),
            "p.toml:3: policy.max_rounds: expected a whole number of at least "
            "1, got 1.5");
  EXPECT_EQ(PolicyErrorOf("review_ratio = 1"),
            "p.toml:3: policy.review_ratio: expected a factor above 1 such as "
            "5, got 1");
  EXPECT_EQ(PolicyErrorOf("alpha = 0.6\nbeta = 0.4"),
            "p.toml:2: alpha: expected alpha + beta below 1, got 1");
}

TEST(ParsePolicyTest, BudgetIsADurationWithAUnit) {
  const std::string expected =
      "p.toml:3: policy.budget: expected a duration such as 120s or 2m, got ";
  EXPECT_EQ(PolicyErrorOf("budget = 120"),
            expected + "120; did you mean 120s?");
  EXPECT_EQ(PolicyErrorOf("budget = \"120\""),
            expected + "\"120\"; did you mean 120s?");
  EXPECT_EQ(PolicyErrorOf("budget = \"soon\""), expected + "\"soon\"");
  EXPECT_EQ(PolicyErrorOf("budget = \"-2s\""), expected + "\"-2s\"");
  EXPECT_EQ(PolicyErrorOf("budget = \"inf\""), expected + "\"inf\"");
}

TEST(ParsePolicyTest, UnknownWordIsAnsweredWithTheKnownOnes) {
  EXPECT_EQ(PolicyErrorOf("mode = \"tunrs\""),
            "p.toml:3: policy.mode: expected auto, turns, alternate or duet, "
            "got \"tunrs\"; did you mean turns?");
  EXPECT_EQ(PolicyErrorOf("direction = \"up\""),
            "p.toml:3: policy.direction: expected lower or higher, got \"up\"");
  EXPECT_EQ(PolicyErrorOf("kind = 1"),
            "p.toml:3: policy.kind: expected tune or gate, got 1");
}

TEST(ParsePolicyTest, CounterNeedsADirectionUnlessItIsKnown) {
  EXPECT_EQ(PolicyErrorOf("metric = \"widgets\""),
            "p.toml:2: direction: metric \"widgets\" has no known direction; "
            "say whether lower or higher is better");
  EXPECT_EQ(PolicyErrorOf("metric = \"items_per_second\""), "");
  EXPECT_EQ(PolicyErrorOf("direction = \"higher\""),
            "p.toml:2: direction: metric \"auto\" chooses a time, and lower is "
            "better; name the metric to give it a direction");
}

TEST(ParsePolicyTest, GuardIsForABenchmarkOrAMetric) {
  EXPECT_EQ(ErrorOf("[[guard]]\nmargin = 0.1\n"),
            "p.toml:1: guard[0]: expected either a name or a metric, got "
            "neither");
  EXPECT_EQ(ErrorOf("[[guard]]\nname = \"a\"\nmetric = \"peak_rss\"\n"),
            "p.toml:1: guard[0]: expected either a name or a metric, got "
            "both");
  EXPECT_EQ(ErrorOf("[guard]\nname = \"a\"\n"),
            "p.toml:1: guard: expected [[guard]] tables, got a table");
  EXPECT_EQ(ErrorOf("guard = [1]\n"),
            "p.toml:1: guard: expected [[guard]] tables, got 1");
}

TEST(ParsePolicyTest, BadRegularExpressionIsRefusedWithItsPlace) {
  EXPECT_EQ(ErrorOf("[[guard]]\nname = \"BM_(\"\n"),
            "p.toml:2: guard[0].name: bad regular expression \"BM_(\": "
            "Unmatched ( or \\(");
}

TEST(ParsePolicyTest, MarginAndWaiverMustBeWhole) {
  EXPECT_EQ(ErrorOf("[[margin]]\nname = \"a\"\n"),
            "p.toml:1: margin[0].margin: missing; expected a fraction above 0 "
            "such as 0.02 or 2%");
  EXPECT_EQ(ErrorOf("[[margin]]\nmargin = 0.1\n"),
            "p.toml:1: margin[0].name: missing; expected a regular expression");
  EXPECT_EQ(ErrorOf("[[waiver]]\nname = \"a\"\nceiling = 0.1\nuntil = "
                    "2027-01-31\n"),
            "p.toml:1: waiver[0].reason: missing; expected why the loss is "
            "accepted");
  EXPECT_EQ(ErrorOf("[[waiver]]\nname = \"a\"\nceiling = 0.1\nuntil = "
                    "\"2027-02-29\"\nreason = \"r\"\n"),
            "p.toml:4: waiver[0].until: expected a date such as 2027-01-31, "
            "got \"2027-02-29\"");
}

TEST(ParsePolicyTest, AnotherSchemaVersionIsRefused) {
  EXPECT_EQ(ErrorOf("schema_version = 2\n"),
            "p.toml:1: schema_version: expected 1, got 2");
}

TEST(ParsePolicyTest, TextThatIsNoTomlIsAnErrorWithItsLine) {
  EXPECT_THAT(ErrorOf("[policy]\nalpha = \n"), StartsWith("p.toml:2: "));
  EXPECT_THAT(ErrorOf("[policy]\nalpha = 0.05\nalpha = 0.01\n"),
              StartsWith("p.toml:3: "));
  EXPECT_THAT(ErrorOf("\x1b[31m\n"), testing::Not(testing::HasSubstr("\x1b")));
}

TEST(ParsePolicyTest, KeysThatAreNoneAreErrorsNotCrashes) {
  const auto error = [](std::string_view text) {
    return std::string(ParsePolicy(text, "p.toml").status().message());
  };
  EXPECT_THAT(error("[=]"), StartsWith("p.toml:1: "));
  EXPECT_THAT(error("[[=guard]]"), StartsWith("p.toml:1: "));
  EXPECT_THAT(error("[policy]\n[ \x01]"), StartsWith("p.toml:2: "));
  EXPECT_THAT(error("a = { = 1 }"), StartsWith("p.toml:1: "));
}

TEST(ParsePolicyTest, HostileNamesAreEscapedAndCutInMessages) {
  EXPECT_EQ(PolicyErrorOf("\"a\\u001b[2J\" = 1"),
            "p.toml:3: policy.a\\x1b[2J: unknown key; known are kind, metric, "
            "direction, min_effect, floor, alpha, beta, error_control, fdr, "
            "horizon, targets, added, mode, budget, max_rounds, review_ratio, "
            "default_margin or on_inconclusive");
  EXPECT_EQ(PolicyErrorOf("kind = \"" + std::string(500, 'x') + "\""),
            "p.toml:3: policy.kind: expected tune or gate, got \"" +
                std::string(60, 'x') + "\"...");
}

TEST(CheckPolicyTest, FieldOutOfItsRangeIsNamed) {
  Policy policy;
  policy.min_effect = 1.0;
  EXPECT_EQ(CheckErrorOf(policy),
            "min_effect: expected a fraction in (0, 1) such as 0.01 or 1%, got "
            "1");
  policy = Policy();
  policy.alpha = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(CheckErrorOf(policy),
            "alpha: expected a probability in (0, 1) such as 0.05 or 5%, got "
            "NaN");
  policy = Policy();
  policy.max_rounds = 0;
  EXPECT_EQ(CheckErrorOf(policy),
            "max_rounds: expected a whole number of at least 1, got 0");
  policy = Policy();
  policy.budget_seconds = 0.0;
  EXPECT_EQ(CheckErrorOf(policy),
            "budget: expected a duration such as 120s or 2m, got 0");
}

TEST(CheckPolicyTest, ListsAreCheckedEntryByEntry) {
  Policy policy;
  policy.guards = {GuardOn("a", ""), GuardOn("", "")};
  EXPECT_EQ(CheckErrorOf(policy),
            "guard[1]: expected either a name or a metric, got neither");
  policy.guards = {GuardOn("a", "b")};
  EXPECT_EQ(CheckErrorOf(policy),
            "guard[0]: expected either a name or a metric, got both");
  policy.guards = {GuardOn("(", "")};
  EXPECT_EQ(CheckErrorOf(policy),
            "guard[0].name: bad regular expression \"(\": Unmatched ( or \\(");
  policy = Policy();
  policy.margins = {BenchmarkMargin{"a", 0.0}};
  EXPECT_EQ(CheckErrorOf(policy),
            "margin[0].margin: expected a fraction above 0 such as 0.02 or 2%, "
            "got 0");
  policy = Policy();
  policy.waivers = {Waiver{"a", 0.1, "2027-13-01", "r"}};
  EXPECT_EQ(CheckErrorOf(policy),
            "waiver[0].until: expected a date such as 2027-01-31, got "
            "\"2027-13-01\"");
}

TEST(MetricForTest, PolicyMetricWinsOverTheDefaultOne) {
  Policy policy;
  EXPECT_EQ(MetricFor(policy, "BM_A").name, "cpu_time");
  EXPECT_EQ(MetricFor(policy, "BM_A/real_time").name, "real_time");
  policy.metric = "items_per_second";
  EXPECT_EQ(MetricFor(policy, "BM_A").direction, Direction::kHigherIsBetter);
  policy.metric = "widgets";
  policy.direction = Direction::kHigherIsBetter;
  EXPECT_EQ(MetricFor(policy, "BM_A"),
            (Metric{"widgets", Direction::kHigherIsBetter}));
}

TEST(PolicyNamesTest, EveryNameReadsBackAsItsValue) {
  for (const std::string& name : NamesOf<MeasureMode>()) {
    EXPECT_EQ(NameOf(ValueNamed<MeasureMode>(name).value()), name);
  }
  EXPECT_EQ(NameOf(MeasureMode::kAlternate), "alternate");
  EXPECT_EQ(ValueNamed<MeasureMode>("Turns"), std::nullopt);
  EXPECT_THAT(ValueNamed<PolicyKind>("gate"), Optional(PolicyKind::kGate));
  EXPECT_EQ(NameOf(PolicyKind::kTune), "tune");
  EXPECT_THAT(ValueNamed<Direction>("higher"),
              Optional(Direction::kHigherIsBetter));
  EXPECT_EQ(NameOf(Direction::kLowerIsBetter), "lower");
  EXPECT_THAT(ValueNamed<ErrorControl>("per-decision"),
              Optional(ErrorControl::kPerDecision));
  EXPECT_EQ(NameOf(ErrorControl::kFdr), "fdr");
  EXPECT_THAT(ValueNamed<TargetRule>("each"), Optional(TargetRule::kEach));
  EXPECT_EQ(NameOf(TargetRule::kGeomean), "geomean");
  EXPECT_THAT(ValueNamed<GuardMode>("veto"), Optional(GuardMode::kVeto));
  EXPECT_EQ(NameOf(GuardMode::kExact), "exact");
}

}  // namespace
}  // namespace autotune
