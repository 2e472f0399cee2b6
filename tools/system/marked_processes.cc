#include "tools/system/marked_processes.h"

#include <dirent.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tools/system/unique_fd.h"

namespace autotune {
namespace {

// Each pass finds what was started during the one before; one that starts
// others faster than they are killed is given up on.
constexpr int kPasses = 100;

bool HasMark(pid_t pid, const std::string& entry) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/environ"));
  // With the NUL in front, so that no variable's end is taken for it.
  std::string environment(1, '\0');
  environment.append(std::istreambuf_iterator<char>(file), {});
  return environment.find(entry) != std::string::npos;
}

// A zombie has no environment any more, so that none is found twice.
bool KillOnePass(const std::string& entry) {
  const std::unique_ptr<DIR, int (*)(DIR*)> processes(opendir("/proc"),
                                                      &closedir);
  if (processes == nullptr) return false;
  bool found = false;
  while (const dirent* process = readdir(processes.get())) {
    pid_t pid = 0;
    if (!absl::SimpleAtoi(process->d_name, &pid) || pid == getpid()) continue;
    // Held before it is looked at: its number cannot become another's.
    const UniqueFd held(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    if (!held.valid() || !HasMark(pid, entry)) continue;
    found =
        syscall(SYS_pidfd_send_signal, held.get(), SIGKILL, nullptr, 0) == 0 ||
        found;
  }
  return found;
}

}  // namespace

void KillMarkedProcesses(const std::string& mark) {
  const std::string end(1, '\0');
  const std::string entry = absl::StrCat(end, kMarkVariable, "=", mark, end);
  for (int pass = 0; pass < kPasses && KillOnePass(entry); ++pass) {
  }
}

}  // namespace autotune
