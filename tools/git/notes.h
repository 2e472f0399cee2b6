#ifndef AUTOTUNE_TOOLS_GIT_NOTES_H_
#define AUTOTUNE_TOOLS_GIT_NOTES_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// The texts of the notes below `ref` ("refs/notes/bench"), by the full name of
// the commit each is on. None when the ref is not there.
absl::StatusOr<std::map<std::string, std::string>> ReadNotes(
    const Repository& repository, const std::string& ref);

// Replaces the note of `commit` below `ref`; nothing else is touched. Errors
// are those of git, FailedPrecondition without an identity among them.
absl::Status WriteNote(const Repository& repository, const std::string& ref,
                       const std::string& commit, const std::string& text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_NOTES_H_
