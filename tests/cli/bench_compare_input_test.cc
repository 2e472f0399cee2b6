// What users give bench_compare run by mistake: each ends with one clear line,
// the whole of which is asserted.

#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/exit_code.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

using Arguments = std::vector<std::string>;

class BenchCompareInputTest : public testing::Test {
 protected:
  ProcessResult RunSaying(const Arguments& arguments) {
    ProcessSpec spec;
    spec.argv = {BENCH_COMPARE};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.working_directory = folder_.path();
    spec.environment = {{"AUTOTUNE_MEASURE_LOCK", folder_.Join("lock")}};
    spec.timeout = absl::Seconds(120);
    auto result = processes_->Run(spec);
    EXPECT_OK(result);
    return *std::move(result);
  }

  // Of runs that end in an error.
  ProcessResult Run(const Arguments& arguments) {
    ProcessResult result = RunSaying(arguments);
    EXPECT_THAT(result.standard_output, IsEmpty());
    return result;
  }

  // The counted benchmark against `contender`.
  ProcessResult RunAgainst(const std::string& contender,
                           const Arguments& more = {}) {
    Arguments arguments = {
        "run",         "-q",      "--baseline", COUNTED_BENCHMARK,
        "--contender", contender, "--filter",   "^BM_Counted$",
        "--metric",    "cost",    "--mode",     "alternate"};
    arguments[9] = "cost:lower";
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }

  std::string Write(const std::string& name, const std::string& text,
                    bool executable) {
    const std::string path = folder_.Join(name);
    EXPECT_OK(folder_.files().WriteFile(path, text));
    ProcessSpec chmod;
    chmod.argv = {"chmod", executable ? "755" : "644", path};
    EXPECT_OK(processes_->Run(chmod));
    return path;
  }

  // The message with what differs from run to run taken out: the private
  // folders, and how the command quotes our path.
  std::string Steady(std::string text) {
    text =
        absl::StrReplaceAll(text, {{CommandText({contender_}), "CONTENDER"}});
    const std::size_t folder = text.find("/tmp/run-");
    if (folder != std::string::npos) {
      text.replace(folder, text.find('/', folder + 9) - folder, "FOLDER");
    }
    return text;
  }

  std::string contender_;
  TemporaryFolder folder_;
  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
};

TEST_F(BenchCompareInputTest, AProgramThatIsNoBenchmark) {
  contender_ = Write("tool", "#!/bin/sh\necho usage: tool\n", true);
  const ProcessResult run = RunAgainst(contender_);
  EXPECT_EQ(run.exit_code, kExitCannotJudge);
  EXPECT_EQ(Steady(run.standard_error),
            "bench_compare: error: contender: wrote no results; it must be a "
            "Google Benchmark that takes --benchmark_out (it said: usage: "
            "tool): CONTENDER '--benchmark_filter=^BM_Counted$' "
            "--benchmark_min_time=0.01 --benchmark_repetitions=1 "
            "--benchmark_out_format=json "
            "--benchmark_out=FOLDER/copy1/results.json\n");
}

TEST_F(BenchCompareInputTest, ResultsThatAreNoJson) {
  contender_ =
      Write("writer",
            "#!/bin/sh\nfor argument; do case $argument in\n"
            "--benchmark_out=*) echo 'BM_A 12 ns' > \"${argument#*=}\";;\n"
            "esac; done\n",
            true);
  const ProcessResult run = RunAgainst(contender_);
  EXPECT_EQ(run.exit_code, kExitCannotJudge);
  EXPECT_EQ(Steady(run.standard_error),
            "bench_compare: error: contender: results:1:1: expected JSON, got "
            "\"BM_A\", perhaps printed by the program; write the file with "
            "--benchmark_out=FILE --benchmark_out_format=json and leave it as "
            "it is: CONTENDER '--benchmark_filter=^BM_Counted$' "
            "--benchmark_min_time=0.01 --benchmark_repetitions=1 "
            "--benchmark_out_format=json "
            "--benchmark_out=FOLDER/copy1/results.json\n");
}

TEST_F(BenchCompareInputTest, AFileThatMayNotBeExecuted) {
  const std::string path = Write("data", "#!/bin/sh\n", false);
  const ProcessResult run = RunAgainst(path);
  EXPECT_EQ(run.exit_code, kExitPrecondition);
  EXPECT_THAT(run.standard_error,
              MatchesRegex(absl::StrCat(
                  "bench_compare: error: contender: ", path, ": [^\n]*\n")));
}

TEST_F(BenchCompareInputTest, AProgramOfAnotherArchitecture) {
  // An ELF header for a machine (0xf00d) that nobody has.
  std::string elf(
      "\x7f"
      "ELF\2\1\1",
      7);
  elf.resize(64, '\0');
  elf[16] = 2;
  elf[18] = '\x0d';
  elf[19] = '\xf0';
  elf[20] = 1;
  const std::string path = Write("foreign", elf, true);
  const ProcessResult run = RunAgainst(path);
  EXPECT_EQ(run.exit_code, kExitPrecondition);
  EXPECT_THAT(run.standard_error,
              MatchesRegex(absl::StrCat(
                  "bench_compare: error: contender: ", path, ": [^\n]*\n")));
}

TEST_F(BenchCompareInputTest, AFilterThatMatchesNothing) {
  const ProcessResult run = RunAgainst(
      COUNTED_BENCHMARK, {"--contender-env", "COST=90", "--filter=BM_None"});
  EXPECT_EQ(run.exit_code, kExitUsage) << "--filter is given twice";
  const ProcessResult once = Run(
      {"run", "-q", "--baseline", COUNTED_BENCHMARK, "--contender",
       COUNTED_BENCHMARK, "--contender-env", "COST=90", "--filter", "BM_None"});
  EXPECT_EQ(once.exit_code, kExitUsage);
  EXPECT_EQ(once.standard_error,
            "bench_compare: error: --filter \"BM_None\": no benchmark matches "
            "it\n");
}

TEST_F(BenchCompareInputTest, SidesWithDifferentBenchmarks) {
  const ProcessResult run =
      Run({"run", "-q", "--baseline", COUNTED_BENCHMARK, "--contender",
           COUNTED_BENCHMARK, "--filter=^BM_Counted$",
           "--contender-args=--benchmark_filter=-{filter}"});
  EXPECT_EQ(run.exit_code, kExitCannotJudge);
  EXPECT_EQ(run.standard_error,
            "bench_compare: error: contender: lacks the baseline's benchmark "
            "\"BM_Counted\": both sides must hold the same benchmarks; narrow "
            "the filter\n");
}

TEST_F(BenchCompareInputTest, ProgramsThatIgnoreTheFilter) {
  const std::string deaf =
      Write("deaf",
            absl::StrCat("#!/bin/sh\nshift\nexec ", COUNTED_BENCHMARK,
                         " \"$@\" --benchmark_filter='Counted|Steady'\n"),
            true);
  const ProcessResult run =
      RunSaying({"run", "--max-rounds=1", "--baseline", deaf, "--contender",
                 deaf, "--contender-env", "COST=90", "--metric", "cost:lower",
                 "--mode", "alternate", "--filter=Counted"});
  EXPECT_EQ(run.exit_code, kExitInconclusive) << run.standard_error;
  EXPECT_THAT(
      run.standard_error,
      HasSubstr("bench_compare: warning: the programs measure \"BM_Steady\", "
                "which the filter \"Counted\" does not select: do they ignore "
                "--benchmark_filter? all that they measure is judged\n"));
}

TEST_F(BenchCompareInputTest, AMissingWorkingFolder) {
  const ProcessResult run =
      RunAgainst(COUNTED_BENCHMARK,
                 {"--contender-env", "COST=90", "--cwd", "/no/such/folder"});
  EXPECT_EQ(run.exit_code, kExitPrecondition);
  EXPECT_THAT(run.standard_error,
              MatchesRegex("bench_compare: error: baseline: [^\n]*"
                           "/no/such/folder[^\n]*\n"));
}

// Each is refused before anything is measured: opening a pipe, or reading a
// device, would wait for ever.
TEST_F(BenchCompareInputTest, EvidenceThatCannotBeAFile) {
  const std::string pipe = folder_.Join("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string link = folder_.Join("link");
  ASSERT_EQ(symlink("/dev/null", link.c_str()), 0);
  for (const auto& [path, kind] :
       {std::pair<std::string, std::string>{"/dev/full", "a device or a pipe"},
        {"/dev/null", "a device or a pipe"},
        {pipe, "a device or a pipe"},
        {link, "a symbolic link"},
        {folder_.path(), "a folder"}}) {
    for (const Arguments& more : {Arguments{"--evidence", path},
                                  Arguments{"--evidence", path, "--resume"}}) {
      const ProcessResult run = RunAgainst(COUNTED_BENCHMARK, more);
      EXPECT_EQ(run.exit_code, kExitPrecondition);
      EXPECT_EQ(run.standard_error,
                absl::StrCat("bench_compare: error: ", path,
                             ": expected a regular file for the evidence, or "
                             "none yet, got ",
                             kind, ": name another file\n"));
    }
  }
}

// A report replaces a plain file whole, a user's link stays a link, and what is
// no file is written to: as root, /dev/stdout would be gone for everybody.
TEST_F(BenchCompareInputTest, ReportsReplaceOnlyPlainFiles) {
  const std::string row =
      R"({"name": "BM_A", "run_type": "iteration", "iterations": 1,)"
      R"( "real_time": 1.0, "cpu_time": 1.0, "time_unit": "ns"})";
  Write("a.json", absl::StrCat(R"({"context": {}, "benchmarks": [)", row, "]}"),
        false);
  Write("old.json", "old", false);
  ASSERT_OK(folder_.files().MakeLink("old.json", folder_.Join("latest.json")));
  ASSERT_OK(folder_.files().MakeLink("/proc/self/fd/1", folder_.Join("out")));
  const Arguments files = {"-q", "a.json", "a.json"};
  Arguments arguments = files;
  arguments.insert(arguments.end(), {"--report", "json=latest.json", "--report",
                                     "markdown=out"});
  const ProcessResult result = RunSaying(arguments);
  EXPECT_THAT(result.standard_output, HasSubstr("\n**cannot judge**: "));
  EXPECT_THAT(result.standard_error, IsEmpty());
  EXPECT_THAT(folder_.files().ReadLink(folder_.Join("out")),
              IsOkAndHolds("/proc/self/fd/1"));
  EXPECT_THAT(folder_.files().ReadLink(folder_.Join("latest.json")),
              IsOkAndHolds("old.json"));
  ASSERT_OK_AND_ASSIGN(const std::string json,
                       folder_.files().ReadFile(folder_.Join("old.json")));
  EXPECT_TRUE(nlohmann::json::accept(json));
}

// The limit on a file's size stands in for a disk that fills up while
// measuring: header and first rounds fit, the later ones do not.
TEST_F(BenchCompareInputTest, ADiskThatFillsUpLosesNothingThatWasMeasured) {
  const std::string command = absl::StrCat(
      "trap '' XFSZ; ulimit -f 16; exec \"$0\" run -q --in-place --baseline ",
      COUNTED_BENCHMARK, " --contender ", COUNTED_BENCHMARK,
      " --contender-env COST=100.001 --filter '^BM_Counted$' --metric "
      "cost:lower --mode alternate --alpha 1e-9 --beta 1e-9 --min-effect 0.01% "
      "--evidence run.json \"$@\"");
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", command, BENCH_COMPARE};
  spec.working_directory = folder_.path();
  spec.environment = {{"AUTOTUNE_MEASURE_LOCK", folder_.Join("lock")}};
  spec.timeout = absl::Seconds(120);
  ASSERT_OK_AND_ASSIGN(const ProcessResult full, processes_->Run(spec));
  EXPECT_EQ(full.exit_code, kExitPrecondition);
  EXPECT_EQ(full.standard_error,
            "bench_compare: error: run.json: cannot write: File too large\n"
            "bench_compare: hint: the same command with --evidence run.json "
            "--resume continues it\n");

  // With room again it goes on from the rounds that were written.
  spec.argv[2] = absl::StrReplaceAll(command, {{"ulimit -f 16; ", ""}});
  spec.argv.insert(spec.argv.end(), {"--resume", "--max-rounds=1"});
  ASSERT_OK_AND_ASSIGN(const ProcessResult more, processes_->Run(spec));
  EXPECT_EQ(more.exit_code, kExitInconclusive) << more.standard_error;
  EXPECT_THAT(
      more.standard_output,
      testing::ContainsRegex("undecided after ([2-9]|[1-9][0-9]+) rounds"));
}

// What a benchmark needs to run at all reaches both sides.
TEST_F(BenchCompareInputTest, ABenchmarkThatNeedsAFolderArgumentsAndVariables) {
  const std::string needy = Write(
      "needy",
      absl::StrCat("#!/bin/sh\n[ -e data ] || { echo no data >&2; exit 3; }\n"
                   "[ \"$1\" = --set=big ] || { echo no set >&2; exit 4; }\n"
                   "[ \"$KEY\" ] || { echo no key >&2; exit 5; }\n"
                   "shift; COST=$KEY exec ",
                   COUNTED_BENCHMARK, " \"$@\"\n"),
      true);
  ASSERT_OK(folder_.files().MakeDirectories(folder_.Join("there")));
  ASSERT_OK(folder_.files().WriteFile(folder_.Join("there/data"), ""));
  Arguments arguments = {"run",        "-q",           "--baseline",
                         needy,        "--contender",  needy,
                         "--filter",   "^BM_Counted$", "--metric",
                         "cost:lower", "--mode",       "alternate"};
  const auto fails_with = [&](const std::string& words) {
    const ProcessResult run = Run(arguments);
    EXPECT_EQ(run.exit_code, kExitCannotJudge);
    EXPECT_THAT(run.standard_error, HasSubstr(words));
  };
  arguments.insert(arguments.end(), {"--baseline-env", "OTHER=1"});
  fails_with("baseline: exit code 3 (it said: no data): ");
  arguments.insert(arguments.end(), {"--cwd", folder_.Join("there")});
  fails_with("baseline: exit code 4 (it said: no set): ");
  arguments.insert(arguments.end(), {"--", "--set=big"});
  fails_with("baseline: exit code 5 (it said: no key): ");
  arguments.insert(arguments.begin() + 1,
                   {"--baseline-env", "KEY=100", "--contender-env", "KEY=80"});
  EXPECT_EQ(RunSaying(arguments).exit_code, kExitKeep);
}

TEST_F(BenchCompareInputTest, ErrorsAreOneObjectUnderJson) {
  ProcessSpec spec;
  spec.argv = {BENCH_COMPARE, "calibrate", "--json"};
  ASSERT_OK_AND_ASSIGN(const ProcessResult run, processes_->Run(spec));
  EXPECT_EQ(run.exit_code, kExitUsage);
  const auto json = nlohmann::json::parse(run.standard_output);
  EXPECT_EQ(json["error"]["message"],
            "expected --binary BINARY: the Google Benchmark program to measure "
            "against itself");
  EXPECT_EQ(json["error"]["hint"],
            "bench_compare calibrate --help lists what it takes");
}

}  // namespace
}  // namespace autotune
