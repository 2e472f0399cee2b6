#ifndef AUTOTUNE_TOOLS_MEASURE_SIDE_COMMAND_H_
#define AUTOTUNE_TOOLS_MEASURE_SIDE_COMMAND_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/system/sandbox.h"

namespace autotune {

// One side of a run: a program that is a Google Benchmark. "{filter}" inside an
// argument is replaced by the visit's filter; when no argument holds it,
// --benchmark_filter is added.
struct SideCommand {
  std::string program;  // path; copied fresh each round unless in place
  std::vector<std::string> arguments;  // as the program reads them
  std::map<std::string, std::string> environment;
  std::string working_directory;  // empty: ours
  // What the program sees of the machine, beside a folder for its results;
  // nothing: all that we see. `program` and `working_directory` are paths
  // outside.
  std::optional<Sandbox> sandbox;
  // What the program calls a benchmark, to what it is called in this run: of
  // those that were renamed between the sides.
  std::map<std::string, std::string> common_names;
  std::string commit;  // recorded only
  std::string tree;    // recorded only
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_SIDE_COMMAND_H_
