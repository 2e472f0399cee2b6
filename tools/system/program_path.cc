#include "tools/system/program_path.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tools/system/file_system.h"
#include "tools/system/posix_error.h"

namespace autotune {
namespace {

bool IsRegularFile(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool IsFolder(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

absl::Status NotExecutable(const std::string& path) {
  if (IsFolder(path)) {
    return absl::PermissionDeniedError(
        absl::StrCat(path, ": is a folder, not a program"));
  }
  return absl::PermissionDeniedError(
      absl::StrCat(path, ": not executable: rebuild it, or set its x bit"));
}

absl::Status MissingFile(const std::string& path) {
  if (IsRegularFile(path)) {
    return absl::FailedPreconditionError(
        absl::StrCat(path,
                     ": the interpreter or loader it names is missing (built "
                     "for another system?): rebuild it here"));
  }
  return absl::NotFoundError(absl::StrCat(
      path, ": no such program: build it first, or give the right path"));
}

}  // namespace

absl::StatusOr<std::string> FindProgram(const std::string& program,
                                        std::string_view search_path) {
  if (program.find('/') != std::string::npos) return program;
  std::string refused;
  const absl::string_view folders(search_path.data(), search_path.size());
  for (absl::string_view folder : absl::StrSplit(folders, ':')) {
    const std::string path =
        JoinPath(folder.empty() ? "." : std::string(folder), program);
    if (program.empty() || !IsRegularFile(path)) continue;
    if (access(path.c_str(), X_OK) == 0) return path;
    if (refused.empty()) refused = path;
  }
  if (!refused.empty()) return NotExecutable(refused);
  return absl::NotFoundError(absl::StrCat(
      "\"", program,
      "\": no such program in PATH: install it, or give its path"));
}

absl::StatusOr<std::string> FindProgram(const std::string& program) {
  const char* const path = std::getenv("PATH");
  return FindProgram(program, path == nullptr ? "" : path);
}

absl::Status ExecError(int error, const std::string& path,
                       const std::string& working_directory) {
  const std::string full = JoinPath(working_directory, path);
  switch (error) {
    case ENOENT:
      return MissingFile(full);
    case EACCES:
      return NotExecutable(full);
    case ENOEXEC:
    case ELIBBAD:
      return absl::FailedPreconditionError(
          absl::StrCat(full,
                       ": not a program of this machine (wrong architecture or "
                       "format): rebuild it here"));
    default:
      return PosixError(error, absl::StrCat(full, ": cannot be executed"));
  }
}

}  // namespace autotune
