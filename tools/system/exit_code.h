#ifndef AUTOTUNE_TOOLS_SYSTEM_EXIT_CODE_H_
#define AUTOTUNE_TOOLS_SYSTEM_EXIT_CODE_H_

#include "absl/status/status.h"

namespace autotune {

// Exit codes of both programs; docs/cli.md has the whole contract.
enum ExitCode : int {
  kExitKeep = 0,  // keep, pass, done
  kExitDiscard = 1,
  kExitCannotJudge = 2,  // also crash, failed build or test
  kExitInconclusive = 3,
  kExitOutOfScope = 4,
  kExitUsage = 64,
  kExitBadInput = 65,
  kExitPrecondition = 69,
  kExitOurBug = 70,
  kExitBusy = 75,
  kExitInterrupted = 130,
};

// The code an error ends a program with: InvalidArgument and DataLoss 65,
// FailedPrecondition, NotFound, PermissionDenied and ResourceExhausted 69,
// Unavailable 75, Cancelled 130, OutOfRange 64 (usage),
// Aborted 2 (cannot judge), everything else 70.
ExitCode ExitCodeFor(const absl::Status& status);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_EXIT_CODE_H_
