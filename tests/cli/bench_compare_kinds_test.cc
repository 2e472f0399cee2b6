// bench_compare on a real program with a benchmark of each kind that the
// library knows: fits of complexity, threads, waiting, manual time, counters
// that are 0, a loop that does nothing.

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/exit_code.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Arguments = std::vector<std::string>;

class BenchCompareKindsTest : public testing::Test {
 protected:
  ProcessResult Run(const Arguments& arguments) {
    ProcessSpec spec;
    spec.argv = {BENCH_COMPARE};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.working_directory = folder_.path();
    spec.environment = {{"AUTOTUNE_MEASURE_LOCK", folder_.Join("lock")},
                        {"LC_ALL", "C"}};
    spec.timeout = absl::Seconds(120);
    auto result = processes_->Run(spec);
    EXPECT_OK(result);
    return *std::move(result);
  }

  // `verb` on what `filter` selects, the contender given COST=`cost`.
  ProcessResult Measure(Arguments verb, const std::string& filter,
                        const std::string& cost, const Arguments& more = {}) {
    const Arguments common = {
        "--baseline",      KINDS_BENCHMARK, "--contender", KINDS_BENCHMARK,
        "--contender-env", "COST=" + cost,  "--filter",    filter,
        "--metric",        "cost:lower",    "--mode",      "alternate"};
    verb.insert(verb.end(), common.begin(), common.end());
    verb.insert(verb.end(), more.begin(), more.end());
    return Run(verb);
  }

  // The first words of the table's rows.
  static std::vector<std::string> NamesIn(const std::string& table) {
    std::vector<std::string> names;
    for (const absl::string_view line : absl::StrSplit(table, '\n')) {
      if (line.empty()) continue;
      names.emplace_back(line.substr(0, line.find(' ')));
      if (names.back() == "geomean") break;
    }
    return names;
  }

  TemporaryFolder folder_;
  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
};

TEST_F(BenchCompareKindsTest, FitsOfComplexityTakeNoPartInARun) {
  const ProcessResult run = Measure({"run"}, "BM_(Fitted|Summed)", "90");
  EXPECT_EQ(run.exit_code, kExitKeep) << run.standard_error;
  EXPECT_THAT(
      NamesIn(run.standard_output),
      ElementsAre("benchmark", "BM_Fitted/64/iterations:2000",
                  "BM_Fitted/512/iterations:2000",
                  "BM_Summed/64/iterations:2000/repeats:2",
                  "BM_Summed/512/iterations:2000/repeats:2", "geomean"));
  EXPECT_THAT(run.standard_error, Not(HasSubstr("ignore")));
}

TEST_F(BenchCompareKindsTest, FitsOfComplexityTakeNoPartInAGate) {
  EXPECT_EQ(Measure({"gate", "run"}, "BM_Fitted", "100", {"-q"}).exit_code,
            kExitKeep);
  const ProcessResult slower =
      Measure({"gate", "run"}, "BM_Fitted", "120", {"-q"});
  EXPECT_EQ(slower.exit_code, kExitDiscard) << slower.standard_error;
}

TEST_F(BenchCompareKindsTest, FitsOfComplexityTakeNoPartInCalibrating) {
  const ProcessResult run =
      Run({"calibrate", "--binary", KINDS_BENCHMARK, "--filter", "BM_Fitted",
           "--decisions", "1", "--metric", "cost:lower", "--mode", "alternate",
           "-q"});
  EXPECT_EQ(run.exit_code, kExitKeep) << run.standard_error;
}

// Threads, waiting, manual time, a removed loop: what is counted decides.
TEST_F(BenchCompareKindsTest, EveryKindIsMeasuredOnACounter) {
  const std::string all = "BM_(Shared|Waiting|Simulated|Nothing)";
  const ProcessResult faster = Measure({"run"}, all, "90", {"-q"});
  EXPECT_EQ(faster.exit_code, kExitKeep) << faster.standard_error;
  const ProcessResult slower = Measure({"gate", "run"}, all, "120", {"-q"});
  EXPECT_EQ(slower.exit_code, kExitDiscard) << slower.standard_error;
}

// By its own clock, which counts what it is told: equal in every run.
TEST_F(BenchCompareKindsTest, ManualTimeIsJudgedAndANoOpHindersNothing) {
  const auto measure = [this](Arguments verb, const std::string& filter) {
    const Arguments common = {
        "--baseline",      KINDS_BENCHMARK, "--contender", KINDS_BENCHMARK,
        "--contender-env", "COST=120",      "--filter",    filter,
        "--mode",          "alternate"};
    verb.insert(verb.end(), common.begin(), common.end());
    return Run(verb);
  };
  const ProcessResult run = measure({"run"}, "BM_(Simulated|Instant)");
  EXPECT_EQ(run.exit_code, kExitDiscard) << run.standard_error;
  EXPECT_THAT(run.standard_output,
              HasSubstr("BM_Simulated/iterations:2000/manual_time  100.0 us   "
                        "120.0 us  +20.00 % "));
  EXPECT_THAT(
      run.standard_output,
      HasSubstr("  suspect [1]\n[1] 0 ns an "
                "iteration over 100 iterations: below what a clock resolves, "
                "or the compiler removed the loop\n"));
  EXPECT_EQ(measure({"gate", "run", "-q"}, "BM_(Simulated|Instant)").exit_code,
            kExitDiscard);
  const ProcessResult alone = measure({"run", "-q"}, "BM_Instant");
  EXPECT_EQ(alone.exit_code, kExitCannotJudge);
  EXPECT_THAT(alone.standard_error,
              HasSubstr("no target takes time, so there is nothing to "
                        "compare\n"));
}

// What names nothing is refused by every verb, before anything is measured.
TEST_F(BenchCompareKindsTest, ASettingThatFindsNothingIsRefusedByEveryVerb) {
  std::ofstream(folder_.Join("margin.toml"))
      << "[[margin]]\nname = \"BM_None\"\nmargin = 0.1\n";
  std::ofstream(folder_.Join("guard.toml"))
      << "[[guard]]\nname = \"BM_None\"\n";
  const std::vector<Arguments> verbs = {
      {"run", "--baseline", KINDS_BENCHMARK, "--contender", KINDS_BENCHMARK,
       "--contender-env", "COST=90"},
      {"gate", "run", "--baseline", KINDS_BENCHMARK, "--contender",
       KINDS_BENCHMARK, "--contender-env", "COST=90"},
      {"calibrate", "--binary", KINDS_BENCHMARK}};
  for (const Arguments& verb : verbs) {
    const auto error = [&](const Arguments& more, ExitCode code) {
      Arguments arguments = verb;
      arguments.emplace_back("-q");
      arguments.insert(arguments.end(), more.begin(), more.end());
      const ProcessResult run = Run(arguments);
      EXPECT_EQ(run.exit_code, code) << run.standard_output;
      return run.standard_error;
    };
    const std::string start = "bench_compare: error: ";
    EXPECT_EQ(error({"--filter=BM_None"}, kExitUsage),
              start + "--filter \"BM_None\": no benchmark matches it\n");
    EXPECT_EQ(error({"--filter=BM_Shared", "--guard=BM_None=2%"}, kExitUsage),
              start +
                  "--guard \"BM_None=2%\": no benchmark besides the "
                  "targets matches it\n");
    EXPECT_EQ(
        error({"--filter=BM_Shared", "--guard=metric:alloc=2%"}, kExitUsage),
        start + "--guard \"metric:alloc=2%\": no benchmark reports it\n");
    EXPECT_EQ(error({"--filter=BM_Shared", "--metric=costs:lower"}, kExitUsage),
              start +
                  "--metric \"costs:lower\": no benchmark reports it; did "
                  "you mean cost?\n");
    EXPECT_EQ(
        error({"--filter=BM_Shared", "--policy", folder_.Join("guard.toml")},
              kExitBadInput),
        start + folder_.Join("guard.toml") +
            ":1: guard[0]: no benchmark besides the targets matches it\n");
  }
  Arguments gate = verbs[1];
  gate.insert(gate.end(), {"-q", "--filter=BM_Shared", "--policy",
                           folder_.Join("margin.toml")});
  const ProcessResult run = Run(gate);
  EXPECT_EQ(run.exit_code, kExitBadInput);
  EXPECT_EQ(run.standard_error,
            "bench_compare: error: " + folder_.Join("margin.toml") +
                ":1: margin[0]: no target matches it that an earlier one "
                "leaves\n");
}

TEST_F(BenchCompareKindsTest, ACounterOfZeroIsJudgedExactly) {
  const auto gate = [this](const std::string& before, const std::string& after,
                           const Arguments& more) {
    Arguments arguments = {"gate",
                           "run",
                           "--baseline",
                           KINDS_BENCHMARK,
                           "--contender",
                           KINDS_BENCHMARK,
                           "--baseline-env",
                           "ALLOCS=" + before,
                           "--contender-env",
                           "ALLOCS=" + after,
                           "--filter",
                           "BM_Fitted",
                           "--mode",
                           "alternate",
                           "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  };
  const Arguments target = {"--metric", "allocs:lower"};
  EXPECT_EQ(gate("0", "00", target).exit_code, kExitKeep);
  EXPECT_EQ(gate("0", "12", target).exit_code, kExitDiscard);
  EXPECT_EQ(gate("12", "0", target).exit_code, kExitKeep);
  const ProcessResult guarded = Measure(
      {"run"}, "BM_Fitted", "90",
      {"--contender-env", "ALLOCS=12", "--guard", "metric:allocs=1%", "-q"});
  EXPECT_EQ(guarded.exit_code, kExitDiscard) << guarded.standard_error;
}

}  // namespace
}  // namespace autotune
