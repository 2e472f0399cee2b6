#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_FAULT_POINT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_FAULT_POINT_H_

#include <string_view>

namespace autotune {

// A named step at which a test may end this process as `kill -9` would: when
// the environment variable AUTOTUNE_TEST_KILL_AT equals `step`, the process
// kills itself here. Nothing happens unless the variable is set; it exists so
// that the recovery of every step is tested on the program that users run.
void FaultPoint(std::string_view step);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_FAULT_POINT_H_
