// What init refuses, finds out and writes.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class InitTest : public AutotuneFixture {
 protected:
  // init of the knob project with `more` after what it needs.
  Answer Init(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "init",        "knob",
        "--configure", "",
        "--build",     absl::StrCat("cp '", KNOB_BENCHMARK, "' {build}/bench"),
        "--test",      "",
        "--benchmark", "bench",
        "--mode",      "alternate"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
  // Nothing of a task is there.
  void ExpectNoTask() {
    EXPECT_EQ(Git({"for-each-ref", "--format=%(refname)"}),
              "refs/heads/main\n");
  }
};

TEST_F(InitTest, EverythingAtOnceIsNoTarget) {
  for (const char* target : {"", ".", ".*", "^.*$", "all"}) {
    const Answer answer = Init({"--target", target});
    EXPECT_EQ(answer.exit_code, 64) << target;
    EXPECT_THAT(answer.err, HasSubstr("--target: expected a pattern that names "
                                      "the benchmarks to make faster"));
  }
  EXPECT_EQ(Init({}).exit_code, 64);
  ExpectNoTask();
}

TEST_F(InitTest, WhatCannotBeJudgedIsRefused) {
  const std::vector<std::vector<std::string>> refused = {
      {"--target", "^BM_Knob/", "--metric", "cost"},  // no direction
      {"--target", "^BM_Knob/", "--metric", "cost:up"},
      {"--target", "^BM_Knob/", "--min-effect", "0"},
      {"--target", "^BM_Knob/", "--min-effect", "200%"},
      {"--target", "^BM_Knob/", "--budget", "soon"},
      {"--target", "^BM_Knob/", "--mode", "fast"},
      {"--target", "^BM_(", "--no-calibration"},
      {"--target", "^BM_Knob/", "--build", "false"},
      {"--target", "^BM_Knob/", "--test", "false"},
      {"--target", "^BM_Knob/", "--benchmark", "no-such-program"}};
  for (const std::vector<std::string>& arguments : refused) {
    const Answer answer = Init(arguments);
    EXPECT_THAT(answer.exit_code, testing::AnyOf(2, 64, 65, 69))
        << arguments.back() << answer.out;
    EXPECT_THAT(answer.err, HasSubstr("autotune: error: "));
  }
  ExpectNoTask();
}

TEST_F(InitTest, APatternThatFindsNothingIsRefusedWhereItWasWritten) {
  const auto error = [this](const std::vector<std::string>& arguments,
                            int code) {
    const Answer answer = Init(arguments);
    EXPECT_EQ(answer.exit_code, code) << arguments.back();
    return answer.err;
  };
  EXPECT_THAT(error({"--target", "^BM_Nothing$"}, 64),
              HasSubstr("autotune: error: init: --target \"^BM_Nothing$\": no "
                        "benchmark matches it\nautotune: hint: "));
  const std::vector<std::string> knob = {"--target", "^BM_Knob/"};
  const auto with = [&knob](const std::string& flag) {
    std::vector<std::string> arguments = knob;
    arguments.push_back(flag);
    arguments.push_back("^BM_No$");
    return arguments;
  };
  EXPECT_THAT(error(with("--holdout"), 64),
              HasSubstr("error: init: --holdout \"^BM_No$\": no benchmark "
                        "matches it\n"));
  EXPECT_THAT(error(with("--end-to-end"), 64),
              HasSubstr("error: init: --end-to-end \"^BM_No$\": no benchmark "
                        "matches it\n"));
  EXPECT_THAT(error(with("--guard"), 64),
              HasSubstr("error: init: --guard \"^BM_No$\": no benchmark "
                        "matches it\n"));
  EXPECT_THAT(error({"--target", "^BM_Knob/", "--guard", "^BM_Knob/"}, 64),
              HasSubstr("error: init: --guard \"^BM_Knob/\": no benchmark "
                        "besides the targets matches it\n"));
  ExpectNoTask();
}

TEST_F(InitTest, ShowsWhatItFoundAndWritesACommentedTask) {
  const std::string before = UserState();
  const Answer answer = Init({"--target", "^BM_(Knob|Other)/", "--guard",
                              "^BM_Hidden/", "--budget", "9s"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out,
              AllOf(HasSubstr("target:   ^BM_(Knob|Other)/ (2 benchmarks)"),
                    HasSubstr("BM_Other/iterations:4/repeats:3"),
                    HasSubstr(" s a round (8 rounds of the program against "
                              "itself)"),
                    HasSubstr("decidable within 9 s: ")));
  const std::string branch = GitLine(
      {"for-each-ref", "--format=%(refname:short)", "refs/heads/autotune"});
  const std::string task = branch.substr(branch.find('/') + 1);
  EXPECT_THAT(Git({"show", absl::StrCat(branch, ":docs/autotune/", task,
                                        "/task.toml")}),
              AllOf(HasSubstr("\n# "), HasSubstr("budget = \"9s\""),
                    HasSubstr("[[guard]]")));
  EXPECT_EQ(UserState(), before);
}

TEST_F(InitTest, CheckoutSwitchesTheUsersBranchAndKeepsTheirWork) {
  Write("src/code.cc", "dirty\n");
  const std::string main = GitLine({"rev-parse", "main"});
  InitTask({"--checkout"});
  EXPECT_EQ(GitLine({"symbolic-ref", "--short", "HEAD"}), kBranch);
  EXPECT_EQ(GitLine({"rev-parse", "main"}), main);
  EXPECT_EQ(Read("src/code.cc"), "dirty\n");
  EXPECT_TRUE(Exists("docs/autotune/2026-01-02-knob/task.toml"));
}

TEST_F(InitTest, SettingsFilesFaultsHaveTheirLine) {
  Write("settings.toml", "schema_version = 1\n[policy]\nbudgt = \"9s\"\n");
  const Answer answer = Init({"--settings", "settings.toml"});
  EXPECT_EQ(answer.exit_code, 65);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("settings.toml:3: "),
                                HasSubstr("did you mean budget?")));
  ExpectNoTask();
}

TEST_F(InitTest, SameOptionsAgainAreAlreadyThere) {
  const std::vector<std::string> options = {
      "--target",     "^BM_Knob/", "--edit",          "src/**",   "--guard",
      "^BM_Other/",   "--holdout", "^BM_Hidden/",     "--budget", "9s",
      "--min-effect", "3%",        "--no-calibration"};
  ASSERT_EQ(Init(options).exit_code, 0);
  const std::string refs = Git({"for-each-ref"});
  for (const std::vector<std::string>& again :
       {options,
        {"--target", "^BM_Knob/", "--guard", "^BM_Other/"},
        {"--min-effect", "0.03", "--budget", "9s", "--seal", "tests/**"}}) {
    const Answer answer = Init(again);
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_THAT(answer.out, HasSubstr("-knob is already there: nothing "
                                      "changed\n"));
  }
  EXPECT_THAT(Run({"init", "knob", "--json"}).out,
              HasSubstr("\"already_there\": true"));
  EXPECT_EQ(Git({"for-each-ref"}), refs);
}

TEST_F(InitTest, OtherOptionsForATaskThatIsThereAreRefused) {
  InitTask();
  const std::string refs = Git({"for-each-ref"});
  const Answer answer = Run({"init", "knob", "--edit", "lib/**", "--budget",
                             "60s", "--target", "^BM_Knob/"});
  EXPECT_EQ(answer.exit_code, 64);
  EXPECT_EQ(answer.err,
            "autotune: error: init: task 2026-01-02-knob is already there with "
            "other settings: policy.budget: found \"120s\", expected \"60s\" "
            "(--budget); scope.edit: found [\"src/**\"], expected "
            "[\"lib/**\"] (--edit)\n"
            "autotune: hint: take another name for a second task, change this "
            "one with autotune task set KEY VALUE, or leave these options "
            "out\n");
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--target", "^BM_Other/"},
        {"--guard", "^BM_Other/"},
        {"--holdout", "^BM_Other/"},
        {"--end-to-end", "^BM_Other/"},
        {"--seal", "src/sealed.cc"},
        {"--metric", "real_time"},
        {"--mode", "turns"},
        {"--test", "true"},
        {"--build", "true"},
        {"--configure", "true"},
        {"--benchmark", "other"}}) {
    const Answer refused = Run({"init", "knob", other[0], other[1]});
    EXPECT_EQ(refused.exit_code, 64) << other[0];
    EXPECT_THAT(refused.err, HasSubstr("(" + other[0] + ")"));
  }
  EXPECT_EQ(Git({"for-each-ref"}), refs);
}

TEST_F(InitTest, SettingsFileIsATaskTomlWithoutItsTask) {
  const std::string settings = absl::StrCat(
      "schema_version = 1\n[commands]\nbuild = [\"cp\", \"", KNOB_BENCHMARK,
      "\", \"{build}/bench\"]\nbenchmark = [\"{build}/bench\"]\n[target]\n"
      "benchmarks = \"^BM_Knob/\"\n[scope]\nedit = [\"src/**\"]\n[policy]\n"
      "horizon = 7\n");
  Write("settings.toml", settings);
  const std::vector<std::string> init = {"init", "knob", "--settings",
                                         "settings.toml", "--no-calibration"};
  ASSERT_EQ(Run(init).exit_code, 0) << Run(init).err;
  EXPECT_THAT(TaskFile("task.toml"),
              AllOf(HasSubstr("horizon = 7\n"),
                    HasSubstr("start_branch = \"main\"\n")));
  EXPECT_THAT(Run(init).out, HasSubstr("is already there"));
  Write("settings.toml", settings + "fdr = 0.05\n");
  const Answer other = Run(init);
  EXPECT_EQ(other.exit_code, 64);
  EXPECT_THAT(other.err, HasSubstr("settings: policy.fdr: found 0.1, expected "
                                   "0.05 (--settings)\n"));
}

}  // namespace
}  // namespace autotune
