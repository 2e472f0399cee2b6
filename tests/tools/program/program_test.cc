#include "tools/program/program.h"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_clock.h"
#include "tests/support/memory_file_system.h"
#include "tools/program/command_line.h"
#include "tools/program/shell_verbs.h"
#include "tools/system/entropy.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A program of three verbs that print what they were given.
Action Declare(CommandLine& line) {
  auto text = std::make_shared<std::string>();
  auto words = std::make_shared<std::vector<std::string>>();
  line.AddText("--text", "TEXT", *text, "what to say");
  line.AddWords("WORD...", *words, "more to say").required = false;
  return [text, words](const Invocation& run) -> absl::StatusOr<ExitCode> {
    if (*text == "fail") return absl::FailedPreconditionError("no voice");
    if (*text == "usage") return UsageError("cannot say that");
    run.terminal.out << run.verb << ": " << *text;
    for (const std::string& word : *words) run.terminal.out << " " << word;
    if (run.terminal.color) run.terminal.out << " in colour";
    if (!run.common.task.empty()) {
      run.terminal.out << " task " << run.common.task;
    }
    run.terminal.out << "\n";
    return kExitDiscard;
  };
}

Program Sayer() {
  return {.name = "sayer",
          .description = "Says what it is told.",
          .exit_codes = "0 never, 1 said.",
          .example = "sayer say --text hello",
          .verbs = {{"say", "say a text", "sayer say --text hello", &Declare},
                    {"say twice", "say it again", "sayer say twice x", &Declare,
                     "Says it\nagain."},
                    {"whisper", "", "sayer whisper x", &Declare}},
          .on_repository = true};
}

class ProgramTest : public testing::Test {
 protected:
  // "CODE OUT|ERR".
  std::string Run(const std::vector<std::string>& arguments) {
    std::ostringstream out;
    std::ostringstream err;
    Terminal terminal{.out = out, .err = err};
    const ProgramWorld world = {files_, *processes_, clock_, *entropy_, {}};
    const int code = RunProgram(program_, arguments, world, terminal);
    return absl::StrCat(code, " ", out.str(), "|", err.str());
  }

  Program program_ = Sayer();
  MemoryFileSystem files_;
  FakeClock clock_;
  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
  std::unique_ptr<Entropy> entropy_ = MakeSeededEntropy(1);
};

TEST_F(ProgramTest, VerbRunsWithItsOptions) {
  EXPECT_EQ(Run({"say", "a", "--text", "-5", "b"}), "1 say: -5 a b\n|");
  EXPECT_EQ(Run({"say", "twice", "--text="}), "1 say twice: \n|");
  EXPECT_EQ(Run({"whisper", "x"}), "1 whisper:  x\n|");
}

TEST_F(ProgramTest, CommonFlagsStandBeforeOrBehindTheVerb) {
  EXPECT_EQ(Run({"--task", "say", "say", "a"}), "1 say:  a task say\n|");
  EXPECT_EQ(Run({"--task=t", "--quiet", "say", "twice"}),
            "1 say twice:  task t\n|");
  EXPECT_EQ(Run({"say", "--color", "always"}), "1 say:  in colour\n|");
  EXPECT_EQ(Run({"say", "--color", "red"}),
            "64 |sayer: error: --color: expected auto, always or never, got "
            "\"red\"\n");
}

TEST_F(ProgramTest, UnknownWordsGetADidYouMean) {
  EXPECT_EQ(Run({"sya"}),
            "64 |sayer: error: unknown verb sya\nsayer: hint: did you mean "
            "say?\n");
  EXPECT_EQ(Run({"whispre"}),
            "64 |sayer: error: unknown verb whispre\nsayer: hint: sayer --help "
            "lists them\n");
  EXPECT_EQ(Run({"say", "--txet=x"}),
            "64 |sayer: error: unknown flag --txet\nsayer: hint: did you mean "
            "--text?\n");
  EXPECT_EQ(Run({"say", "twice", "--other"}),
            "64 |sayer: error: unknown flag --other\nsayer: hint: sayer say "
            "twice --help lists what it takes\n");
  EXPECT_EQ(Run({"--qiuet", "say"}),
            "64 |sayer: error: unknown flag --qiuet\nsayer: hint: did you mean "
            "--quiet?\n");
}

TEST_F(ProgramTest, FirstWordOfALongerVerbNamesIt) {
  program_.verbs.erase(program_.verbs.begin());
  EXPECT_EQ(Run({"say", "x"}),
            "64 |sayer: error: unknown verb say\nsayer: hint: did you mean say "
            "twice?\n");
}

TEST_F(ProgramTest, DefaultVerbTakesWhatNamesNone) {
  program_.default_verb = "say";
  EXPECT_EQ(Run({"old.json", "new"}), "1 say:  old.json new\n|");
  EXPECT_EQ(Run({"--text", "x", "--quiet"}), "1 say: x\n|");
  EXPECT_EQ(Run({"--quiet", "nothing"}), "1 say:  nothing\n|");
  EXPECT_EQ(Run({"-", "say"}), "1 say:  - say\n|");
  // A word that is no file and nearly a verb.
  EXPECT_EQ(Run({"sya"}),
            "64 |sayer: error: unknown verb sya\nsayer: hint: did you mean "
            "say?\n");
  files_.Add("sya", "");
  EXPECT_EQ(Run({"sya"}), "1 say:  sya\n|");
}

TEST_F(ProgramTest, ErrorsAreLinesOrOneObject) {
  EXPECT_EQ(Run({"say", "--text=fail"}), "69 |sayer: error: no voice\n");
  EXPECT_EQ(Run({"say", "--text=usage"}),
            "64 |sayer: error: cannot say that\n");
  EXPECT_EQ(Run({"say", "--json", "--no"}),
            "64 {\n  \"schema_version\": 1,\n  \"ok\": false,\n  \"error\": {\n"
            "    \"code\": 64,\n    \"message\": \"unknown flag --no\",\n"
            "    \"hint\": \"sayer say --help lists what it takes\"\n  }\n}\n"
            "|");
}

TEST_F(ProgramTest, HelpOfTheProgramListsItsVerbs) {
  const std::string help =
      R"(Says what it is told.

Usage:
  sayer VERB [OPTIONS]
  sayer VERB --help

Verbs:
  say                             say a text
  say twice                       say it again

Common options:
  --json                          one JSON object on stdout
  -q, --quiet                     no progress and no notes
  --color auto|always|never       colour the answer (auto)
  --dry-run                       change nothing
  --task TASK                     the task, when the branch does not tell
  -C DIR                          run as if started there
  -h, --help                      print this help
  --version                       print the version

Exit codes: 0 never, 1 said.

Example:
  sayer say --text hello
)";
  EXPECT_EQ(Run({"--help"}), "0 " + help + "|");
  EXPECT_EQ(Run({"help"}), "0 " + help + "|");
  EXPECT_EQ(Run({}), "64 |" + help);
  EXPECT_EQ(Run({"--quiet"}), "64 |" + help);
}

TEST_F(ProgramTest, HelpOfAVerbListsItsOptions) {
  const std::string help = Run({"say", "twice", "--help"});
  EXPECT_THAT(help, StartsWith(R"(0 Says it
again.

Usage: sayer say twice [OPTIONS] [WORD...]

Options:
  --text TEXT                     what to say

Arguments:
  WORD...                         more to say

Common options:
  --json )"));
  EXPECT_THAT(help, HasSubstr("\nExample:\n  sayer say twice x\n|"));
  EXPECT_EQ(Run({"help", "say", "twice"}), help);
  // Whatever else is wrong.
  EXPECT_EQ(Run({"say", "twice", "--no", "-h"}), help);
  EXPECT_THAT(Run({"say"}), Not(StartsWith("0")));
}

TEST_F(ProgramTest, VersionIsTheProjects) {
  EXPECT_THAT(Run({"--version"}), StartsWith("0 sayer "));
  EXPECT_THAT(Run({"say", "--version"}), StartsWith("0 sayer "));
}

// What a shell is answered for `words`, the last one at the cursor.
class CompleteTest : public ProgramTest {
 protected:
  CompleteTest() {
    program_.candidates = [](const std::string& kind, CommandLine& line,
                             const Invocation& invocation) {
      std::vector<std::string> words;
      if (kind == "TEXT") {
        words = {std::string(invocation.verb) + "-one",
                 line.Find("--task")->value + "-two"};
      }
      return words;
    };
  }

  std::string Answer(const std::vector<std::string>& words) {
    std::ostringstream out;
    Terminal terminal{.out = out, .err = out};
    const ProgramWorld world = {files_, *processes_, clock_, *entropy_, {}};
    return Complete(program_, words, world, terminal);
  }
};

TEST_F(CompleteTest, OffersVerbsAndTheirFurtherWords) {
  EXPECT_EQ(Answer({"s"}), "words\nsay\tsay a text\n");
  EXPECT_EQ(Answer({"w"}), "words\n");
  EXPECT_EQ(Answer({"help", "sa"}), "words\nsay\tsay a text\n");
  EXPECT_EQ(Answer({"-q", "sa"}), "words\nsay\tsay a text\n");
  EXPECT_EQ(Answer({"say", "tw"}), "words\ntwice\tsay it again\n");
  EXPECT_EQ(Answer({"nothing", ""}), "words\n");
}

TEST_F(CompleteTest, OffersFlagsThatMayFollow) {
  EXPECT_EQ(Answer({"say", "--t"}),
            "words\n--text\twhat to say\n"
            "--task\tthe task, when the branch does not tell\n");
  EXPECT_EQ(Answer({"say", "--text", "a", "--te"}), "words\n");
  EXPECT_EQ(Answer({"say", "--", "--te"}), "words\n");
}

TEST_F(CompleteTest, OffersValuesBehindAFlagAndBehindItsEqualsSign) {
  EXPECT_EQ(Answer({"say", "--color", "a"}), "words\nauto\t\nalways\t\n");
  EXPECT_EQ(Answer({"say", "--color=n"}), "words\n--color=never\t\n");
  EXPECT_EQ(Answer({"say", "-C", ""}), "folders\n");
  EXPECT_EQ(Answer({"say", "--task", "t", "--text", ""}),
            "words\nsay-one\t\nt-two\t\n");
  EXPECT_EQ(Answer({"say", "twice", "--text=say t"}),
            "words\n--text=say twice-one\t\n");
}

TEST_F(CompleteTest, EveryProgramHasTheVerbsOfShells) {
  AddShellVerbs(&Sayer, program_);
  EXPECT_EQ(Run({"complete", "--", "say", "--color=n"}),
            "0 words\n--color=never\t\n|");
  EXPECT_THAT(Run({"completion", "bash"}),
              StartsWith("0 # bash completion of sayer\n_sayer() {\n"));
  EXPECT_THAT(Run({"completion", "fish"}),
              HasSubstr("complete -c sayer -f -k -a '(__sayer_complete)'"));
  EXPECT_EQ(Run({"completion", "csh"}),
            "64 |sayer: error: bash|zsh|fish: expected bash, zsh or fish, got "
            "\"csh\"; did you mean zsh?\n");
}

TEST_F(ProgramTest, ManualPageSaysWhatHelpSays) {
  program_.example = ".'say' --text \\n";
  const std::string page = ManualPage(program_);
  EXPECT_THAT(page, HasSubstr(".SH NAME\nsayer \\- Says what it is told\n"));
  EXPECT_THAT(page, HasSubstr(".SS say twice\nSays it again.\n.PP\n"));
  EXPECT_THAT(page,
              HasSubstr(".TP\n\\fB\\-\\-text\\fR \\fITEXT\\fR\nwhat to say\n"));
  EXPECT_THAT(page, testing::Not(HasSubstr("whisper")));
  EXPECT_THAT(page, HasSubstr("\\&.\\(aqsay\\(aq \\-\\-text \\en\n"));
}

}  // namespace
}  // namespace autotune
