// Repositories, settings and environments as people have them: a task from
// beginning to end in each, and nothing of the user's is touched.

#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/sha256.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class HostileGitTest : public AutotuneFixture {
 protected:
  // Runs a program that may fail; its exit code.
  int RunCommand(const std::string& directory,
                 const std::vector<std::string>& argv) {
    ProcessSpec spec;
    spec.argv = argv;
    spec.working_directory = directory;
    spec.environment = {{"HOME", environment()["HOME"]}};
    const auto result = MakePosixProcessRunner()->Run(spec);
    EXPECT_OK(result);
    return result.ok() ? result->exit_code : -1;
  }

  void SetIdentity(const std::string& directory) {
    GitIn(directory, {"config", "user.name", "A User"});
    GitIn(directory, {"config", "user.email", "user@example.org"});
  }

  // Everything of the user's in the checkout at `directory`: HEAD, branches
  // that are not ours, stash, the index's bytes, settings, and every file.
  std::string StateOf(const std::string& directory) {
    const auto line = [&](const std::vector<std::string>& arguments) {
      return std::string(absl::StripSuffix(GitIn(directory, arguments), "\n"));
    };
    std::string text = line({"rev-parse", "HEAD", "--symbolic-full-name"});
    for (absl::string_view ref : absl::StrSplit(line({"for-each-ref"}), '\n')) {
      if (!absl::StrContains(ref, "autotune")) absl::StrAppend(&text, ref, ";");
    }
    for (const char* name : {"index", "config", "config.worktree", "HEAD"}) {
      const std::string path =
          line({"rev-parse", "--path-format=absolute", "--git-path", name});
      absl::StrAppend(&text, "\n", name, " ",
                      Sha256Hex(files().ReadFile(path).value_or("(missing)")));
    }
    const std::string names =
        GitIn(directory, {"ls-files", "-z", "--cached", "--others"});
    for (absl::string_view name : absl::StrSplit(names, '\0')) {
      const std::string path = JoinPath(directory, std::string(name));
      absl::StrAppend(&text, "\n", name, " ",
                      Sha256Hex(files().ReadFile(path).value_or("(none)")));
    }
    return text;
  }

  std::vector<std::string> InitArguments() {
    std::vector<std::string> arguments = AutotuneFixture::InitArguments("knob");
    arguments.insert(arguments.end(), {"--edit", "src/**"});
    return arguments;
  }

  void MustRun(const std::string& directory,
               const std::vector<std::string>& arguments, int exit_code = 0) {
    const Answer answer = RunIn(directory, arguments);
    EXPECT_EQ(answer.exit_code, exit_code)
        << arguments[0] << ": " << answer.out << answer.err;
    worktree_.clear();
    for (absl::string_view line : absl::StrSplit(answer.out, '\n')) {
      if (absl::ConsumePrefix(&line, "  worktree: ")) {
        worktree_ = std::string(line);
      }
    }
  }

  // start, and a commit of `text` in its worktree.
  void Attempt(const std::string& directory, const std::string& approach,
               const std::string& path, const std::string& text) {
    MustRun(directory, {"start", approach, "--hypothesis", "less work"});
    ASSERT_FALSE(worktree_.empty());
    EXPECT_EQ(GitIn(worktree_, {"status", "--porcelain"}), "");
    ASSERT_OK(files().WriteFile(JoinPath(worktree_, path), text));
    GitIn(worktree_,
          {"-c", "core.hooksPath=/dev/null", "-c", "commit.gpgsign=false",
           "commit", "-q", "-a", "-m", approach});
  }

  // init, an attempt that is kept, one that is measured to be no change, a
  // revert, an audit; the user's things are as before.
  void Cycle(const std::string& directory) {
    const std::string before = StateOf(directory);
    MustRun(directory, InitArguments());
    Attempt(directory, "less", "src/knob.txt", "300\n");
    MustRun(directory, {"record", "less", "--claim", "keep"});
    Attempt(directory, "same", "src/code.cc", "int Code() { return 2; }\n");
    MustRun(directory, {"decide", "same"}, 1);
    EXPECT_EQ(
        GitIn(directory, {"show", absl::StrCat(kBranch, ":src/knob.txt")}),
        "300\n");
    MustRun(directory, {"revert", "less"});
    MustRun(directory, {"audit"});
    EXPECT_EQ(
        GitIn(directory, {"show", absl::StrCat(kBranch, ":src/knob.txt")}),
        "900\n");
    EXPECT_EQ(StateOf(directory), before);
    EXPECT_EQ(GitIn(directory,
                    {"fsck", "--strict", "--no-dangling", "--no-progress"}),
              "");
  }

  const std::string& worktree() const { return worktree_; }

 private:
  std::string worktree_;
};

TEST_F(HostileGitTest, HooksThatEditFilesDoNotEditOurs) {
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

// The attempt is what its commits say: what a hook left behind is said.
TEST_F(HostileGitTest, EditsThatAHookLeftUncommittedAreSaid) {
  MustRun(repository(), InitArguments());
  MustRun(repository(), {"start", "less", "--hypothesis", "x"});
  const std::string tree = worktree();
  Write(".git/hooks/pre-commit",
        "#!/bin/sh\necho '// formatted' >> src/code.cc\n");
  ASSERT_EQ(RunCommand(repository(), {"chmod", "+x", ".git/hooks/pre-commit"}),
            0);
  ASSERT_OK(files().WriteFile(tree + "/src/code.cc", "int Code();\n"));
  GitIn(tree, {"commit", "-q", "-a", "-m", "less"});
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 69) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("src/code.cc"));
  EXPECT_EQ(Rows(), 0);
  GitIn(tree, {"checkout", "-q", "src/code.cc"});
  EXPECT_EQ(Run({"decide", "less"}).exit_code, 1);
}

// Settings that change what git prints, asks, signs, starts or refuses.
TEST_F(HostileGitTest, SettingsOfTheUserDoNotSteerOurs) {
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

TEST_F(HostileGitTest, LineEndsAreConvertedInWorktreesOnly) {
  Git({"config", "core.autocrlf", "true"});
  Write(".gitattributes", "*.txt text\n*.cc text eol=crlf\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "attributes"});
  Cycle(repository());
}

TEST_F(HostileGitTest, SymlinksAndModesThatGitIsToldToIgnoreWork) {
  ASSERT_EQ(RunCommand(repository(), {"ln", "-s", "knob.txt", "src/link"}), 0);
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "link"});
  Git({"config", "core.fileMode", "false"});
  Git({"config", "core.symlinks", "false"});
  ASSERT_EQ(RunCommand(repository(), {"chmod", "+x", "src/knob.txt"}), 0);
  Cycle(repository());
}

// A filter that has to run and cannot: git-lfs set up but not installed.
TEST_F(HostileGitTest, FilterThatIsMissingIsSaidByItsName) {
  Write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  Write("src/data.bin", "bytes\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "data"});
  Git({"config", "filter.lfs.smudge", "git-lfs-nowhere smudge -- %f"});
  Git({"config", "filter.lfs.clean", "git-lfs-nowhere clean -- %f"});
  Git({"config", "filter.lfs.required", "true"});
  const std::string before = StateOf(repository());
  const Answer answer = Run(InitArguments());
  EXPECT_EQ(answer.exit_code, 69) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("git-lfs-nowhere"));
  EXPECT_EQ(StateOf(repository()), before);
  EXPECT_EQ(Git({"for-each-ref", "refs/heads/autotune"}), "");
}

TEST_F(HostileGitTest, PathsOfTheRepositoryMayHoldAnything) {
  const std::string odd =
      absl::StrCat(state(), "-it's \"odd\" \\ $(touch x) caf\xC3\xA9 ; #%");
  Git({"clone", "-q", repository(), odd});
  SetIdentity(odd);
  Cycle(odd);
  Cycle(repository());
}

TEST_F(HostileGitTest, NewlineInTheRepositorysPathWorksOrIsRefusedBeforehand) {
  const std::string odd = absl::StrCat(state(), "-two\nlines");
  Git({"clone", "-q", repository(), odd});
  SetIdentity(odd);
  const std::string before = StateOf(odd);
  const Answer answer = RunIn(odd, InitArguments());
  if (answer.exit_code == 0) {
    MustRun(odd, {"start", "x", "--hypothesis", "y"});
    MustRun(odd, {"decide", "x"}, 1);
    MustRun(odd, {"audit"});
  } else {
    EXPECT_EQ(answer.exit_code, 69) << answer.err;
    EXPECT_EQ(GitIn(odd, {"for-each-ref", "refs/heads/autotune"}), "");
  }
  EXPECT_EQ(StateOf(odd), before);
}

TEST_F(HostileGitTest, WorktreeOfAWorktreeWorks) {
  const std::string first = state() + "-first";
  const std::string second = JoinPath(first, "second");
  Git({"worktree", "add", "-q", "-b", "one", first});
  GitIn(first, {"worktree", "add", "-q", "-b", "two", second});
  Cycle(second);
}

TEST_F(HostileGitTest, BareRepositoryWithWorktreesWorks) {
  const std::string bare = state() + "-bare.git";
  const std::string tree = state() + "-tree";
  Git({"clone", "-q", "--bare", repository(), bare});
  SetIdentity(bare);
  GitIn(bare, {"worktree", "add", "-q", tree, "main"});
  Cycle(tree);
}

TEST_F(HostileGitTest, SettingsOfEachWorktreeAndCoreWorktreeWork) {
  const std::string linked = state() + "-linked";
  Git({"config", "extensions.worktreeConfig", "true"});
  Git({"worktree", "add", "-q", "-b", "mine", linked});
  GitIn(linked, {"config", "--worktree", "core.sparseCheckout", "true"});
  GitIn(linked, {"sparse-checkout", "set", "src"});
  Cycle(linked);
}

TEST_F(HostileGitTest, GitFolderElsewhereWorks) {
  const std::string git_dir = state() + "-git";
  const std::string tree = state() + "-checkout";
  Git({"clone", "-q", "--separate-git-dir", git_dir, repository(), tree});
  SetIdentity(tree);
  GitIn(tree, {"config", "core.worktree", tree});
  Cycle(tree);
}

TEST_F(HostileGitTest, SymlinkToTheRepositoryWorks) {
  const std::string link = state() + "-link";
  ASSERT_EQ(RunCommand("/", {"ln", "-s", repository(), link}), 0);
  Cycle(link);
}

TEST_F(HostileGitTest, FolderInsideTheCheckoutWorks) {
  const std::string before = StateOf(repository());
  MustRun(JoinPath(repository(), "src"), InitArguments());
  MustRun(JoinPath(repository(), "bench"), {"start", "x", "--hypothesis", "y"});
  MustRun(JoinPath(repository(), "src"), {"decide", "x"}, 1);
  EXPECT_EQ(StateOf(repository()), before);
}

// Variables that would lead git to another repository, index or identity, as
// in a hook or in `git rebase --exec`.
TEST_F(HostileGitTest, VariablesThatPointGitElsewhereAreNotFollowed) {
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
  must(InitArguments(), 0);
  must({"start", "x", "--hypothesis", "y"}, 0);
  must({"decide", "x"}, 1);
  must({"audit"}, 0);
  EXPECT_EQ(StateOf(repository()), before);
  EXPECT_FALSE(files().Exists(other + "/.git/trap-index"));
  EXPECT_EQ(GitIn(other, {"for-each-ref"}), "");
  EXPECT_EQ(GitIn(other, {"count-objects"}), "0 objects, 0 kilobytes\n");
  ExpectSound();
}

TEST_F(HostileGitTest, RepositoryOfAnotherOwnerIsRefusedWithGitsAdvice) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const std::string theirs = state() + "-theirs";
  Git({"clone", "-q", repository(), theirs});
  ASSERT_EQ(RunCommand("/", {"chown", "-R", "65534:65534", theirs}), 0);
  const Answer answer = RunIn(theirs, InitArguments());
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("dubious ownership"));
}

// Whatever is half done in the user's checkout stays half done.
TEST_F(HostileGitTest, CherryPickRevertAndBisectInProgressAreSaid) {
  MustRun(repository(), InitArguments());
  Write("src/knob.txt", "700\n");
  Git({"commit", "-q", "-a", "-m", "seven"});
  Write("src/knob.txt", "800\n");
  Git({"commit", "-q", "-a", "-m", "eight"});
  struct Operation {
    std::string name;
    std::vector<std::string> begin;
    std::vector<std::string> end;
  };
  const std::vector<Operation> operations = {
      {"cherry-pick",
       {"git", "cherry-pick", "main~1", "main~2"},
       {"cherry-pick", "--abort"}},
      {"revert", {"git", "revert", "main~1"}, {"revert", "--abort"}},
      {"bisect", {"git", "bisect", "start"}, {"bisect", "reset"}}};
  for (const Operation& operation : operations) {
    RunCommand(repository(), operation.begin);
    const std::string before = StateOf(repository());
    const std::string refs = Git({"for-each-ref"});
    const Answer answer = Run({"start", "x", "--hypothesis", "y"});
    EXPECT_EQ(answer.exit_code, 69) << operation.name;
    EXPECT_THAT(answer.err,
                HasSubstr("a " + operation.name + " is in progress"));
    EXPECT_EQ(StateOf(repository()), before) << operation.name;
    EXPECT_EQ(Git({"for-each-ref"}), refs) << operation.name;
    Git(operation.end);
  }
  EXPECT_EQ(Run({"start", "x", "--hypothesis", "y"}).exit_code, 0);
}

// A replacement is seen by one clone only; what a commit's SHA says is what
// counts.
TEST_F(HostileGitTest, ReplacedObjectsAreNotLookedThrough) {
  Git({"pack-refs", "--all"});
  Git({"repack", "-q", "-a", "-d"});
  Git({"commit", "-q", "--allow-empty", "-m", "second"});
  const std::string head = GitLine({"rev-parse", "HEAD"});
  const std::string fake = GitLine(
      {"commit-tree", GitLine({"rev-parse", "HEAD:bench"}), "-m", "fake"});
  Git({"replace", head, fake});
  Cycle(repository());
}

}  // namespace
}  // namespace autotune
