#ifndef AUTOTUNE_TOOLS_AUTOTUNE_WALLS_ENCLOSURE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_WALLS_ENCLOSURE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/git/repository.h"
#include "tools/ledger/task_settings.h"
#include "tools/system/sandbox.h"

namespace autotune {

// Where a build and everything that is run of it finds its own places when it
// is shut in: the same for both sides.
inline constexpr char kSeenSource[] = "/project/tree";
inline constexpr char kSeenBuild[] = "/project/build";
inline constexpr char kSeenTests[] = "/project/tests";

// What a person can do where no sandbox can be made.
inline constexpr char kHowToShutIn[] =
    "the kernel has to allow user namespaces (sysctl "
    "user.max_user_namespaces, kernel.unprivileged_userns_clone)";

// Why nothing of the task is shut in: the settings do not want it, or this
// machine lets us make no sandbox. Empty when it is.
std::string WhyOpen(const Session& session, const TaskSettings& settings);

// How builds, tests and visits of a task are shut in.
struct Enclosure {
  std::optional<Sandbox> sandbox;  // without their own places; nothing: open
  std::string why_open;            // empty when shut in
};

// The sandbox that the settings ask for: the system, what the settings'
// `readable`, commands and build variables (CXX, CMAKE_PREFIX_PATH, ...) name
// by absolute paths, and nothing of the repository or of what autotune keeps.
// FailedPrecondition where it is required and this machine lets us make none.
absl::StatusOr<Enclosure> EnclosureOf(const Session& session,
                                      const Repository& repository,
                                      const TaskSettings& settings);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_WALLS_ENCLOSURE_H_
