// bench_compare as users run it: a process with arguments, streams, signals and
// an exit code. Decisions are made on a counter that the benchmark publishes,
// so that no test depends on the machine's speed.

#include <signal.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"
#include "tools/report/report.h"
#include "tools/system/exit_code.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Arguments = std::vector<std::string>;

class BenchCompareCliTest : public testing::Test {
 protected:
  ProcessSpec SpecOf(const Arguments& arguments) const {
    ProcessSpec spec;
    spec.argv = {BENCH_COMPARE};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.working_directory = folder_.path();
    spec.environment = environment_;
    spec.timeout = absl::Seconds(120);
    return spec;
  }

  ProcessResult Run(const Arguments& arguments) {
    auto result = processes_->Run(SpecOf(arguments));
    EXPECT_OK(result);
    EXPECT_FALSE(result->timed_out);
    return *std::move(result);
  }

  // `bench_compare run` of the counted benchmark against itself, deciding on
  // its counter.
  Arguments RunArguments(const Arguments& more) const {
    Arguments arguments = {"run",         "--baseline",      COUNTED_BENCHMARK,
                           "--contender", COUNTED_BENCHMARK, "--filter",
                           "BM_Counted",  "--metric",        "cost:lower",
                           "--mode",      "alternate"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  std::string Read(const std::string& name) {
    auto text = folder_.files().ReadFile(folder_.Join(name));
    return text.ok() ? *text : "";
  }

  std::ptrdiff_t LinesOf(const std::string& name) {
    const std::string text = Read(name);
    return std::count(text.begin(), text.end(), '\n');
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> environment_ = {
      {"AUTOTUNE_MEASURE_LOCK", folder_.Join("measure.lock")}};
  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
};

TEST_F(BenchCompareCliTest, RunKeepsAnImprovementAndVerifyAgrees) {
  const ProcessResult run =
      Run(RunArguments({"--contender-env", "COST=90", "--guard", "BM_Steady",
                        "--evidence", "run.json"}));
  EXPECT_EQ(run.exit_code, kExitKeep) << run.standard_error;
  EXPECT_THAT(run.standard_output,
              StartsWith("benchmark          baseline  contender  "));
  EXPECT_THAT(run.standard_output,
              HasSubstr("\nkeep: BM_Counted improved, 1 guard unharmed\n"));
  EXPECT_THAT(run.standard_error,
              HasSubstr("bench_compare: note: mode alternate"));

  const ProcessResult verified = Run({"verify", "run.json"});
  EXPECT_EQ(verified.exit_code, kExitKeep) << verified.standard_error;
  EXPECT_THAT(verified.standard_output, StartsWith("benchmark  "));
  EXPECT_THAT(verified.standard_output,
              ContainsRegex("verified: recomputed from [0-9]+ rounds, equal "
                            "within 1e-9\n"));

  // A forged outcome does not pass.
  std::string text = Read("run.json");
  const std::size_t at = text.find("\"decision\": \"keep\"");
  ASSERT_NE(at, std::string::npos);
  ASSERT_OK(folder_.files().WriteFile(
      folder_.Join("forged.json"),
      text.replace(at, 18, "\"decision\": \"discard\"")));
  const ProcessResult forged = Run({"verify", "forged.json"});
  EXPECT_EQ(forged.exit_code, kExitBadInput);
  EXPECT_THAT(forged.standard_error,
              StartsWith("bench_compare: error: forged.json: "));
}

TEST_F(BenchCompareCliTest, RunDiscardsALossAsOneJsonObject) {
  const ProcessResult run =
      Run(RunArguments({"--contender-env", "COST=112", "--json", "--quiet"}));
  EXPECT_EQ(run.exit_code, kExitDiscard) << run.standard_error;
  EXPECT_THAT(run.standard_error, IsEmpty());
  const auto json = nlohmann::json::parse(run.standard_output);
  EXPECT_EQ(json["decision"], "discard");
  EXPECT_EQ(json["metric"], "cost");
  EXPECT_GE(json["benchmarks"][0]["ratio"], 1.1);
  EXPECT_EQ(json["mode"], "alternate");
}

TEST_F(BenchCompareCliTest, GateRunRefusesALoss) {
  Arguments arguments = RunArguments({"--contender-env", "COST=112", "-q"});
  arguments.insert(arguments.begin(), "gate");
  const ProcessResult run = Run(arguments);
  EXPECT_EQ(run.exit_code, kExitDiscard) << run.standard_error;
  EXPECT_THAT(run.standard_output,
              StartsWith("regression: BM_Counted is worse by more than "));
}

TEST_F(BenchCompareCliTest, EveryLiveVerbReportsInEveryFormAtOnce) {
  for (const Arguments& verb : {Arguments{}, Arguments{"gate"}}) {
    const std::string evidence = verb.empty() ? "run.json" : "gate.json";
    Arguments arguments =
        RunArguments({"--contender-env", "COST=112", "--evidence", evidence});
    arguments.insert(arguments.begin(), verb.begin(), verb.end());
    for (const std::string& name : NamesOf<ReportFormat>()) {
      arguments.push_back("--report=" + name + "=report." + name);
    }
    ASSERT_EQ(Run(arguments).exit_code, kExitDiscard);
    EXPECT_THAT(Read("report.table"),
                HasSubstr(verb.empty() ? "\ndiscard: BM_Counted "
                                       : "\nregression: BM_Counted "));
    EXPECT_THAT(
        Read("report.markdown"),
        StartsWith(verb.empty() ? "**discard**: " : "**regression**: "));
    EXPECT_TRUE(nlohmann::json::accept(Read("report.json")));
    for (const char* name : {"junit", "sarif"}) {
      EXPECT_EQ(Run({"verify", evidence, absl::StrCat("--format=", name)})
                    .standard_output,
                Read(absl::StrCat("report.", name)));
    }
  }
}

// BM_Steady is soon proven; BM_Counted stands just inside its margin.
TEST_F(BenchCompareCliTest, GateRunDropsWhatIsDecidedAndVerifyAgrees) {
  Arguments arguments =
      RunArguments({"--contender-env", "COST=101.7", "--evidence", "gate.json",
                    "--seed", "1"});
  arguments[6] = "^BM_(Counted|Steady)$";
  arguments.insert(arguments.begin(), "gate");
  const ProcessResult run = Run(arguments);
  EXPECT_EQ(run.exit_code, kExitKeep) << run.standard_error;
  EXPECT_THAT(run.standard_output,
              HasSubstr("\npass: 2 benchmarks proven within the margins\n"));
  const auto evidence = nlohmann::json::parse(Read("gate.json"));
  EXPECT_EQ(evidence["rounds"][0]["baseline"]["benchmarks"].size(), 2U);
  const auto& last = evidence["rounds"].back();
  EXPECT_EQ(last["baseline"]["benchmarks"].size(), 1U);
  EXPECT_EQ(last["contender"]["benchmarks"].size(), 1U);
  EXPECT_EQ(last["ratios"]["targets"][1], nullptr);
  EXPECT_EQ(Run({"verify", "gate.json"}).exit_code, kExitKeep);

  // A number that was not measured may not be written into it.
  std::string text = Read("gate.json");
  const std::size_t at = text.rfind(",null]");
  ASSERT_NE(at, std::string::npos);
  ASSERT_OK(folder_.files().WriteFile(folder_.Join("forged.json"),
                                      text.replace(at, 6, ",0.5]")));
  const ProcessResult forged = Run({"verify", "forged.json"});
  EXPECT_EQ(forged.exit_code, kExitBadInput);
  EXPECT_THAT(forged.standard_error,
              HasSubstr("ratios.targets[1]: the visits give nothing, the file "
                        "says 0.5"));
}

TEST_F(BenchCompareCliTest, EqualProgramsAreNotMeasured) {
  const ProcessResult run = Run({"run", "--baseline", COUNTED_BENCHMARK,
                                 "--contender", COUNTED_BENCHMARK});
  EXPECT_EQ(run.exit_code, kExitDiscard);
  EXPECT_EQ(run.standard_output,
            "discard: unchanged: the two programs are equal in all that a "
            "visit uses\n");
  const ProcessResult gate =
      Run({"gate", "run", "--baseline", COUNTED_BENCHMARK, "--contender",
           COUNTED_BENCHMARK, "--evidence", "gate.json", "--json"});
  EXPECT_EQ(gate.exit_code, kExitKeep) << gate.standard_error;
  EXPECT_EQ(nlohmann::json::parse(gate.standard_output)["decision"], "pass");
  EXPECT_EQ(nlohmann::json::parse(Read("gate.json"))["decision"], "keep");
  EXPECT_EQ(Run({"verify", "gate.json"}).exit_code, kExitKeep);
}

TEST_F(BenchCompareCliTest, WhatCannotBeJudgedEndsWithTwo) {
  const ProcessResult errored =
      Run(RunArguments({"--contender-env", "ERROR=1", "-q"}));
  EXPECT_EQ(errored.exit_code, kExitCannotJudge);
  EXPECT_EQ(errored.standard_error,
            "bench_compare: error: contender: \"BM_Counted\" failed: asked to "
            "fail\n");
  const ProcessResult crashed =
      Run(RunArguments({"--contender-env", "CRASH=1", "-q"}));
  EXPECT_EQ(crashed.exit_code, kExitCannotJudge);
  EXPECT_THAT(crashed.standard_error,
              StartsWith("bench_compare: error: contender: killed by signal "
                         "6"));
}

TEST_F(BenchCompareCliTest, EqualProgramsCountTheSameToTheDigit) {
  const Arguments programs = {"--baseline",  COUNTED_BENCHMARK,
                              "--contender", COUNTED_BENCHMARK,
                              "--filter",    "^BM_Steady"};
  Arguments count = {"count", "--json"};
  count.insert(count.end(), programs.begin(), programs.end());
  const ProcessResult counted = Run(count);
  ASSERT_EQ(counted.exit_code, kExitKeep) << counted.standard_error;
  const auto json = nlohmann::json::parse(counted.standard_output);
  ASSERT_EQ(json["benchmarks"].size(), 1u);
  const auto& benchmark = json["benchmarks"][0];
  EXPECT_GT(benchmark["baseline"], 0);
  EXPECT_EQ(benchmark["baseline"], benchmark["contender"]);
  EXPECT_EQ(benchmark["spread"], 0);
  Arguments explain = {"explain"};
  explain.insert(explain.end(), programs.begin(), programs.end());
  const ProcessResult explained = Run(explain);
  EXPECT_THAT(explained.standard_output,
              AllOf(HasSubstr("benchmark, function"), HasSubstr("  equal\n"),
                    HasSubstr("instructions an iteration, counted twice, equal "
                              "to the digit\n")));
}

TEST_F(BenchCompareCliTest, AMissingProgramIsAPrecondition) {
  const ProcessResult run =
      Run({"run", "--baseline", COUNTED_BENCHMARK, "--contender", "./absent"});
  EXPECT_EQ(run.exit_code, kExitPrecondition);
  EXPECT_THAT(run.standard_error,
              StartsWith("bench_compare: error: contender: ./absent: "));
  const ProcessResult json =
      Run({"run", "--json", "--baseline", COUNTED_BENCHMARK, "--contender",
           "./absent"});
  EXPECT_EQ(nlohmann::json::parse(json.standard_output)["error"]["code"],
            kExitPrecondition);
}

// A run that Ctrl-C stops keeps its rounds, and goes on from them.
TEST_F(BenchCompareCliTest, AnInterruptedRunCanBeContinued) {
  // Too strict to be decided before the interruption.
  const Arguments strict = RunArguments(
      {"--contender-env", "COST=100.001", "--alpha", "1e-9", "--beta", "1e-9",
       "--min-effect", "0.01%", "--evidence", "run.json", "-q"});
  auto running = processes_->Start(SpecOf(strict));
  ASSERT_OK(running);
  // Two journal lines: the header and a round.
  while (LinesOf("run.json") < 2) {
    absl::SleepFor(absl::Milliseconds(20));
    ASSERT_OK_AND_ASSIGN(const bool ended,
                         (*running)->PollEnded(absl::ZeroDuration()));
    ASSERT_FALSE(ended) << "ended before a round was written";
  }
  ASSERT_EQ(kill((*running)->pid(), SIGINT), 0);
  ASSERT_OK_AND_ASSIGN(const ProcessResult interrupted, (*running)->Wait());
  EXPECT_EQ(interrupted.exit_code, kExitInterrupted);
  EXPECT_THAT(
      interrupted.standard_error,
      ContainsRegex("bench_compare: error: interrupted after [0-9]+ rounds?; "
                    "what was measured can be continued\n"
                    "bench_compare: hint: the same command with --evidence "
                    "run.json --resume continues it\n"));
  const ProcessResult open = Run({"verify", "run.json"});
  EXPECT_EQ(open.exit_code, kExitPrecondition);

  Arguments again = strict;
  again.push_back("--max-rounds=2");
  const ProcessResult refused = Run(again);
  EXPECT_EQ(refused.exit_code, kExitPrecondition)
      << "a run is never thrown away";
  again.push_back("--resume");
  const ProcessResult resumed = Run(again);
  EXPECT_EQ(resumed.exit_code, kExitInconclusive) << resumed.standard_error;
  const auto evidence = nlohmann::json::parse(Read("run.json"));
  EXPECT_GE(evidence["rounds"].size(), 3U);
  EXPECT_EQ(Run({"verify", "run.json"}).exit_code, kExitKeep);
}

TEST_F(BenchCompareCliTest, ArgumentsAfterTheDashesReachTheBenchmark) {
  const ProcessResult run = Run(RunArguments(
      {"--contender-env", "COST=90", "-q", "--", "--no_such_flag"}));
  EXPECT_EQ(run.exit_code, kExitCannotJudge);
  EXPECT_THAT(run.standard_error, HasSubstr("no_such_flag"));
}

TEST_F(BenchCompareCliTest, CalibrateMeasuresAProgramAgainstItself) {
  const ProcessResult run =
      Run({"calibrate", "--binary", COUNTED_BENCHMARK, "--filter",
           "^BM_Counted$", "--metric", "cost:lower", "--decisions", "2",
           "--max-rounds", "6", "--json", "-q"});
  EXPECT_EQ(run.exit_code, kExitKeep) << run.standard_error;
  const auto json = nlohmann::json::parse(run.standard_output);
  EXPECT_EQ(json["decisions"], 2);
  EXPECT_EQ(json["modes"].size(), 1U) << "no counter is measured on one CPU";
  EXPECT_EQ(json["modes"][0]["mode"], "alternate");
  EXPECT_LT(json["modes"][0]["noise"], 0.01);
  EXPECT_GT(json["seconds_per_decision"], 0.0);
}

TEST_F(BenchCompareCliTest, ColourFollowsTheTerminalAndNoColor) {
  environment_["TERM"] = "xterm";
  const ProcessResult plain = Run({"run", "--baseline", COUNTED_BENCHMARK,
                                   "--contender", COUNTED_BENCHMARK});
  EXPECT_EQ(plain.standard_output.find('\x1b'), std::string::npos)
      << "a pipe is no terminal";
  const ProcessResult always =
      Run({"run", "--color=always", "--baseline", COUNTED_BENCHMARK,
           "--contender", COUNTED_BENCHMARK});
  EXPECT_NE(always.standard_output.find('\x1b'), std::string::npos);
}

TEST_F(BenchCompareCliTest, RecordedFilesAreComparedWithNumbersOfAnyLocale) {
  const auto record = [this](const std::string& name, const std::string& cost) {
    ProcessSpec spec;
    spec.argv = {COUNTED_BENCHMARK, "--benchmark_filter=BM_Recorded",
                 "--benchmark_repetitions=3", "--benchmark_out=" + name};
    spec.environment = {{"COST", cost}};
    spec.working_directory = folder_.path();
    auto result = processes_->Run(spec);
    ASSERT_OK(result);
    ASSERT_TRUE(result->succeeded()) << result->standard_error;
  };
  Arguments arguments = {"--metric", "cost:lower", "--ignore-context", "-q"};
  for (int i = 0; i < 4; ++i) {
    record("old" + std::to_string(i) + ".json", "100.0" + std::to_string(i));
    record("new" + std::to_string(i) + ".json", "90.1" + std::to_string(7 - i));
    arguments.insert(arguments.end(),
                     {"--baseline", "old" + std::to_string(i) + ".json",
                      "--contender", "new" + std::to_string(i) + ".json"});
  }
  environment_["LC_ALL"] = "de_DE.UTF-8";
  const ProcessResult run = Run(arguments);
  EXPECT_EQ(run.exit_code, kExitKeep)
      << run.standard_output << run.standard_error;
  EXPECT_EQ(run.standard_output,
            "keep: BM_Recorded/iterations:20000 improved\n");
}

}  // namespace
}  // namespace autotune
