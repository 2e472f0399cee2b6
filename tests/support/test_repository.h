#ifndef AUTOTUNE_TESTS_SUPPORT_TEST_REPOSITORY_H_
#define AUTOTUNE_TESTS_SUPPORT_TEST_REPOSITORY_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tools/git/repository.h"
#include "tools/system/process_runner.h"

namespace autotune {

// Keeps the machine's own git configuration out of a test: HOME is an empty
// folder and system settings are off while it lives. TestRepository has one.
class IsolatedGitConfig {
 public:
  explicit IsolatedGitConfig(const std::string& home);
  ~IsolatedGitConfig();
  IsolatedGitConfig(const IsolatedGitConfig&) = delete;
  IsolatedGitConfig& operator=(const IsolatedGitConfig&) = delete;

 private:
  std::map<std::string, std::string> before_;  // what was set
};

// A real git repository in a temporary folder whose path holds a space and a
// quote, on branch "main", with an identity and one commit of README and
// src/a.cc. Every helper aborts the test program when git fails.
class TestRepository {
 public:
  enum class Start { kWithCommit, kUnborn };
  explicit TestRepository(Start start = Start::kWithCommit);

  const std::string& top() const { return top_; }
  // A path beside the repository, for worktrees and clones.
  std::string Beside(const std::string& name) const {
    return folder_.Join(name);
  }
  std::string Home() const { return folder_.Join("home"); }
  FileSystem& files() const { return folder_.files(); }
  ProcessRunner& processes() const { return *processes_; }

  // The repository as the product sees it.
  Repository Open() const { return OpenAt(top_); }
  Repository OpenAt(const std::string& directory) const;

  // `git ARGUMENTS` in the top folder (or `directory`): stdout without its
  // final newline.
  std::string Git(const std::vector<std::string>& arguments) const;
  std::string GitIn(const std::string& directory,
                    const std::vector<std::string>& arguments) const;
  bool GitSucceeds(const std::vector<std::string>& arguments) const;

  void Write(const std::string& path, std::string_view contents) const;
  std::string Read(const std::string& path) const;
  bool Exists(const std::string& path) const;
  void Remove(const std::string& path) const;
  // An executable hook ("pre-commit") with this shell text.
  void WriteHook(const std::string& name, const std::string& script) const;

  // Adds everything and commits; returns the SHA. `directory` may be a linked
  // worktree.
  std::string Commit(const std::string& message) const;
  std::string CommitIn(const std::string& directory,
                       const std::string& message) const;
  // Writes the files on top of `parent` by plumbing and returns the commit:
  // no checkout moves.
  std::string CommitOn(const std::string& parent,
                       const std::map<std::string, std::string>& files,
                       const std::string& message = "change") const;

  // Leaves a modified, a staged, an untracked and an ignored file, a stash and
  // an executable bit behind: the state no operation of ours may change.
  void MakeDirty() const;

  // Everything of the user's that must stay as it is, as text by name: each
  // file with its mode, the index, HEAD and its log, the configuration, the
  // stash, and all refs but those under autotune names.
  std::map<std::string, std::string> UserState() const;

  // What `git fsck --strict` complains about; empty when sound.
  std::string Fsck() const;

 private:
  std::string UserRefs() const;

  TemporaryFolder folder_;
  IsolatedGitConfig config_;
  std::unique_ptr<ProcessRunner> processes_;
  std::string top_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_TEST_REPOSITORY_H_
