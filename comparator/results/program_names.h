#ifndef AUTOTUNE_COMPARATOR_RESULTS_PROGRAM_NAMES_H_
#define AUTOTUNE_COMPARATOR_RESULTS_PROGRAM_NAMES_H_

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "comparator/results/result_file.h"

namespace autotune {

// Tells programs apart whose files one side mixes: a directory run of several
// benchmark binaries may hold the same benchmark name more than once.
class ProgramNames {
 public:
  ProgramNames(std::span<const ResultFile> baseline,
               std::span<const ResultFile> contender);

  // What precedes `benchmark` of a file written by `executable`: "PROGRAM: ",
  // or nothing where the name is enough.
  std::string Prefix(std::string_view executable,
                     std::string_view benchmark) const;

  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  // Names that one side has from more than one program.
  std::unordered_set<std::string_view> shared_;
  std::unordered_map<std::string_view, std::string> program_of_;
  std::vector<std::string> warnings_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_PROGRAM_NAMES_H_
