#ifndef AUTOTUNE_TOOLS_GIT_NAMES_H_
#define AUTOTUNE_TOOLS_GIT_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tools/git/repository.h"

namespace autotune {

// The names of a task's refs, and nowhere else. Attempt branches live beside
// the working branch's name, not below it: git cannot hold both "autotune/x"
// and "autotune/x/y".

// "autotune/TASK", without "refs/heads/"; for an empty task what all start
// with.
std::string WorkingBranch(std::string_view task);
// "autotune-iter/TASK/": the attempts' branches start so.
std::string AttemptFolder(std::string_view task);
// "autotune-harvest/TASK-": the branches for review start so; a number follows.
std::string HarvestPrefix(std::string_view task);
// "refs/autotune/TASK/": the recorded attempts' refs start so.
std::string RecordFolder(std::string_view task);
// "autotune-iter/TASK/NNN-APPROACH", NNN of at least three digits.
std::string AttemptBranch(std::string_view task, int number,
                          std::string_view approach);
// "refs/autotune/TASK/NNN": keeps an attempt's commit for ever.
std::string AttemptRef(std::string_view task, int number);

struct AttemptName {
  int number = 0;
  std::string approach;
};
// The reverse of AttemptBranch, with or without "refs/heads/"; nothing for any
// other name.
std::optional<AttemptName> ParseAttemptBranch(std::string_view task,
                                              std::string_view branch);

// The task of a branch WorkingBranch or AttemptBranch named, without
// "refs/heads/"; empty for any other name.
std::string TaskOfBranch(std::string_view branch);

// Whether all that a new task will create could be created: FailedPrecondition
// naming the ref in the way (itself, one above it or one below it) and the way
// out; InvalidArgument when git allows no such name.
absl::Status CheckNamesFree(const Repository& repository,
                            const std::string& task);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_NAMES_H_
