#include "tools/ledger/task_settings.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kTask[] = R"(schema_version = 1
[task]
name = "tokenizer"
base = "7d8fd96780bacfb01f4b51c6e74a6a3c390408e6"
start_branch = "main"
[commands]
configure = ["cmake", "-S", ".", "-B", "{build}"]
build = ["cmake", "--build", "{build}"]
test = ["ctest"]
benchmark = ["{build}/bench", "--benchmark_filter={filter}"]
build_timeout = "20m"
[target]
benchmarks = "^BM_Tokenize/"
[end_to_end]
benchmarks = "^BM_WholeFile$"
[scope]
edit = ["src/**", "include/**"]
sealed = ["bench/**", "**/CMakeLists.txt"]
[[holdout]]
benchmarks = "^BM_TokenizeOther/"
[policy]
min_effect = 0.02
budget = "90s"
[[guard]]
name = "BM_Encode.*"
margin = 0.03
)";

TEST(TaskSettingsTest, EveryTableIsRead) {
  ASSERT_OK_AND_ASSIGN(const TaskSettings settings,
                       ParseTaskSettings(kTask, "task.toml"));
  EXPECT_EQ(settings.name, "tokenizer");
  EXPECT_EQ(settings.base, "7d8fd96780bacfb01f4b51c6e74a6a3c390408e6");
  EXPECT_EQ(settings.start_branch, "main");
  EXPECT_THAT(settings.configure,
              ElementsAre("cmake", "-S", ".", "-B", "{build}"));
  EXPECT_THAT(settings.build, ElementsAre("cmake", "--build", "{build}"));
  EXPECT_THAT(settings.test, ElementsAre("ctest"));
  EXPECT_THAT(settings.benchmark,
              ElementsAre("{build}/bench", "--benchmark_filter={filter}"));
  EXPECT_EQ(settings.build_timeout_seconds, 1200.0);
  EXPECT_EQ(settings.test_timeout_seconds, 1800.0);
  EXPECT_EQ(settings.target, "^BM_Tokenize/");
  EXPECT_EQ(settings.end_to_end, "^BM_WholeFile$");
  EXPECT_THAT(settings.holdouts, ElementsAre("^BM_TokenizeOther/"));
  EXPECT_THAT(settings.scope_edit, ElementsAre("src/**", "include/**"));
  EXPECT_THAT(settings.scope_sealed,
              ElementsAre("bench/**", "**/CMakeLists.txt"));
  EXPECT_EQ(settings.policy.min_effect, 0.02);
  EXPECT_EQ(settings.policy.budget_seconds, 90.0);
  ASSERT_EQ(settings.policy.guards.size(), 1U);
  EXPECT_EQ(settings.policy.guards[0].margin, 0.03);
}

TEST(TaskSettingsTest, ATestOrTheReasonWhyThereIsNone) {
  const auto with = [](const std::string& line) {
    return absl::StrReplaceAll(kTask, {{"test = [\"ctest\"]\n", line}});
  };
  ASSERT_OK_AND_ASSIGN(
      const TaskSettings settings,
      ParseTaskSettings(with("no_tests = \"a toy\"\n"), "task.toml"));
  EXPECT_EQ(settings.no_tests, "a toy");
  EXPECT_EQ(ParseTaskSettings(with("no_tests = \" \"\n"), "task.toml")
                .status()
                .message(),
            "task.toml:9: commands.no_tests: expected the reason why there is "
            "no test, got \" \"");
  EXPECT_EQ(
      ParseTaskSettings(with("no_tests = \"a toy\"\ntest = [\"ctest\"]\n"),
                        "task.toml")
          .status()
          .message(),
      "task.toml:9: commands.no_tests: expected nothing beside commands.test, "
      "which tests");
}

TEST(TaskSettingsTest, WhatMayBeAbsentHasItsDefault) {
  ASSERT_OK_AND_ASSIGN(
      const TaskSettings settings,
      ParseTaskSettings("[task]\nname='a'\nbase='"
                        "7d8fd96780bacfb01f4b51c6e74a6a3c390408e6'\n"
                        "start_branch=''\n[commands]\nbuild=['make']\n"
                        "benchmark=['./b']\n[target]\nbenchmarks='.'\n"
                        "[scope]\nedit=['**']\n",
                        "task.toml"));
  EXPECT_THAT(settings.configure, IsEmpty());
  EXPECT_THAT(settings.test, IsEmpty());
  EXPECT_THAT(settings.holdouts, IsEmpty());
  EXPECT_THAT(settings.scope_sealed, IsEmpty());
  EXPECT_EQ(settings.end_to_end, std::nullopt);
  EXPECT_EQ(settings.start_branch, "");
  EXPECT_EQ(settings.policy.min_effect, Policy().min_effect);
}

// kTask with the first `from` replaced.
std::string With(std::string_view from, std::string_view to) {
  std::string text = kTask;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Fault {
  std::string from;
  std::string to;
  std::string error;
};

TEST(TaskSettingsTest, EveryFaultNamesItsLineAndKey) {
  const std::string argv = "an array of strings such as [\"make\", \"-j4\"]";
  const std::vector<Fault> faults = {
      {"schema_version = 1", "schema_version = 2",
       "t:1: schema_version: expected 1, got 2"},
      {"[target]", "[tarjet]",
       "t:12: tarjet: unknown key; did you mean target?"},
      {"name = \"tokenizer\"", "name = \"Token izer\"",
       "t:3: task.name: expected a name of a-z, 0-9 and single dashes, got "
       "\"Token izer\""},
      {"name = \"tokenizer\"", "nam = \"tokenizer\"",
       "t:3: task.nam: unknown key; did you mean name?"},
      {"name = \"tokenizer\"", "",
       "t:2: task.name: missing; expected a name of a-z, 0-9 and single "
       "dashes"},
      {"base = \"7d8fd967", "base = \"HEAD",
       "t:4: task.base: expected a full commit name, got "
       "\"HEAD80bacfb01f4b51c6e74a6a3c390408e6\""},
      {"start_branch = \"main\"", "start_branch = 1",
       "t:5: task.start_branch: expected a branch's name, or \"\", got 1"},
      {"build = [\"cmake\", \"--build\", \"{build}\"]", "build = \"make\"",
       "t:8: commands.build: expected " + argv + ", got \"make\""},
      {"build = [\"cmake\", \"--build\", \"{build}\"]", "build = []",
       "t:8: commands.build: empty; expected " + argv},
      {"build = [\"cmake\", \"--build\", \"{build}\"]", "build = [\"\"]",
       "t:8: commands.build: expected a program, got \"\""},
      {"test = [\"ctest\"]", "test = [\n\"ctest\",\n 1]",
       "t:11: commands.test: expected " + argv + ", got 1"},
      {"build_timeout = \"20m\"", "build_timeout = \"soon\"",
       "t:11: commands.build_timeout: expected a duration such as 30m, got "
       "\"soon\""},
      {"build_timeout = \"20m\"", "build_timeut = \"20m\"",
       "t:11: commands.build_timeut: unknown key; did you mean build_timeout?"},
      {"benchmarks = \"^BM_Tokenize/\"", "benchmarks = \"\"",
       "t:13: target.benchmarks: expected a regular expression on benchmark "
       "names, got \"\""},
      {"benchmarks = \"^BM_WholeFile$\"", "benchmarks = true",
       "t:15: end_to_end.benchmarks: expected a regular expression on "
       "benchmark names, got true"},
      {"[end_to_end]", "[[end_to_end]]",
       "t:14: end_to_end: expected a [end_to_end] table, got an array"},
      {"[scope]\n", "[target.scope]\n",
       "t:16: target.scope: unknown key; known are benchmarks"},
      {"[scope]\nedit = [\"src/**\", \"include/**\"]\nsealed = [\"bench/**\", "
       "\"**/CMakeLists.txt\"]",
       "", "t:1: scope: expected a [scope] table, got nothing"},
      {"edit = [\"src/**\", \"include/**\"]", "edit = []",
       "t:17: scope.edit: empty; expected path patterns such as [\"src/**\"], "
       "from the top of the repository"},
      {"edit = [\"src/**\", \"include/**\"]", "edit = [\"/src\"]",
       "t:17: scope.edit: expected path patterns such as [\"src/**\"], from "
       "the "
       "top of the repository, got an array"},
      {"sealed = [\"bench/**\"", "sealed = [\"../bench/**\"",
       "t:18: scope.sealed: expected path patterns such as [\"src/**\"], from "
       "the top of the repository, got an array"},
      {"[[holdout]]", "[holdout]",
       "t:19: holdout: expected [[holdout]] tables, got a table"},
      {"min_effect = 0.02", "min_effect = 2",
       "t:22: policy.min_effect: expected a fraction in (0, 1) such as 0.01 "
       "or 1%, got 2; did you mean 2%?"},
  };
  for (const Fault& fault : faults) {
    EXPECT_THAT(ParseTaskSettings(With(fault.from, fault.to), "t"),
                StatusIs(absl::StatusCode::kInvalidArgument, fault.error));
  }
}

TEST(TaskSettingsTest, BadRegularExpressionsAreSaid) {
  EXPECT_THAT(
      ParseTaskSettings(With("^BM_Tokenize/", "["), "t"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               testing::StartsWith("t:13: target.benchmarks: bad regular "
                                   "expression \"[\": ")));
}

TEST(TaskSettingsTest, BrokenTomlIsSaid) {
  EXPECT_THAT(ParseTaskSettings("[task\n", "t"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::StartsWith("t:1: ")));
}

TaskSettings NastySettings() {
  TaskSettings settings;
  settings.name = "a-b";
  settings.base = std::string(64, 'f');
  settings.start_branch = "caf\xC3\xA9/\"x\"";
  settings.configure = {"sh", "-c", "echo \"$(x)\"\n\\"};
  settings.build = {"make"};
  settings.benchmark = {"./b", ""};
  settings.target = "^BM_\"\\\\d\"";
  settings.end_to_end = "whole";
  settings.holdouts = {"one", "two"};
  settings.scope_edit = {"src/**"};
  settings.scope_sealed = {"**/CMakeLists.txt", "a\"b"};
  settings.build_timeout_seconds = 0.25;
  settings.test_timeout_seconds = 1e9;
  Policy& policy = settings.policy;
  policy.kind = PolicyKind::kGate;
  policy.metric = "items\"x";
  policy.direction = Direction::kHigherIsBetter;
  policy.min_effect = 1e-7;
  policy.budget_seconds = 1e-3;
  policy.error_control = ErrorControl::kPerDecision;
  policy.targets = TargetRule::kEach;
  policy.mode = MeasureMode::kDuet;
  policy.horizon = 7;
  policy.guards = {{"BM_.*", "", 0.05, GuardMode::kVeto},
                   {"", "peak_rss", 0.125, GuardMode::kExact}};
  policy.margins = {{"BM_Small.*", 1.1}};
  return settings;
}

TEST(TaskSettingsTest, WhatIsWrittenIsReadBack) {
  const TaskSettings settings = NastySettings();
  const std::string text = FormatTaskSettings(settings);
  ASSERT_OK_AND_ASSIGN(const TaskSettings read, ParseTaskSettings(text, "t"));
  EXPECT_EQ(FormatTaskSettings(read), text);
  EXPECT_EQ(read.start_branch, settings.start_branch);
  EXPECT_EQ(read.configure, settings.configure);
  EXPECT_EQ(read.benchmark, settings.benchmark);
  EXPECT_EQ(read.target, settings.target);
  EXPECT_EQ(read.holdouts, settings.holdouts);
  EXPECT_EQ(read.scope_sealed, settings.scope_sealed);
  EXPECT_EQ(read.build_timeout_seconds, 0.25);
  EXPECT_EQ(read.test_timeout_seconds, 1e9);
  EXPECT_EQ(read.policy.metric, settings.policy.metric);
  EXPECT_EQ(read.policy.min_effect, 1e-7);
  EXPECT_EQ(read.policy.budget_seconds, 1e-3);
  EXPECT_EQ(read.policy.horizon, 7);
  ASSERT_EQ(read.policy.guards.size(), 2U);
  EXPECT_EQ(read.policy.guards[1].metric, "peak_rss");
  EXPECT_EQ(read.policy.guards[1].mode, GuardMode::kExact);
  ASSERT_EQ(read.policy.margins.size(), 1U);
  EXPECT_EQ(read.policy.margins[0].margin, 1.1);
}

TEST(TaskSettingsTest, WhatATaskCannotUseIsRefused) {
  const std::string margin = "[[margin]]\nname = \"a\"\nmargin = 0.1\n";
  EXPECT_THAT(ParseTaskSettings(kTask + margin, "t"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "t:27: margin[0]: has no effect under the policy kind "
                       "tune; leave it out"));
  EXPECT_THAT(
      ParseTaskSettings(
          With("min_effect = 0.02", "kind = \"gate\"\ntargets = \"each\""),
          "t"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "t:23: policy.targets: has no effect under the policy kind "
               "gate; leave it out"));
}

TEST(TaskSettingsTest, DefaultsAreWrittenInFull) {
  const std::string text = FormatTaskSettings({});
  EXPECT_THAT(text, testing::EndsWith(R"(
[policy]
# When a change is kept; fractions, or per cent in quotes.
kind = "tune"
metric = "auto"
min_effect = 0.01
floor = 0.0
alpha = 0.05
beta = 0.1
error_control = "fdr"
fdr = 0.1
horizon = 100
targets = "geomean"
mode = "auto"
budget = "120s"
max_rounds = 2000
review_ratio = 5.0
default_margin = 0.02
)"));
}

}  // namespace
}  // namespace autotune
