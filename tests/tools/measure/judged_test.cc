#include "tools/measure/judged.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using absl::StatusCode;
using testing::ElementsAre;
using testing::IsEmpty;

PilotBenchmark Benchmark(const std::string& name,
                         std::vector<std::string> counters = {}) {
  PilotBenchmark benchmark;
  benchmark.name = name;
  benchmark.counters = std::move(counters);
  return benchmark;
}

Pilot PilotWith(std::vector<PilotBenchmark> targets,
                std::vector<PilotBenchmark> others = {}) {
  Pilot pilot;
  pilot.targets = std::move(targets);
  pilot.others = std::move(others);
  return pilot;
}

Guard GuardOn(const std::string& pattern, const std::string& metric = "",
              double margin = 0.02, GuardMode mode = GuardMode::kProve) {
  Guard guard;
  guard.benchmark_pattern = pattern;
  guard.metric = metric;
  guard.margin = margin;
  guard.mode = mode;
  return guard;
}

std::vector<std::string> GuardNames(const Judged& judged) {
  std::vector<std::string> names;
  for (const JudgedGuard& guard : judged.settings.guards) {
    names.push_back(guard.name);
  }
  return names;
}

TEST(GuardFilterTest, IsTheOneGivenOrMadeOfThePatterns) {
  Policy policy;
  EXPECT_EQ(GuardFilter(policy, ""), "");
  policy.guards = {GuardOn("^A"), GuardOn("", "peak_rss"), GuardOn("B$")};
  EXPECT_EQ(GuardFilter(policy, ""), "(^A)|(B$)");
  EXPECT_EQ(GuardFilter(policy, "C"), "C");
}

TEST(ResolveMetricTest, AutoIsCpuTimeUnlessABenchmarkSteersByRealTime) {
  const Policy policy;
  EXPECT_EQ(ResolveMetric(policy, PilotWith({Benchmark("A")}))->name,
            "cpu_time");
  EXPECT_EQ(ResolveMetric(policy, PilotWith({Benchmark("A/real_time")}))->name,
            "real_time");
  EXPECT_EQ(ResolveMetric(
                policy, PilotWith({Benchmark("A")}, {Benchmark("B/threads:4")}))
                ->name,
            "real_time");
}

TEST(ResolveMetricTest, ACounterNeedsADirection) {
  Policy policy;
  policy.metric = "hits";
  EXPECT_THAT(ResolveMetric(policy, PilotWith({Benchmark("A")})),
              StatusIs(StatusCode::kInvalidArgument,
                       "metric \"hits\": nothing says whether lower or higher "
                       "is better: give its direction"));
  policy.direction = Direction::kHigherIsBetter;
  EXPECT_THAT(ResolveMetric(policy, PilotWith({Benchmark("A")})),
              IsOkAndHolds(Metric{"hits", Direction::kHigherIsBetter}));
}

TEST(ResolveMetricTest, RatesAreBetterWhenHigher) {
  Policy policy;
  policy.metric = "items_per_second";
  EXPECT_EQ(ResolveMetric(policy, PilotWith({Benchmark("A")}))->direction,
            Direction::kHigherIsBetter);
}

TEST(ResolveJudgedTest, TargetsComeInFileOrderWithAnExactFilter) {
  ASSERT_OK_AND_ASSIGN(
      const Judged judged,
      ResolveJudged(Policy(), PilotWith({Benchmark("B"), Benchmark("A/8")}),
                    std::nullopt));
  EXPECT_THAT(judged.settings.targets, ElementsAre("B", "A/8"));
  EXPECT_EQ(judged.filter, "^(B|A/8)$");
  EXPECT_THAT(judged.settings.guards, IsEmpty());
  EXPECT_EQ(judged.settings.alpha, 0.05);
}

// Many of them: their names are longer than a filter can be.
std::vector<PilotBenchmark> ManyBenchmarks() {
  std::vector<PilotBenchmark> many;
  for (int i = 0; i < 4000; ++i) {
    many.push_back(Benchmark(absl::StrCat("BM_Many/variant:", i)));
  }
  return many;
}

// The filter of a visit that judges these, where the user's is "BM_" and the
// guards' "E|F".
absl::StatusOr<std::string> FilterFor(const Pilot& pilot,
                                      const std::string& filter = "BM_") {
  const absl::StatusOr<Judged> judged =
      ResolveJudged(Policy(), pilot, std::nullopt);
  if (!judged.ok()) return judged.status();
  return VisitFilter(*judged, pilot, {filter, "E|F"});
}

TEST(VisitFilterTest, IsTheUsersWhereThatSelectsExactlyWhatIsJudged) {
  EXPECT_THAT(FilterFor(PilotWith({Benchmark("BM_A")})), IsOkAndHolds("BM_"));
  EXPECT_THAT(FilterFor(PilotWith(ManyBenchmarks())), IsOkAndHolds("BM_"));
  EXPECT_THAT(FilterFor(PilotWith({Benchmark("BM_A")}), "all"),
              IsOkAndHolds("."));
}

TEST(VisitFilterTest, ElseNamesWhatIsJudged) {
  EXPECT_THAT(FilterFor(PilotWith({Benchmark("BM_A")}, {Benchmark("E1")})),
              IsOkAndHolds("^(BM_A|E1)$"));
  Pilot pilot = PilotWith({Benchmark("BM_A")});
  pilot.added = {"BM_New"};
  EXPECT_THAT(FilterFor(pilot), IsOkAndHolds("^(BM_A)$"));
}

TEST(VisitFilterTest, MoreNamesThanAFilterHoldsAreSelectedByBothFilters) {
  Pilot pilot = PilotWith(ManyBenchmarks(), {Benchmark("E1")});
  EXPECT_THAT(FilterFor(pilot), IsOkAndHolds("(BM_)|(E|F)"));
  const auto refused =
      StatusIs(StatusCode::kFailedPrecondition,
               "4001 benchmarks: their names are more than --benchmark_filter "
               "can hold, and the filter selects others too: narrow it until "
               "it selects those alone");
  EXPECT_THAT(FilterFor(pilot, "-BM_X"), refused);
  pilot.added = {"BM_New"};
  EXPECT_THAT(FilterFor(pilot), refused);
}

TEST(ResolveJudgedTest, TheTasksLevelReplacesThePolicys) {
  ASSERT_OK_AND_ASSIGN(
      const Judged judged,
      ResolveJudged(Policy(), PilotWith({Benchmark("B")}), 0.001));
  EXPECT_EQ(judged.settings.alpha, 0.001);
}

TEST(ResolveJudgedTest, EachGuardPicksFromWhatTheFiltersMatched) {
  Policy policy;
  policy.default_margin = 0.07;
  policy.guards = {GuardOn("^E", "", 0.03), GuardOn("", "peak_rss", 0.1)};
  ASSERT_OK_AND_ASSIGN(const Judged judged,
                       ResolveJudged(policy,
                                     PilotWith({Benchmark("T")},
                                               {Benchmark("E1"), Benchmark("F"),
                                                Benchmark("E2")}),
                                     std::nullopt));
  EXPECT_THAT(GuardNames(judged), ElementsAre("E1", "E2", "peak_rss", "F"));
  EXPECT_EQ(judged.settings.guards[0].margin, 0.03);
  EXPECT_EQ(judged.settings.guards[2].margin, 0.1);
  EXPECT_EQ(judged.settings.guards[3].margin, 0.07);
  EXPECT_EQ(judged.filter, "^(T|E1|F|E2)$");
}

TEST(ResolveJudgedTest, TheFirstGuardOfABenchmarkWins) {
  Policy policy;
  policy.guards = {GuardOn("E1", "", 0.5), GuardOn("E", "", 0.1)};
  ASSERT_OK_AND_ASSIGN(
      const Judged judged,
      ResolveJudged(
          policy,
          PilotWith({Benchmark("T")}, {Benchmark("E1"), Benchmark("E2")}),
          std::nullopt));
  EXPECT_THAT(GuardNames(judged), ElementsAre("E1", "E2"));
  EXPECT_EQ(judged.settings.guards[0].margin, 0.5);
}

TEST(ResolveJudgedTest, ACounterGuardTakesEveryBenchmarkThatReportsIt) {
  Policy policy;
  policy.guards = {GuardOn("", "items_per_second")};
  ASSERT_OK_AND_ASSIGN(
      const Judged judged,
      ResolveJudged(
          policy,
          PilotWith({Benchmark("T", {"items_per_second"}), Benchmark("U")}),
          std::nullopt));
  EXPECT_THAT(GuardNames(judged), ElementsAre("T [items_per_second]"));
  EXPECT_EQ(judged.settings.guards[0].direction, Direction::kHigherIsBetter);
  EXPECT_THAT(judged.expected[0].counters, ElementsAre("items_per_second"));
  EXPECT_THAT(judged.expected[1].counters, IsEmpty());
}

TEST(ResolveJudgedTest, AGuardedCounterOfNoKnownDirectionMustNotGrow) {
  Policy policy;
  policy.guards = {GuardOn("", "misses"), GuardOn("", "hits")};
  policy.metric = "hits";
  policy.direction = Direction::kHigherIsBetter;
  ASSERT_OK_AND_ASSIGN(
      const Judged judged,
      ResolveJudged(policy, PilotWith({Benchmark("T", {"misses", "hits"})}),
                    std::nullopt));
  EXPECT_EQ(judged.settings.guards[0].direction, Direction::kLowerIsBetter);
  EXPECT_EQ(judged.settings.guards[1].direction, Direction::kHigherIsBetter);
}

TEST(ResolveJudgedTest, AGuardThatNamesNothingIsRefused) {
  Policy policy;
  policy.guards = {GuardOn("^Z")};
  EXPECT_THAT(
      ResolveJudged(policy, PilotWith({Benchmark("Zed")}), std::nullopt),
      StatusIs(StatusCode::kInvalidArgument,
               "guard \"^Z\": no benchmark besides the targets matches it"));
  policy.guards = {GuardOn("", "hits")};
  EXPECT_THAT(ResolveJudged(policy, PilotWith({Benchmark("A")}), std::nullopt),
              StatusIs(StatusCode::kInvalidArgument,
                       "guard \"hits\": no benchmark reports it"));
}

TEST(ResolveJudgedTest, AMarginOrMetricOfNothingIsRefused) {
  const Pilot pilot = PilotWith({Benchmark("A", {"hits"}), Benchmark("B")});
  const auto refused = [&pilot](const Policy& policy) {
    return std::string(
        ResolveJudged(policy, pilot, std::nullopt).status().message());
  };
  Policy policy;
  policy.kind = PolicyKind::kGate;
  policy.margins = {{"A", 0.1}, {"B", 0.2}};
  EXPECT_EQ(refused(policy), "");
  policy.margins.push_back({"A$", 0.3});
  EXPECT_EQ(refused(policy),
            "margin \"A$\": no target matches it that an earlier one leaves");
  policy.margins = {{"Z", 0.1}};
  EXPECT_EQ(refused(policy),
            "margin \"Z\": no target matches it that an earlier one leaves");
  policy.margins.clear();
  policy.metric = "hit";
  policy.direction = Direction::kLowerIsBetter;
  EXPECT_EQ(refused(policy),
            "metric \"hit\": no benchmark reports it; did you mean hits?");
  policy.metric = "hits";
  EXPECT_EQ(refused(policy), "");
}

TEST(ResolveJudgedTest, WhatTakesNoTimeOnBothSidesIsNotMeasured) {
  const auto no_op = [](int sides, Suspicion::About about) {
    PilotBenchmark benchmark = Benchmark("Empty", {"hits"});
    benchmark.no_time.assign(static_cast<std::size_t>(sides),
                             {Suspicion::Kind::kNoOp, "Empty", "0 ns", about});
    return benchmark;
  };
  const auto judged = [&](int sides, Suspicion::About about,
                          const Policy& policy) {
    auto resolved = ResolveJudged(
        policy, PilotWith({Benchmark("A", {"hits"}), no_op(sides, about)}),
        std::nullopt);
    EXPECT_OK(resolved);
    return *std::move(resolved);
  };
  const Judged both = judged(2, Suspicion::About::kTimes, Policy());
  EXPECT_THAT(both.settings.targets, ElementsAre("A"));
  EXPECT_THAT(both.no_ops, ElementsAre(testing::Pair("Empty", "0 ns")));
  EXPECT_EQ(both.expected.size(), 1U);
  EXPECT_THAT(judged(1, Suspicion::About::kTimes, Policy()).no_ops, IsEmpty());
  EXPECT_THAT(judged(2, Suspicion::About::kRealTime, Policy()).no_ops,
              IsEmpty());
  Policy counted;
  counted.metric = "hits";
  counted.direction = Direction::kLowerIsBetter;
  EXPECT_THAT(judged(2, Suspicion::About::kTimes, counted).no_ops, IsEmpty());
  EXPECT_THAT(
      ResolveJudged(Policy(), PilotWith({no_op(2, Suspicion::About::kTimes)}),
                    std::nullopt),
      StatusIs(StatusCode::kAborted,
               "\"Empty\": 0 ns: no target takes time, so there is "
               "nothing to compare"));
}

TEST(ResolveJudgedTest, ThreadsOfAnotherLibraryMeanSomethingElse) {
  Pilot pilot = PilotWith({Benchmark("A/threads:4")});
  const auto resolved = [&pilot](const std::string& baseline,
                                 const std::string& contender,
                                 const std::string& metric) {
    pilot.baseline.context.library_version = baseline;
    pilot.contender.context.library_version = contender;
    Policy policy;
    policy.metric = metric;
    return ResolveJudged(policy, pilot, std::nullopt).status();
  };
  EXPECT_OK(resolved("v1.9.5", "v1.9.5", "real_time"));
  EXPECT_OK(resolved("v0.0.0", "v1.9.5", "cpu_time"));
  EXPECT_THAT(resolved("v1.8.3", "v1.9.5", "real_time"),
              StatusIs(StatusCode::kAborted,
                       "\"A/threads:4\": real time of threads means something "
                       "else from Google Benchmark 1.9 on: measure both sides "
                       "with one version, or use --metric cpu_time"));
  EXPECT_THAT(
      resolved("v0.0.0", "v1.9.5", "real_time"),
      StatusIs(StatusCode::kAborted,
               "\"A/threads:4\": real time of threads means something else "
               "from Google Benchmark 1.9 on, and which of both version v0.0.0 "
               "does is unknown: measure both sides with one version, or use "
               "--metric cpu_time"));
}

TEST(ResolveJudgedTest, SettingsOfWhatWasAddedWaitForIt) {
  Pilot pilot = PilotWith({Benchmark("A")});
  pilot.added = {"New"};
  Policy policy;
  policy.kind = PolicyKind::kGate;
  policy.margins = {{"New", 0.1}};
  policy.guards = {GuardOn("New")};
  EXPECT_OK(ResolveJudged(policy, pilot, std::nullopt));
  pilot.added.clear();
  EXPECT_THAT(ResolveJudged(policy, pilot, std::nullopt),
              StatusIs(StatusCode::kInvalidArgument, testing::_));
}

}  // namespace
}  // namespace autotune
