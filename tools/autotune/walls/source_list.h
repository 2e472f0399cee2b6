#ifndef AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SOURCE_LIST_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SOURCE_LIST_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace autotune {

// Whether two texts of a build file differ only in the names of source files
// (words such as "src/parser.cc", relative and without ".."), and how.
struct SourceListEdit {
  bool only_source_names = false;
  std::vector<std::string> changed_names;  // named in only one of the two
};

// Compares two texts of a build file word by word; white space does not count,
// order of source names neither. Pure: nothing is run to find out.
SourceListEdit CompareBuildFiles(std::string_view before,
                                 std::string_view after);

// One build's compile_commands.json and the folders it names.
struct CompileCommands {
  std::string_view text;
  std::string_view source_directory;
  std::string_view build_directory;
};

// What differs between the compile commands of two builds beyond added and
// removed translation units that have the flags of another unit of the same
// target: one line each, empty when nothing does. Two empty texts do not
// differ. InvalidArgument when a text is no compile_commands.json.
absl::StatusOr<std::vector<std::string>> CompareCompileCommands(
    const CompileCommands& before, const CompileCommands& after);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SOURCE_LIST_H_
