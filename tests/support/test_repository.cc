#include "tests/support/test_repository.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "tools/git/integration.h"
#include "tools/git/repository.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariables[] = {"HOME", "XDG_CONFIG_HOME",
                                      "GIT_CONFIG_NOSYSTEM"};

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "TestRepository: %s\n", what.c_str());
  std::abort();
}

void CheckOk(const absl::Status& status) {
  if (!status.ok()) Die(status.ToString());
}

template <typename T>
T Value(absl::StatusOr<T> result) {
  CheckOk(result.status());
  return *std::move(result);
}

std::string WithoutFinalNewline(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

ProcessSpec GitSpec(const std::string& directory,
                    const std::vector<std::string>& arguments) {
  ProcessSpec spec;
  spec.argv = {"git"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.working_directory = directory;
  spec.environment = {{"LC_ALL", "C"},
                      {"GIT_CONFIG_NOSYSTEM", "1"},
                      {"GIT_OPTIONAL_LOCKS", "0"}};
  return spec;
}

std::string Described(const fs::directory_entry& entry) {
  const auto status = entry.symlink_status();
  const std::string mode =
      std::to_string(static_cast<unsigned>(status.permissions()));
  if (fs::is_symlink(status)) {
    return "link " + fs::read_symlink(entry.path()).string();
  }
  if (fs::is_directory(status)) return "folder " + mode;
  const auto contents = MakePosixFileSystem()->ReadFile(entry.path().string());
  return mode + " " + Value(contents);
}

}  // namespace

IsolatedGitConfig::IsolatedGitConfig(const std::string& home) {
  for (const char* name : kVariables) {
    const char* const value = std::getenv(name);
    if (value != nullptr) before_[name] = value;
  }
  fs::create_directories(home);
  setenv("HOME", home.c_str(), 1);
  setenv("XDG_CONFIG_HOME", (home + "/.config").c_str(), 1);
  setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
}

IsolatedGitConfig::~IsolatedGitConfig() {
  for (const char* name : kVariables) {
    const auto value = before_.find(name);
    if (value == before_.end()) {
      unsetenv(name);
    } else {
      setenv(name, value->second.c_str(), 1);
    }
  }
}

TestRepository::TestRepository(Start start)
    : config_(folder_.Join("home")),
      processes_(MakePosixProcessRunner()),
      top_(folder_.Join("repo")) {
  GitIn(folder_.path(), {"init", "-q", "-b", "main", "repo"});
  Git({"config", "user.name", "Test Person"});
  Git({"config", "user.email", "test@example.com"});
  if (start == Start::kUnborn) return;
  Write("README", "read me\n");
  Write("src/a.cc", "int a = 1;\n");
  Commit("first");
}

Repository TestRepository::OpenAt(const std::string& directory) const {
  return Value(Repository::Open(*processes_, files(), directory));
}

std::string TestRepository::Git(
    const std::vector<std::string>& arguments) const {
  return GitIn(top_, arguments);
}

std::string TestRepository::GitIn(
    const std::string& directory,
    const std::vector<std::string>& arguments) const {
  const ProcessSpec spec = GitSpec(directory, arguments);
  const ProcessResult result = Value(processes_->Run(spec));
  if (!result.succeeded()) {
    Die(CommandText(spec.argv) + ": " + result.standard_error);
  }
  return WithoutFinalNewline(result.standard_output);
}

bool TestRepository::GitSucceeds(
    const std::vector<std::string>& arguments) const {
  return Value(processes_->Run(GitSpec(top_, arguments))).succeeded();
}

void TestRepository::Write(const std::string& path,
                           std::string_view contents) const {
  const std::string full = JoinPath(top_, path);
  CheckOk(files().MakeDirectories(fs::path(full).parent_path().string()));
  CheckOk(files().WriteFile(full, contents));
}

std::string TestRepository::Read(const std::string& path) const {
  return Value(files().ReadFile(JoinPath(top_, path)));
}

bool TestRepository::Exists(const std::string& path) const {
  return files().Exists(JoinPath(top_, path));
}

void TestRepository::Remove(const std::string& path) const {
  CheckOk(files().RemoveAll(JoinPath(top_, path)));
}

void TestRepository::WriteHook(const std::string& name,
                               const std::string& script) const {
  const std::string path = ".git/hooks/" + name;
  Write(path, "#!/bin/sh\n" + script + "\n");
  fs::permissions(JoinPath(top_, path), fs::perms::owner_all);
}

std::string TestRepository::Commit(const std::string& message) const {
  return CommitIn(top_, message);
}

std::string TestRepository::CommitIn(const std::string& directory,
                                     const std::string& message) const {
  GitIn(directory, {"add", "-A"});
  GitIn(directory,
        {"commit", "-q", "--no-verify", "--allow-empty", "-m", message});
  return GitIn(directory, {"rev-parse", "HEAD"});
}

std::string TestRepository::CommitOn(
    const std::string& parent, const std::map<std::string, std::string>& files,
    const std::string& message) const {
  const Repository repository = Open();
  std::vector<TreeEdit> edits;
  for (const auto& [path, contents] : files) edits.push_back({path, contents});
  const std::string tree = Value(WriteTree(repository, parent, edits));
  const std::string full = Git({"rev-parse", parent + "^{commit}"});
  return Value(CommitTree(repository, tree, {full}, message));
}

void TestRepository::MakeDirty() const {
  Write("user.txt", "tracked\n");
  Write("tool.sh", "#!/bin/sh\n");
  Write(".gitignore", "*.ignored\nbuild/\n");
  Commit("the user's own files");
  Write("user.txt", "stashed\n");
  Git({"stash", "-q"});
  Write("user.txt", "modified\n");
  fs::permissions(JoinPath(top_, "tool.sh"), fs::perms::owner_all);
  Write("staged.txt", "staged\n");
  Git({"add", "staged.txt"});
  Write("untracked \"x\".txt", "untracked\n");
  Write("secret.ignored", "ignored\n");
  Write("build/out.o", "ignored too\n");
}

std::map<std::string, std::string> TestRepository::UserState() const {
  std::map<std::string, std::string> state;
  fs::recursive_directory_iterator walk(top_);
  for (auto at = fs::begin(walk); at != fs::end(walk); ++at) {
    if (at->path() == fs::path(top_) / ".git") {
      at.disable_recursion_pending();
    } else {
      state["file " + at->path().string().substr(top_.size() + 1)] =
          Described(*at);
    }
  }
  for (const char* name : {"index", "HEAD", "config", "logs/HEAD",
                           "info/exclude", "info/attributes"}) {
    const auto bytes = files().ReadFile(JoinPath(top_, ".git/") + name);
    state[absl::StrCat(".git ", name)] = bytes.ok() ? *bytes : "absent";
  }
  state["stash"] = Git({"stash", "list", "--format=%H"});
  state["refs"] = UserRefs();
  return state;
}

// All refs but those that the product makes.
std::string TestRepository::UserRefs() const {
  std::string refs;
  for (const absl::string_view line :
       absl::StrSplit(Git({"for-each-ref"}), '\n')) {
    const bool ours = absl::StrContains(line, "refs/heads/autotune/") ||
                      absl::StrContains(line, "refs/heads/autotune-iter/") ||
                      absl::StrContains(line, "refs/autotune/");
    if (!ours) absl::StrAppend(&refs, line, "\n");
  }
  return refs;
}

std::string TestRepository::Fsck() const {
  const ProcessResult result = Value(processes_->Run(
      GitSpec(top_, {"fsck", "--strict", "--no-dangling", "--no-progress"})));
  return result.standard_output + result.standard_error;
}

}  // namespace autotune
