// `gate --base-ref` on real repositories whose programs are scripts around a
// real benchmark that is decided on a counter: no noise changes any answer.
// What cannot be judged, in every way there is, ends with 2.

#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/gate_run.h"
#include "tools/bench_compare/history_lines.h"
#include "tools/git/notes.h"
#include "tools/program/program.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/exit_code.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Answer {
  int code = -1;
  std::string out;
  std::string err;
};

constexpr char kScript[] =
    "#!/bin/sh\n"
    "export MEASURED_WORK=$(cat work) MEASURED_BEHAVIOUR=$(cat behaviour)\n"
    "exec " MEASURED_PROGRAM " \"$@\"\n";

constexpr char kPolicy[] =
    "[policy]\nmetric = \"units\"\ndirection = \"lower\"\nmode = "
    "\"alternate\"\nbudget = \"100s\"\nmax_rounds = 9\n";
constexpr char kGate[] = "[gate]\nbuild = [\"sh\", \"make.sh\"]\n";
constexpr char kProgram[] =
    "[[program]]\nname = \"bench\"\ncommand = [\"./bench.sh\"]\nfilter = "
    "\"^BM_(Work|Steady|Old|New)\"\n";

class GateChangeTest : public testing::Test {
 protected:
  GateChangeTest() {
    UsePolicy(absl::StrCat(kPolicy, kGate, "self_checks = 0\n", kProgram));
    WriteScript(kScript);
    repository_.Write("make.sh", "exit 0\n");
    repository_.Write("behaviour", "none\n");
    repository_.Write("work", "100\n");
    repository_.Commit("base");
  }

  void WriteScript(const std::string& text) {
    repository_.Write("bench.sh", text);
    std::filesystem::permissions(repository_.top() + "/bench.sh",
                                 std::filesystem::perms::owner_all);
  }

  void UsePolicy(const std::string& text) {
    repository_.Write(".bench_compare.toml", text);
  }

  // Changes a file in a commit on top of the base.
  void Change(const std::string& path, const std::string& text) {
    repository_.Write(path, text);
    repository_.Git({"commit", "-qam", "change"});
  }

  Answer Gate(const std::vector<std::string>& more = {},
              const std::string& base = "HEAD~1") {
    std::vector<std::string> arguments = {"gate", "--base-ref", base,
                                          "--seed=7"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }

  Answer Run(const std::vector<std::string>& arguments) {
    std::ostringstream out;
    std::ostringstream err;
    Terminal terminal{.out = out, .err = err};
    const ProgramWorld world = {
        repository_.files(),
        repository_.processes(),
        *clock_,
        *entropy_,
        {{"AUTOTUNE_MEASURE_LOCK", repository_.Beside("lock")}},
        repository_.top()};
    const int code =
        RunProgram(BenchCompareProgram(), arguments, world, terminal);
    return {code, out.str(), err.str()};
  }

  // Changes one thing and expects that it cannot be judged.
  void ExpectCannotJudge(const std::string& path, const std::string& text,
                         const std::string& why) {
    SCOPED_TRACE(why);
    Change(path, text);
    const Answer answer = Gate({"-q"});
    EXPECT_EQ(answer.code, kExitCannotJudge) << answer.out;
    EXPECT_THAT(answer.out, StartsWith("cannot judge: "));
    EXPECT_THAT(answer.out, HasSubstr(why));
    repository_.Git({"reset", "-q", "--hard", "HEAD~1"});
  }

  TestRepository repository_;
  std::unique_ptr<Clock> clock_ = MakeSystemClock();
  std::unique_ptr<Entropy> entropy_ = MakeSeededEntropy(1);
};

TEST_F(GateChangeTest, PassesRefusesAndTouchesNothing) {
  repository_.Write("notes.txt", "one\n");
  repository_.Commit("notes");
  Change("work", "100 \n");
  repository_.MakeDirty();
  const auto before = repository_.UserState();
  const Answer same = Gate({"-q", "--evidence", repository_.Beside("runs")});
  EXPECT_EQ(same.code, kExitKeep) << same.out << same.err;
  EXPECT_THAT(same.out, StartsWith("pass: 2 proven within 2 %"));
  EXPECT_EQ(repository_.UserState(), before);
  EXPECT_EQ(Run({"verify", repository_.Beside("runs/bench.json")}).code,
            kExitKeep);
  repository_.Git({"reset", "-q", "--hard"});
  Change("work", "110\n");
  const Answer worse = Gate();
  EXPECT_EQ(worse.code, kExitDiscard);
  EXPECT_THAT(
      worse.out,
      HasSubstr("regression: BM_Work is worse by more than 2 %; 1 worse "
                "by more than the margin, 1 proven within 2 %"));
}

TEST_F(GateChangeTest, ComparesWithTheMergeBase) {
  const std::string base = repository_.Git({"rev-parse", "HEAD"});
  repository_.Git({"checkout", "-qb", "topic"});
  Change("work", "100 \n");
  const std::string head = repository_.Git({"rev-parse", "HEAD"});
  repository_.Git({"checkout", "-q", "main"});
  Change("work", "50\n");  // what main gained meanwhile is not the topic's
  repository_.Git({"checkout", "-q", "topic"});
  const Answer answer = Gate({"--json"}, "main");
  EXPECT_EQ(answer.code, kExitKeep) << answer.out;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["base"], base);
  EXPECT_EQ(json["head"], head);
  EXPECT_EQ(json["base_builds"], true);
  EXPECT_EQ(json["proven"], 2);
}

TEST_F(GateChangeTest, EqualProgramsAreUnchangedByConstruction) {
  UsePolicy(absl::StrCat(
      kPolicy, "[gate]\nbuild = [\"cp\", \"", MEASURED_PROGRAM,
      "\", \"{build}/bench\"]\n[[program]]\nname = \"bench\"\ncommand = "
      "[\"{build}/bench\"]\nfilter = \"BM_(Work|Steady)\"\n"));
  repository_.Commit("equal programs");
  Change("src/a.cc", "int a = 2;\n");
  const Answer answer = Gate();
  EXPECT_EQ(answer.code, kExitKeep);
  EXPECT_EQ(answer.out,
            "unchanged by construction (2): BM_Work, BM_Steady\n"
            "pass: 2 unchanged by construction\n");
}

TEST_F(GateChangeTest, WhatCannotBeJudgedEndsWithTwo) {
  ExpectCannotJudge("behaviour", "crash\n", "contender: ");
  ExpectCannotJudge("behaviour", "exit3\n", "ended with 3");
  ExpectCannotJudge("behaviour", "error\n", "the data set is missing");
  ExpectCannotJudge("bench.sh", "#!/bin/sh\nexit 0\n",
                    "BM_Work and 1 more: is gone from the head");
  ExpectCannotJudge("bench.sh", "#!/bin/sh\nexit 7\n", "ended with 7");
  ExpectCannotJudge("behaviour", "new\n",
                    "BM_New/1: is only in the head; --allow-added lists");
  ExpectCannotJudge("make.sh", "echo no such type >&2; exit 1\n",
                    "the head does not build: build of the head: `sh make.sh` "
                    "ended with 1: no such type");
  ExpectCannotJudge(
      ".bench_compare.toml",
      absl::StrCat(kPolicy, kGate, "expected = [\"BM_Gone\"]\n", kProgram),
      "BM_Gone: is missing: [gate] expected names it, no program has it");
  ExpectCannotJudge(".bench_compare.toml",
                    absl::StrCat(kPolicy, kGate,
                                 "[[program]]\nname = \"b\"\ncommand = "
                                 "[\"./bench.sh\"]\nfilter = \"BM_None\"\n"),
                    "no benchmark matches \"BM_None\"");
  ExpectCannotJudge(".bench_compare.toml",
                    absl::StrCat(kPolicy, kGate,
                                 "[[program]]\nname = \"b\"\ncommand = "
                                 "[\"{build}/none\"]\n"),
                    "none");
  ExpectCannotJudge(
      ".bench_compare.toml",
      absl::StrCat("[policy]\nmetric = \"lost\"\ndirection = \"lower\"\n",
                   kGate, kProgram),
      "metric \"lost\": no benchmark reports it");
  ExpectCannotJudge(".bench_compare.toml",
                    "[[program]]\nname = \"b\"\ncommand = [\"./bench.sh\"]\n",
                    "there is no CMakeLists.txt and no command to build");
}

TEST_F(GateChangeTest, TooFewRoundsToProveAnythingCannotBeJudged) {
  Change("work", "100 \n");
  const Answer answer = Gate({"-q", "--max-rounds=2"});
  EXPECT_EQ(answer.code, kExitCannotJudge);
  EXPECT_THAT(answer.out,
              StartsWith("cannot judge: BM_Work: 2 rounds in its share of the "
                         "budget; at least 5 are needed to prove anything at "
                         "alpha 0.05: give a longer --budget; 2 undecided"));
}

TEST_F(GateChangeTest, UndecidedIsWhatThePolicySays) {
  Change("work", "102\n");  // at the margin: never decided
  const Answer neutral = Gate({"-q"});
  EXPECT_EQ(neutral.code, kExitInconclusive);
  EXPECT_THAT(
      neutral.out,
      StartsWith("inconclusive: BM_Work is not proven within 2 % (alpha "
                 "0.05); 1 proven within 2 %, 1 undecided"));
  const Answer warned = Gate({"-q", "--on-inconclusive=warn"});
  EXPECT_EQ(warned.code, kExitKeep);
  EXPECT_THAT(warned.out, StartsWith("inconclusive: "));
  EXPECT_THAT(warned.err, HasSubstr("warning: nothing is proven"));
}

TEST_F(GateChangeTest, ABaseThatDoesNotBuildIsAnotherAnswer) {
  Change("make.sh", "exit 9\n");
  Change("make.sh", "exit 0\n");
  const Answer answer = Gate({"--json"});
  EXPECT_EQ(answer.code, kExitCannotJudge);
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["base_builds"], false);
  EXPECT_EQ(json["head_builds"], true);
  EXPECT_THAT(std::string(json["reason"]),
              HasSubstr("the base does not build, so there is nothing to "
                        "compare with: "));
}

TEST_F(GateChangeTest, WithoutABaseNothingIsJudged) {
  const Answer answer = Gate({}, "origin/main");
  EXPECT_EQ(answer.code, kExitCannotJudge);
  EXPECT_EQ(answer.err,
            "bench_compare: error: cannot judge: \"origin/main\" names no "
            "commit\nbench_compare: hint: a shallow clone lacks it: git fetch "
            "--unshallow, or fetch-depth: 0\n");
  repository_.Git({"checkout", "-q", "--orphan", "other"});
  repository_.Git({"commit", "-qm", "apart"});
  EXPECT_EQ(Gate({}, "main").code, kExitCannotJudge);
}

TEST_F(GateChangeTest, RenamedBenchmarksMeet) {
  repository_.Write("behaviour", "old\n");
  UsePolicy(absl::StrCat(kPolicy, kGate, "self_checks = 0\n", kProgram));
  repository_.Commit("old name");
  Change("behaviour", "new\n");
  const Answer lost = Gate({"-q", "--allow-added"});
  EXPECT_EQ(lost.code, kExitCannotJudge);
  EXPECT_THAT(lost.out, HasSubstr("BM_Old/1: is gone from the head"));
  UsePolicy(absl::StrCat(kPolicy, kGate, "self_checks = 0\n", kProgram,
                         "[[rename]]\nfrom = \"^BM_Old/\"\nto = "
                         "\"BM_New/\"\n"));
  const Answer found = Gate({"--json", "-q"});
  EXPECT_EQ(found.code, kExitKeep) << found.out;
  const auto json = nlohmann::json::parse(found.out);
  std::vector<std::string> names;
  for (const auto& row : json["benchmarks"]) names.push_back(row["name"]);
  EXPECT_THAT(names, ElementsAre("BM_Work", "BM_Steady", "BM_New/1"));
}

TEST_F(GateChangeTest, WaiversHoldToTheirCeilingAndSayWhenTheyDoNothing) {
  const auto waiver = [](const std::string& name, const std::string& ceiling,
                         const std::string& until) {
    return absl::StrCat("[[waiver]]\nname = \"", name, "\"\nceiling = \"",
                        ceiling, "\"\nuntil = ", until,
                        "\nreason = \"new parser\"\n");
  };
  Change("work", "105\n");
  const std::string rest =
      absl::StrCat(kPolicy, kGate, "self_checks = 0\n", kProgram);
  UsePolicy(absl::StrCat(rest, waiver("BM_Work", "10%", "2999-01-31"),
                         waiver("BM_Gone", "10%", "2999-01-31"),
                         waiver("BM_Old", "10%", "2020-01-31")));
  const Answer held = Gate();
  EXPECT_EQ(held.code, kExitKeep) << held.out;
  EXPECT_THAT(held.out, HasSubstr("waived up to 10 % through "
                                  "2999-01-31: new parser\n"));
  EXPECT_THAT(held.out, HasSubstr("the waiver of BM_Gone is unused: it names "
                                  "no benchmark here\n"));
  EXPECT_THAT(held.out,
              HasSubstr("the waiver of BM_Old expired on 2020-01-31\n"));
  UsePolicy(absl::StrCat(rest, waiver("BM_Work", "3%", "2999-01-31")));
  const Answer exceeded = Gate();
  EXPECT_EQ(exceeded.code, kExitDiscard);
  EXPECT_THAT(exceeded.out,
              HasSubstr("the waiver of BM_Work is exceeded: the loss is beyond "
                        "its ceiling\n"));
  EXPECT_THAT(exceeded.out,
              HasSubstr("regression: BM_Work is worse by more than 3 %"));
}

TEST_F(GateChangeTest, ShardsPartTheBenchmarksByName) {
  int in[3] = {};
  for (int i = 0; i < 300; ++i) {
    int shards = 0;
    for (int k = 1; k <= 3; ++k) {
      const bool is_in = IsIn({k, 3}, "bench", absl::StrCat("BM_", i));
      shards += is_in ? 1 : 0;
      in[k - 1] += is_in ? 1 : 0;
    }
    EXPECT_EQ(shards, 1);
  }
  for (const int count : in) EXPECT_GT(count, 70);
  Change("work", "100 \n");
  int measured = 0;
  for (int k = 1; k <= 3; ++k) {
    const Answer part =
        Gate({"--json", "-q", absl::StrCat("--shard=", k, "/3")});
    EXPECT_EQ(part.code, kExitKeep) << part.out;
    measured += nlohmann::json::parse(part.out)["proven"].get<int>();
  }
  EXPECT_EQ(measured, 2);
  const Answer wrong = Gate({"--shard=4/3"});
  EXPECT_EQ(wrong.code, kExitUsage);
  EXPECT_THAT(wrong.err,
              HasSubstr("--shard: expected I/N with 1 <= I <= N such "
                        "as 2/5, got \"4/3\""));
}

TEST_F(GateChangeTest, TheSelfCheckMeasuresTheBaseAgainstItself) {
  UsePolicy(absl::StrCat(kPolicy, kGate, "self_checks = 2\n", kProgram,
                         "[[program]]\nname = \"again\"\ncommand = "
                         "[\"./bench.sh\"]\nfilter = \"BM_Steady\"\n"));
  repository_.Commit("two programs");
  Change("work", "100 \n");
  const Answer answer = Gate({"--json"});
  EXPECT_EQ(answer.code, kExitKeep) << answer.out;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["self_check_false_alarms"], 0);
  EXPECT_LE(json["self_check_decisions"].get<int>(), 2);
  EXPECT_EQ(json["benchmarks"][2]["name"], "again: BM_Steady");
}

TEST_F(GateChangeTest, ThePolicyIsFoundAboveAndMissedNowhere) {
  Change("work", "100 \n");
  const Answer none = [this] {
    repository_.Remove(".bench_compare.toml");
    return Gate();
  }();
  EXPECT_EQ(none.code, kExitPrecondition);
  EXPECT_THAT(none.err, HasSubstr("there is no .bench_compare.toml here or "
                                  "above, up to the top of the work tree"));
  UsePolicy(absl::StrCat(kPolicy, kGate));
  EXPECT_THAT(Gate().err,
              HasSubstr("program: expected a [[program]] table for each "
                        "benchmark program, got none"));
  UsePolicy(absl::StrCat(kPolicy, kGate, kProgram, kProgram));
  EXPECT_EQ(Gate().code, kExitBadInput);
}

// Twelve commits after the base; what `work` is from each of these on. One does
// not build.
class BisectTest : public GateChangeTest {
 protected:
  void Grow(const std::map<int, std::string>& work, int broken = 0) {
    for (int i = 1; i <= 12; ++i) {
      repository_.Write("number", absl::StrCat(i, "\n"));
      repository_.Write("make.sh", i == broken ? "exit 1\n" : "exit 0\n");
      if (work.contains(i)) repository_.Write("work", work.at(i));
      commits_[i] = repository_.Commit(absl::StrCat("number ", i));
    }
  }

  std::map<int, std::string> commits_;
};

TEST_F(BisectTest, FindsTheFirstBadCommitAroundOneThatDoesNotBuild) {
  Grow({{8, "110\n"}, {11, "112\n"}}, 6);
  const Answer answer = Run({"bisect", "HEAD~12..HEAD", "--seed=3",
                             "--filter=^BM_Work$", "--max-rounds=60"});
  EXPECT_EQ(answer.code, kExitKeep) << answer.err;
  EXPECT_THAT(answer.out, StartsWith(absl::StrCat(
                              "commit ", commits_[8].substr(0, 12),
                              ", error <= 5 %, BM_Work 12.0 % worse, ")));
  EXPECT_THAT(answer.out, HasSubstr(absl::StrCat(
                              "  ", commits_[8].substr(0, 12), " number 8\n")));
}

TEST_F(BisectTest, NamesTheCommitsItCannotTellApart) {
  Grow({{7, "110\n"}}, 6);
  repository_.Git({"reset", "-q", "--hard", "HEAD~5"});
  const Answer answer = Run(
      {"bisect", "HEAD~2..HEAD", "--seed=3", "--json", "--filter=^BM_Work$"});
  EXPECT_EQ(answer.code, kExitInconclusive) << answer.err;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_THAT(json["commits"].get<std::vector<std::string>>(),
              ElementsAre(commits_[6], commits_[7]));
  EXPECT_THAT(json["skipped"].get<std::vector<std::string>>(),
              ElementsAre(commits_[6]));
  EXPECT_EQ(json["builds"], 3);
}

TEST_F(BisectTest, SaysWhenThereIsNothingToFind) {
  Grow({});
  const Answer same = Run({"bisect", "HEAD~3..HEAD", "--filter=^BM_Work$"});
  EXPECT_EQ(same.code, kExitPrecondition);
  EXPECT_THAT(same.err, HasSubstr("BAD is not proven worse than GOOD by 1 % in "
                                  "any benchmark of \"^BM_Work$\""));
  EXPECT_EQ(Run({"bisect", "HEAD"}).code, kExitUsage);
  EXPECT_EQ(Run({"bisect", "HEAD..HEAD"}).code, kExitPrecondition);
}

TEST_F(GateChangeTest, HistoryKeepsEvidenceAndFindsWhereTheLevelChanged) {
  Change("work", "110\n");
  const std::string runs = repository_.Beside("runs");
  EXPECT_EQ(Gate({"-q", "--evidence", runs}).code, kExitDiscard);
  const Answer added = Run({"history", "add", runs + "/bench.json"});
  EXPECT_EQ(added.code, kExitKeep) << added.err;
  EXPECT_EQ(added.out, "2 measurements of 1 commit in refs/notes/bench\n");
  const std::string note =
      repository_.Git({"notes", "--ref=bench", "show", "HEAD"});
  Run({"history", "add", runs + "/bench.json"});
  EXPECT_EQ(repository_.Git({"notes", "--ref=bench", "show", "HEAD"}), note);
  EXPECT_THAT(Run({"history", "show", "--filter=BM_Work"}).out,
              HasSubstr("BM_Work (units): +10.00 % against "));

  const std::string anchor = repository_.Git({"rev-parse", "HEAD"});
  std::vector<std::string> commits;
  for (int i = 0; i < 40; ++i) {
    repository_.Git({"commit", "-q", "--allow-empty", "-m", "next"});
    commits.push_back(repository_.Git({"rev-parse", "HEAD"}));
    HistoryLine line{anchor, "cpu_time", "BM_\tOdd%",
                     0.001 * ((i * 7) % 11 - 5) + (i >= 25 ? 0.05 : 0.0), "x"};
    ASSERT_OK(WriteNote(repository_.Open(), "refs/notes/bench", commits.back(),
                        WithHistoryLines("", {line}).value()));
  }
  const Answer show = Run({"history", "show", "--filter=Odd"});
  EXPECT_EQ(show.code, kExitKeep);
  EXPECT_THAT(show.out, HasSubstr("BM_\\tOdd% (cpu_time): "));
  EXPECT_THAT(show.out, HasSubstr("\n  changed by +5.23 % in "));
  EXPECT_THAT(show.out, HasSubstr("\n1 change in 1 benchmark; false ones at "
                                  "least 1000 commits apart on average\n"));
}

TEST(HistoryLinesTest, NotesAreUnionsOfSortedLines) {
  const HistoryLine b{"sha", "cpu_time", "BM_B", 0.25, "2026-01-01T00:00:00Z"};
  HistoryLine a = b;
  a.benchmark = "BM_A";
  ASSERT_OK_AND_ASSIGN(const std::string note, WithHistoryLines("", {b, a, b}));
  EXPECT_EQ(note, absl::StrCat(HistoryText(a), "\n", HistoryText(b), "\n"));
  ASSERT_OK_AND_ASSIGN(const std::string same, WithHistoryLines(note, {a}));
  EXPECT_EQ(same, note);
  ASSERT_OK_AND_ASSIGN(const HistoryLine read,
                       ParseHistoryLine(HistoryText(b)));
  EXPECT_EQ(read.benchmark, "BM_B");
  EXPECT_EQ(read.log_loss, 0.25);
  EXPECT_EQ(ParseHistoryLine("bench1\tx").status().message(),
            "expected a line of bench_compare history, got \"bench1\\tx\"");
  std::vector<HistoryLine> many;
  for (int i = 0; i <= kMostHistoryLines; ++i) {
    many.push_back(b);
    many.back().benchmark = absl::StrCat("BM_", i);
  }
  EXPECT_EQ(WithHistoryLines("", many).status().message(),
            "expected at most 5000 lines a commit, got 5001: its note is full");
}

}  // namespace
}  // namespace autotune
