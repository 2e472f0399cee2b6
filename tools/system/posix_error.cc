#include "tools/system/posix_error.h"

#include <cerrno>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace autotune {
namespace {

absl::StatusCode CodeOf(int error) {
  switch (error) {
    case ENOENT:
      return absl::StatusCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::StatusCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
      return absl::StatusCode::kResourceExhausted;
    case EEXIST:
      return absl::StatusCode::kAlreadyExists;
    case EISDIR:
    case ENOTDIR:
    case ENOTEMPTY:
    case ELOOP:
    case ENAMETOOLONG:
    case EBUSY:
    case ETXTBSY:
    case EXDEV:
    case EIO:
      return absl::StatusCode::kFailedPrecondition;
    default:
      return absl::StatusCode::kInternal;
  }
}

}  // namespace

std::string ErrnoText(int error) {
  return std::generic_category().message(error);
}

absl::Status PosixError(int error, const std::string& what) {
  return absl::Status(CodeOf(error),
                      absl::StrCat(what, ": ", ErrnoText(error)));
}

}  // namespace autotune
