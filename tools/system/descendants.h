#ifndef AUTOTUNE_TOOLS_SYSTEM_DESCENDANTS_H_
#define AUTOTUNE_TOOLS_SYSTEM_DESCENDANTS_H_

#include <sys/resource.h>
#include <sys/types.h>

namespace autotune {

// Whoever outlives its parent is handed by the kernel to the nearest process
// above that asked for it. For a program of which nothing shall be left that is
// a keeper: a forked copy of us between the program and us, which sleeps until
// the program has ended and then until it is told to end the rest, or until we
// die, however we die. It says what happens on a pipe: one KeptStart, one
// KeptEnd, one rusage.

// The program as the keeper started it; below 0 it could not.
struct KeptStart {
  pid_t program = -1;
  bool stopped = false;  // it waits, stopped, for its first continue
  int error = 0;         // errno where it could not
};

// How the program ended: si_code and si_status of waitid(2), and what it and
// the children that it waited for used.
struct KeptEnd {
  int code = 0;
  int status = 0;
  rusage used = {};
};

// In the forked copy, all signals blocked: makes it the keeper of what it is
// going to start. `parent` is who shall be outlived by nothing.
void BecomeKeeper(pid_t parent);

// In the keeper, after it has started `program`: says so on `report`, closes
// everything else, waits and ends. The last thing it says is what those used
// that nobody else waited for. Async-signal-safe.
[[noreturn]] void KeepDescendants(const KeptStart& started, int report);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_DESCENDANTS_H_
