#include "tools/measure/launcher.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Launch& AnyLaunch() {
  static const Launch launch = {
      "n7",
      {"/a b/bench_compare", "run", "--filter", "^BM_(A|B)$"},
      "/s/r",
      90};
  return launch;
}

std::vector<std::string> WordsOf(const std::string& text) {
  return LaunchWords(ParseLauncher(text).value(), AnyLaunch());
}

std::string RefusalOf(const std::string& text) {
  const absl::Status status = ParseLauncher(text).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange) << text;
  return std::string(status.message());
}

TEST(LauncherTest, PlaceholdersStandInsideWordsAndTheCommandForItsWords) {
  EXPECT_THAT(
      WordsOf("env NODE={host} O='{out} x' timeout {timeout} {command}"),
      ElementsAre("env", "NODE=n7", "O=/s/r x", "timeout", "90",
                  "/a b/bench_compare", "run", "--filter", "^BM_(A|B)$"));
}

TEST(LauncherTest, PresetsAreTemplates) {
  EXPECT_THAT(LauncherPresets(), ElementsAre("slurm", "ssh", "parallel"));
  EXPECT_THAT(
      WordsOf("slurm"),
      ElementsAre("srun", "--exclusive", "-N1", "-n1", "-w", "n7",
                  "--kill-on-bad-exit=1", "-t", "0:90", "--",
                  "/a b/bench_compare", "run", "--filter", "^BM_(A|B)$"));
  EXPECT_THAT(
      WordsOf("ssh"),
      ElementsAre("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "n7",
                  "--", "'/a b/bench_compare' run --filter '^BM_(A|B)$'"));
  EXPECT_THAT(WordsOf("parallel"),
              ElementsAre("parallel", "--will-cite", "--no-notice", "-j1",
                          "--timeout", "90", "-S", "n7", ":::",
                          "'/a b/bench_compare' run --filter '^BM_(A|B)$'"));
}

// What a remote shell makes of the one word must be the words again.
TEST(LauncherTest, QuotedWordsSurviveAShell) {
  Launch launch;
  launch.command = {"printf", "%s|",    "a b", "$HOME", "`id`", "it's",
                    "\"",     "\\",     "",    "*",     "a\nb", "~",
                    "!x",     "{host}", "#c",  "a;b&c", "=",    "x=y"};
  const std::vector<std::string> words =
      LaunchWords(ParseLauncher("sh -c {quoted} {host}").value(), launch);
  ProcessSpec spec;
  spec.argv = words;
  const auto run = MakePosixProcessRunner()->Run(spec);
  ASSERT_THAT(run, IsOk());
  std::string expected;
  for (std::size_t i = 2; i < launch.command.size(); ++i) {
    expected += launch.command[i] + "|";
  }
  EXPECT_EQ(run->standard_output, expected);
}

// The command's own words are never taken for the template's.
TEST(LauncherTest, PlaceholdersInTheCommandStay) {
  Launch launch = AnyLaunch();
  launch.command = {"x", "{host}", "{out}"};
  EXPECT_THAT(LaunchWords(ParseLauncher("on {host} {command}").value(), launch),
              ElementsAre("on", "n7", "x", "{host}", "{out}"));
}

TEST(LauncherTest, RefusesTemplatesThatCannotWork) {
  EXPECT_EQ(RefusalOf("srun {command}"),
            "expected a template with {host}, got \"srun {command}\"");
  EXPECT_EQ(RefusalOf("srun -w {host}"),
            "expected a template with {command} or {quoted}, once, got \"srun "
            "-w {host}\"");
  EXPECT_EQ(RefusalOf("on {host} {command} {command}"),
            "expected a template with {command} or {quoted}, once, got \"on "
            "{host} {command} {command}\"");
  EXPECT_EQ(RefusalOf("on {host} --run={command}"),
            "expected {command} as a word by itself, got \"--run={command}\"");
  EXPECT_EQ(RefusalOf("srun -w {node} {command}"),
            "expected the placeholders {host} {command} {quoted} {out} "
            "{timeout}, got \"{node}\"");
  EXPECT_EQ(RefusalOf("/usr/bin/ssh {host} {command}"),
            "expected {quoted} in place of {command}, as ssh joins its words "
            "for a shell there, got \"/usr/bin/ssh {host} {command}\"");
  EXPECT_EQ(RefusalOf("slrum"),
            "expected slurm, ssh or parallel, or a template with {host} and "
            "{command}, got \"slrum\"; did you mean slurm?");
  EXPECT_EQ(RefusalOf("on {host} {command} | tee log"),
            "'|' outside quotes: commands run without a shell; put what needs "
            "one into a script");
}

TEST(HostsTest, AreNamesThatNoLauncherTakesForOptions) {
  EXPECT_THAT(
      ParseHosts("a,user@b.example,10.0.0.1,:"),
      IsOkAndHolds(ElementsAre("a", "user@b.example", "10.0.0.1", ":")));
  for (const char* text :
       {"", "a,,b", "a,-oProxyCommand=x", "a b", "a;b", "$x"}) {
    EXPECT_THAT(
        ParseHosts(text),
        StatusIs(absl::StatusCode::kOutOfRange,
                 HasSubstr("expected hosts such as a,b,c of letters, digits "
                           "and ._-@:, got ")))
        << text;
  }
  EXPECT_THAT(ParseHosts("a,b,a"),
              StatusIs(absl::StatusCode::kOutOfRange,
                       "expected each host once, got \"a\""));
}

}  // namespace
}  // namespace autotune
