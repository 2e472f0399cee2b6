#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/bench_compare/program_fixture.h"
#include "tools/system/exit_code.h"

namespace autotune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kOrderNote[] =
    "note: recorded files: the order of the runs was not randomised, so drift "
    "counts as change\n";
constexpr char kRunHint[] =
    "next: bench_compare run --baseline OLD_BINARY --contender NEW_BINARY   # "
    "measure both programs in turns: proves a change of 1 % in seconds\n";

class CompareCommandTest : public ProgramFixture {
 protected:
  CompareCommandTest() {
    files_.Add("old.json", ResultText({{"BM_A", {100, 101, 102}},
                                       {"BM_B/8", {2000, 2010, 2020}}}));
    files_.Add("new.json", ResultText({{"BM_A", {90, 91.5, 92}},
                                       {"BM_B/8", {2001, 2011, 2031}}}));
  }

  // Six visits a side; `scale` of the contender's times.
  std::vector<std::string> Visits(double scale) {
    std::vector<double> before = {100, 100.1, 99.9, 100.2, 99.85, 100.05};
    std::vector<double> after = {100.03, 99.92, 100.11, 99.88, 100.17, 99.97};
    for (double& time : after) time *= scale;
    std::vector<std::string> arguments =
        AddVisits("--baseline", "o", {"BM_A", "BM_B"}, before);
    for (const std::string& argument :
         AddVisits("--contender", "n", {"BM_A", "BM_B"}, after)) {
      arguments.push_back(argument);
    }
    return arguments;
  }

  std::vector<std::string> With(std::vector<std::string> arguments,
                                const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(CompareCommandTest, OneRunEachIsATableWithoutADecision) {
  const ProgramOutput run = Run({"old.json", "new.json"});
  EXPECT_EQ(run.exit_code, kExitInconclusive);
  EXPECT_EQ(
      run.out,
      R"(benchmark     baseline  contender   change             interval            two-sided  verdict
BM_A          101.0 ns   91.50 ns  -9.80 %  [-10.89 %, -8.00 %]  p=0.1000 n=3+3 reps  inconclusive
BM_B/8        2.010 us   2.011 us  +0.05 %   [-0.45 %, +1.55 %]  p=0.7000 n=3+3 reps  inconclusive
geomean of 2                       -4.80 %   [-5.81 %, -3.34 %]                       inconclusive
note: repetitions of one process are not independent: on a busy machine identical binaries compared this way look different in 35 to 60 % of cases
)" + std::string(kOrderNote) +
          "inconclusive: one run each; use `bench_compare "
          "run`\n" +
          kRunHint);
  EXPECT_THAT(run.err, IsEmpty());
}

TEST_F(CompareCommandTest, SeveralVisitsASideAreDecided) {
  const ProgramOutput run = Run(Visits(0.9));
  EXPECT_EQ(run.exit_code, kExitKeep);
  EXPECT_EQ(
      run.out,
      R"(benchmark     baseline  contender    change             interval       two-sided  verdict
BM_A          100.0 ns   90.00 ns  -10.00 %  [-10.11 %, -9.89 %]  p=0.0022 n=6+6  improved
BM_B          100.0 ns   90.00 ns  -10.00 %  [-10.11 %, -9.89 %]  p=0.0022 n=6+6  improved
geomean of 2                       -10.01 %  [-10.03 %, -9.96 %]                  improved
)" + std::string(kOrderNote) +
          "keep: geometric mean of 2 benchmarks improved\n");
}

TEST_F(CompareCommandTest, ExitCodesFollowTheDecision) {
  EXPECT_EQ(Run(Visits(0.9)).exit_code, kExitKeep);
  EXPECT_EQ(Run(Visits(1.1)).exit_code, kExitDiscard);
  EXPECT_EQ(Run(Visits(1.0)).exit_code, kExitDiscard) << "no gain";
  EXPECT_EQ(Run({"old.json", "new.json"}).exit_code, kExitInconclusive);
  files_.Add("other.json", ResultText({{"BM_C", {1, 2}}}));
  EXPECT_EQ(Run({"old.json", "other.json"}).exit_code, kExitCannotJudge);
}

TEST_F(CompareCommandTest, QuietPrintsTheDecisionAlone) {
  const ProgramOutput run = Run(With(Visits(0.9), {"--quiet"}));
  EXPECT_EQ(run.out, "keep: geometric mean of 2 benchmarks improved\n");
  EXPECT_THAT(run.err, IsEmpty());
}

TEST_F(CompareCommandTest, GateRefusesLossesOnly) {
  const auto gate = [this](double scale, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"gate", "--quiet"};
    for (const std::string& argument : Visits(scale)) {
      arguments.push_back(argument);
    }
    return Run(With(arguments, more));
  };
  EXPECT_EQ(gate(1.0).out, "pass: 2 benchmarks proven within the margins\n");
  EXPECT_EQ(gate(1.0).exit_code, kExitKeep);
  EXPECT_EQ(gate(1.1).out,
            "regression: BM_A and 1 more are worse by more than 2 %\n");
  EXPECT_EQ(gate(1.1).exit_code, kExitDiscard);
  EXPECT_EQ(gate(1.1, {"--margin", "15%"}).exit_code, kExitKeep);
  const ProgramOutput open = gate(1.02);
  EXPECT_EQ(open.exit_code, kExitInconclusive);
  EXPECT_EQ(open.out,
            "inconclusive: BM_A and 1 more are not proven within 2 % (alpha "
            "0.05)\n");
  const ProgramOutput neutral = gate(1.02, {"--on-inconclusive=neutral"});
  EXPECT_EQ(neutral.exit_code, kExitInconclusive);
  EXPECT_EQ(neutral.err, "");
  const ProgramOutput failed = gate(1.02, {"--on-inconclusive=fail"});
  EXPECT_EQ(failed.exit_code, kExitDiscard);
  EXPECT_EQ(failed.out, open.out);
  const ProgramOutput warned = gate(1.02, {"--on-inconclusive=warn"});
  EXPECT_EQ(warned.exit_code, kExitKeep);
  EXPECT_EQ(warned.out, open.out);
  EXPECT_EQ(warned.err,
            "bench_compare: warning: nothing is proven; passed because "
            "on_inconclusive is warn\n");
  // It maps what is undecided only.
  EXPECT_EQ(gate(1.1, {"--on-inconclusive=warn"}).exit_code, kExitDiscard);
}

TEST_F(CompareCommandTest, GateOnSingleRunsCannotJudge) {
  const ProgramOutput run = Run({"gate", "old.json", "new.json"});
  EXPECT_EQ(run.exit_code, kExitCannotJudge);
  EXPECT_THAT(run.out, HasSubstr("\ncannot judge: BM_A: one run each; use "
                                 "`bench_compare run`\n"));
}

TEST_F(CompareCommandTest, JsonHasStableKeysInAStableOrder) {
  files_.Add("a.json", ResultText({{"BM_A", {100, 110}}}));
  files_.Add("b.json", ResultText({{"BM_A", {50, 60}}}));
  const ProgramOutput run = Run({"--json", "a.json", "b.json"});
  EXPECT_EQ(run.exit_code, kExitInconclusive);
  EXPECT_EQ(run.out, R"({
  "schema_version": 1,
  "ok": true,
  "decision": "inconclusive",
  "code": "undecided",
  "reason": "one run each; use `bench_compare run`",
  "next": [
    {
      "command": "bench_compare run --baseline OLD_BINARY --contender NEW_BINARY",
      "why": "measure both programs in turns: proves a change of 1 % in seconds"
    }
  ],
  "policy_kind": "tune",
  "order": "not randomised",
  "adjustment": "Holm",
  "baseline_visits": 1,
  "contender_visits": 1,
  "more_visits": null,
  "overall": {
    "benchmarks": 1,
    "ratio": 0.5222329678670932,
    "ratio_low": null,
    "ratio_high": null,
    "confidence_level": 0.85,
    "verdict": "inconclusive",
    "reason": "one run each; use `bench_compare run`",
    "rounds": null,
    "log_e_keep": null,
    "log_e_discard": null,
    "log_e_worse": null
  },
  "benchmarks": [
    {
      "name": "BM_A",
      "role": "target",
      "metric": "cpu_time",
      "direction": "lower",
      "unit": "repetition",
      "baseline": {
        "visits": 1,
        "size": 2,
        "median": 105
      },
      "contender": {
        "visits": 1,
        "size": 2,
        "median": 55
      },
      "from_aggregates": false,
      "ratio": 0.5222329678670932,
      "ratio_low": null,
      "ratio_high": null,
      "confidence_level": 0.85,
      "p_value": 0.3333333333333333,
      "adjusted_p_value": 0.3333333333333333,
      "probability_of_superiority": 1,
      "rounds": null,
      "log_e_keep": null,
      "log_e_discard": null,
      "log_e_worse": null,
      "verdict": "inconclusive",
      "reason": "one run each; use `bench_compare run`",
      "more_visits": null,
      "margin": null,
      "standing": null,
      "mode": null,
      "waiver": "",
      "cannot_judge": "",
      "suspicion": "",
      "warnings": []
    }
  ],
  "only_in_baseline": [],
  "only_in_contender": [],
  "without_metric": [],
  "unusable_baseline": [],
  "unusable_contender": [],
  "review": [],
  "warnings": [
    "repetitions of one process are not independent: on a busy machine identical binaries compared this way look different in 35 to 60 % of cases"
  ]
}
)");
}

TEST_F(CompareCommandTest, PolicyComesFromFlagsThenFilesThenDefaults) {
  const std::vector<std::string> visits = Visits(0.995);
  const auto decision = [&](const std::vector<std::string>& more) {
    return Run(With(With(visits, {"-q"}), more)).out;
  };
  EXPECT_THAT(decision({}), StartsWith("keep"));
  files_.Add(".bench_compare.toml", "[policy]\nfloor = 0.02\n");
  EXPECT_THAT(decision({}), StartsWith("discard"));
  files_.Add("env.toml", "[policy]\nfloor = 0.0\n");
  environment_["BENCH_COMPARE_POLICY"] = "env.toml";
  EXPECT_THAT(decision({}), StartsWith("keep"));
  files_.Add("flag.toml", "[policy]\nfloor = 0.03\n");
  EXPECT_THAT(decision({"--policy", "flag.toml"}), StartsWith("discard"));
  EXPECT_THAT(decision({"--policy", "flag.toml", "--floor", "0"}),
              StartsWith("keep"));
}

TEST_F(CompareCommandTest, WrongCommandLinesAreUsageErrors) {
  const auto error = [this](const std::vector<std::string>& arguments) {
    const ProgramOutput run = Run(arguments);
    EXPECT_EQ(run.exit_code, kExitUsage);
    EXPECT_THAT(run.out, IsEmpty());
    return run.err;
  };
  EXPECT_THAT(error({}), StartsWith("Sound decisions between two builds"));
  EXPECT_EQ(error({"old.json"}),
            "bench_compare: error: expected two files, BASELINE and CONTENDER, "
            "got 1\nbench_compare: hint: several files a side: --baseline FILE "
            "... --contender FILE ...\n");
  EXPECT_EQ(error({"old.json", "--contender", "new.json"}),
            "bench_compare: error: expected files on both sides, each with its "
            "flag\nbench_compare: hint: several files a side: --baseline FILE "
            "... --contender FILE ...\n");
  EXPECT_EQ(error({"--jsno", "old.json", "new.json"}),
            "bench_compare: error: unknown flag --jsno\n"
            "bench_compare: hint: did you mean --json?\n");
  EXPECT_EQ(error({"--alhpa=0.1", "old.json", "new.json"}),
            "bench_compare: error: unknown flag --alhpa\n"
            "bench_compare: hint: did you mean --alpha?\n");
  EXPECT_EQ(error({"rnu", "--baseline", "a"}),
            "bench_compare: error: unknown verb rnu\n"
            "bench_compare: hint: did you mean run?\n");
  EXPECT_EQ(error({"old.json", "new.json", "--min-effect", "much"}),
            "bench_compare: error: --min-effect: expected a fraction in (0, 1) "
            "such as 0.01 or 1%, got \"much\"\n");
  EXPECT_EQ(error({"old.json", "new.json", "--alpha", "2"}),
            "bench_compare: error: --alpha: expected a probability in (0, 1) "
            "such as 0.05 or 5%, got \"2\"; did you mean 2%?\n");
  EXPECT_EQ(error({"old.json", "new.json", "--filter", "("}),
            "bench_compare: error: --filter: bad regular expression \"(\": "
            "Unmatched ( or \\(\n");
  EXPECT_EQ(error({"old.json", "new.json", "--rename", "abc"}),
            "bench_compare: error: --rename: expected REGEX=TEXT, got "
            "\"abc\"\n");
  EXPECT_EQ(error({"old.json", "new.json", "--format", "pdf"}),
            "bench_compare: error: --format: expected table, json, markdown, "
            "junit, sarif, html, github or summary, got \"pdf\"\n");
  EXPECT_EQ(error({"old.json", "new.json", "--color", "pink"}),
            "bench_compare: error: --color: expected auto, always or never, "
            "got \"pink\"\n");
  EXPECT_EQ(error({"old.json", "new.json", "--metric", "widgets"}),
            "bench_compare: error: direction: metric \"widgets\" has no known "
            "direction; say whether lower or higher is better\n"
            "bench_compare: hint: --metric NAME:lower or NAME:higher\n");
  EXPECT_EQ(error({"old.json", "new.json", "--guard", "BM_A=much"}),
            "bench_compare: error: --guard \"BM_A=much\": expected a fraction "
            "above 0 such as 0.02 or 2%, got \"much\"\n");
  EXPECT_EQ(error({"old.json", "new.json", "--guard", "BM_A=5%,vetto"}),
            "bench_compare: error: --guard \"BM_A=5%,vetto\": expected prove, "
            "veto or exact, got \"vetto\"; did you mean veto?\n");
}

// What people who know Google Benchmark type.
TEST_F(CompareCommandTest, FlagsAndWordsOfTheLibraryAreUnderstood) {
  const auto hint = [this](const std::vector<std::string>& arguments) {
    const ProgramOutput run = Run(arguments);
    EXPECT_EQ(run.exit_code, kExitUsage);
    const std::size_t second = run.err.find("hint: ");
    return second == std::string::npos ? run.err : run.err.substr(second);
  };
  const std::string theirs = "hint: that is Google Benchmark's flag";
  const auto recorded = [&hint](const std::string& flag) {
    return hint({"old.json", "new.json", flag});
  };
  EXPECT_EQ(recorded("--benchmark_filter=BM_A"),
            theirs + "; did you mean --filter?\n");
  EXPECT_EQ(recorded("--benchmark-filter=BM_A"),
            theirs + "; did you mean --filter?\n");
  EXPECT_EQ(recorded("--benchmark_format=json"),
            theirs + "; did you mean --format?\n");
  EXPECT_EQ(recorded("--benchmark_color=true"),
            theirs + "; did you mean --color?\n");
  EXPECT_EQ(recorded("--benchmark_repetitions=9"),
            theirs + ": give it to the program that writes the files\n");
  const std::vector<std::string> run = {"run", "--baseline", "a", "--contender",
                                        "b"};
  EXPECT_EQ(hint(With(run, {"--benchmark_repetitions=9"})),
            theirs + "; did you mean --rounds?\n");
  EXPECT_EQ(hint(With(run, {"--benchmark_min_time=1s"})),
            theirs + "; did you mean --budget?\n");
  EXPECT_EQ(hint(With(run, {"--benchmark_context=a=b"})),
            theirs + ": those for the programs go after --\n");
  for (const char* word : {"real-time", "realtime", "real_tim"}) {
    EXPECT_EQ(recorded(std::string("--metric=") + word),
              "bench_compare: error: direction: metric \"" + std::string(word) +
                  "\" has no known direction; did you mean real_time?\n");
  }
  EXPECT_EQ(recorded("--metric=real-time:lower"),
            "bench_compare: error: --metric \"real-time:lower\": no benchmark "
            "carries it; did you mean real_time?\n");
  EXPECT_EQ(recorded("--format=jsn"),
            "bench_compare: error: --format: expected table, json, markdown, "
            "junit, sarif, html, github or summary, got \"jsn\"; did you mean "
            "json?\n");
}

TEST_F(CompareCommandTest, AFlagTakesAllFilesThatAShellMakesOfAPattern) {
  const ProgramOutput single = Run(Visits(0.9));
  std::vector<std::string> lists = {"--baseline"};
  for (int i = 0; i < 6; ++i)
    lists.push_back("o" + std::to_string(i) + ".json");
  lists.push_back("--contender");
  for (int i = 0; i < 6; ++i)
    lists.push_back("n" + std::to_string(i) + ".json");
  EXPECT_EQ(Run(lists).out, single.out);
  // Verb and options between and behind them.
  lists.insert(lists.begin(), "gate");
  lists.insert(lists.begin() + 2 + 6, "--margin=5%");
  EXPECT_EQ(Run(lists).exit_code, kExitKeep);
  EXPECT_EQ(Run({"--baseline", "--contender", "new.json"}).err,
            "bench_compare: error: --baseline: expected a value, FILE..., got "
            "the flag --contender\nbench_compare: hint: if that is the value: "
            "--baseline=--contender\n");
}

TEST_F(CompareCommandTest, ADashIsStandardInput) {
  files_.Add("/dev/stdin", *files_.ReadFile("new.json"));
  const std::string expected = Run({"old.json", "new.json"}).out;
  EXPECT_EQ(Run({"old.json", "-"}).out, expected);
  EXPECT_EQ(Run({"--contender", "-", "--baseline", "old.json"}).out, expected);
  EXPECT_EQ(Run({"-", "-"}).err,
            "bench_compare: error: -: standard input is given twice\n"
            "bench_compare: hint: write one of the two to a file\n");
  files_.Add("/dev/stdin", "no result");
  EXPECT_THAT(
      Run({"old.json", "-"}).err,
      StartsWith("bench_compare: error: standard input:1:1: expected an "));
}

TEST_F(CompareCommandTest, UnreadableInputIsBadData) {
  const auto error = [this](const std::vector<std::string>& arguments) {
    const ProgramOutput run = Run(arguments);
    EXPECT_EQ(run.exit_code, kExitBadInput);
    EXPECT_THAT(run.out, IsEmpty());
    return run.err;
  };
  EXPECT_EQ(error({"old.json", "absent.json"}),
            "bench_compare: error: absent.json: cannot open: No such file or "
            "directory\n");
  files_.Add("empty.json", "");
  EXPECT_THAT(error({"old.json", "empty.json"}),
              StartsWith("bench_compare: error: empty.json: "));
  files_.Add("bad.toml", "[policy]\nalhpa = 1\n");
  EXPECT_EQ(error({"old.json", "new.json", "--policy", "bad.toml"}),
            "bench_compare: error: bad.toml:2: policy.alhpa: unknown key; did "
            "you mean alpha?\n");
}

TEST_F(CompareCommandTest, ErrorsUnderJsonAreOneObjectOnStdout) {
  const ProgramOutput run = Run({"--json", "old.json", "absent.json"});
  EXPECT_EQ(run.exit_code, kExitBadInput);
  EXPECT_EQ(run.out,
            "{\n  \"schema_version\": 1,\n  \"ok\": false,\n  \"error\": {\n"
            "    \"code\": 65,\n    \"message\": \"absent.json: cannot open: "
            "No such file or directory\",\n    \"hint\": \"\"\n  }\n}\n");
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_THAT(Run({"--json", "--jsno"}).out, HasSubstr("\"code\": 64"));
}

TEST_F(CompareCommandTest, HostileNamesCannotSteerTheTerminal) {
  files_.Add("a.json", ResultText({{"BM_\\u001b[31m\\n\\u202e", {100, 110}}}));
  files_.Add("b.json", ResultText({{"BM_\\u001b[31m\\n\\u202e", {50, 60}}}));
  const ProgramOutput run = Run({"a.json", "b.json"});
  EXPECT_THAT(run.out, HasSubstr("BM_\\x1b[31m\\n\\u202e"));
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
  const ProgramOutput error = Run({"a\x1b[2J.json", "b.json"});
  EXPECT_EQ(error.err.find('\x1b'), std::string::npos);
}

TEST_F(CompareCommandTest, ByteOrderMarkAndCrlfAreRead) {
  std::string text = "\xEF\xBB\xBF" + ResultText({{"BM_A", {100, 101, 102}},
                                                  {"BM_B/8", {2000, 2010}}});
  std::string crlf;
  for (const char c : text) {
    if (c == '\n') crlf += '\r';
    crlf += c;
  }
  files_.Add("crlf.json", crlf);
  EXPECT_EQ(Run({"crlf.json", "new.json"}).exit_code, kExitInconclusive);
}

TEST_F(CompareCommandTest, ColourIsOnlyAddedWhenAsked) {
  EXPECT_EQ(Run({"old.json", "new.json"}).out.find('\x1b'), std::string::npos);
  EXPECT_NE(Run({"old.json", "new.json", "--color=always"}).out.find('\x1b'),
            std::string::npos);
}

TEST_F(CompareCommandTest, FamiliesOfOneFileAreCompared) {
  files_.Add("one.json", ResultText({{"BM_Std/8", {100, 101, 102}},
                                     {"BM_Ours/8", {90, 91, 93}}}));
  const ProgramOutput run = Run({"one.json", "one.json", "--filter-baseline",
                                 "BM_Std", "--filter-contender", "BM_Ours"});
  EXPECT_THAT(run.out, HasSubstr("\n[BM_Std vs BM_Ours]/8  101.0 ns"));
}

TEST_F(CompareCommandTest, MissingBenchmarksAreListedWithTheWayOn) {
  files_.Add("less.json", ResultText({{"BM_A", {90, 91.5, 92}}}));
  const ProgramOutput run = Run({"old.json", "less.json"});
  EXPECT_EQ(run.exit_code, kExitCannotJudge);
  EXPECT_THAT(run.out, HasSubstr("\nonly in the baseline (1): BM_B/8\n"));
  EXPECT_THAT(run.out,
              HasSubstr("\ncannot judge: BM_B/8 is only in the baseline\n"
                        "next: bench_compare ... --common   # judge the "
                        "benchmarks that both sides have and only list the "
                        "rest\n"));
  EXPECT_EQ(Run({"old.json", "less.json", "--common"}).exit_code,
            kExitInconclusive);
}

TEST_F(CompareCommandTest, HelpNamesEveryFlagAndAnExample) {
  const ProgramOutput run = Run({"gate", "--help"});
  EXPECT_EQ(run.exit_code, kExitKeep);
  EXPECT_THAT(run.out,
              StartsWith("compare recorded files and only refuse losses"));
  EXPECT_THAT(run.out, HasSubstr("\nUsage: bench_compare gate [OPTIONS] "
                                 "[BASELINE.json CONTENDER.json]\n"));
  EXPECT_THAT(run.out,
              HasSubstr("\n  --filter REGEX                  benchmarks to "
                        "decide on, as --benchmark_filter\n"));
  EXPECT_THAT(run.out, HasSubstr("\nExample:\n  bench_compare "));
  EXPECT_THAT(run.err, IsEmpty());
}

TEST_F(CompareCommandTest, VersionIsTheProjects) {
  EXPECT_THAT(Run({"--version"}).out, StartsWith("bench_compare 0."));
  EXPECT_THAT(Run({"--help"}).out, HasSubstr("Exit codes: 0 keep or pass"));
}

}  // namespace
}  // namespace autotune
