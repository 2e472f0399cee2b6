#include "tools/autotune/task/session.h"

#include <ostream>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

std::string Variable(const Session& session, const std::string& name) {
  const auto found = session.environment.find(name);
  return found == session.environment.end() ? "" : found->second;
}

absl::StatusOr<std::string> StateRoot(const Session& session) {
  std::string root = Variable(session, "AUTOTUNE_STATE_DIR");
  if (root.empty() && !Variable(session, "XDG_STATE_HOME").empty()) {
    root = JoinPath(Variable(session, "XDG_STATE_HOME"), "autotune");
  }
  if (root.empty() && !Variable(session, "HOME").empty()) {
    root = JoinPath(Variable(session, "HOME"), ".local/state/autotune");
  }
  if (!absl::StartsWith(root, "/")) {
    return WithHint(
        absl::FailedPreconditionError(absl::StrCat(
            "no folder for worktrees and builds: expected an absolute path in "
            "AUTOTUNE_STATE_DIR, XDG_STATE_HOME or HOME, got \"",
            root, "\"")),
        "export AUTOTUNE_STATE_DIR=/an/absolute/folder/outside/the/repository");
  }
  return root;
}

bool IsInside(const std::string& path, const std::string& folder) {
  return path == folder || absl::StartsWith(path, folder + "/");
}

}  // namespace

void Say(const Session& session, std::string_view line) {
  if (!session.quiet) session.terminal.err << PrintableText(line) << std::endl;
}

absl::StatusOr<std::string> StateDirectoryPath(const Session& session,
                                               const Repository& repository) {
  ASSIGN_OR_RETURN(const std::string root, StateRoot(session));
  return JoinPath(root, Sha256Hex(repository.common_dir()).substr(0, 12));
}

absl::StatusOr<std::string> StateDirectory(const Session& session,
                                           const Repository& repository) {
  ASSIGN_OR_RETURN(const std::string root, StateRoot(session));
  ASSIGN_OR_RETURN(const std::string directory,
                   StateDirectoryPath(session, repository));
  if (IsInside(root, repository.top_level())) {
    return WithHint(absl::FailedPreconditionError(absl::StrCat(
                        root,
                        ": builds and worktrees must lie outside the "
                        "repository's work tree")),
                    "set AUTOTUNE_STATE_DIR to a folder elsewhere");
  }
  FileSystem& files = session.seams.files;
  RETURN_IF_ERROR(files.MakeDirectories(directory));
  const std::string marker = JoinPath(directory, "repository");
  if (!files.Exists(marker)) {
    RETURN_IF_ERROR(files.WriteFile(marker, repository.common_dir() + "\n"));
  }
  return directory;
}

std::string LocalDate(const Session& session) {
  return absl::FormatTime("%Y-%m-%d", session.seams.clock.Now(),
                          absl::LocalTimeZone());
}

}  // namespace autotune
