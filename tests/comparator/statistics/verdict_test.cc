#include "comparator/statistics/verdict.h"

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(VerdictTest, NamesAreTheOnesUsersReadAndScriptsMatch) {
  EXPECT_EQ(VerdictName(Verdict::kImproved), "improved");
  EXPECT_EQ(VerdictName(Verdict::kRegressed), "regressed");
  EXPECT_EQ(VerdictName(Verdict::kEquivalent), "equivalent");
  EXPECT_EQ(VerdictName(Verdict::kNoGain), "no_gain");
  EXPECT_EQ(VerdictName(Verdict::kInconclusive), "inconclusive");
}

TEST(VerdictTest, DecisionNamesAreTheOnesTheLedgerRecords) {
  EXPECT_EQ(DecisionName(Decision::kKeep), "keep");
  EXPECT_EQ(DecisionName(Decision::kDiscard), "discard");
  EXPECT_EQ(DecisionName(Decision::kInconclusive), "inconclusive");
}

}  // namespace
}  // namespace autotune
