#include "comparator/statistics/mann_whitney.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "comparator/statistics/rank_distribution.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/reference_csv.h"
#include "tests/support/samples.h"

namespace autotune {
namespace {

// Agreement to eleven digits, also of tiny p-values.
void ExpectSameP(double actual, double expected, const std::string& where) {
  EXPECT_NEAR(actual, expected, 1e-11 * expected) << where;
}

void ExpectAsReference(const ReferenceRow& row) {
  const std::string where = row.Text("name");
  const MannWhitney result = MannWhitneyTest(
      SampleOf(row.Numbers("baseline")), SampleOf(row.Numbers("contender")));
  ExpectSameP(result.p_contender_lower, *row.Number("p_contender_lower"),
              where);
  ExpectSameP(result.p_contender_higher, *row.Number("p_contender_higher"),
              where);
  ExpectSameP(result.p_two_sided, *row.Number("p_two_sided"), where);
  const Sample baseline = SampleOf(row.Numbers("baseline"));
  const Sample contender = SampleOf(row.Numbers("contender"));
  const double pairs = static_cast<double>(baseline.size() * contender.size());
  EXPECT_NEAR(ProbabilityOfSuperiority(baseline, contender) * pairs,
              *row.Number("u"), 1e-9)
      << where;
}

TEST(MannWhitneyTest, AgreesWithR) {
  for (const ReferenceRow& row : ReadReferenceCsv("mann_whitney.csv")) {
    ExpectAsReference(row);
  }
}

TEST(MannWhitneyTest, AgreesWithScipy) {
  for (const ReferenceRow& row : ReadReferenceCsv("mann_whitney_scipy.csv")) {
    ExpectAsReference(row);
  }
}

TEST(MannWhitneyTest, PublishedExamplesComeOut) {
  // R's help page of wilcox.test: permeability constants, W = 35, p = 0.2544.
  const MannWhitney permeability = MannWhitneyTest(
      SampleOf({.80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46}),
      SampleOf({1.15, .88, .90, .74, 1.21}));
  EXPECT_NEAR(permeability.p_two_sided, .2544122, 1e-7);
  EXPECT_NEAR(permeability.p_contender_lower, .1272061, 1e-7);
  // benchstat's documentation, "gob" (ties): U = 39.5.
  const MannWhitney gob = MannWhitneyTest(
      SampleOf({3069, 3075, 3069, 3067, 3207, 3064, 3064, 3058, 3059, 3062}),
      SampleOf({3075, 3065, 3059, 3065, 3060, 3081, 3186, 3135, 3087, 3062}));
  EXPECT_NEAR(gob.p_two_sided, .4461019, 1e-7);
}

// Twice U of the split in which `x_mask` marks the pooled values that are x's.
std::size_t DoubledUOf(const std::vector<int>& pooled, std::uint32_t x_mask) {
  std::size_t doubled = 0;
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    if ((x_mask >> i & 1) == 0) continue;
    for (std::size_t j = 0; j < pooled.size(); ++j) {
      if ((x_mask >> j & 1) != 0) continue;
      doubled += pooled[i] > pooled[j] ? 2 : pooled[i] == pooled[j] ? 1 : 0;
    }
  }
  return doubled;
}

struct Split {
  std::vector<double> x;
  std::vector<double> y;
};

Split SplitBy(const std::vector<int>& pooled, std::uint32_t x_mask) {
  Split split;
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    ((x_mask >> i & 1) != 0 ? split.x : split.y).push_back(pooled[i]);
  }
  return split;
}

// All splits of one pooled sample, by their doubled U.
struct AllSplits {
  std::vector<std::uint64_t> counts;   // by doubled U
  std::vector<std::uint32_t> example;  // one split with that U
  double total = 0.0;
};

AllSplits ListSplits(const std::vector<int>& pooled, std::size_t x_size) {
  const std::size_t largest = 2 * x_size * (pooled.size() - x_size);
  AllSplits splits{std::vector<std::uint64_t>(largest + 1),
                   std::vector<std::uint32_t>(largest + 1)};
  for (std::uint32_t mask = 0; mask < 1u << pooled.size(); ++mask) {
    if (std::popcount(mask) != static_cast<int>(x_size)) continue;
    const std::size_t doubled = DoubledUOf(pooled, mask);
    ++splits.counts[doubled];
    splits.example[doubled] = mask;
    splits.total += 1.0;
  }
  return splits;
}

// The p-values of the split with this doubled U, by counting.
void ExpectCountedP(const std::vector<int>& pooled, const AllSplits& splits,
                    std::size_t doubled) {
  if (splits.counts[doubled] == 0) return;
  const Split split = SplitBy(pooled, splits.example[doubled]);
  const MannWhitney result =
      MannWhitneyTest(SampleOf(split.x), SampleOf(split.y));
  double lower = 0.0;
  double higher = 0.0;
  for (std::size_t k = 0; k < splits.counts.size(); ++k) {
    const double share = static_cast<double>(splits.counts[k]) / splits.total;
    if (k >= doubled) lower += share;
    if (k <= doubled) higher += share;
  }
  EXPECT_NEAR(result.p_contender_lower, lower, 1e-12);
  EXPECT_NEAR(result.p_contender_higher, higher, 1e-12);
  EXPECT_NEAR(result.p_two_sided, std::min(1.0, 2.0 * std::min(lower, higher)),
              1e-12);
}

// Pooled values whose i-th and next value differ exactly when bit i is set:
// every pattern of ties is one number.
std::vector<int> PooledWithTies(std::size_t size, std::uint32_t steps) {
  std::vector<int> pooled(size, 0);
  for (std::size_t i = 1; i < size; ++i) {
    pooled[i] = pooled[i - 1] + static_cast<int>(steps >> (i - 1) & 1);
  }
  return pooled;
}

std::vector<std::size_t> GroupSizes(const std::vector<int>& pooled) {
  std::vector<std::size_t> groups(static_cast<std::size_t>(pooled.back()) + 1);
  for (const int value : pooled) ++groups[static_cast<std::size_t>(value)];
  return groups;
}

void CheckPattern(std::size_t x_size, std::size_t y_size, std::uint32_t steps) {
  const std::vector<int> pooled = PooledWithTies(x_size + y_size, steps);
  const AllSplits splits = ListSplits(pooled, x_size);
  ASSERT_EQ(TiedMannWhitneyCounts(x_size, y_size, GroupSizes(pooled)),
            splits.counts);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, x_size * y_size,
                              x_size * y_size + 1, 2 * x_size * y_size}) {
    if (k < splits.counts.size()) ExpectCountedP(pooled, splits, k);
  }
}

TEST(MannWhitneyTest, EveryTiePatternOfUpToSixBySixIsAsCounted) {
  for (std::size_t x_size = 1; x_size <= 6; ++x_size) {
    for (std::size_t y_size = 1; y_size <= 6; ++y_size) {
      const std::uint32_t patterns = 1u << (x_size + y_size - 1);
      for (std::uint32_t steps = 0; steps < patterns; ++steps) {
        CheckPattern(x_size, y_size, steps);
      }
    }
  }
}

TEST(MannWhitneyTest, SwappingTheSamplesMirrorsTheTest) {
  std::mt19937_64 generator(1);
  for (int trial = 0; trial < 200; ++trial) {
    const double step = trial % 2 == 0 ? 1e-9 : 0.5;  // without and with ties
    const auto round = [step](double v) { return std::round(v / step) * step; };
    const std::size_t a = 1 + generator() % 60;
    const std::size_t b = 1 + generator() % 60;
    const Sample x = SampleOf(Mapped(NormalValues(generator, a, 0.3), round));
    const Sample y = SampleOf(Mapped(NormalValues(generator, b), round));
    const MannWhitney result = MannWhitneyTest(x, y);
    const MannWhitney swapped = MannWhitneyTest(y, x);
    EXPECT_DOUBLE_EQ(result.p_two_sided, swapped.p_two_sided);
    EXPECT_DOUBLE_EQ(result.p_contender_lower, swapped.p_contender_higher);
    EXPECT_DOUBLE_EQ(
        ProbabilityOfSuperiority(x, y) + ProbabilityOfSuperiority(y, x), 1.0);
  }
}

TEST(MannWhitneyTest, IncreasingTransformsAndOrderChangeNothing) {
  std::mt19937_64 generator(2);
  const auto transform = [](double v) { return std::exp(3.0 * v) + 7.0; };
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> x = NormalValues(generator, 1 + generator() % 20);
    std::vector<double> y = NormalValues(generator, 1 + generator() % 20);
    const MannWhitney result = MannWhitneyTest(SampleOf(x), SampleOf(y));
    std::shuffle(x.begin(), x.end(), generator);
    const MannWhitney other = MannWhitneyTest(SampleOf(Mapped(x, transform)),
                                              SampleOf(Mapped(y, transform)));
    EXPECT_EQ(result.p_two_sided, other.p_two_sided);
  }
}

TEST(MannWhitneyTest, SmallestPOfEqualSizesIsKnown) {
  // qwilcox tables; 9 against 9 is benchstat's uTestMinP.
  const std::vector<double> expected = {
      1.0,      1.0 / 3,   0.1,      .0285714,   .00793651,
      .0021645, .00058275, .0001554, 4.11353e-5, 1.0825e-5};
  for (std::size_t n = 1; n <= expected.size(); ++n) {
    EXPECT_NEAR(SmallestTwoSidedP(n, n), expected[n - 1],
                1e-4 * expected[n - 1])
        << n;
  }
}

TEST(MannWhitneyTest, SmallestPIsReachedByFullSeparation) {
  for (std::size_t n = 1; n <= 12; ++n) {
    for (std::size_t m = 1; m <= 12; ++m) {
      std::vector<double> low(n);
      std::vector<double> high(m);
      for (std::size_t i = 0; i < n; ++i) low[i] = static_cast<double>(i);
      for (std::size_t i = 0; i < m; ++i)
        high[i] = static_cast<double>(100 + i);
      const MannWhitney result = MannWhitneyTest(SampleOf(low), SampleOf(high));
      EXPECT_NEAR(result.p_two_sided, SmallestTwoSidedP(n, m), 1e-15);
    }
  }
}

TEST(MannWhitneyTest, ThreeAgainstThreeCannotGoBelowTenPerCent) {
  EXPECT_DOUBLE_EQ(
      MannWhitneyTest(SampleOf({1, 2, 3}), SampleOf({4, 5, 6})).p_two_sided,
      0.1);
}

TEST(MannWhitneyTest, AllValuesEqualGiveNoEvidence) {
  for (const std::size_t size : {2u, 60u}) {
    const Sample same = SampleOf(std::vector<double>(size, 4.5));
    const MannWhitney result = MannWhitneyTest(same, same);
    EXPECT_EQ(result.p_two_sided, 1.0);
    EXPECT_EQ(result.p_contender_lower, 1.0);
    EXPECT_EQ(result.p_contender_higher, 1.0);
    EXPECT_EQ(ProbabilityOfSuperiority(same, same), 0.5);
  }
}

TEST(MannWhitneyTest, CountsExactlyUpToTheStatedSizes) {
  EXPECT_TRUE(IsCountable(50, 50));
  EXPECT_TRUE(IsCountable(3, 833));
  EXPECT_FALSE(IsCountable(50, 51));
  EXPECT_TRUE(IsCountable(30, 30, kLargestTiedProduct));
  EXPECT_FALSE(IsCountable(30, 31, kLargestTiedProduct));
}

TEST(MannWhitneyTest, TheApproximationJoinsTheExactValues) {
  std::mt19937_64 generator(4);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<double> x = NormalValues(generator, 50, 0.3);
    const std::vector<double> y = NormalValues(generator, 50);
    const MannWhitney exact = MannWhitneyTest(SampleOf(x), SampleOf(y));
    const double u =
        2500.0 * ProbabilityOfSuperiority(SampleOf(x), SampleOf(y));
    const double z = (u - 1250.0) / std::sqrt(2500.0 * 101.0 / 12.0);
    EXPECT_NEAR(exact.p_contender_lower, 1.0 - NormalCdf(z), 0.003);
  }
}

TEST(MannWhitneyTest, ProbabilityOfSuperiorityCountsTiesHalf) {
  EXPECT_DOUBLE_EQ(
      ProbabilityOfSuperiority(SampleOf({2, 3, 4}), SampleOf({1, 2})),
      (1 + 0.5 + 2 + 2) / 6.0);
  EXPECT_EQ(ProbabilityOfSuperiority(SampleOf({5}), SampleOf({1})), 1.0);
}

}  // namespace
}  // namespace autotune
