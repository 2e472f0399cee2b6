#ifndef AUTOTUNE_TOOLS_MEASURE_IDENTITY_H_
#define AUTOTUNE_TOOLS_MEASURE_IDENTITY_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/measure/side_command.h"
#include "tools/system/file_system.h"

namespace autotune {

// What a side's executable is.
struct ProgramFile {
  std::string path;               // the file that runs
  std::string sha256;             // of its bytes
  std::string build_id;           // empty when it has none
  std::string compiler;           // from its .comment; empty when unknown
  bool needs_its_folder = false;  // finds libraries by $ORIGIN, or is a script
  // SHA-256 by name of the libraries that its run path finds.
  std::map<std::string, std::string> libraries;
  std::vector<std::string> library_paths;  // of the same libraries
};

// How two sides' programs compare.
struct Identity {
  ProgramFile baseline;
  ProgramFile contender;
  // True only when everything that a visit uses is equal: executables and the
  // libraries they load from their build folders (build ids and the build
  // folders' own equal-length paths masked), arguments, environment, working
  // folder, and every file that an argument or a path inside the executables
  // names. False in doubt.
  bool identical = false;
};

// Reads both programs. Errors: those of reading the files, naming the side;
// NotFound when there is no such program.
absl::StatusOr<Identity> CompareIdentity(const SideCommand& baseline,
                                         const SideCommand& contender,
                                         FileSystem& files);

// The two folders in which the sides' trees differ: the longest heads of the
// two paths left after dropping their common tail. ("/t/a/bin/x", "/t/b/bin/x")
// gives ("/t/a", "/t/b"); equal paths give empty ones.
struct FolderPair {
  std::string baseline;
  std::string contender;
};
FolderPair DifferingFolders(std::string_view baseline_path,
                            std::string_view contender_path);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_IDENTITY_H_
