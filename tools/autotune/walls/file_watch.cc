#include "tools/autotune/walls/file_watch.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "tools/build/build_command.h"
#include "tools/git/scope.h"

namespace autotune {
namespace {

std::string Digest(FileSystem& files, const std::string& path) {
  const auto info = files.Info(path);
  if (!info.ok()) return "";
  if (info->kind == FileInfo::Kind::kSymlink) {
    return absl::StrCat("link ", files.ReadLink(path).value_or("unreadable"));
  }
  if (info->kind != FileInfo::Kind::kFile) return "folder";
  const auto bytes = files.ReadFile(path);
  return absl::StrCat(info->executable ? "program " : "file ",
                      bytes.ok() ? Sha256Hex(*bytes) : "unreadable");
}

// The folders of `path` below `root` are real ones afterwards.
absl::Status MakeRealFolders(FileSystem& files, const std::string& root,
                             const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string folder = JoinPath(root, path.substr(0, slash));
    const auto info = files.Info(folder);
    if (info.ok() && info->kind != FileInfo::Kind::kDirectory) {
      RETURN_IF_ERROR(files.RemoveAll(folder));
    }
    RETURN_IF_ERROR(files.MakeDirectories(folder));
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<std::string> SealOf(const TaskSettings& settings,
                                  const std::string& path) {
  for (const std::string& pattern : settings.scope_sealed) {
    if (MatchesPathPattern(pattern, path)) return pattern;
  }
  return std::nullopt;
}

absl::StatusOr<std::vector<std::string>> WatchedPaths(
    const Repository& repository, const TaskSettings& settings,
    const std::string& tree) {
  ASSIGN_OR_RETURN(std::vector<std::string> paths,
                   repository.ListPaths(tree, ""));
  std::erase_if(paths, [&settings](const std::string& path) {
    return OnlyCompilersRead(path) && !SealOf(settings, path).has_value();
  });
  return paths;
}

FileDigests DigestFiles(FileSystem& files, const std::string& root,
                        const std::vector<std::string>& paths) {
  FileDigests digests;
  for (const std::string& path : paths) {
    digests[path] = Digest(files, JoinPath(root, path));
  }
  return digests;
}

std::vector<std::string> ChangedPaths(const FileDigests& before,
                                      const FileDigests& after) {
  std::vector<std::string> changed;
  for (const auto& [path, digest] : before) {
    const auto found = after.find(path);
    if (found == after.end() || found->second != digest) {
      changed.push_back(path);
    }
  }
  return changed;
}

absl::Status PutBack(FileSystem& files, const std::string& from,
                     const std::string& to, const std::string& path) {
  const std::string source = JoinPath(from, path);
  const std::string target = JoinPath(to, path);
  RETURN_IF_ERROR(MakeRealFolders(files, to, path));
  RETURN_IF_ERROR(files.RemoveAll(target));
  ASSIGN_OR_RETURN(const FileInfo info, files.Info(source));
  if (info.kind != FileInfo::Kind::kSymlink) {
    return files.CopyFile(source, target);
  }
  ASSIGN_OR_RETURN(const std::string held, files.ReadLink(source));
  return files.MakeLink(held, target);
}

}  // namespace autotune
