#include "tools/measure/round.h"

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/measure/measure_world.h"

namespace autotune {
namespace {

// Gives one word for ever.
class FixedEntropy : public Entropy {
 public:
  explicit FixedEntropy(std::uint64_t bits) : bits_(bits) {}
  absl::StatusOr<std::uint64_t> Bits() override { return bits_; }
  std::string name() const override { return "fixed"; }

 private:
  std::uint64_t bits_;
};

TEST(DrawCoinTest, EachPositionHasBitsOfItsOwn) {
  FixedEntropy none(0);
  ASSERT_OK_AND_ASSIGN(RoundCoin coin, DrawCoin(none));
  EXPECT_FALSE(coin.baseline_first);
  EXPECT_EQ(coin.baseline_copy, 0);
  EXPECT_EQ(coin.padding_bytes_first, 0);
  EXPECT_EQ(coin.padding_bytes_second, 0);
  FixedEntropy first(1);
  ASSERT_OK_AND_ASSIGN(coin, DrawCoin(first));
  EXPECT_TRUE(coin.baseline_first);
  EXPECT_EQ(coin.baseline_copy, 0);
  FixedEntropy copy(2);
  ASSERT_OK_AND_ASSIGN(coin, DrawCoin(copy));
  EXPECT_FALSE(coin.baseline_first);
  EXPECT_EQ(coin.baseline_copy, 1);
  FixedEntropy padding(4ULL + (5ULL << 14U));
  ASSERT_OK_AND_ASSIGN(coin, DrawCoin(padding));
  EXPECT_EQ(coin.padding_bytes_first, 1);
  EXPECT_EQ(coin.padding_bytes_second, 5);
  EXPECT_EQ(coin.input_seed, 0u);
  FixedEntropy seed(7ULL << 26U);
  ASSERT_OK_AND_ASSIGN(coin, DrawCoin(seed));
  EXPECT_EQ(coin.padding_bytes_second, 0);
  EXPECT_EQ(coin.input_seed, 7u);
  FixedEntropy all(~0ULL);
  ASSERT_OK_AND_ASSIGN(coin, DrawCoin(all));
  EXPECT_EQ(coin.padding_bytes_first, 4095);
  EXPECT_EQ(coin.padding_bytes_second, 4095);
}

TEST(SummaryForTest, OneCpuModesTakeTheMeanOfCpuTimeAndOthersTheMedian) {
  const Metric cpu_time = {"cpu_time", Direction::kLowerIsBetter};
  const Metric other = {"hits", Direction::kLowerIsBetter};
  EXPECT_EQ(SummaryFor(MeasureMode::kTurns, cpu_time), Summary::kMean);
  EXPECT_EQ(SummaryFor(MeasureMode::kDuet, cpu_time), Summary::kMean);
  EXPECT_EQ(SummaryFor(MeasureMode::kAlternate, cpu_time), Summary::kMedian);
  EXPECT_EQ(SummaryFor(MeasureMode::kTurns, other), Summary::kMedian);
}

RoundSetup SetupIn(const MeasureWorld& world, MeasureMode mode) {
  RoundSetup setup;
  setup.baseline = Worker(100);
  setup.contender = Worker(300);
  setup.expected = {{"BM_Work", 3, {}}};
  setup.filter = "^(BM_Work)$";
  setup.metric = {"units", Direction::kLowerIsBetter};
  setup.mode = mode;
  setup.size = {0.01, 3};
  setup.folder = world.folder().path();
  return setup;
}

TEST(RunRoundTest, PutsEachVisitOnItsOwnSideWhateverTheCoin) {
  for (const MeasureMode mode :
       {MeasureMode::kAlternate, MeasureMode::kTurns, MeasureMode::kDuet}) {
    for (const bool baseline_first : {false, true}) {
      MeasureWorld world;
      RoundCoin coin;
      coin.baseline_first = baseline_first;
      coin.baseline_copy = baseline_first ? 1 : 0;
      coin.padding_bytes_first = 11;
      ASSERT_OK_AND_ASSIGN(const RoundEvidence round,
                           RunRound(SetupIn(world, mode), coin, world.seams()));
      EXPECT_EQ(round.baseline.benchmarks[0].value, 100.0);
      EXPECT_EQ(round.contender.benchmarks[0].value, 300.0);
      EXPECT_EQ(round.baseline_first, baseline_first);
      EXPECT_EQ(round.baseline.file_copy, coin.baseline_copy);
      EXPECT_EQ(round.padding_bytes_first, 11);
      EXPECT_EQ(round.mode, mode);
      EXPECT_GT(round.overlap, 0.0);
      EXPECT_LE(round.overlap, 1.0);
    }
  }
}

TEST(RunRoundTest, KeepsTheProcessesNumbers) {
  MeasureWorld world;
  ASSERT_OK_AND_ASSIGN(const RoundEvidence round,
                       RunRound(SetupIn(world, MeasureMode::kAlternate),
                                RoundCoin(), world.seams()));
  const VisitEvidence& visit = round.baseline;
  EXPECT_EQ(visit.benchmarks[0].values.size(), 3U);
  EXPECT_EQ(visit.benchmarks[0].iterations.size(), 3U);
  EXPECT_GT(visit.wall_seconds, 0.03);
  EXPECT_GT(visit.user_cpu_seconds, 0.02);
  EXPECT_GT(visit.peak_rss_bytes, 1 << 20);
  ASSERT_OK_AND_ASSIGN(const FileInfo info,
                       world.files().Info(MEASURED_PROGRAM));
  EXPECT_EQ(visit.program_bytes, static_cast<std::int64_t>(info.size));
}

TEST(RunRoundTest, AProgramThatCannotStartIsNamedWithItsSide) {
  for (const MeasureMode mode :
       {MeasureMode::kAlternate, MeasureMode::kTurns}) {
    MeasureWorld world;
    RoundSetup setup = SetupIn(world, mode);
    setup.in_place = true;
    setup.contender.program = "/no/such/bench";
    EXPECT_THAT(RunRound(setup, RoundCoin(), world.seams()),
                StatusIs(absl::StatusCode::kNotFound,
                         "contender: /no/such/bench: no such program: build "
                         "it first, or give the right path"));
  }
}

}  // namespace
}  // namespace autotune
