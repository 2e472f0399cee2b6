// Hooks, settings, identities, filters and variables of git as people have
// them: none steers or stops a task, and what must stop it is said.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/user_git_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class GitSettingsTest : public UserGitFixture {
 protected:
  void WriteHook(const std::string& name, const std::string& script) {
    Write(".git/hooks/" + name, "#!/bin/sh\n" + script + "\n");
    ProcessSpec spec;
    spec.argv = {"chmod", "+x", repository() + "/.git/hooks/" + name};
    ASSERT_OK(MakePosixProcessRunner()->Run(spec));
  }
};

TEST_F(GitSettingsTest, HooksNeitherRunNorStopAnything) {
  const std::string witness = state() + "-hook";
  for (const char* hook :
       {"pre-commit", "commit-msg", "post-commit", "pre-merge-commit",
        "post-merge", "post-checkout", "reference-transaction",
        "prepare-commit-msg", "post-rewrite", "pre-auto-gc"}) {
    WriteHook(hook, absl::StrCat("touch \"", witness, "\"; exit 1"));
  }
  ProcessSpec own;
  own.argv = {"git", "commit", "-q", "--allow-empty", "-m", "x"};
  own.working_directory = repository();
  EXPECT_FALSE(MakePosixProcessRunner()->Run(own)->succeeded());
  ASSERT_TRUE(files().Exists(witness));
  ASSERT_OK(files().RemoveAll(witness));
  InitTask();
  // A commit in the worktree would run them too.
  const std::string worktree = StartAttempt("less");
  ASSERT_OK(files().WriteFile(worktree + "/src/knob.txt", "300\n"));
  GitIn(worktree,
        {"-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "less"});
  EXPECT_EQ(Run({"decide", "less"}).exit_code, 0);
  EXPECT_EQ(Run({"revert", "less"}).exit_code, 0);
  EXPECT_FALSE(files().Exists(witness));
  ExpectSound();
}

TEST_F(GitSettingsTest, HooksThatEditFilesDoNotEditOurs) {
  const std::string hooks = state() + "-hooks";
  ASSERT_OK(files().MakeDirectories(hooks));
  for (const char* hook :
       {"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit",
        "post-checkout", "post-merge", "pre-merge-commit", "post-rewrite",
        "reference-transaction"}) {
    const std::string path = JoinPath(hooks, hook);
    ASSERT_OK(files().WriteFile(
        path,
        "#!/bin/sh\necho edited >> src/code.cc\necho new >> src/hook.txt\n"
        "case $1 in *MSG) echo edited > \"$1\";; esac\n"));
    ASSERT_EQ(RunCommand("/", {"chmod", "+x", path}), 0);
  }
  Git({"config", "core.hooksPath", hooks});
  Cycle(repository());
}

// What a hook left behind belongs to the attempt, and is said.
TEST_F(GitSettingsTest, EditsThatAHookLeftUncommittedAreCommitted) {
  MustRun(repository(), InitSources());
  MustRun(repository(), {"start", "less", "--hypothesis", "x"});
  const std::string tree = worktree();
  Write(".git/hooks/pre-commit",
        "#!/bin/sh\necho '// formatted' >> src/code.cc\n");
  ASSERT_EQ(RunCommand(repository(), {"chmod", "+x", ".git/hooks/pre-commit"}),
            0);
  ASSERT_OK(files().WriteFile(tree + "/src/code.cc", "int Code();\n"));
  GitIn(tree, {"commit", "-q", "-a", "-m", "less"});
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_THAT(answer.err,
              HasSubstr("committed what less left uncommitted: src/code.cc"));
  EXPECT_EQ(Rows(), 1);
}

TEST_F(GitSettingsTest, SigningWithoutAKeyDoesNotStopAnything) {
  Git({"config", "commit.gpgsign", "true"});
  Git({"config", "user.signingkey", "NOKEY"});
  Git({"config", "gpg.program", "false"});
  InitTask();
  StartAttempt("x");
  EXPECT_EQ(Run({"decide", "x"}).exit_code, 1);
}

TEST_F(GitSettingsTest, MissingIdentityIsSaidBeforeAnythingIsWritten) {
  InitTask();
  Git({"config", "--unset", "user.name"});
  Git({"config", "--unset", "user.email"});
  Git({"config", "user.useConfigOnly", "true"});
  const std::string refs = Git({"for-each-ref"});
  std::vector<std::vector<std::string>> verbs = {
      {"start", "x", "--hypothesis", "y"}, {"log", "x"}, {"baseline"}};
  verbs.push_back(InitArguments("other"));
  for (const std::vector<std::string>& verb : verbs) {
    // A process of its own: its home holds no configuration of git.
    const Answer answer = RunProgram(verb, {{"GIT_CONFIG_NOSYSTEM", "1"}});
    EXPECT_EQ(answer.exit_code, 69) << verb[0];
    EXPECT_THAT(answer.err, HasSubstr("git config")) << verb[0];
  }
  EXPECT_EQ(Git({"for-each-ref"}), refs);
}

// Settings that change what git prints, asks, signs, starts or refuses.
TEST_F(GitSettingsTest, SettingsOfTheUserDoNotSteerOurs) {
  const std::vector<std::pair<std::string, std::string>> settings = {
      {"merge.ff", "only"},
      {"merge.autostash", "true"},
      {"merge.verifySignatures", "true"},
      {"merge.conflictStyle", "diff3"},
      {"merge.renames", "false"},
      {"merge.log", "true"},
      {"pull.rebase", "true"},
      {"rebase.autostash", "true"},
      {"rebase.autosquash", "true"},
      {"commit.gpgsign", "true"},
      {"tag.gpgsign", "true"},
      {"gpg.format", "ssh"},
      {"gpg.program", "false"},
      {"log.showSignature", "true"},
      {"commit.template", "/nowhere/at/all"},
      {"commit.cleanup", "scissors"},
      {"commit.verbose", "true"},
      {"core.editor", "false"},
      {"sequence.editor", "false"},
      {"core.pager", "false"},
      {"core.askPass", "false"},
      {"core.abbrev", "4"},
      {"core.quotePath", "true"},
      {"core.commentChar", "*"},
      {"core.logAllRefUpdates", "false"},
      {"core.splitIndex", "true"},
      {"core.untrackedCache", "true"},
      {"core.fsmonitor", "/nowhere/at/all"},
      {"core.preferSymlinkRefs", "false"},
      {"core.fsyncMethod", "writeout-only"},
      {"core.excludesFile", "/nowhere/at/all"},
      {"feature.manyFiles", "true"},
      {"index.version", "4"},
      {"index.threads", "true"},
      {"color.ui", "always"},
      {"color.branch", "always"},
      {"column.ui", "always"},
      {"diff.external", "false"},
      {"diff.noprefix", "true"},
      {"diff.mnemonicPrefix", "true"},
      {"diff.renames", "copies"},
      {"diff.orderFile", "/dev/null"},
      {"diff.ignoreSubmodules", "all"},
      {"diff.wsErrorHighlight", "all"},
      {"status.short", "true"},
      {"status.branch", "true"},
      {"status.showStash", "true"},
      {"status.showUntrackedFiles", "no"},
      {"status.relativePaths", "false"},
      {"log.date", "human"},
      {"log.decorate", "full"},
      {"log.follow", "true"},
      {"log.abbrevCommit", "true"},
      {"format.pretty", "oneline"},
      {"i18n.commitEncoding", "ISO-8859-1"},
      {"i18n.logOutputEncoding", "ISO-8859-1"},
      {"grep.lineNumber", "true"},
      {"rerere.enabled", "true"},
      {"rerere.autoUpdate", "true"},
      {"submodule.recurse", "true"},
      {"transfer.fsckObjects", "true"},
      {"checkout.defaultRemote", "nowhere"},
      {"checkout.guess", "false"},
      {"worktree.guessRemote", "true"},
      {"branch.autoSetupMerge", "always"},
      {"branch.autoSetupRebase", "always"},
      {"push.default", "matching"},
      {"gc.auto", "1"},
      {"maintenance.auto", "true"},
      {"receive.denyCurrentBranch", "refuse"},
      {"safe.bareRepository", "explicit"},
      {"help.autoCorrect", "immediate"},
      {"alias.merge-tree", "!false"},
      {"blame.ignoreRevsFile", "/nowhere/at/all"}};
  for (const auto& [key, value] : settings) Git({"config", key, value});
  Cycle(repository());
}

// Variables that would lead git to another repository, index or identity, as
// in a hook or in `git rebase --exec`.
TEST_F(GitSettingsTest, VariablesThatPointGitElsewhereAreNotFollowed) {
  const std::string other = state() + "-other";
  Git({"init", "-q", "-b", "trap", other});
  const std::map<std::string, std::string> trap = {
      {"GIT_DIR", other + "/.git"},
      {"GIT_WORK_TREE", other},
      {"GIT_INDEX_FILE", other + "/.git/trap-index"},
      {"GIT_OBJECT_DIRECTORY", other + "/.git/objects"},
      {"GIT_COMMON_DIR", other + "/.git"},
      {"GIT_NAMESPACE", "trap"},
      {"GIT_CEILING_DIRECTORIES", repository()},
      {"GIT_DEFAULT_HASH", "sha256"},
      {"GIT_CONFIG_COUNT", "1"},
      {"GIT_CONFIG_KEY_0", "core.bare"},
      {"GIT_CONFIG_VALUE_0", "true"},
      {"GIT_CONFIG_PARAMETERS", "'core.bare'='true'"},
      {"GIT_EDITOR", "false"},
      {"GIT_PAGER", "false"},
      {"GIT_EXTERNAL_DIFF", "false"},
      {"GIT_PREFIX", "nowhere/"},
      {"GIT_QUARANTINE_PATH", other},
      {"GIT_LITERAL_PATHSPECS", "0"},
      {"GIT_ICASE_PATHSPECS", "1"},
      {"GIT_AUTHOR_DATE", "nonsense"},
      {"GIT_TRACE", "1"},
      {"LC_ALL", "de_DE.UTF-8"},
      {"LANGUAGE", "de"}};
  const auto must = [&](const std::vector<std::string>& arguments, int code) {
    const Answer answer = RunProgram(arguments, trap);
    EXPECT_EQ(answer.exit_code, code)
        << arguments[0] << answer.out << answer.err;
  };
  const std::string before = StateOf(repository());
  must(InitSources(), 0);
  must({"start", "x", "--hypothesis", "y"}, 0);
  must({"decide", "x"}, 1);
  must({"audit"}, 0);
  EXPECT_EQ(StateOf(repository()), before);
  EXPECT_FALSE(files().Exists(other + "/.git/trap-index"));
  EXPECT_EQ(GitIn(other, {"for-each-ref"}), "");
  EXPECT_EQ(GitIn(other, {"count-objects"}), "0 objects, 0 kilobytes\n");
  ExpectSound();
}

TEST_F(GitSettingsTest, LineEndsAreConvertedInWorktreesOnly) {
  Git({"config", "core.autocrlf", "true"});
  Write(".gitattributes", "*.txt text\n*.cc text eol=crlf\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "attributes"});
  Cycle(repository());
}

TEST_F(GitSettingsTest, SymlinksAndModesThatGitIsToldToIgnoreWork) {
  ASSERT_EQ(RunCommand(repository(), {"ln", "-s", "knob.txt", "src/link"}), 0);
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "link"});
  Git({"config", "core.fileMode", "false"});
  Git({"config", "core.symlinks", "false"});
  ASSERT_EQ(RunCommand(repository(), {"chmod", "+x", "src/knob.txt"}), 0);
  Cycle(repository());
}

// A filter that has to run and cannot: git-lfs set up but not installed.
TEST_F(GitSettingsTest, FilterThatIsMissingIsSaidByItsName) {
  Write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  Write("src/data.bin", "bytes\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "data"});
  Git({"config", "filter.lfs.smudge", "git-lfs-nowhere smudge -- %f"});
  Git({"config", "filter.lfs.clean", "git-lfs-nowhere clean -- %f"});
  Git({"config", "filter.lfs.required", "true"});
  const std::string before = StateOf(repository());
  const Answer answer = Run(InitSources());
  EXPECT_EQ(answer.exit_code, 69) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("git-lfs-nowhere"));
  EXPECT_EQ(StateOf(repository()), before);
  EXPECT_EQ(Git({"for-each-ref", "refs/heads/autotune"}), "");
}

// A pointer is not the file: what is measured would not be what is shipped.
TEST_F(GitSettingsTest, LfsPointersAreSaid) {
  Write("src/data.bin",
        "version https://git-lfs.github.com/spec/v1\noid sha256:"
        "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
        "size 12345\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "data"});
  const Answer answer = Run(InitArguments("knob"));
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("src/data.bin: is a Git LFS pointer"));
}

}  // namespace
}  // namespace autotune
