#ifndef AUTOTUNE_TESTS_SUPPORT_PROCESSES_H_
#define AUTOTUNE_TESTS_SUPPORT_PROCESSES_H_

#include <sys/types.h>

#include <fstream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/process_runner.h"

namespace autotune {

inline ProcessSpec Shell(const std::string& script) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", script};
  return spec;
}

inline absl::StatusOr<ProcessResult> RunToEnd(const ProcessSpec& spec) {
  return MakePosixProcessRunner()->Run(spec);
}

// A zombie that its new parent has not reaped yet is dead.
inline bool IsAlive(pid_t pid) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) return line.find('Z') == std::string::npos;
  }
  return false;
}

// Waits for a process that is not our child to go.
inline bool DiesWithin(pid_t pid, absl::Duration patience) {
  const absl::Time last = absl::Now() + patience;
  while (IsAlive(pid) && absl::Now() < last) {
    absl::SleepFor(absl::Milliseconds(5));
  }
  return !IsAlive(pid);
}

// The pid that a script has written into `path`, as soon as it is there.
inline pid_t AwaitPid(const TemporaryFolder& folder, const std::string& name) {
  for (int i = 0; i < 2000; ++i) {
    const auto text = folder.files().ReadFile(folder.Join(name));
    int pid = 0;
    if (text.ok() && text->ends_with('\n') && absl::SimpleAtoi(*text, &pid)) {
      return pid;
    }
    absl::SleepFor(absl::Milliseconds(5));
  }
  return 0;
}

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_PROCESSES_H_
