#ifndef AUTOTUNE_TOOLS_SYSTEM_MARKED_PROCESSES_H_
#define AUTOTUNE_TOOLS_SYSTEM_MARKED_PROCESSES_H_

#include <string>

namespace autotune {

// By this variable a process is known to descend from one that we started,
// whatever group or session it moved to and however we died.
inline constexpr char kMarkVariable[] = "AUTOTUNE_MARK";

// Kills every process of ours that was started with `mark`, but not the caller.
// Processes that are started meanwhile are found too.
void KillMarkedProcesses(const std::string& mark);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_MARKED_PROCESSES_H_
