#ifndef AUTOTUNE_TOOLS_SYSTEM_PROGRAM_PATH_H_
#define AUTOTUNE_TOOLS_SYSTEM_PROGRAM_PATH_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace autotune {

// The file that `program` names: itself when it holds a '/', else the first
// executable of that name in `search_path` (PATH's syntax; an empty part is the
// current folder). NotFound or PermissionDenied, with the way out.
absl::StatusOr<std::string> FindProgram(const std::string& program,
                                        std::string_view search_path);

// The same by our own PATH.
absl::StatusOr<std::string> FindProgram(const std::string& program);

// What an errno of execve(2) on `path` means to a person: NotFound,
// PermissionDenied, or FailedPrecondition for a file that this machine cannot
// execute. `working_directory` is where a relative path starts (empty: ours).
absl::Status ExecError(int error, const std::string& path,
                       const std::string& working_directory);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_PROGRAM_PATH_H_
