#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_DOCTOR_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_DOCTOR_H_

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct DoctorOptions {
  bool install = false;  // set up the merge driver in this clone
};

// `autotune doctor`: what on this machine and in this repository would stop a
// verb or disturb a measurement, each with its way out. Works without a task.
// Ends with exit code 69 when something must be mended first.
absl::StatusOr<VerbResult> Doctor(const Session& session,
                                  const DoctorOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_DOCTOR_H_
