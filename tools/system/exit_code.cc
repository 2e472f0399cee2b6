#include "tools/system/exit_code.h"

#include "absl/status/status.h"

namespace autotune {

ExitCode ExitCodeFor(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kExitKeep;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kDataLoss:
      return kExitBadInput;
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kResourceExhausted:
      return kExitPrecondition;
    case absl::StatusCode::kUnavailable:
      return kExitBusy;
    case absl::StatusCode::kCancelled:
      return kExitInterrupted;
    case absl::StatusCode::kOutOfRange:
      return kExitUsage;
    case absl::StatusCode::kAborted:
      return kExitCannotJudge;
    default:
      return kExitOurBug;
  }
}

}  // namespace autotune
