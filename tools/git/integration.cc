#include "tools/git/integration.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/git/repository.h"
#include "tools/system/file_system.h"
#include "tools/system/private_folder.h"

namespace autotune {
namespace {

constexpr char kNoMode[] = "000000";
constexpr std::size_t kShortSha = 12;

std::string Short(const std::string& sha) { return sha.substr(0, kShortSha); }

std::vector<std::string> Lines(const std::string& text) {
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

absl::StatusOr<std::string> OneLine(const Repository& repository,
                                    const GitCall& call) {
  ASSIGN_OR_RETURN(std::string output, repository.Output(call));
  if (output.ends_with('\n')) output.pop_back();
  return output;
}

// The objects of `contents`, in order, stored as they are by one process.
absl::StatusOr<std::vector<std::string>> WriteBlobs(
    const Repository& repository, const std::vector<std::string>& contents) {
  if (contents.empty()) return std::vector<std::string>();
  ASSIGN_OR_RETURN(PrivateFolder scratch,
                   PrivateFolder::Make(repository.files()));
  std::string paths;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const std::string path = JoinPath(scratch.path(), absl::StrCat(i));
    RETURN_IF_ERROR(scratch.files().AppendFile(path, contents[i]));
    // A path with a newline would be read as two: stdin names are relative.
    absl::StrAppend(&paths, i, "\n");
  }
  ASSIGN_OR_RETURN(
      const std::string output,
      repository.Output({{"--git-dir", repository.git_dir(), "hash-object",
                          "-w", "--no-filters", "--stdin-paths"},
                         paths,
                         {},
                         scratch.path()}));
  std::vector<std::string> objects = Lines(output);
  if (objects.size() == contents.size()) return objects;
  return absl::InternalError("git hash-object: it left a file out");
}

// `update-index -z --index-info`: "MODE OBJECT\tPATH\0", mode 0 to remove.
// `any_object` fills the column where none is meant.
std::string IndexInfo(const std::vector<TreeEntryEdit>& edits,
                      const std::string& any_object) {
  std::string info;
  for (const TreeEntryEdit& edit : edits) {
    const bool removes = edit.mode == kNoMode;
    absl::StrAppend(&info, removes ? "0" : edit.mode, " ",
                    removes ? any_object : edit.object, "\t", edit.path);
    info.push_back('\0');
  }
  return info;
}

// update-index drops files where an edit needs a folder, and folders where it
// needs a file; only what the edits name may go.
absl::Status CheckNothingLost(const Repository& repository,
                              const std::string& base, const std::string& tree,
                              const std::vector<TreeEntryEdit>& edits) {
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(base, tree));
  for (const TreeChange& change : changes) {
    const bool meant = std::any_of(
        edits.begin(), edits.end(),
        [&](const TreeEntryEdit& edit) { return edit.path == change.path; });
    if (meant) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        change.path, ": stands where another file has to be written"));
  }
  return absl::OkStatus();
}

// update-index leaves a path that git forbids out and still succeeds.
absl::Status CheckPaths(const Repository& repository, const std::string& tree,
                        const std::vector<TreeEntryEdit>& edits) {
  ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                   repository.ListPaths(tree, ""));
  for (const TreeEntryEdit& edit : edits) {
    if (edit.mode == kNoMode) continue;
    if (std::binary_search(paths.begin(), paths.end(), edit.path)) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        edit.path, ": git does not allow a file of this name in a tree"));
  }
  return absl::OkStatus();
}

// The last commit of T's first-parent line before `base`, or `base` when the
// line runs through it.
absl::StatusOr<bool> IsOnFirstParentLine(const Repository& repository,
                                         const std::string& base,
                                         const std::string& tip) {
  ASSIGN_OR_RETURN(const std::string output,
                   repository.Git({"rev-list", "--first-parent", "--parents",
                                   tip, absl::StrCat("^", base), "--"}));
  const std::vector<std::string> lines = Lines(output);
  if (lines.empty()) return base == tip;
  const std::vector<std::string> commits = absl::StrSplit(lines.back(), ' ');
  return commits.size() > 1 && commits[1] == base;
}

absl::StatusOr<std::string> OnlyMergeBase(const Repository& repository,
                                          const std::string& tip,
                                          const std::string& attempt) {
  const GitCall call = {{"merge-base", "--all", tip, attempt}, {}, {}, {}};
  ASSIGN_OR_RETURN(const ProcessResult result, repository.Run(call));
  if (result.exit_code > 1) return GitError(call, result);
  const std::vector<std::string> bases = Lines(result.standard_output);
  if (bases.size() == 1) return bases.front();
  if (bases.empty()) {
    return absl::FailedPreconditionError(
        "it shares no history with the working branch; start an attempt from "
        "the tip and cherry-pick the work onto it");
  }
  return absl::FailedPreconditionError(absl::StrFormat(
      "it has %d merge bases with the working branch, expected 1 (it merged "
      "across another attempt); cherry-pick its own commits onto a fresh "
      "attempt",
      bases.size()));
}

// How many commits of BASE..ATTEMPT are left without what `without` reaches.
absl::StatusOr<std::size_t> CountOwn(const Repository& repository,
                                     const std::string& base,
                                     const std::string& attempt,
                                     const std::vector<std::string>& without) {
  std::string input = absl::StrCat(attempt, "\n^", base, "\n");
  for (const std::string& ref : without)
    absl::StrAppend(&input, "^", ref, "\n");
  ASSIGN_OR_RETURN(const std::string output,
                   repository.Git({"rev-list", "--stdin"}, input));
  return Lines(output).size();
}

absl::StatusOr<std::vector<std::string>> ExistingRefs(
    const Repository& repository, const std::vector<std::string>& refs) {
  std::vector<std::string> existing;
  for (const std::string& ref : refs) {
    ASSIGN_OR_RETURN(const auto commit, repository.ResolveCommit(ref));
    if (commit.has_value()) existing.push_back(ref);
  }
  return existing;
}

absl::Status CheckForeign(const Repository& repository, const std::string& base,
                          const std::string& attempt,
                          const std::vector<std::string>& foreign_refs) {
  ASSIGN_OR_RETURN(const auto refs, ExistingRefs(repository, foreign_refs));
  ASSIGN_OR_RETURN(const auto all, CountOwn(repository, base, attempt, {}));
  ASSIGN_OR_RETURN(const auto own, CountOwn(repository, base, attempt, refs));
  if (own == all) return absl::OkStatus();
  for (const std::string& ref : refs) {
    ASSIGN_OR_RETURN(const auto left,
                     CountOwn(repository, base, attempt, {ref}));
    if (left == all) continue;
    return absl::FailedPreconditionError(absl::StrFormat(
        "%d of its commits come from %s; cherry-pick its own commits onto a "
        "fresh attempt",
        all - left, ref));
  }
  return absl::InternalError("git rev-list: its counts contradict each other");
}

absl::StatusOr<std::string> CheckedBase(
    const Repository& repository, const std::string& tip,
    const std::string& attempt, const std::vector<std::string>& foreign_refs) {
  ASSIGN_OR_RETURN(const std::string base,
                   OnlyMergeBase(repository, tip, attempt));
  if (base == attempt) {
    return absl::FailedPreconditionError(
        "it has no commit that the working branch lacks; commit the work "
        "first");
  }
  ASSIGN_OR_RETURN(const bool on_line,
                   IsOnFirstParentLine(repository, base, tip));
  if (!on_line) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "it forked from %s, which is no step of the working branch itself "
        "(another attempt's commit?); cherry-pick its own commits onto a fresh "
        "attempt",
        Short(base)));
  }
  RETURN_IF_ERROR(CheckForeign(repository, base, attempt, foreign_refs));
  return base;
}

}  // namespace

absl::StatusOr<std::string> WriteTreeEntries(
    const Repository& repository, const std::string& base_tree,
    const std::vector<TreeEntryEdit>& edits) {
  ASSIGN_OR_RETURN(const std::string base, repository.TreeOf(base_tree));
  ASSIGN_OR_RETURN(const PrivateFolder scratch,
                   PrivateFolder::Make(repository.files()));
  const std::string index = JoinPath(scratch.path(), "index");
  const auto call = [&](std::vector<std::string> arguments, std::string input) {
    return GitCall{std::move(arguments),
                   std::move(input),
                   {{"GIT_INDEX_FILE", index}},
                   {}};
  };
  RETURN_IF_ERROR(repository.Output(call({"read-tree", base}, {})).status());
  RETURN_IF_ERROR(repository
                      .Output(call({"update-index", "-z", "--index-info"},
                                   IndexInfo(edits, base)))
                      .status());
  ASSIGN_OR_RETURN(const std::string tree,
                   OneLine(repository, call({"write-tree"}, {})));
  RETURN_IF_ERROR(CheckPaths(repository, tree, edits));
  RETURN_IF_ERROR(CheckNothingLost(repository, base, tree, edits));
  return tree;
}

absl::StatusOr<std::string> WriteTree(const Repository& repository,
                                      const std::string& base_tree,
                                      const std::vector<TreeEdit>& edits) {
  std::vector<std::string> contents;
  for (const TreeEdit& edit : edits) {
    if (edit.contents.has_value()) contents.push_back(*edit.contents);
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> objects,
                   WriteBlobs(repository, contents));
  std::vector<TreeEntryEdit> entries;
  auto object = objects.begin();
  for (const TreeEdit& edit : edits) {
    const bool writes = edit.contents.has_value();
    entries.push_back({edit.path, writes ? edit.mode : kNoMode,
                       writes ? *object++ : std::string()});
  }
  return WriteTreeEntries(repository, base_tree, entries);
}

absl::StatusOr<std::string> CommitTree(
    const Repository& repository, const std::string& tree,
    const std::vector<std::string>& parents, std::string_view message,
    const std::optional<CommitInfo>& author) {
  GitCall call = {{"commit-tree", tree}, std::string(message), {}, {}};
  for (const std::string& parent : parents) {
    call.arguments.insert(call.arguments.end(), {"-p", parent});
  }
  call.arguments.insert(call.arguments.end(), {"-F", "-"});
  if (!call.standard_input.ends_with('\n')) call.standard_input += '\n';
  if (author.has_value()) {
    call.environment = {{"GIT_AUTHOR_NAME", author->author_name},
                        {"GIT_AUTHOR_EMAIL", author->author_email},
                        {"GIT_AUTHOR_DATE", author->author_date}};
  }
  return OneLine(repository, call);
}

absl::StatusOr<std::string> AttemptBase(
    const Repository& repository, const std::string& tip,
    const std::string& attempt_tip,
    const std::vector<std::string>& foreign_refs) {
  absl::StatusOr<std::string> base =
      CheckedBase(repository, tip, attempt_tip, foreign_refs);
  if (base.ok()) return base;
  return Annotate(base.status(), absl::StrCat("attempt ", Short(attempt_tip)));
}

absl::Status CreateRef(const Repository& repository, const std::string& ref,
                       const std::string& commit) {
  const GitCall call = {{"update-ref", ref, commit, ""}, {}, {}, {}};
  ASSIGN_OR_RETURN(const ProcessResult result, repository.Run(call));
  if (result.succeeded()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const auto there, repository.ResolveCommit(ref));
  if (!there.has_value()) return GitError(call, result);
  return absl::AlreadyExistsError(
      absl::StrFormat("%s: is already there, at %s", ref, Short(*there)));
}

absl::Status DeleteRef(const Repository& repository, const std::string& ref,
                       const std::string& expected) {
  const GitCall call = {{"update-ref", "-d", ref, expected}, {}, {}, {}};
  ASSIGN_OR_RETURN(const ProcessResult result, repository.Run(call));
  if (result.succeeded()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const auto there, repository.ResolveCommit(ref));
  if (!there.has_value()) return absl::OkStatus();
  if (*there == expected) return GitError(call, result);
  return absl::AbortedError(absl::StrFormat(
      "%s: expected at %s, found at %s", ref, Short(expected), Short(*there)));
}

}  // namespace autotune
