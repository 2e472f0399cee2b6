#include "tools/program/command_line.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/report/error_report.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    line_.AddFlag("-q,--quiet", quiet_, "");
    line_.AddFlag("--no-check", check_, "", false);
    line_.AddText("--filter", "REGEX", filter_, "");
    line_.AddTexts("--guard", "REGEX", guards_, "");
    line_.AddLists("--baseline", "FILE...", baseline_, "");
    line_.AddChoice("--adjust", {"holm", "bh", "none"}, adjust_, "");
    line_.AddNumber("--rounds", "N", rounds_, 1, 100, "");
    line_.AddNumber("--cpu", "N", cpu_, -9, INT64_MAX, "");
    line_.AddWords("FILE...", words_, "files to read").required = false;
  }

  // "MESSAGE" or "MESSAGE | HINT"; empty when the line is right.
  std::string Error(const std::vector<std::string>& arguments) {
    const absl::Status status = line_.Parse(arguments, "p");
    if (status.ok()) return "";
    EXPECT_TRUE(absl::IsOutOfRange(status));
    const std::string hint = HintText(HintOf(status));
    return std::string(status.message()) + (hint.empty() ? "" : " | " + hint);
  }

  CommandLine line_;
  bool quiet_ = false;
  bool check_ = true;
  std::optional<std::string> filter_;
  std::vector<std::string> guards_;
  std::vector<std::string> baseline_;
  std::optional<std::string> adjust_;
  std::int64_t rounds_ = 30;
  std::optional<std::int64_t> cpu_;
  std::vector<std::string> words_;
};

TEST_F(CommandLineTest, OptionsAndWordsStandInAnyOrder) {
  EXPECT_EQ(Error({"a", "--filter", "x", "-q", "b", "--guard=g", "--guard",
                   "h=i", "--no-check", "--cpu", "-5", "--adjust=bh"}),
            "");
  EXPECT_THAT(words_, ElementsAre("a", "b"));
  EXPECT_EQ(filter_, "x");
  EXPECT_TRUE(quiet_);
  EXPECT_FALSE(check_);
  EXPECT_THAT(guards_, ElementsAre("g", "h=i"));
  EXPECT_EQ(cpu_, -5);
  EXPECT_EQ(adjust_, "bh");
  EXPECT_EQ(rounds_, 30);
}

TEST_F(CommandLineTest, EmptyValueIsAValueAndTakesNothingElse) {
  EXPECT_EQ(Error({"--filter=", "--guard", "", "--quiet"}), "");
  EXPECT_EQ(filter_, "");
  EXPECT_THAT(guards_, ElementsAre(""));
  EXPECT_TRUE(quiet_);
}

TEST_F(CommandLineTest, ValueMayBeginWithADash) {
  EXPECT_EQ(Error({"--filter", "-5", "--guard", "--unknown"}), "");
  EXPECT_EQ(filter_, "-5");
  EXPECT_THAT(guards_, ElementsAre("--unknown"));
}

TEST_F(CommandLineTest, ForgottenValueDoesNotEatTheNextFlag) {
  EXPECT_EQ(Error({"--filter", "--quiet"}),
            "--filter: expected a value, REGEX, got the flag --quiet | if that "
            "is the value: --filter=--quiet");
  EXPECT_FALSE(filter_.has_value());
  EXPECT_EQ(Error({"--guard", "--adjust=bh"}),
            "--guard: expected a value, REGEX, got the flag --adjust=bh | if "
            "that is the value: --guard=--adjust=bh");
  EXPECT_EQ(Error({"--filter=--quiet"}), "");
  EXPECT_EQ(filter_, "--quiet");
}

TEST_F(CommandLineTest, LastOptionNeedsItsValueToo) {
  EXPECT_EQ(Error({"a", "--filter"}),
            "--filter: expected a value, REGEX | p --help lists what it takes");
  EXPECT_EQ(Error({"--filter", "--", "a"}),
            "--filter: expected a value, REGEX | p --help lists what it takes");
}

TEST_F(CommandLineTest, ListTakesWhatAShellMakesOfAPattern) {
  EXPECT_EQ(Error({"--baseline", "b1", "-", "b2", "--quiet", "--baseline=b3",
                   "word", "--baseline", "b4"}),
            "");
  EXPECT_THAT(baseline_, ElementsAre("b1", "-", "b2", "b3", "b4"));
  EXPECT_THAT(words_, ElementsAre("word"));
}

TEST_F(CommandLineTest, NegativeNumberIsAWord) {
  EXPECT_EQ(Error({"-1", "--baseline", "-.5", "-q"}), "");
  EXPECT_THAT(words_, ElementsAre("-1"));
  EXPECT_THAT(baseline_, ElementsAre("-.5"));
}

TEST_F(CommandLineTest, WordsBehindTwoDashesMayBeginWithOne) {
  EXPECT_EQ(Error({"a", "--", "--quiet", "--", "-"}), "");
  EXPECT_THAT(words_, ElementsAre("a", "--quiet", "--", "-"));
  EXPECT_FALSE(quiet_);
}

TEST_F(CommandLineTest, RestGoesToAnotherProgramUnread) {
  std::vector<std::string> rest;
  line_.AddRest(rest);
  EXPECT_EQ(Error({"a", "--", "--quiet", "--", "x"}), "");
  EXPECT_THAT(words_, ElementsAre("a"));
  EXPECT_THAT(rest, ElementsAre("--quiet", "--", "x"));
}

TEST_F(CommandLineTest, UnknownFlagGetsADidYouMean) {
  EXPECT_EQ(Error({"--fitler=x"}),
            "unknown flag --fitler | did you mean --filter?");
  EXPECT_EQ(Error({"--something-else"}),
            "unknown flag --something-else | p --help lists what it takes");
  EXPECT_EQ(Error({"-x"}), "unknown flag -x | did you mean -q?");
  EXPECT_EQ(Error({"--quiet=yes"}), "--quiet takes no value, got \"yes\"");
}

TEST_F(CommandLineTest, WrongValueSaysWhatIsExpected) {
  EXPECT_EQ(Error({"--adjust", "no"}),
            "--adjust: expected holm, bh or none, got \"no\"; did you mean "
            "none?");
  EXPECT_EQ(Error({"--rounds", "101"}),
            "--rounds: expected a whole number from 1 to 100, got \"101\"");
  EXPECT_EQ(Error({"--rounds=0"}),
            "--rounds: expected a whole number from 1 to 100, got \"0\"");
  EXPECT_EQ(Error({"--rounds=1x"}),
            "--rounds: expected a whole number from 1 to 100, got \"1x\"");
  EXPECT_EQ(Error({"--cpu=-10"}),
            "--cpu: expected a whole number of at least -9, got \"-10\"");
}

TEST_F(CommandLineTest, SecondValueOfOneIsRefused) {
  EXPECT_EQ(Error({"--filter=a", "--filter=b"}), "--filter is given twice");
}

TEST_F(CommandLineTest, RequiredWordsAndOptionsAreAskedFor) {
  std::string name;
  CommandLine line;
  line.AddWord("NAME", name, "what it is called");
  EXPECT_EQ(line.Parse({}, "p").message(), "expected NAME: what it is called");
  EXPECT_EQ(line.Parse({"a", "b"}, "p").message(), "unexpected argument b");
  CommandLine other;
  other.AddText("--as", "NAME", name, "what it is called").required = true;
  EXPECT_EQ(other.Parse({}, "p").message(),
            "expected --as NAME: what it is called");
  EXPECT_TRUE(other.Parse({"--as", "x"}, "p").ok());
  EXPECT_EQ(name, "x");
}

TEST_F(CommandLineTest, WordsAreFilledInTheirOrder) {
  std::string first;
  std::vector<std::string> others;
  CommandLine line;
  line.AddWord("FIRST", first, "");
  line.AddWords("OTHER...", others, "");
  EXPECT_TRUE(line.Parse({"a", "b", "c"}, "p").ok());
  EXPECT_EQ(first, "a");
  EXPECT_THAT(others, ElementsAre("b", "c"));
}

}  // namespace
}  // namespace autotune
