#ifndef AUTOTUNE_TOOLS_AUTOTUNE_WALLS_FILE_WATCH_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_WALLS_FILE_WATCH_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"
#include "tools/ledger/task_settings.h"
#include "tools/system/file_system.h"

namespace autotune {

// What files hold, by path: a digest of kind, executable bit and bytes (of a
// symlink: its target), "" where nothing is.
using FileDigests = std::map<std::string, std::string>;

// The pattern that seals `path`; nothing when none does.
std::optional<std::string> SealOf(const TaskSettings& settings,
                                  const std::string& path);

// The paths of `tree` that decide what a test or a measurement says and that
// something which runs could overwrite: sealed files, and files that not only
// compilers read.
absl::StatusOr<std::vector<std::string>> WatchedPaths(
    const Repository& repository, const TaskSettings& settings,
    const std::string& tree);

// Digests of `paths` below the folder `root`.
FileDigests DigestFiles(FileSystem& files, const std::string& root,
                        const std::vector<std::string>& paths);

// Paths of `before` whose digest in `after` is another one.
std::vector<std::string> ChangedPaths(const FileDigests& before,
                                      const FileDigests& after);

// Makes `path` below `to` what it is below `from`, folders that became
// something else included.
absl::Status PutBack(FileSystem& files, const std::string& from,
                     const std::string& to, const std::string& path);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_WALLS_FILE_WATCH_H_
