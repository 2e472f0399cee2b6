#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_CANDIDATES_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_CANDIDATES_H_

#include <string>
#include <string_view>
#include <vector>

#include "tools/autotune/task/session.h"

namespace autotune {

// What a shell may put for a value that the command line calls `placeholder`:
// TASK tasks; APPROACH open attempts, for `revive` and `revert` decided ones;
// REGEX the benchmarks and PART the parts of the task's profile; KEY settings;
// RECIPE recipes. Empty for other kinds, and where no task is
// found.
std::vector<std::string> TaskCandidates(std::string_view placeholder,
                                        std::string_view verb,
                                        const Session& session);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_CANDIDATES_H_
