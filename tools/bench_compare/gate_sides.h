#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_SIDES_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_SIDES_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/bench_compare/gate_settings.h"
#include "tools/build/build_command.h"
#include "tools/git/repository.h"
#include "tools/measure/side_command.h"

namespace autotune {

// A commit that is exported and built.
struct BuiltCommit {
  std::string commit;
  std::string tree;
  std::string source_directory;  // holds the tree; programs run here
  std::string build_directory;   // "{build}"
};

// Builds commits into fresh folders outside the repository, of which nothing is
// touched. The compiler cache ccache is used where it is installed and the
// caller chose none.
class CommitBuilder {
 public:
  // `environment` is the caller's: PATH and what chooses compilers. `settings`
  // and `repository` must outlive the builder.
  CommitBuilder(const Repository& repository, const GateSettings& settings,
                BuildSeams seams,
                const std::map<std::string, std::string>& environment);

  // Exports and builds `commit`, a full name, below the new folder `folder`;
  // messages call it `name` ("the base"). Folders of equal length make equal
  // programs of equal sources. Without commands of its own a tree with a
  // CMakeLists.txt is built by CMake. Aborted when it does not build.
  absl::StatusOr<BuiltCommit> Build(const std::string& commit,
                                    const std::string& folder,
                                    const std::string& name) const;

 private:
  absl::Status RunStep(const BuiltCommit& built, const std::string& folder,
                       const std::string& label,
                       const std::vector<std::string>& argv) const;

  const Repository& repository_;
  const GateSettings& settings_;
  BuildSeams seams_;
  bool use_ccache_;
};

// How to run `program` of a built commit.
SideCommand CommandOf(const BuiltCommit& built, const GateProgram& program);

// Whether every visit of the program does the same on both sides: equal
// executables, and of all that changed between the trees nothing that it could
// read when it runs, so no file but sources that stands, itself or a folder
// above it, by its name in the program. False in doubt.
absl::StatusOr<bool> IsUnchanged(const Repository& repository,
                                 const BuiltCommit& base,
                                 const BuiltCommit& head,
                                 const GateProgram& program);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_SIDES_H_
