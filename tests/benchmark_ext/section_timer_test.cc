#include "benchmark_ext/section_timer.h"

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/benchmark_ext/sections_off.h"

namespace autotune {
namespace {

using benchmark::State;
using Seconds = std::chrono::duration<double>;

// Keeps the runs the library reports.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const auto& run : runs) {
      if (run.run_type == Run::RT_Iteration) runs_.push_back(run.counters);
    }
  }
  std::vector<benchmark::UserCounters> runs_;
};

// The counters of each repetition of the one benchmark of that name.
std::vector<benchmark::UserCounters> RunBenchmark(const std::string& name) {
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, nullptr, "^" + name + "(/|$)");
  return collector.runs_;
}

double Value(const benchmark::UserCounters& counters, const std::string& name) {
  const auto found = counters.find(name);
  EXPECT_NE(found, counters.end()) << name;
  return found == counters.end() ? -1 : found->second.value;
}

// What a clock outside says the whole loop of the latest run took.
double loop_seconds;

void Wait(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

void Flat(State& state) {
  for (auto _ : state) {
    for (int i = 0; i < 3; ++i) {
      SectionTimer timer(state, "part");
    }
    SectionTimer timer(state, "other part");
  }
}
BENCHMARK(Flat)->Iterations(50)->Repetitions(3);

TEST(SectionTimerTest, CountsCallsPerIterationInEveryRepetition) {
  const auto runs = RunBenchmark("Flat");
  ASSERT_EQ(runs.size(), 3u);
  for (const auto& counters : runs) {
    EXPECT_EQ(counters.size(), 5u);
    EXPECT_DOUBLE_EQ(Value(counters, "section/part/calls"), 3);
    EXPECT_DOUBLE_EQ(Value(counters, "section/other part/calls"), 1);
    EXPECT_GE(Value(counters, "section/part"), 0);
    EXPECT_GE(Value(counters, "section/(rest)"), 0);
  }
}

void Waiting(State& state) {
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    {
      SectionTimer timer(state, "long");
      Wait(4);
    }
    Wait(2);
    SectionTimer timer(state, "short");
    Wait(1);
  }
  loop_seconds = Seconds(std::chrono::steady_clock::now() - start).count();
}
BENCHMARK(Waiting)->Iterations(5);

// A wait never ends early and a loop is never shorter than its parts, on a busy
// machine too; 1 % for the measured rate of the cycle counter.
TEST(SectionTimerTest, IsNeverShorterThanAWaitNorLongerThanTheLoop) {
  const auto counters = RunBenchmark("Waiting").at(0);
  const double long_part = Value(counters, "section/long");
  const double short_part = Value(counters, "section/short");
  const double rest = Value(counters, "section/(rest)");
  EXPECT_GE(long_part, 0.99 * 4e-3);
  EXPECT_GE(short_part, 0.99 * 1e-3);
  EXPECT_GE(rest, 0.99 * 2e-3);
  EXPECT_LE((long_part + short_part + rest) * 5, 1.01 * loop_seconds);
}

void Nested(State& state) {
  for (auto _ : state) {
    SectionTimer outer(state, "outer");
    Wait(1);
    for (int i = 0; i < 2; ++i) {
      SectionTimer inner(state, "inner");
      Wait(1);
    }
  }
}
BENCHMARK(Nested)->Iterations(3);

TEST(SectionTimerTest, AnOuterSectionIncludesTheInnerOne) {
  const auto counters = RunBenchmark("Nested").at(0);
  EXPECT_GE(Value(counters, "section/outer"),
            Value(counters, "section/inner") + 0.99e-3);
  EXPECT_DOUBLE_EQ(Value(counters, "section/inner/calls"), 2);
}

void Recurse(State& state, int depth) {
  SectionTimer timer(state, "recursion");
  Wait(1);
  if (depth > 1) Recurse(state, depth - 1);
}

void Recursion(State& state) {
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) Recurse(state, 5);
  loop_seconds = Seconds(std::chrono::steady_clock::now() - start).count();
}
BENCHMARK(Recursion)->Iterations(2);

TEST(SectionTimerTest, ARecursionCountsItsTimeOnce) {
  const auto counters = RunBenchmark("Recursion").at(0);
  EXPECT_GE(Value(counters, "section/recursion"), 0.99 * 5e-3);
  EXPECT_LE(Value(counters, "section/recursion") * 2, 1.01 * loop_seconds);
  EXPECT_DOUBLE_EQ(Value(counters, "section/recursion/calls"), 5);
}

// Thread k makes k + 1 calls an iteration and waits so many milliseconds.
void Threaded(State& state) {
  for (auto _ : state) {
    for (int call = 0; call <= state.thread_index(); ++call) {
      SectionTimer outer(state, "outer");
      SectionTimer inner(state, "inner");
      Wait(1);
    }
  }
}
BENCHMARK(Threaded)->Iterations(4)->Threads(3)->UseRealTime();

// (1 + 2 + 3) / 3 = 2, as the library averages every counter of this kind.
TEST(SectionTimerTest, EachThreadTimesItselfAndTheAverageIsPublished) {
  const auto counters = RunBenchmark("Threaded").at(0);
  EXPECT_EQ(counters.size(), 5u);
  EXPECT_DOUBLE_EQ(Value(counters, "section/outer/calls"), 2);
  EXPECT_DOUBLE_EQ(Value(counters, "section/inner/calls"), 2);
  EXPECT_GE(Value(counters, "section/inner"), 0.99 * 2e-3);
  EXPECT_GE(Value(counters, "section/outer"), Value(counters, "section/inner"));
}

// The library's threads are new ones each run: nothing of an earlier run's
// sections is left in them, nor in the thread that runs a single one.
TEST(SectionTimerTest, ThreadedAndSingleRunsMayAlternate) {
  for (int round = 0; round < 2; ++round) {
    EXPECT_DOUBLE_EQ(
        Value(RunBenchmark("Threaded").at(0), "section/outer/calls"), 2);
    EXPECT_DOUBLE_EQ(
        Value(RunBenchmark("NoCounters").at(0), "section/part/calls"), 1);
  }
}

// States of different runs often live at one address: the second must not be
// taken for the first, whatever counters it starts with.
template <typename... Names>
void WithCounters(State& state, Names... names) {
  ((state.counters[names] = 1), ...);
  for (auto _ : state) {
    SectionTimer timer(state, "part");
  }
}
void NoCounters(State& state) { WithCounters(state); }
void CounterBefore(State& state) { WithCounters(state, "a"); }
void CounterAfter(State& state) { WithCounters(state, "z"); }
void FourCounters(State& state) { WithCounters(state, "a", "b", "s", "z"); }
void SeveralAfter(State& state) { WithCounters(state, "t", "u", "z"); }
void EmptyName(State& state) { WithCounters(state, "", "sectio", "section0"); }
BENCHMARK(NoCounters)->Iterations(7);
BENCHMARK(CounterBefore)->Iterations(7);
BENCHMARK(CounterAfter)->Iterations(7);
BENCHMARK(FourCounters)->Iterations(7);
BENCHMARK(SeveralAfter)->Iterations(7);
BENCHMARK(EmptyName)->Iterations(7);

TEST(SectionTimerTest, IsNotConfusedByOtherCountersOrEarlierRuns) {
  const std::map<std::string, std::size_t> others = {
      {"NoCounters", 0},   {"CounterBefore", 1}, {"FourCounters", 4},
      {"CounterAfter", 1}, {"SeveralAfter", 3},  {"EmptyName", 3}};
  for (int round = 0; round < 3; ++round) {
    for (const auto& [name, count] : others) {
      const auto counters = RunBenchmark(name).at(0);
      EXPECT_EQ(counters.size(), 3 + count) << name;
      EXPECT_DOUBLE_EQ(Value(counters, "section/part/calls"), 1) << name;
    }
  }
}

void Cleared(State& state) {
  for (auto _ : state) {
    SectionTimer(state, "gone");
    state.counters.clear();
    SectionTimer(state, "kept");
  }
}
BENCHMARK(Cleared)->Iterations(3);

TEST(SectionTimerTest, StartsAgainWhenTheCountersAreCleared) {
  const auto counters = RunBenchmark("Cleared").at(0);
  EXPECT_EQ(counters.count("section/gone"), 0u);
  EXPECT_DOUBLE_EQ(Value(counters, "section/kept/calls"), 1.0 / 3);
}

template <std::size_t... kIndex>
void TimeNames(State& state, std::index_sequence<kIndex...>) {
  static constexpr char kNames[40][3] = {{static_cast<char>('a' + kIndex / 26),
                                          static_cast<char>('a' + kIndex % 26),
                                          '\0'}...};
  (SectionTimer(state, kNames[kIndex]), ...);
}
void ManyNames(State& state) {
  for (auto _ : state) TimeNames(state, std::make_index_sequence<40>());
}
BENCHMARK(ManyNames)->Iterations(3);

TEST(SectionTimerTest, FurtherNamesThan32AreNotTimed) {
  const auto counters = RunBenchmark("ManyNames").at(0);
  EXPECT_EQ(counters.size(), 1u + 2 * 32);
}

void ChangingName(State& state) {
  for (auto _ : state) {
    for (char last : {'x', 'y', 'x'}) {
      const char name[] = {'n', last, '\0'};
      SectionTimer timer(state, name);
    }
  }
}
BENCHMARK(ChangingName)->Iterations(3);

TEST(SectionTimerTest, GoesByTheNamesTextNotByItsAddress) {
  const auto counters = RunBenchmark("ChangingName").at(0);
  EXPECT_DOUBLE_EQ(Value(counters, "section/nx/calls"), 2);
  EXPECT_DOUBLE_EQ(Value(counters, "section/ny/calls"), 1);
}

void InARow(State& state) {
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    SectionTimer timer(state, "first");
    Wait(1);
    timer.Next("second");
    Wait(2);
    timer.Next("first");
    Wait(1);
    timer.Next("third");
  }
  loop_seconds = Seconds(std::chrono::steady_clock::now() - start).count();
}
BENCHMARK(InARow)->Iterations(4);

TEST(SectionTimerTest, SectionsInARowShareTheirMoments) {
  const auto counters = RunBenchmark("InARow").at(0);
  const double first = Value(counters, "section/first");
  const double second = Value(counters, "section/second");
  EXPECT_GE(first, 0.99 * 2e-3);
  EXPECT_GE(second, 0.99 * 2e-3);
  EXPECT_DOUBLE_EQ(Value(counters, "section/first/calls"), 2);
  EXPECT_DOUBLE_EQ(Value(counters, "section/second/calls"), 1);
  EXPECT_DOUBLE_EQ(Value(counters, "section/third/calls"), 1);
  const double all = first + second + Value(counters, "section/third") +
                     Value(counters, "section/(rest)");
  EXPECT_LE(all * 4, 1.01 * loop_seconds);
}

void RowInside(State& state) {
  for (auto _ : state) {
    SectionTimer outer(state, "outer");
    SectionTimer inner(state, "one");
    inner.Next("two");
    Wait(1);
    inner.Next("outer");  // inside itself: a recursion
    Wait(1);
  }
}
BENCHMARK(RowInside)->Iterations(3);

TEST(SectionTimerTest, ARowMayBeInsideASection) {
  const auto counters = RunBenchmark("RowInside").at(0);
  const double outer = Value(counters, "section/outer");
  EXPECT_GE(outer, Value(counters, "section/two") + 0.99e-3);
  EXPECT_DOUBLE_EQ(Value(counters, "section/outer/calls"), 2);
  EXPECT_DOUBLE_EQ(Value(counters, "section/two/calls"), 1);
}

// Goes on to a 33rd name, which is not timed, and back to a known one.
void RowOfTooMany(State& state) {
  for (auto _ : state) {
    TimeNames(state, std::make_index_sequence<40>());
    SectionTimer timer(state, "ab");
    timer.Next("too many");
    timer.Next("ac");
  }
}
BENCHMARK(RowOfTooMany)->Iterations(3);

TEST(SectionTimerTest, ARowGoesOnAfterANameTooMany) {
  const auto counters = RunBenchmark("RowOfTooMany").at(0);
  EXPECT_EQ(counters.size(), 1u + 2 * 32);
  EXPECT_DOUBLE_EQ(Value(counters, "section/ab/calls"), 2);
  EXPECT_DOUBLE_EQ(Value(counters, "section/ac/calls"), 2);
  EXPECT_EQ(counters.count("section/too many"), 0u);
}

void SkippedInside(State& state) {
  for (auto _ : state) {
    SectionTimer outer(state, "outer");
    SectionTimer inner(state, "inner");
    state.SkipWithError("enough");
    return;
  }
}
BENCHMARK(SkippedInside)->Iterations(3);

// Were a section still counted as running, the next benchmark on this thread,
// whose state may live at the same address, would take its counters for gone.
TEST(SectionTimerTest, ASkippedBenchmarkIsLeftAlone) {
  EXPECT_EQ(RunBenchmark("SkippedInside").size(), 1u);
  EXPECT_DOUBLE_EQ(
      Value(RunBenchmark("NoCounters").at(0), "section/part/calls"), 1);
}

void Throwing(State& state) {
  for (auto _ : state) {
    try {
      SectionTimer outer(state, "outer");
      SectionTimer inner(state, "inner");
      Wait(1);
      throw std::runtime_error("on purpose");
    } catch (const std::runtime_error&) {
      Wait(1);
    }
  }
}
BENCHMARK(Throwing)->Iterations(3);

TEST(SectionTimerTest, AnExceptionEndsItsSections) {
  const auto counters = RunBenchmark("Throwing").at(0);
  EXPECT_DOUBLE_EQ(Value(counters, "section/outer/calls"), 1);
  EXPECT_DOUBLE_EQ(Value(counters, "section/inner/calls"), 1);
  EXPECT_GE(Value(counters, "section/outer"), Value(counters, "section/inner"));
  // Twice between three iterations.
  EXPECT_GE(Value(counters, "section/(rest)"), 0.99 * 2e-3 / 3);
}

TEST(SectionTimerTest, NothingIsLeftOfItWhenDisabled) {
  EXPECT_EQ(sections_off_test::SizeOfTimer(), 1u);
  EXPECT_TRUE(RunBenchmark("SectionsOff").at(0).empty());
}

}  // namespace
}  // namespace autotune
