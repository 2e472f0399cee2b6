// Counts of which some are 0: no ratio, and no need of one.

#include <cstddef>
#include <string>
#include <vector>

#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/comparator/recorded/comparison_fixture.h"
#include "tests/support/result_builder.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;

// One run a value: benchmark A of steady time with the counter "allocs".
Files Counting(const std::vector<double>& spread,
               const std::vector<double>& counts) {
  Files files;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    files.push_back(ResultBuilder("run" + std::to_string(i))
                        .Times("A", {100 * spread[i]})
                        .Counter("A", "allocs", {counts[i]})
                        .Build());
  }
  return files;
}

Files Before(const std::vector<double>& counts) {
  return Counting(Spread(), counts);
}
Files After(const std::vector<double>& counts) {
  return Counting(OtherSpread(), counts);
}

Policy On(PolicyKind kind, Direction direction) {
  Policy policy;
  policy.kind = kind;
  policy.metric = "allocs";
  policy.direction = direction;
  return policy;
}

const std::vector<double> kZeros(6, 0.0);
const std::vector<double> kTwelves(6, 12.0);

TEST(CompareZerosTest, AreDecidedExactlyByKindAndDirection) {
  constexpr auto kTune = PolicyKind::kTune;
  constexpr auto kGate = PolicyKind::kGate;
  constexpr auto kLower = Direction::kLowerIsBetter;
  constexpr auto kHigher = Direction::kHigherIsBetter;
  const struct {
    PolicyKind kind;
    Direction direction;
    std::vector<double> before;
    std::vector<double> after;
    std::string outcome;
  } cases[] = {
      {kGate, kLower, kZeros, kZeros, "pass"},
      {kGate, kLower, kZeros, kTwelves, "regression"},
      {kGate, kLower, kTwelves, kZeros, "pass"},
      {kGate, kHigher, kZeros, kZeros, "pass"},
      {kGate, kHigher, kZeros, kTwelves, "pass"},
      {kGate, kHigher, kTwelves, kZeros, "regression"},
      {kTune, kLower, kZeros, kZeros, "discard"},
      {kTune, kLower, kZeros, kTwelves, "discard"},
      {kTune, kLower, kTwelves, kZeros, "keep"},
      {kTune, kHigher, kZeros, kTwelves, "keep"},
      {kTune, kHigher, kTwelves, kZeros, "discard"},
  };
  for (const auto& one : cases) {
    // One run a side is enough: nothing of it is chance.
    for (const std::size_t runs : {std::size_t{1}, std::size_t{6}}) {
      const auto first = [runs](std::vector<double> counts) {
        counts.resize(runs);
        return counts;
      };
      const ComparisonTable table =
          CompareFiles(Before(first(one.before)), After(first(one.after)),
                       On(one.kind, one.direction));
      EXPECT_EQ(OutcomeName(table, one.kind), one.outcome) << Said(table);
      EXPECT_FALSE(table.comparisons[0].estimate.has_value());
    }
  }
}

TEST(CompareZerosTest, ZeroEverywhereIsSaid) {
  const ComparisonTable table =
      CompareFiles(Before(kZeros), After(kZeros),
                   On(PolicyKind::kGate, Direction::kLowerIsBetter));
  EXPECT_THAT(table.comparisons[0].warnings,
              ElementsAre("allocs is 0 in every run of both sides"));
}

// Counts that are 0 in some runs only are compared by their ranks.
TEST(CompareZerosTest, SomeZerosAreNoProofByThemselves) {
  const auto gate = [](const std::vector<double>& before,
                       const std::vector<double>& after) {
    return std::string(OutcomeName(
        CompareFiles(Before(before), After(after),
                     On(PolicyKind::kGate, Direction::kLowerIsBetter)),
        PolicyKind::kGate));
  };
  EXPECT_EQ(gate({0, 1, 0, 0, 2, 0}, {0, 0, 3, 0, 0, 1}), "inconclusive");
  EXPECT_EQ(gate({0, 1, 0, 0, 2, 0}, {3, 4, 3, 5, 9, 3}), "regression");
  EXPECT_EQ(gate({3, 4, 3, 5, 9, 3}, {0, 1, 0, 0, 2, 0}), "pass");
}

TEST(CompareZerosTest, ALossFromZeroOutweighsTheMeanOfTheOthers) {
  Files before = Before(kZeros);
  Files after = After(kTwelves);
  for (Files* files : {&before, &after}) {
    const bool first = files == &before;
    for (std::size_t i = 0; i < files->size(); ++i) {
      Measurement row = (*files)[i].measurements[0];
      row.name = "B";
      row.counters[0].second = (first ? 100 : 50) + static_cast<double>(i);
      (*files)[i].measurements.push_back(row);
    }
  }
  const ComparisonTable table = CompareFiles(
      before, after, On(PolicyKind::kTune, Direction::kLowerIsBetter));
  EXPECT_EQ(Said(table), "discard: A regressed");
  EXPECT_EQ(table.overall_size, 1U);
}

TEST(CompareZerosTest, AGuardOnACounterThatLeavesZeroIsHarmed) {
  Policy policy;
  Guard guard;
  guard.metric = "allocs";
  guard.margin = 0.01;
  policy.guards = {guard};
  for (const GuardMode mode :
       {GuardMode::kProve, GuardMode::kExact, GuardMode::kVeto}) {
    policy.guards[0].mode = mode;
    EXPECT_EQ(Said(CompareFiles(Before(kZeros), After(kTwelves), policy)),
              "discard: guard A is worse by more than 1 %");
    const ComparisonTable same =
        CompareFiles(Before(kZeros), After(kZeros), policy);
    EXPECT_EQ(Said(same), "discard: A is equivalent within 1 %");
    EXPECT_EQ(same.comparisons[1].standing, MarginStanding::kWithin);
  }
}

TEST(CompareZerosTest, AGuardOnACounterGuardsAGateToo) {
  Policy policy;
  policy.kind = PolicyKind::kGate;
  Guard guard;
  guard.metric = "allocs";
  guard.margin = 0.01;
  policy.guards = {guard};
  for (const GuardMode mode :
       {GuardMode::kProve, GuardMode::kExact, GuardMode::kVeto}) {
    policy.guards[0].mode = mode;
    for (const std::vector<double>& fewer :
         {kZeros, std::vector<double>(6, 9.0)}) {
      EXPECT_EQ(Said(CompareFiles(Before(fewer), After(kTwelves), policy)),
                "regression: guard A is worse by more than 1 %");
      EXPECT_EQ(Said(CompareFiles(Before(fewer), After(fewer), policy)),
                "pass: 1 benchmark proven within the margin, 1 guard unharmed");
    }
  }
}

TEST(CompareZerosTest, TimesAndNegativeNumbersHaveNoSuchExcuse) {
  Files times = Before(kZeros);
  times[0].measurements[0].cpu_time_ns = 0.0;
  EXPECT_EQ(Said(CompareFiles(times, After(kZeros), Policy())),
            "cannot judge: A: baseline: a CPU time of 0: its clock did not "
            "count; use --metric real_time");
  EXPECT_EQ(
      Said(CompareFiles(Before({0, 0, -1, 0, 0, 0}), After(kZeros),
                        On(PolicyKind::kGate, Direction::kLowerIsBetter))),
      "cannot judge: A: baseline: a value of -1 has no ratio");
}

}  // namespace
}  // namespace autotune
