#ifndef AUTOTUNE_TOOLS_GIT_DIFF_REVIEW_H_
#define AUTOTUNE_TOOLS_GIT_DIFF_REVIEW_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// One line that a change adds.
struct AddedLine {
  std::string path;
  int line = 0;  // in the new file, counted from 1
  std::string text;
  // The removed line it stands for: the one at the same place among those of
  // its hunk; empty when there is none.
  std::string replaced = {};
};

// The lines that `to` has and `from` has not, of every file that is no symlink
// or submodule, in the order of paths and lines. Of changed binary files
// only those named like code give lines, so that a NUL byte cannot hide any.
absl::StatusOr<std::vector<AddedLine>> AddedLines(const Repository& repository,
                                                  const std::string& from,
                                                  const std::string& to);

// The added lines of a unified diff text for one file (hunks only).
std::vector<AddedLine> ParseAddedLines(std::string_view path,
                                       std::string_view diff);

// An added line that a human should look at before trusting a speed-up.
struct SuspiciousAddition {
  AddedLine added;
  std::string what;  // "reads a clock", ...
};

// Pure: additions by which a benchmark can be fooled or a result moved out of
// the measured work: clock functions, the benchmark's environment variables,
// state that outlives an iteration, code before main, optimiser pragmas and
// attributes, preloading, threads, sleeping, signals and process control, and
// direct references to the benchmark library. What the replaced line had
// already is none, nor is a word in a comment or (of code) in a string, unless
// it is a path or variable that means something there. A line is read by
// itself: inside a comment or raw string of several lines it counts. Only code
// files and build files are looked at, not notes.
std::vector<SuspiciousAddition> FindSuspiciousAdditions(
    const std::vector<AddedLine>& lines);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_DIFF_REVIEW_H_
