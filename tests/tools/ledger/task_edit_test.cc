#include "tools/ledger/task_edit.h"

#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tools/ledger/task_settings.h"

namespace autotune {
namespace {

constexpr char kTask[] = R"(# mine
schema_version = 1
[task]
name = "a"
base = "7d8fd96780bacfb01f4b51c6e74a6a3c390408e6"
start_branch = "main"
[commands] # how
build = ["make"]      # all of it
benchmark = ["./b"]
[target]
benchmarks = "old"
[scope]
edit = [
  "src/**",  # code
]
[policy]
min_effect = 0.02  # small
[[guard]]
name = "g"
)";

std::string Replaced(std::string_view from, std::string_view to) {
  std::string text = kTask;
  return text.replace(text.find(from), from.size(), to);
}

absl::StatusOr<std::string> Set(std::string_view key, std::string_view value) {
  return SetTaskValue(kTask, "t", key, {std::string(value)});
}

TEST(TaskEditTest, OnlyTheValueChanges) {
  EXPECT_THAT(Set("policy.min_effect", "0.05"),
              IsOkAndHolds(Replaced("0.02", "0.05")));
  EXPECT_THAT(Set("target.benchmarks", "\"new\""),
              IsOkAndHolds(Replaced("\"old\"", "\"new\"")));
  EXPECT_THAT(Set("commands.build", "[\"ninja\", \"-v\"]"),
              IsOkAndHolds(Replaced("[\"make\"]", "[\"ninja\", \"-v\"]")));
  EXPECT_THAT(
      Set("scope.edit", "[\"lib/**\"]"),
      IsOkAndHolds(Replaced("[\n  \"src/**\",  # code\n]", "[\"lib/**\"]")));
}

TEST(TaskEditTest, BareTextAndPerCentAreUnderstood) {
  EXPECT_THAT(Set("policy.min_effect", "5%"),
              IsOkAndHolds(Replaced("0.02", "0.05")));
  EXPECT_THAT(Set("target.benchmarks", "^BM_\"x\" y#"),
              IsOkAndHolds(Replaced("\"old\"", "\"^BM_\\\"x\\\" y#\"")));
  EXPECT_THAT(Set("target.benchmarks", "12"),
              IsOkAndHolds(Replaced("\"old\"", "\"12\"")));
}

TEST(TaskEditTest, SeveralValuesOrOneOfAListMakeAList) {
  EXPECT_THAT(SetTaskValue(kTask, "t", "commands.build", {"ninja", "-v"}),
              IsOkAndHolds(Replaced("[\"make\"]", "[\"ninja\", \"-v\"]")));
  EXPECT_THAT(Set("commands.build", "a b"),
              IsOkAndHolds(Replaced("[\"make\"]", "[\"a b\"]")));
  EXPECT_THAT(SetTaskValue(kTask, "t", "policy.min_effect", {"1%", "2%"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "t:17: policy.min_effect: expected a fraction in (0, 1) "
                       "such as 0.01 or 1%, got an array"));
}

TEST(TaskEditTest, AMarginOfMoreThanAllNeedsItsPerCentSign) {
  EXPECT_THAT(Set("policy.default_margin", "150%"),
              IsOkAndHolds(Replaced("[policy]\n",
                                    "[policy]\ndefault_margin = \"150%\"\n")));
  EXPECT_THAT(Set("policy.default_margin", "5"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "t:17: policy.default_margin: expected a fraction above "
                       "0 such as 0.02 or 2%, got 5; did you mean 5%?"));
  EXPECT_THAT(Set("policy.budget", "soon"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "policy.budget: expected a duration such as 120s or 2m, "
                       "got \"soon\""));
}

TEST(TaskEditTest, AbsentKeysJoinTheirTable) {
  EXPECT_THAT(Set("commands.test_timeout", "5m"),
              IsOkAndHolds(Replaced("[commands] # how\n",
                                    "[commands] # how\ntest_timeout = "
                                    "\"5m\"\n")));
  EXPECT_THAT(Set("end_to_end.benchmarks", "whole"),
              IsOkAndHolds(std::string(kTask) +
                           "\n[end_to_end]\nbenchmarks = \"whole\"\n"));
}

TEST(TaskEditTest, ValuesCannotCarryOtherKeysIn) {
  ASSERT_OK_AND_ASSIGN(const std::string text,
                       Set("target.benchmarks", "'x'\n[scope]\nedit=['**']"));
  ASSERT_OK_AND_ASSIGN(const TaskSettings settings,
                       ParseTaskSettings(text, "t"));
  EXPECT_EQ(settings.target, "'x'\n[scope]\nedit=['**']");
  EXPECT_EQ(settings.scope_edit.front(), "src/**");
}

TEST(TaskEditTest, WhatDoesNotFitIsSaidAsTheReaderSaysIt) {
  EXPECT_THAT(Set("policy.min_effect", "2"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "t:17: policy.min_effect: expected a fraction in (0, 1) "
                       "such as 0.01 or 1%, got 2; did you mean 2%?"));
  EXPECT_THAT(Set("policy.min_efect", "0.1"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "t:17: policy.min_efect: unknown key; did you mean "
                       "min_effect?"));
}

TEST(TaskEditTest, WhatMayNotChangeIsRefused) {
  EXPECT_THAT(Set("task.base", "x"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "\"task.base\": stays as it is for the whole task; "
                       "start a new task instead"));
  for (const char* key : {"guard.margin", "policy", "", "policy.", ".x"}) {
    EXPECT_THAT(
        Set(key, "1"),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 "\"" + std::string(key) +
                     "\": expected TABLE.KEY with one of the tables commands, "
                     "target, end_to_end, scope and policy; edit task.toml for "
                     "anything else"));
  }
}

}  // namespace
}  // namespace autotune
