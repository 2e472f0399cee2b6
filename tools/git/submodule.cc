#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "tools/git/repository.h"
#include "tools/git/worktree.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

constexpr char kGitlinkMode[] = "160000";
constexpr char kModulesFile[] = ".gitmodules";

// One repository in the tree of them: its git folder and where the user's
// checkout of it lies.
struct Place {
  std::string git_dir;
  std::string checkout;
  std::string prefix;  // of paths, "" or ending with '/'
};

class Lister {
 public:
  explicit Lister(const Repository& repository)
      : repository_(repository), files_(repository.files()) {}

  absl::Status Visit(const Place& place, const std::string& treeish) {
    ASSIGN_OR_RETURN(const auto gitlinks, Gitlinks(place, treeish));
    if (gitlinks.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const auto names, Names(place, treeish));
    for (const auto& [path, commit] : gitlinks) {
      const auto name = names.find(path);
      RETURN_IF_ERROR(VisitSubmodule(place, path, commit,
                                     name == names.end() ? "" : name->second));
    }
    return absl::OkStatus();
  }

  std::vector<Submodule> Take() { return std::move(found_); }

 private:
  absl::Status VisitSubmodule(const Place& place, const std::string& path,
                              const std::string& commit,
                              const std::string& name) {
    Place inner;
    inner.checkout = JoinPath(place.checkout, path);
    inner.prefix = absl::StrCat(place.prefix, path, "/");
    inner.git_dir = GitDir(place, inner.checkout, name);
    const bool fetched = !inner.git_dir.empty() && Holds(inner, commit);
    if (!fetched) inner.git_dir.clear();
    found_.push_back({place.prefix + path, commit, inner.git_dir});
    return fetched ? Visit(inner, commit) : absl::OkStatus();
  }

  // Where git keeps a submodule's repository today, or where it did once.
  std::string GitDir(const Place& place, const std::string& checkout,
                     const std::string& name) {
    std::string modern = JoinPath(JoinPath(place.git_dir, "modules"), name);
    if (IsSafe(name) && files_.Exists(JoinPath(modern, "HEAD"))) return modern;
    const std::string old = JoinPath(checkout, ".git");
    return files_.Exists(JoinPath(old, "HEAD")) ? old : "";
  }

  // A hostile name must not lead out of the modules folder.
  static bool IsSafe(const std::string& name) {
    if (name.empty() || name.starts_with('/')) return false;
    for (const absl::string_view part : absl::StrSplit(name, '/')) {
      if (part == "..") return false;
    }
    return true;
  }

  bool Holds(const Place& place, const std::string& commit) {
    const auto result = repository_.Run(
        InPlace(place, {"cat-file", "-e", absl::StrCat(commit, "^{commit}")}));
    return result.ok() && result->succeeded();
  }

  absl::StatusOr<std::map<std::string, std::string>> Gitlinks(
      const Place& place, const std::string& treeish) {
    ASSIGN_OR_RETURN(
        const std::string output,
        repository_.Output(
            InPlace(place, {"ls-tree", "-r", "-z", "--full-tree", treeish})));
    std::map<std::string, std::string> gitlinks;
    for (const std::string& entry : SplitNul(output)) {
      if (!absl::StartsWith(entry, kGitlinkMode)) continue;
      // "160000 commit SHA\tPATH"
      const std::size_t tab = entry.find('\t');
      const std::vector<std::string> fields =
          absl::StrSplit(entry.substr(0, tab), ' ');
      gitlinks.emplace(entry.substr(tab + 1), fields.back());
    }
    return gitlinks;
  }

  // Path -> name, from the tree's own .gitmodules.
  absl::StatusOr<std::map<std::string, std::string>> Names(
      const Place& place, const std::string& treeish) {
    std::map<std::string, std::string> names;
    const std::string blob = absl::StrCat(treeish, ":", kModulesFile);
    ASSIGN_OR_RETURN(const ProcessResult result,
                     repository_.Run(InPlace(
                         place, {"config", "-z", absl::StrCat("--blob=", blob),
                                 "--get-regexp", "^submodule\\..*\\.path$"})));
    if (!result.succeeded()) return names;  // no such file, or none in it
    for (const std::string& entry : SplitNul(result.standard_output)) {
      const std::vector<std::string> pair =
          absl::StrSplit(entry, absl::MaxSplits('\n', 1));
      if (pair.size() != 2) continue;
      constexpr std::size_t kPrefix = std::string_view("submodule.").size();
      constexpr std::size_t kSuffix = std::string_view(".path").size();
      names[pair[1]] =
          pair[0].substr(kPrefix, pair[0].size() - kPrefix - kSuffix);
    }
    return names;
  }

  static GitCall InPlace(const Place& place,
                         std::vector<std::string> arguments) {
    std::vector<std::string> all = {absl::StrCat("--git-dir=", place.git_dir)};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return {std::move(all), {}, {}, {}};
  }

  const Repository& repository_;
  FileSystem& files_;
  std::vector<Submodule> found_;
};

}  // namespace

absl::StatusOr<std::vector<Submodule>> ListSubmodules(
    const Repository& repository, const std::string& treeish) {
  Lister lister(repository);
  const Place top = {repository.common_dir(), repository.top_level(), ""};
  RETURN_IF_ERROR(lister.Visit(top, treeish));
  return lister.Take();
}

}  // namespace autotune
