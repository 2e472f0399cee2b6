#include "tools/system/descendants.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <ctime>

#include "tools/system/sandbox_entry.h"

namespace autotune {
namespace {

// Looks for descendants that are slow to die, 0.5 ms apart.
constexpr int kMostLooks = 10'000;
constexpr char kOurChildren[] = "/proc/thread-self/children";

void Say(int report, const void* words, std::size_t size) {
  // Nobody may be there to hear it: all signals are blocked.
  const ssize_t written = write(report, words, size);
  static_cast<void>(written);
}

void CloseAllBut(int kept) {
  const auto kept_one = static_cast<unsigned>(kept);
  if (kept_one > 0) syscall(SYS_close_range, 0U, kept_one - 1, 0U);
  syscall(SYS_close_range, kept_one + 1, ~0U, 0U);
}

// Leaves the program a zombie, so that its number stays its own.
bool FindEnd(pid_t program, int options, KeptEnd& end) {
  siginfo_t info = {};
  long waited = 0;
  do {
    waited = syscall(SYS_waitid, P_PID, program, &info,
                     WEXITED | WNOWAIT | options, &end.used);
  } while (waited < 0 && errno == EINTR);
  if (waited < 0 || info.si_pid != program) return false;
  end.code = info.si_code;
  end.status = info.si_status;
  return true;
}

void AddTime(const timeval& more, timeval& sum) { timeradd(&sum, &more, &sum); }

void AddUsage(const rusage& more, rusage& sum) {
  AddTime(more.ru_utime, sum.ru_utime);
  AddTime(more.ru_stime, sum.ru_stime);
  sum.ru_nvcsw += more.ru_nvcsw;
  sum.ru_nivcsw += more.ru_nivcsw;
}

// Kills whoever is our child now: numbers apart by spaces. One that the buffer
// cuts off is found by the next look.
bool KillChildren() {
  std::array<char, 4096> text;
  const int file = open(kOurChildren, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t size = read(file, text.data(), text.size());
  close(file);
  pid_t child = 0;
  for (ssize_t i = 0; i < size; ++i) {
    const char c = text[static_cast<std::size_t>(i)];
    if (c >= '0' && c <= '9') {
      child = 10 * child + (c - '0');
      continue;
    }
    if (child > 0) kill(child, SIGKILL);
    child = 0;
  }
  return size >= 0;
}

// Whoever dies hands its own children on to us, so this goes on until there are
// none.
rusage EndDescendants() {
  rusage used = {};
  for (int look = 0; look < kMostLooks; ++look) {
    pid_t ended = 0;
    do {
      rusage one = {};
      ended = wait4(-1, nullptr, WNOHANG | __WALL, &one);
      if (ended > 0) AddUsage(one, used);
    } while (ended > 0);
    if (ended < 0 || !KillChildren()) break;
    const timespec pause = {0, 500'000};
    nanosleep(&pause, nullptr);
  }
  return used;
}

}  // namespace

void BecomeKeeper(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, kEndKeeper);
  if (getppid() != parent) _exit(126);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  // Turns stop and continue the program hundreds of times a second: to be woken
  // by that would disturb what is measured.
  struct sigaction quiet = {};
  quiet.sa_handler = SIG_DFL;
  quiet.sa_flags = SA_NOCLDSTOP;
  sigaction(SIGCHLD, &quiet, nullptr);
}

void KeepDescendants(const KeptStart& started, int report) {
  Say(report, &started, sizeof started);
  CloseAllBut(report);
  if (started.program < 0) _exit(126);
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, kEndKeeper);
  KeptEnd end;
  bool told = false;
  do {
    if (!told && FindEnd(started.program, WNOHANG, end)) {
      Say(report, &end, sizeof end);
      told = true;
    }
  } while (sigwaitinfo(&awaited, nullptr) != kEndKeeper);
  // It may have left its group.
  kill(-started.program, SIGKILL);
  kill(started.program, SIGKILL);
  if (!told && FindEnd(started.program, 0, end)) Say(report, &end, sizeof end);
  waitpid(started.program, nullptr, __WALL);
  const rusage left = EndDescendants();
  Say(report, &left, sizeof left);
  _exit(0);
}

}  // namespace autotune
