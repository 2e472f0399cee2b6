#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "tools/git/branch_move.h"
#include "tools/system/file_system.h"

namespace autotune {

absl::StatusOr<std::vector<std::string>> LooseObjectFiles(
    const Repository& repository, const std::string& from,
    const std::string& to) {
  ASSIGN_OR_RETURN(const std::string output,
                   repository.Git({"rev-list", "--objects", "--no-object-names",
                                   to, absl::StrCat("^", from), "--"}));
  const std::string store = JoinPath(repository.common_dir(), "objects");
  std::vector<std::string> loose;
  for (const std::string& object :
       std::vector<std::string>(absl::StrSplit(output, '\n'))) {
    if (object.size() < 3) continue;
    const std::string path = JoinPath(
        store, absl::StrCat(object.substr(0, 2), "/", object.substr(2)));
    if (repository.files().Exists(path)) loose.push_back(path);
  }
  std::sort(loose.begin(), loose.end());
  return loose;
}

absl::Status SyncObjects(const Repository& repository, const std::string& from,
                         const std::string& to) {
  ASSIGN_OR_RETURN(const std::vector<std::string> loose,
                   LooseObjectFiles(repository, from, to));
  FileSystem& files = repository.files();
  std::set<std::string> folders = {
      JoinPath(repository.common_dir(), "objects")};
  for (const std::string& path : loose) {
    RETURN_IF_ERROR(files.Sync(path));
    folders.insert(path.substr(0, path.rfind('/')));
  }
  for (const std::string& folder : folders) {
    RETURN_IF_ERROR(files.Sync(folder));
  }
  return absl::OkStatus();
}

}  // namespace autotune
