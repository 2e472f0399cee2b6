#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_DOCTOR_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_DOCTOR_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/names.h"
#include "tools/autotune/task/session.h"
#include "tools/git/repository.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct DoctorOptions {
  bool install = false;     // set up the merge driver in this clone
  std::string implementer;  // a recipe or command to try; empty: none
  std::optional<std::string> timeout;  // of that trial; five minutes
};

// One thing that was looked at, and the way out where one is needed.
struct Finding {
  enum class Kind { kOk, kNote, kFix };
  Kind kind;
  std::string text;
  Hint hint;
};

template <>
struct NameTable<Finding::Kind> {
  static constexpr Named<Finding::Kind> kAll[] = {
      {"ok", Finding::Kind::kOk},
      {"note", Finding::Kind::kNote},
      {"fix", Finding::Kind::kFix}};
};

// Has the implementer make a trivial change in a linked worktree of a scratch
// repository below our state folder, as the worktrees of attempts are, and
// finds whether the change arrived, whether it was committed, what else it
// touched, what it said of its cost, and how it ended. Costs what the
// implementer's maker asks for one short answer.
absl::StatusOr<std::vector<Finding>> TryImplementer(
    const Session& session, const Repository& repository,
    const DoctorOptions& options);

// `autotune doctor`: what on this machine and in this repository would stop a
// verb or disturb a measurement, each with its way out. Works without a task.
// With an implementer it tries that one besides.
// Ends with exit code 69 when something must be mended first.
absl::StatusOr<VerbResult> Doctor(const Session& session,
                                  const DoctorOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_DOCTOR_H_
