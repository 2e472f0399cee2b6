// What holds of every comparison, on seeded draws: sides are exchangeable,
// units do not matter, ranks are all that a U test sees.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/mann_whitney.h"
#include "comparator/statistics/verdict.h"
#include "gtest/gtest.h"
#include "tests/comparator/recorded/comparison_fixture.h"
#include "tests/support/result_builder.h"
#include "tests/support/samples.h"

namespace autotune {
namespace {

constexpr int kDraws = 150;

// Two sides of two to eight visits with three benchmarks; the contender gains
// or loses up to 4 % in each. Every fourth draw has coarse times, so ties.
struct Drawn {
  Files baseline;
  Files contender;
};

Files DrawnSide(std::mt19937_64& random, const std::string& source, bool coarse,
                const std::vector<double>& log_gains) {
  std::normal_distribution<double> noise(0.0, 0.01);
  Files files;
  const std::size_t visits = 2 + random() % 7;
  for (std::size_t visit = 0; visit < visits; ++visit) {
    ResultBuilder builder(source + std::to_string(visit));
    for (std::size_t k = 0; k < log_gains.size(); ++k) {
      double time = 100.0 * std::exp(noise(random) - log_gains[k]);
      if (coarse) time = std::round(time * 2.0) / 2.0;
      builder.Times("BM_" + std::to_string(k), {time});
    }
    files.push_back(builder.Build());
  }
  return files;
}

Drawn Draw(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> gain(-0.04, 0.04);
  const bool coarse = seed % 4 == 0;
  Drawn drawn;
  drawn.baseline = DrawnSide(random, "old", coarse, {0, 0, 0});
  drawn.contender = DrawnSide(random, "new", coarse,
                              {gain(random), gain(random), gain(random)});
  return drawn;
}

Files Scaled(Files files, double factor) {
  for (ResultFile& file : files) {
    for (Measurement& row : file.measurements) {
      row.real_time_ns = *row.real_time_ns * factor;
      row.cpu_time_ns = *row.cpu_time_ns * factor;
    }
  }
  return files;
}

// Improved for regressed; that the others mirror too does not follow, as a gain
// and a loss of min_effect are asked at different errors.
Verdict Mirrored(Verdict verdict) {
  if (verdict == Verdict::kImproved) return Verdict::kRegressed;
  if (verdict == Verdict::kRegressed) return Verdict::kImproved;
  return verdict;
}

// 1 when nothing is left to average.
double OverallRatio(const ComparisonTable& table) {
  return table.overall.has_value() ? table.overall->estimate->ratio : 1.0;
}

bool IsDifferent(Verdict verdict) { return Mirrored(verdict) != verdict; }

TEST(ComparisonPropertiesTest, SwappingTheSidesMirrorsEveryVerdict) {
  int different = 0;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const Drawn drawn = Draw(seed);
    const ComparisonTable table =
        CompareFiles(drawn.baseline, drawn.contender, Policy());
    const ComparisonTable swapped =
        CompareFiles(drawn.contender, drawn.baseline, Policy());
    for (std::size_t i = 0; i < table.comparisons.size(); ++i) {
      const Comparison& there = table.comparisons[i];
      const Comparison& back = swapped.comparisons[i];
      EXPECT_EQ(there.p_value, back.p_value);
      EXPECT_EQ(there.adjusted_p_value, back.adjusted_p_value);
      EXPECT_NEAR(
          *there.probability_of_superiority + *back.probability_of_superiority,
          1.0, 1e-12);
      EXPECT_NEAR(there.estimate->ratio * back.estimate->ratio, 1.0, 1e-12);
      EXPECT_EQ(IsDifferent(there.verdict), IsDifferent(back.verdict));
      if (!IsDifferent(there.verdict)) continue;
      EXPECT_EQ(back.verdict, Mirrored(there.verdict));
      ++different;
    }
    EXPECT_NEAR(OverallRatio(table) * OverallRatio(swapped), 1.0, 1e-12);
  }
  EXPECT_GT(different, kDraws / 5) << "the draws show nothing";
}

TEST(ComparisonPropertiesTest, ScalingByPowersOfTwoChangesNothing) {
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const Drawn drawn = Draw(seed);
    const ComparisonTable table =
        CompareFiles(drawn.baseline, drawn.contender, Policy());
    for (const double factor : {0x1p-30, 0x1p+40}) {
      const ComparisonTable scaled =
          CompareFiles(Scaled(drawn.baseline, factor),
                       Scaled(drawn.contender, factor), Policy());
      EXPECT_EQ(Said(scaled), Said(table));
      for (std::size_t i = 0; i < table.comparisons.size(); ++i) {
        const Comparison& before = table.comparisons[i];
        const Comparison& after = scaled.comparisons[i];
        EXPECT_EQ(after.verdict, before.verdict);
        EXPECT_EQ(after.p_value, before.p_value);
        EXPECT_NEAR(after.estimate->ratio, before.estimate->ratio, 1e-12);
        EXPECT_EQ(after.baseline_median, factor * before.baseline_median);
      }
    }
  }
}

TEST(ComparisonPropertiesTest, TheOrderOfFilesDoesNotMatter) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Drawn drawn = Draw(seed);
    const ComparisonTable table =
        CompareFiles(drawn.baseline, drawn.contender, Policy());
    std::reverse(drawn.baseline.begin(), drawn.baseline.end());
    std::rotate(drawn.contender.begin(), drawn.contender.begin() + 1,
                drawn.contender.end());
    const ComparisonTable turned =
        CompareFiles(drawn.baseline, drawn.contender, Policy());
    EXPECT_EQ(Said(turned), Said(table));
    EXPECT_NEAR(OverallRatio(turned), OverallRatio(table), 1e-12);
  }
}

TEST(ComparisonPropertiesTest, IncreasingTransformsKeepThePValues) {
  std::mt19937_64 random(7);
  for (int draw = 0; draw < kDraws; ++draw) {
    const bool coarse = draw % 2 == 0;
    const auto values = [&](std::size_t count) {
      return Mapped(NormalValues(random, count), [coarse](double v) {
        return coarse ? std::round(2.0 * v) / 2.0 : v;
      });
    };
    const std::vector<double> x = values(1 + random() % 20);
    const std::vector<double> y = values(1 + random() % 20);
    const MannWhitney plain = MannWhitneyTest(SampleOf(x), SampleOf(y));
    const auto check = [&](auto transform) {
      const MannWhitney turned = MannWhitneyTest(
          SampleOf(Mapped(x, transform)), SampleOf(Mapped(y, transform)));
      EXPECT_EQ(turned.p_two_sided, plain.p_two_sided);
      EXPECT_EQ(turned.p_contender_lower, plain.p_contender_lower);
    };
    check([](double v) { return std::exp(v); });
    check([](double v) { return v * v * v; });
    check([](double v) { return std::atan(v); });
    check([](double v) { return 3.0 * v - 5.0; });
  }
}

}  // namespace
}  // namespace autotune
