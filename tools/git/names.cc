#include "tools/git/names.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "tools/git/repository.h"

namespace autotune {
namespace {

absl::string_view ToAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

absl::Status InTheWay(const std::string& wanted, const std::string& there) {
  absl::string_view branch = there;
  const bool is_branch = absl::ConsumePrefix(&branch, "refs/heads/");
  const std::string way_out =
      is_branch
          ? absl::StrFormat("rename it (git branch -m '%s' NEWNAME)", branch)
          : absl::StrFormat("delete it (git update-ref -d '%s')", there);
  return absl::FailedPreconditionError(absl::StrFormat(
      "%s: cannot be created, because %s exists; %s", wanted, there, way_out));
}

// `ref` itself and everything above it, longest first.
absl::Status CheckAbove(const Repository& repository, const std::string& ref) {
  for (std::string name = ref; name.find('/') != std::string::npos;
       name.resize(name.rfind('/'))) {
    if (name == "refs/heads" || name == "refs") break;
    ASSIGN_OR_RETURN(
        const ProcessResult result,
        repository.GitResult({"show-ref", "--verify", "--quiet", "--", name}));
    if (result.succeeded()) return InTheWay(ref, name);
  }
  return absl::OkStatus();
}

// Whether `ref` and nothing above or below it is there.
absl::Status CheckRefFree(const Repository& repository,
                          const std::string& ref) {
  ASSIGN_OR_RETURN(const ProcessResult format,
                   repository.GitResult({"check-ref-format", ref}));
  if (!format.succeeded()) {
    return absl::InvalidArgumentError(
        absl::StrCat(ref, ": git allows no ref of this name"));
  }
  RETURN_IF_ERROR(CheckAbove(repository, ref));
  ASSIGN_OR_RETURN(const auto below, repository.ListRefs(ref + "/"));
  return below.empty() ? absl::OkStatus() : InTheWay(ref, below.front().first);
}

std::string WithoutSlash(std::string folder) {
  folder.pop_back();
  return folder;
}

}  // namespace

std::string WorkingBranch(std::string_view task) {
  return absl::StrFormat("autotune/%s", task);
}

std::string AttemptFolder(std::string_view task) {
  return absl::StrFormat("autotune-iter/%s/", task);
}

std::string HarvestPrefix(std::string_view task) {
  return absl::StrCat("autotune-harvest/", ToAbsl(task), "-");
}

std::string RecordFolder(std::string_view task) {
  return absl::StrFormat("refs/autotune/%s/", task);
}

std::string AttemptBranch(std::string_view task, int number,
                          std::string_view approach) {
  return absl::StrFormat("%s%03d-%s", AttemptFolder(task), number, approach);
}

std::string AttemptRef(std::string_view task, int number) {
  return absl::StrFormat("%s%03d", RecordFolder(task), number);
}

std::optional<AttemptName> ParseAttemptBranch(std::string_view task,
                                              std::string_view branch) {
  absl::string_view rest = ToAbsl(branch);
  absl::ConsumePrefix(&rest, "refs/heads/");
  if (!absl::ConsumePrefix(&rest, AttemptFolder(task))) return std::nullopt;
  AttemptName name;
  const std::size_t dash = rest.find('-');
  if (dash == absl::string_view::npos ||
      !absl::SimpleAtoi(rest.substr(0, dash), &name.number)) {
    return std::nullopt;
  }
  name.approach = std::string(rest.substr(dash + 1));
  const bool same =
      ToAbsl(branch).substr(branch.size() - rest.size()) == rest &&
      AttemptBranch(task, name.number, name.approach) ==
          absl::StrCat(AttemptFolder(task), rest);
  if (!same || name.approach.empty()) return std::nullopt;
  return name;
}

std::string TaskOfBranch(std::string_view branch) {
  for (const std::string_view prefix : {"autotune/", "autotune-iter/"}) {
    if (!branch.starts_with(prefix)) continue;
    branch.remove_prefix(prefix.size());
    return std::string(branch.substr(0, branch.find('/')));
  }
  return "";
}

absl::Status CheckNamesFree(const Repository& repository,
                            const std::string& task) {
  for (const std::string& ref :
       {BranchRef(WorkingBranch(task)), WithoutSlash(RecordFolder(task)),
        BranchRef(WithoutSlash(AttemptFolder(task)))}) {
    RETURN_IF_ERROR(CheckRefFree(repository, ref));
  }
  return absl::OkStatus();
}

}  // namespace autotune
