#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_SESSION_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_SESSION_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/git/repository.h"
#include "tools/measure/interleaved_run.h"
#include "tools/system/terminal.h"

namespace autotune {

// Everything one invocation of a verb may touch.
struct Session {
  Terminal& terminal;
  MeasureSeams seams;
  std::string directory;  // where the user stands, absolute
  // The variables the program reads: HOME, XDG_STATE_HOME, AUTOTUNE_STATE_DIR,
  // AUTOTUNE_MEASURE_LOCK, and the build's CC, CXX, CFLAGS, ..., PATH.
  std::map<std::string, std::string> environment;
  std::string task = {};             // --task; empty: found from the branch
  std::string given_directory = {};  // -C, as given
  bool quiet = false;
  bool dry_run = false;
  std::function<bool()> interrupted = [] { return false; };
};

// One line for people on stderr, unless --quiet.
void Say(const Session& session, std::string_view line);

// The folder for worktrees, builds and journals of `repository`, outside of it:
// $AUTOTUNE_STATE_DIR, else $XDG_STATE_HOME/autotune, else
// $HOME/.local/state/autotune, then 12 hexadecimal digits of the SHA-256 of the
// repository's common git folder. Made when missing, with a file `repository`
// that names that folder. FailedPrecondition when no variable is set, the
// folder is not absolute, or it lies inside the repository's work tree.
absl::StatusOr<std::string> StateDirectory(const Session& session,
                                           const Repository& repository);

// Its path, whether it is there and may be used or not.
absl::StatusOr<std::string> StateDirectoryPath(const Session& session,
                                               const Repository& repository);

// Today in local time, YYYY-MM-DD.
std::string LocalDate(const Session& session);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_SESSION_H_
