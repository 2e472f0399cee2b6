#include "comparator/policy/comparison_rules.h"

#include <string>
#include <vector>

#include "comparator/policy/policy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::SizeIs;

Policy PolicyWithRules() {
  Policy policy;
  policy.default_margin = 0.03;
  policy.guards = {
      {.benchmark_pattern = "Encode", .metric = "", .margin = 0.04},
      {.benchmark_pattern = "Encode/8", .metric = "", .margin = 0.05},
      {.benchmark_pattern = "", .metric = "peak_rss", .margin = 0.06}};
  policy.margins = {{.benchmark_pattern = "^BM_Small", .margin = 0.07},
                    {.benchmark_pattern = "Small/8", .margin = 0.08}};
  policy.waivers = {{.name = "BM_Slow/64",
                     .ceiling = 0.12,
                     .until = "2027-01-31",
                     .reason = "known"}};
  return policy;
}

TEST(ComparisonRulesTest, TheFirstGuardThatMatchesByNameCovers) {
  const Policy policy = PolicyWithRules();
  const ComparisonRules rules(policy, "");
  EXPECT_EQ(rules.GuardOf("BM_Encode/8"), &policy.guards[0]);
  EXPECT_THAT(rules.GuardOf("BM_Decode"), IsNull());
  EXPECT_THAT(rules.GuardOf("peak_rss"), IsNull()) << "a metric, no name";
}

TEST(ComparisonRulesTest, GuardsByMetricHaveNoPattern) {
  const Policy policy = PolicyWithRules();
  std::vector<std::string> texts;
  for (const NamePattern& pattern : ComparisonRules(policy, "").GuardPatterns())
    texts.push_back(pattern.text());
  EXPECT_THAT(texts, ElementsAre("Encode", "Encode/8"));
}

TEST(ComparisonRulesTest, AMarginIsTheFirstOnesThenTheGuardsThenTheDefault) {
  const Policy policy = PolicyWithRules();
  const ComparisonRules rules(policy, "");
  EXPECT_EQ(rules.MarginOf("BM_Small/8"), 0.07);
  EXPECT_EQ(rules.MarginOf("XL_Small/8"), 0.08);
  EXPECT_EQ(rules.MarginOf("BM_Encode"), 0.04);
  EXPECT_EQ(rules.MarginOf("BM_Other"), 0.03);
}

TEST(ComparisonRulesTest, AWaiverIsForOneNameThroughItsDay) {
  const Policy policy = PolicyWithRules();
  const ComparisonRules last_day(policy, "2027-01-31");
  EXPECT_EQ(last_day.WaiverOf("BM_Slow/64"), &policy.waivers[0]);
  EXPECT_THAT(last_day.WaiverOf("BM_Slow/640"), IsNull());
  EXPECT_THAT(last_day.ExpiryWarnings(), IsEmpty());
  EXPECT_EQ(last_day.ToleranceOf("BM_Slow/64").margin, 0.12);
  EXPECT_EQ(last_day.ToleranceOf("BM_Slow/64").waiver,
            "up to 12 % through 2027-01-31: known");
  EXPECT_EQ(last_day.ToleranceOf("BM_Small").margin, 0.07);
  EXPECT_EQ(last_day.ToleranceOf("BM_Small").waiver, "");
  const ComparisonRules day_after(policy, "2027-02-01");
  EXPECT_THAT(day_after.WaiverOf("BM_Slow/64"), IsNull());
  EXPECT_THAT(day_after.ExpiryWarnings(),
              ElementsAre("the waiver of BM_Slow/64 expired on 2027-01-31"));
  EXPECT_EQ(day_after.ToleranceOf("BM_Slow/64").margin, 0.03);
}

TEST(ComparisonRulesTest, WithoutADayAllWaiversHold) {
  const Policy policy = PolicyWithRules();
  const ComparisonRules rules(policy, "");
  EXPECT_EQ(rules.WaiverOf("BM_Slow/64"), &policy.waivers[0]);
  EXPECT_THAT(rules.ExpiryWarnings(), IsEmpty());
}

TEST(ComparisonRulesTest, AnEmptyPolicyCoversNothing) {
  const Policy policy;
  const ComparisonRules rules(policy, "2027-01-31");
  EXPECT_THAT(rules.GuardOf("BM_A"), IsNull());
  EXPECT_THAT(rules.WaiverOf("BM_A"), IsNull());
  EXPECT_THAT(rules.GuardPatterns(), SizeIs(0));
  EXPECT_EQ(rules.MarginOf("BM_A"), policy.default_margin);
}

}  // namespace
}  // namespace autotune
