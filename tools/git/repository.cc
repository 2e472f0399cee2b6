#include "tools/git/repository.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

constexpr int kOldestMajor = 2;
constexpr int kOldestMinor = 38;  // the first with `merge-tree --write-tree`
constexpr std::size_t kOutputLimitBytes = std::size_t{4} << 30;

// Who commits, and where the configuration lies: what a user who sets these
// wants kept. Everything else of GIT_* could point git elsewhere.
constexpr std::array<const char*, 9> kKeptVariables = {
    "GIT_AUTHOR_NAME",     "GIT_AUTHOR_EMAIL",  "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH",     "GIT_SSH_COMMAND"};

// Settings under which no call of ours runs a hook or a helper, signs, starts
// background work, or writes an index in a shape the user did not choose.
constexpr std::array<const char*, 13> kSettings = {
    "core.hooksPath=/dev/null",    "core.fsmonitor=false",
    "core.splitIndex=false",       "core.fsync=objects,reference",
    "core.fsyncMethod=fsync",      "gc.auto=0",
    "maintenance.auto=false",      "commit.gpgSign=false",
    "i18n.commitEncoding=UTF-8",   "i18n.logOutputEncoding=UTF-8",
    "submodule.recurse=false",     "log.showSignature=false",
    "core.warnAmbiguousRefs=false"};

bool TakesLocks(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const std::string& argument) {
                       return argument == "update-ref" || argument == "merge" ||
                              argument == "config" || argument == "commit" ||
                              argument == "update-index";
                     });
}

std::vector<std::string> GitArgv(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {"git"};
  for (const char* setting : kSettings) {
    argv.insert(argv.end(), {"-c", setting});
  }
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return argv;
}

std::map<std::string, std::string> Environment(
    const std::map<std::string, std::string>& extra) {
  std::map<std::string, std::string> environment = extra;
  environment.insert({{"LC_ALL", "C"},
                      {"GIT_OPTIONAL_LOCKS", "0"},      // leave the index alone
                      {"GIT_NO_REPLACE_OBJECTS", "1"},  // as other clones do
                      {"GIT_TERMINAL_PROMPT", "0"},
                      {"GIT_LITERAL_PATHSPECS", "1"}});
  return environment;
}

std::string_view WithoutFinalNewline(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

absl::string_view ToAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

std::vector<std::string> Lines(std::string_view text) {
  return absl::StrSplit(ToAbsl(text), '\n', absl::SkipEmpty());
}

bool IsLockTrouble(std::string_view message) {
  return message.find(".lock': File exists") != std::string_view::npos;
}

// ":100644 100755 OLD NEW M", the head of one change.
absl::StatusOr<TreeChange> ParseChange(const std::string& head,
                                       const std::string& path) {
  const std::vector<std::string> fields = absl::StrSplit(head, ' ');
  if (fields.size() != 5 || fields[0].size() < 2 || fields[4].empty()) {
    return absl::InternalError(
        absl::StrCat("git diff-tree: cannot read \"", head, "\""));
  }
  TreeChange change;
  change.path = path;
  change.old_mode = fields[0].substr(1);
  change.new_mode = fields[1];
  change.old_object = fields[2];
  change.new_object = fields[3];
  change.status = fields[4][0];
  return change;
}

bool IsHexadecimal(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

absl::StatusOr<CommitInfo> ParseCommit(const std::string& record) {
  const std::vector<std::string> fields =
      absl::StrSplit(record, absl::MaxSplits('\n', 6));
  if (fields.size() != 7) {
    return absl::InternalError("git log: cannot read a commit");
  }
  CommitInfo info;
  info.commit = fields[0];
  info.tree = fields[1];
  info.parents = absl::StrSplit(fields[2], ' ', absl::SkipEmpty());
  info.author_name = fields[3];
  info.author_email = fields[4];
  info.author_date = absl::StrCat("@", fields[5]);
  info.message = fields[6];
  return info;
}

// Of git's complaint, without "fatal: " or "error: ".
std::string FirstLine(const ProcessResult& result) {
  for (const std::string& line : Lines(result.standard_error)) {
    absl::string_view text = line;
    if (absl::ConsumePrefix(&text, "warning: ")) continue;
    if (absl::ConsumePrefix(&text, "hint: ")) continue;
    if (!absl::ConsumePrefix(&text, "fatal: ")) {
      absl::ConsumePrefix(&text, "error: ");
    }
    return std::string(text);
  }
  return absl::StrCat("exit code ", result.exit_code);
}

}  // namespace

absl::Status GitError(const GitCall& call, const ProcessResult& result) {
  std::vector<std::string> argv = {"git"};
  argv.insert(argv.end(), call.arguments.begin(), call.arguments.end());
  const std::string message =
      absl::StrCat(CommandText(argv), ": ", FirstLine(result));
  if (IsLockTrouble(result.standard_error)) {
    return absl::UnavailableError(
        absl::StrCat(message,
                     " (another git process works here; wait for it, or remove "
                     "the file when there is none)"));
  }
  return absl::FailedPreconditionError(message);
}

std::vector<std::string> SplitNul(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string BranchRef(const std::string& name) {
  return absl::StrCat("refs/heads/", name);
}

absl::StatusOr<Repository> Repository::Open(ProcessRunner& processes,
                                            FileSystem& files,
                                            const std::string& directory) {
  Repository repository(processes, files);
  repository.top_level_ = directory;
  RETURN_IF_ERROR(repository.CheckVersion());
  RETURN_IF_ERROR(repository.CheckWorkTree(directory));
  ASSIGN_OR_RETURN(repository.common_dir_,
                   repository.PathOption(directory, {"--path-format=absolute",
                                                     "--git-common-dir"}));
  ASSIGN_OR_RETURN(repository.git_dir_,
                   repository.PathOption(directory, {"--absolute-git-dir"}));
  ASSIGN_OR_RETURN(repository.top_level_,
                   repository.PathOption(directory, {"--show-toplevel"}));
  return repository;
}

absl::Status Repository::CheckVersion() const {
  ASSIGN_OR_RETURN(const std::string text, Git({"version"}));
  const std::vector<std::string> words =
      absl::StrSplit(ToAbsl(WithoutFinalNewline(text)), ' ');
  const std::vector<std::string> numbers =
      absl::StrSplit(words.size() > 2 ? words[2] : "", '.');
  int major = 0;
  int minor = 0;
  const bool read = numbers.size() > 1 &&
                    absl::SimpleAtoi(numbers[0], &major) &&
                    absl::SimpleAtoi(numbers[1], &minor);
  if (read &&
      std::pair(major, minor) >= std::pair(kOldestMajor, kOldestMinor)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrFormat("git: expected version %d.%d or newer, got \"%s\"; "
                      "install a newer git",
                      kOldestMajor, kOldestMinor, WithoutFinalNewline(text)));
}

absl::Status Repository::CheckWorkTree(const std::string& directory) const {
  ASSIGN_OR_RETURN(const ProcessResult result,
                   GitResult({"rev-parse", "--is-inside-work-tree"}));
  if (result.succeeded() && result.standard_output == "true\n") {
    return absl::OkStatus();
  }
  if (result.succeeded()) {
    return absl::FailedPreconditionError(
        absl::StrCat(directory,
                     ": expected a work tree, got a bare repository or a .git "
                     "folder; run this in a checkout (git worktree add PATH)"));
  }
  return absl::FailedPreconditionError(
      absl::StrCat(directory, ": ", FirstLine(result)));
}

absl::StatusOr<std::string> Repository::PathOption(
    const std::string& directory,
    const std::vector<std::string>& options) const {
  GitCall call;
  call.arguments = {"rev-parse"};
  call.arguments.insert(call.arguments.end(), options.begin(), options.end());
  call.directory = directory;
  ASSIGN_OR_RETURN(const std::string path, Output(call));
  return std::string(WithoutFinalNewline(path));
}

absl::StatusOr<ProcessResult> Repository::Run(const GitCall& call) const {
  ProcessSpec spec;
  spec.argv = GitArgv(call.arguments);
  spec.working_directory = call.directory.empty() ? top_level_ : call.directory;
  spec.environment = Environment(call.environment);
  spec.unset_environment_prefixes = {"GIT_"};
  spec.keep_environment = {kKeptVariables.begin(), kKeptVariables.end()};
  spec.standard_input = call.standard_input;
  spec.output_limit_bytes = kOutputLimitBytes;
  // Killed with us, these would leave lock files behind that stop every later
  // git; they end in a moment by themselves.
  spec.dies_with_parent = !TakesLocks(call.arguments);
  return processes_->Run(spec);
}

absl::StatusOr<std::string> Repository::Output(const GitCall& call) const {
  ASSIGN_OR_RETURN(ProcessResult result, Run(call));
  if (!result.succeeded()) return GitError(call, result);
  return std::move(result.standard_output);
}

absl::StatusOr<std::string> Repository::Git(
    const std::vector<std::string>& arguments,
    std::string_view standard_input) const {
  return Output({arguments, std::string(standard_input), {}, {}});
}

absl::StatusOr<ProcessResult> Repository::GitResult(
    const std::vector<std::string>& arguments, std::string_view standard_input,
    const std::map<std::string, std::string>& environment) const {
  return Run({arguments, std::string(standard_input), environment, {}});
}

absl::StatusOr<std::optional<std::string>> Repository::ResolveCommit(
    const std::string& revision) const {
  const bool option = revision.starts_with('-') || revision.starts_with('^');
  if (option) return std::nullopt;
  ASSIGN_OR_RETURN(const ProcessResult result,
                   GitResult({"rev-parse", "--verify", "--quiet",
                              absl::StrCat(revision, "^{commit}")}));
  if (!result.succeeded()) return std::nullopt;
  return std::string(WithoutFinalNewline(result.standard_output));
}

absl::StatusOr<std::vector<bool>> Repository::HasCommits(
    const std::vector<std::string>& names) const {
  std::string request;
  for (const std::string& name : names) {
    // What is no SHA becomes one that nothing has.
    absl::StrAppend(&request, IsHexadecimal(name) ? name : "0000000",
                    "^{commit}\n");
  }
  ASSIGN_OR_RETURN(const std::string answer,
                   Git({"cat-file", "--batch-check=%(objecttype)"}, request));
  std::vector<bool> here;
  for (const std::string& line : Lines(answer)) {
    here.push_back(line == "commit");
  }
  if (here.size() == names.size()) return here;
  return absl::InternalError("git cat-file: cannot read its answer");
}

absl::StatusOr<std::string> Repository::TreeOf(
    const std::string& commit) const {
  ASSIGN_OR_RETURN(
      const std::string tree,
      Git({"rev-parse", "--verify", absl::StrCat(commit, "^{tree}")}));
  return std::string(WithoutFinalNewline(tree));
}

absl::StatusOr<std::string> Repository::ReadBlob(
    const std::string& treeish, const std::string& path) const {
  // -z takes any path, and the answer starts with "OBJECT blob SIZE\n".
  const std::string request = absl::StrCat(treeish, ":", path);
  ASSIGN_OR_RETURN(const std::string answer,
                   Git({"cat-file", "--batch", "-z"}, request + '\0'));
  const std::size_t line_end = answer.find('\n');
  const std::vector<std::string> head =
      absl::StrSplit(answer.substr(0, line_end), ' ');
  std::size_t size = 0;
  const bool blob = head.size() == 3 && head[1] == "blob" &&
                    head[0].find(':') == std::string::npos &&
                    absl::SimpleAtoi(head[2], &size) &&
                    answer.size() > line_end + size;
  if (blob) return answer.substr(line_end + 1, size);
  return absl::NotFoundError(
      absl::StrCat(request, ": there is no such file in the repository"));
}

absl::StatusOr<std::vector<std::string>> Repository::ListPaths(
    const std::string& treeish, const std::string& prefix) const {
  ASSIGN_OR_RETURN(
      const std::string output,
      Git({"ls-tree", "-r", "-z", "--name-only", "--full-tree", treeish}));
  std::vector<std::string> paths = SplitNul(output);
  std::erase_if(paths, [&](const std::string& path) {
    return !path.starts_with(prefix);
  });
  std::sort(paths.begin(), paths.end());
  return paths;
}

absl::StatusOr<std::vector<TreeChange>> Repository::DiffTrees(
    const std::string& from, const std::string& to) const {
  ASSIGN_OR_RETURN(
      const std::string output,
      Git({"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames",
           "--ignore-submodules=none", from, to, "--"}));
  const std::vector<std::string> parts = SplitNul(output);
  std::vector<TreeChange> changes;
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    ASSIGN_OR_RETURN(TreeChange change, ParseChange(parts[i], parts[i + 1]));
    changes.push_back(std::move(change));
  }
  std::sort(
      changes.begin(), changes.end(),
      [](const TreeChange& a, const TreeChange& b) { return a.path < b.path; });
  return changes;
}

absl::StatusOr<std::optional<std::string>> Repository::CurrentBranch() const {
  ASSIGN_OR_RETURN(const ProcessResult result,
                   GitResult({"symbolic-ref", "--quiet", "HEAD"}));
  if (!result.succeeded()) return std::nullopt;
  const std::string_view ref = WithoutFinalNewline(result.standard_output);
  return std::string(absl::StripPrefix(ToAbsl(ref), "refs/heads/"));
}

absl::StatusOr<std::vector<std::pair<std::string, std::string>>>
Repository::ListRefs(const std::string& prefix) const {
  ASSIGN_OR_RETURN(
      const std::string output,
      Git({"for-each-ref", "--format=%(objectname) %(refname)", "--", prefix}));
  std::vector<std::pair<std::string, std::string>> refs;
  for (const std::string& line : Lines(output)) {
    const std::size_t space = line.find(' ');
    refs.emplace_back(line.substr(space + 1), line.substr(0, space));
  }
  return refs;
}

absl::StatusOr<bool> Repository::IsAncestor(
    const std::string& ancestor, const std::string& descendant) const {
  const GitCall call = {
      {"merge-base", "--is-ancestor", ancestor, descendant}, {}, {}, {}};
  ASSIGN_OR_RETURN(const ProcessResult result, Run(call));
  if (result.exit_code > 1) return GitError(call, result);
  return result.exit_code == 0;
}

absl::StatusOr<std::vector<CommitInfo>> Repository::History(
    const std::vector<std::string>& revisions) const {
  std::vector<std::string> arguments = {
      "log",        "-z",           "--topo-order",
      "--no-patch", "--no-mailmap", "--format=%H%n%T%n%P%n%an%n%ae%n%ad%n%B",
      "--date=raw"};
  arguments.insert(arguments.end(), revisions.begin(), revisions.end());
  arguments.push_back("--");
  ASSIGN_OR_RETURN(const std::string output, Git(arguments));
  std::vector<CommitInfo> history;
  for (const std::string& record : SplitNul(output)) {
    ASSIGN_OR_RETURN(CommitInfo info, ParseCommit(record));
    history.push_back(std::move(info));
  }
  return history;
}

absl::StatusOr<std::optional<std::string>> Repository::Config(
    const std::string& key) const {
  const GitCall call = {{"config", "-z", "--get", key}, {}, {}, {}};
  ASSIGN_OR_RETURN(const ProcessResult result, Run(call));
  if (result.exit_code == 1) return std::nullopt;
  if (!result.succeeded()) return GitError(call, result);
  return SplitNul(result.standard_output).front();
}

absl::Status Repository::CheckIdentity() const {
  for (const char* role : {"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"}) {
    ASSIGN_OR_RETURN(const ProcessResult result, GitResult({"var", role}));
    if (result.succeeded()) continue;
    return absl::FailedPreconditionError(
        "git does not know who you are; run: git config --global user.name "
        "\"Your Name\" && git config --global user.email you@example.com");
  }
  return absl::OkStatus();
}

}  // namespace autotune
