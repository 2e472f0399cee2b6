#ifndef AUTOTUNE_TOOLS_SYSTEM_POSIX_ERROR_H_
#define AUTOTUNE_TOOLS_SYSTEM_POSIX_ERROR_H_

#include <string>

#include "absl/status/status.h"

namespace autotune {

// The system's own words for an errno value: "No such file or directory".
std::string ErrnoText(int error);

// "`what`: REASON" with the code that fits `error`: NotFound for ENOENT,
// PermissionDenied for EACCES, EPERM and EROFS, ResourceExhausted for a full
// disk, a quota or too many open files, FailedPrecondition for anything that a
// user can change (a folder where a file is expected), else Internal.
absl::Status PosixError(int error, const std::string& what);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_POSIX_ERROR_H_
