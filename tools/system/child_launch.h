#ifndef AUTOTUNE_TOOLS_SYSTEM_CHILD_LAUNCH_H_
#define AUTOTUNE_TOOLS_SYSTEM_CHILD_LAUNCH_H_

#include <sys/resource.h>
#include <sys/types.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/system/process_runner.h"
#include "tools/system/unique_fd.h"

namespace autotune {

// A forked child and our ends of its pipes, in a process group of its own.
struct LaunchedChild {
  pid_t pid = -1;
  // Of its sandbox (see sandbox_entry.h), or of its descendants, and then its
  // parent; a child of ours in any case.
  pid_t keeper = -1;
  std::string program;       // the file it executes
  UniqueFd standard_input;   // non-blocking; none when there is nothing to say
  UniqueFd standard_output;  // non-blocking
  UniqueFd standard_error;   // non-blocking
  UniqueFd failure;          // closed by the kernel when exec succeeds
  // What the keeper of its descendants says (descendants.h), non-blocking; none
  // without such a keeper.
  UniqueFd report;
  bool waits_stopped = false;  // for its first continue
};

// Reads one record of a pipe; false where none has come and nobody will write
// one, or none is there yet in a non-blocking pipe.
template <typename Record>
bool ReadRecord(const UniqueFd& pipe, Record& record) {
  ssize_t got = 0;
  do {
    got = read(pipe.get(), &record, sizeof record);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof record);
}

// Forks; with `spec.start_stopped` returns once the child has stopped. Errors
// before exec (working folder, CPU) are returned here, those of exec by
// ConfirmExec.
absl::StatusOr<LaunchedChild> LaunchChild(const ProcessSpec& spec);

// Waits until the child has executed its program. On failure the child has
// been reaped and the error says why.
absl::Status ConfirmExec(LaunchedChild& child, const ProcessSpec& spec);

// Ends what is left in the sandbox of a reaped child, or of a child and the
// descendants that its keeper keeps. `used` (null: not wanted) is then what
// those processes used that nobody waited for; untouched without a keeper.
void EndKeeper(LaunchedChild& child, rusage* used);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_CHILD_LAUNCH_H_
