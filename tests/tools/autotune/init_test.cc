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
      {"--target", "^BM_Nothing$"},                       // matches none
      {"--target", "^BM_Knob/", "--holdout", "^BM_No$"},  // nor this
      {"--target", "^BM_Knob/", "--metric", "cost"},      // no direction
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

}  // namespace
}  // namespace autotune
