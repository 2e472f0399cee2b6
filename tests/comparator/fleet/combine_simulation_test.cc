// Error rates of one decision over several machines, on seeded noise of 2 % a
// round: the promises of docs/fleet.md. Each host runs until it has decided by
// itself, as `run` does, and the files are combined.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "comparator/fleet/fleet.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/sequential_test.h"
#include "gtest/gtest.h"
#include "tests/comparator/fleet/fleet_builder.h"
#include "tests/support/simulated_rounds.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

constexpr int kRuns = Draws(200);
constexpr int kMostRounds = 40;
constexpr double kSdOfVisit = 0.01414;  // 2 % of a round

enum class Machines { kEqual, kUnlike };

struct Host {
  double truth = 0.0;  // log-improvement
  Noise noise = Noise::kNormal;
  double sd = kSdOfVisit;
  int most_rounds = kMostRounds;  // it dies after these
  bool decides = true;            // false: all rounds, whatever they prove
};

Host WithTruth(double log_improvement) {
  Host host;
  host.truth = log_improvement;
  return host;
}

struct Tally {
  int keeps = 0;
  int discards = 0;
  int differs = 0;
  int harmful_keeps = 0;  // against a host that is proven worse
};

std::vector<double> RoundsUntilDecided(const Host& host, std::uint64_t seed) {
  SimulatedRounds rounds(host.noise, seed, host.truth, host.sd);
  SequentialTest test({});
  std::vector<double> values;
  while (static_cast<int>(values.size()) < host.most_rounds &&
         (!host.decides || test.decision() == Decision::kInconclusive)) {
    values.push_back(rounds.Next());
    test.Add(values.back());
  }
  return values;
}

bool ProvesHarm(const Fleet& fleet) {
  for (const Comparison& row : fleet.combined.guards) {
    if (row.verdict == Verdict::kRegressed ||
        row.standing == MarginStanding::kBeyond) {
      return true;
    }
  }
  return false;
}

Tally Simulate(const std::vector<Host>& hosts, Machines machines,
               HostRule rule = HostRule::kMeanVeto) {
  Tally tally;
  for (int run = 0; run < kRuns; ++run) {
    Fleet fleet;
    fleet.policy.rule = rule;
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      const std::string name(1, static_cast<char>('a' + h));
      const std::string cpu =
          machines == Machines::kEqual ? "one" : "cpu " + name;
      const auto seed = static_cast<std::uint64_t>(run) * 16 + h;
      AddRecord(
          name,
          {name, EndedRunOn(name, cpu, RoundsUntilDecided(hosts[h], seed))},
          fleet);
      if (hosts[h].most_rounds < kMostRounds) fleet.hosts.back().lost = "died";
    }
    EXPECT_OK(Combine(fleet));
    const Evidence& combined = fleet.combined;
    const bool keep = combined.decision == Decision::kKeep;
    tally.keeps += keep ? 1 : 0;
    tally.discards += combined.decision == Decision::kDiscard ? 1 : 0;
    tally.differs += combined.code == ReasonCode::kDiffersByMachine ? 1 : 0;
    tally.harmful_keeps += keep && ProvesHarm(fleet) ? 1 : 0;
  }
  return tally;
}

TEST(CombineSimulationTest, NothingIsKeptAtMostAlphaOfTheTime) {
  Host noisy;
  noisy.noise = Noise::kHeavyTails;
  noisy.sd = 4 * kSdOfVisit;
  Host dying;
  dying.most_rounds = 7;
  for (const Machines machines : {Machines::kEqual, Machines::kUnlike}) {
    for (const std::vector<Host>& hosts :
         {std::vector<Host>(2), std::vector<Host>(4),
          std::vector<Host>{{}, noisy}, std::vector<Host>{{}, {}, dying}}) {
      const Tally tally = Simulate(hosts, machines);
      EXPECT_LE(tally.keeps, MostByChance(kRuns, 0.05)) << hosts.size();
      EXPECT_EQ(tally.harmful_keeps, 0);
      EXPECT_GT(tally.discards, kRuns / 8) << "decides nothing";
    }
  }
  EXPECT_LE(
      Simulate({Host(), Host()}, Machines::kUnlike, HostRule::kEach).keeps,
      MostByChance(kRuns, 0.05));
}

TEST(CombineSimulationTest, BetterOnOneAndWorseOnAnotherIsNotKept) {
  for (const Machines machines : {Machines::kEqual, Machines::kUnlike}) {
    for (const double gain : {0.02, 0.03}) {
      const double loss = gain == 0.03 ? -0.01 : -0.02;
      const Tally tally =
          Simulate({WithTruth(gain), WithTruth(loss)}, machines);
      // The plain product of these two keeps half of 3 % and -1 %.
      EXPECT_LE(tally.keeps, MostByChance(kRuns, 0.05)) << gain;
      EXPECT_EQ(tally.harmful_keeps, 0);
    }
  }
}

TEST(CombineSimulationTest, OppositeSignsOfLongRunsDifferByMachine) {
  Host better = WithTruth(0.03);
  Host worse = WithTruth(-0.02);
  better.decides = worse.decides = false;
  for (const Machines machines : {Machines::kEqual, Machines::kUnlike}) {
    const Tally tally = Simulate({better, worse}, machines);
    EXPECT_EQ(tally.keeps, 0);
    EXPECT_GT(tally.differs, kRuns * 8 / 10);
  }
}

TEST(CombineSimulationTest, AGainOnAllHostsIsKept) {
  for (const Machines machines : {Machines::kEqual, Machines::kUnlike}) {
    for (const std::size_t hosts : {2U, 4U}) {
      Host host = WithTruth(0.03);
      // Hosts that stop by themselves leave unlike machines with as many rounds
      // as the one that stopped first.
      const Tally stopped = Simulate(std::vector<Host>(hosts, host), machines);
      EXPECT_GT(stopped.keeps, kRuns * 6 / 10) << hosts;
      EXPECT_LE(stopped.discards, MostByChance(kRuns, 0.10)) << hosts;
      host.decides = false;
      const Tally whole = Simulate(std::vector<Host>(hosts, host), machines);
      EXPECT_GT(whole.keeps, kRuns * 9 / 10) << hosts;
      EXPECT_LE(whole.discards, MostByChance(kRuns, 0.10)) << hosts;
    }
  }
}

// Rounds a host that the fleet needs when all measure on until it decides.
double MedianRounds(int hosts, double truth) {
  std::vector<double> needed;
  for (int run = 0; run < kRuns; ++run) {
    SequentialTest test({});
    std::vector<SimulatedRounds> noise;
    for (int h = 0; h < hosts; ++h) {
      noise.emplace_back(Noise::kNormal,
                         static_cast<std::uint64_t>(run * 16 + h), truth,
                         kSdOfVisit);
    }
    while (test.decision() == Decision::kInconclusive) {
      for (int h = 0; h < hosts; ++h) {
        const auto replica = static_cast<std::size_t>(h);
        test.Add(noise[replica].Next(), 0.0, replica);
      }
    }
    needed.push_back(static_cast<double>(test.rounds()) / hosts);
  }
  return Median(needed);
}

TEST(CombineSimulationTest, FourReplicasDecideInAThirdOfTheRounds) {
  const double one = MedianRounds(1, -std::log(0.99));
  const double four = MedianRounds(4, -std::log(0.99));
  EXPECT_LE(four, one / 2.5);
}

}  // namespace
}  // namespace autotune
