#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_DATA_FOLDER_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_DATA_FOLDER_H_

#include <string>

#include "tools/autotune/task/session.h"

namespace autotune {

// The folder of the files that the program is installed with (recipes/,
// skills/): $AUTOTUNE_DATA_DIR, else ../share/autotune beside the program, else
// the source tree it was built from.
std::string DataFolder(const Session& session);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_DATA_FOLDER_H_
