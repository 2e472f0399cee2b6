// `doctor --implementer`: fakes of the agents that recipes are for, each with
// what is documented of it, stand on PATH under the agents' names.

#include <sys/stat.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// What an agent does with the task it is given, once it has read it as it does:
// $prompt holds it.
constexpr char kWork[] = R"(
case $prompt in *'change the number 41 to 42'*) ;; *) exit 8 ;; esac
put() { sed -i s/41/42/ src/answer.h; }
commit() { git -c user.name=a -c user.email=a@b commit -qam work; }
)";

class ImplementerTest : public AutotuneFixture {
 protected:
  void Fake(const std::string& name, const std::string& read,
            const std::string& act) {
    Write("../bin/" + name, absl::StrCat("#!/bin/sh\n", read, kWork, act));
    ASSERT_EQ(chmod((repository() + "/../bin/" + name).c_str(), 0755), 0);
  }

  Answer Doctor(const std::string& name, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"doctor", "--implementer", name});
    return RunProgram(
        more, {{"PATH",
                absl::StrCat(repository(), "/../bin:", environment()["PATH"])},
               {"CLAUDECODE", "1"}});
  }
};

// Refuses to start inside itself; an object with the cost at its end.
TEST_F(ImplementerTest, ClaudeStartsThoughWeAreInsideIt) {
  Fake("claude", "[ -z \"$CLAUDECODE\" ] || exit 1\nprompt=$(cat)\n",
       "put; commit\necho '{\"subtype\": \"success\", \"is_error\": false, "
       "\"total_cost_usd\": 0.25, \"usage\": {\"input_tokens\": 700, "
       "\"output_tokens\": 42}}'\n");
  const Answer answer = Doctor("claude");
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(
      answer.out,
      AllOf(HasSubstr(
                "ok    implementer claude: its change arrived, committed\n"),
            HasSubstr("ok    implementer claude: it ended with 0 after "),
            HasSubstr("ok    implementer claude: its cost was read: 0.25 USD, "
                      "742 tokens\n"),
            HasSubstr("note  known of claude: a denied tool is no failure: it "
                      "ends with 0 and an empty diff\n")));
}

TEST_F(ImplementerTest, ADeniedToolIsSeenThoughItEndsWith0) {
  Fake("claude", "prompt=$(cat)\n",
       "echo '{\"result\": \"I was not allowed to edit.\"}'\n");
  const Answer answer = Doctor("claude");
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(
      answer.out,
      AllOf(HasSubstr("fix   implementer claude: no change arrived, though it "
                      "ended with 0\n        a denied tool is no failure to "
                      "it; it said: {\"result\": \"I was not allowed to "
                      "edit.\"}\n"),
            HasSubstr("note  implementer claude: its cost was not where its "
                      "recipe says\n        --max-usd and --max-tokens of the "
                      "loop have nothing to hold; use --for or --attempts\n")));
}

// Its sandbox has the git folder of a linked worktree read-only; JSON lines.
TEST_F(ImplementerTest, CodexLeavesItsChangeUncommitted) {
  Fake("codex",
       "for last; do :; done\n[ \"$last\" = - ] || exit 7\nprompt=$(cat)\n",
       "put\necho '{\"type\": \"turn.started\"}'\necho '{\"type\": "
       "\"turn.completed\", \"usage\": {\"input_tokens\": 5, "
       "\"output_tokens\": 6}}'\n");
  const Answer answer = Doctor("codex");
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(
      answer.out,
      AllOf(HasSubstr("note  implementer codex: its change arrived, but "
                      "is not committed on its branch\n"),
            HasSubstr("its cost was read: 11 tokens\n")));
}

// In a folder it does not trust edits are denied, and it ends with 0.
TEST_F(ImplementerTest, GeminiInAnUntrustedFolder) {
  const std::string read = "prompt=$(cat)\n";
  Fake("gemini", read, "echo '{\"response\": \"denied\", \"stats\": {}}'\n");
  EXPECT_THAT(
      Doctor("gemini").out,
      HasSubstr("fix   implementer gemini: no change arrived, though it "
                "ended with 0\n"));
  Fake("gemini", read,
       "put; commit\necho '{\"stats\": {\"models\": {\"pro\": {\"tokens\": "
       "{\"total\": 30}}, \"flash\": {\"tokens\": {\"total\": 4}}}}}'\n"
       "exit 53\n");
  const Answer answer = Doctor("gemini");
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(
      answer.out,
      AllOf(HasSubstr("note  implementer gemini: it ended with 53 after "),
            HasSubstr("\n        its exit code proves nothing: its change "
                      "does\n"),
            HasSubstr("gemini: its cost was read: 34 tokens\n")));
}

TEST_F(ImplementerTest, CopilotGetsThePromptAsAnArgument) {
  Fake("copilot",
       "[ \"$1\" = -p ] || exit 7\nprompt=$2\n[ -z \"$(cat)\" ] || exit 7\n",
       "put; commit\n");
  EXPECT_THAT(
      Doctor("copilot").out,
      AllOf(
          HasSubstr("ok    implementer copilot: its change arrived, "
                    "committed\n"),
          HasSubstr("note  implementer copilot: its recipe tells no cost\n")));
}

// It may leave a server behind: nothing waits for it, and it is gone. Each step
// tells its own cost.
TEST_F(ImplementerTest, OpencodeLeavesAServer) {
  Fake("opencode", "for last; do :; done\nprompt=$last\n",
       "put; commit\nsetsid sleep 100 &\necho $! > \"$HOME/server\"\n"
       "for cost in 0.5 0.25; do\n  echo '{\"type\": \"step_finish\", "
       "\"part\": {\"cost\": '$cost', \"tokens\": {\"input\": 10, "
       "\"output\": 2, \"reasoning\": 1}}}'\ndone\n");
  EXPECT_THAT(
      Doctor("opencode").out,
      AllOf(HasSubstr("ok    implementer opencode: its change arrived, "
                      "committed\n"),
            HasSubstr("opencode: its cost was read: 0.75 USD, 26 tokens\n")));
  const std::string server = Read("../home/server");
  ASSERT_NE(server, "(missing)");
  EXPECT_THAT(Read("/proc/" + server.substr(0, server.size() - 1) + "/comm"),
              testing::AnyOf("(missing)", Not("sleep\n")));
}

TEST_F(ImplementerTest, AiderLeavesFiles) {
  Fake("aider", "[ \"$1\" = --message-file ] || exit 7\nprompt=$(cat \"$2\")\n",
       "put\necho x > .aider.chat.history.md\necho '.aider*' > .gitignore\n");
  EXPECT_THAT(
      Doctor("aider").out,
      AllOf(HasSubstr("its change arrived, but is not committed"),
            HasSubstr("note  implementer aider: it touched or left other "
                      "files: .aider.chat.history.md, .gitignore\n")));
}

TEST_F(ImplementerTest, AScriptOfOnesOwn) {
  Fake("own", "prompt=$(cat)\n",
       "put; commit; git switch -q --detach\n"
       "git config core.hooksPath /tmp\n");
  const std::string path = repository() + "/../bin/own";
  const Answer answer = Doctor(CommandText({path}));
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.out,
              AllOf(HasSubstr(": its change arrived, committed\n"),
                    HasSubstr(": it left the branch it was given\n"),
                    HasSubstr(": it changed the repository's git config\n")));
  // The user's repository has no part in it.
  EXPECT_EQ(GitLine({"worktree", "list", "--porcelain"}).find("doctor-"),
            std::string::npos);
  EXPECT_EQ(Git({"branch", "--list", "trial"}), "");
}

// Waits for a permission that nobody gives.
TEST_F(ImplementerTest, OneThatNeverEndsIsEnded) {
  Fake("claude", "prompt=$(cat)\n", "exec sleep 100\n");
  const Answer answer = Doctor("claude", {"--timeout", "1s"});
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.out,
              HasSubstr("fix   implementer claude: it did not end within 1s "
                        "and was ended\n        it may wait for input or a "
                        "permission: see its traps\n"));
}

TEST_F(ImplementerTest, OneThatIsNotThereIsNamed) {
  const Answer answer = Doctor("codex");
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.out, HasSubstr("fix   implementer codex: "));
  EXPECT_EQ(Run({"doctor", "--timeout", "1s"}).err,
            "autotune: error: doctor: --timeout is that of --implementer, "
            "which is missing\n");
  EXPECT_THAT(Doctor("claud").err,
              HasSubstr("no recipe is called \"claud\"; did you mean claude?"));
  EXPECT_THAT(
      files().ListDirectory(state()).value_or(std::vector<std::string>()),
      Not(testing::Contains(HasSubstr("doctor-"))));
}

}  // namespace
}  // namespace autotune
