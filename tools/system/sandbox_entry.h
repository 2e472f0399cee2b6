#ifndef AUTOTUNE_TOOLS_SYSTEM_SANDBOX_ENTRY_H_
#define AUTOTUNE_TOOLS_SYSTEM_SANDBOX_ENTRY_H_

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "tools/system/sandbox.h"

namespace autotune {

// A sandbox as a forked child enters it: all memory is taken before fork, and
// what runs in the child is async-signal-safe.
//
// Three processes take part, all children of ours. The entrant makes the
// namespaces, lays out the file system and starts the other two; it then ends.
// The keeper is the first process of the new process table: it waits for
// kEndKeeper, then kills and reaps whatever else runs in there, and ends; were
// it to die, the kernel would kill the rest. The program is an
// ordinary process beside it, so that signals and abort() do to it what they do
// outside.
class SandboxEntry {
 public:
  explicit SandboxEntry(const Sandbox& sandbox);

  // In the entrant. False: errno says why.
  bool MakeNamespaces() const;
  // In the program, before it is executed. False: errno says why.
  bool FinishInside() const;

 private:
  struct Place {
    std::string from;  // below the old root
    std::string to;
    bool folder = true;
    bool writable = false;
  };

  bool LayOut() const;

  std::string uid_map_;
  std::string gid_map_;
  std::vector<std::string> folders_;  // in the order in which to make them
  std::vector<Place> places_;
  std::vector<SandboxLink> links_;
  std::vector<std::string> hidden_;
};

// Starts a process as a sibling: a child of our parent. As fork(2).
pid_t ForkSibling();
// Async-signal-safe fork(2).
pid_t ForkHere();

// What the keeper does, until the signal, which is blocked, reaches it from
// outside.
inline constexpr int kEndKeeper = SIGTERM;
[[noreturn]] void KeepSandbox();

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_SANDBOX_ENTRY_H_
