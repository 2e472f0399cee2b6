#include "tools/system/process_runner.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "tools/system/child_launch.h"
#include "tools/system/descendants.h"
#include "tools/system/posix_error.h"
#include "tools/system/unique_fd.h"

namespace autotune {
namespace {

// Without a pidfd the end of a process is found by asking again this often.
constexpr absl::Duration kAskAgain = absl::Milliseconds(2);

// We wake at least that often, to see that we were stopped ourselves: when we
// come by so much too late. A loaded machine is late by less.
constexpr absl::Duration kLongestSleep = absl::Milliseconds(250);
constexpr absl::Duration kStarved = absl::Milliseconds(100);

absl::Duration MonotonicNow() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return absl::DurationFromTimespec(now);
}

UniqueFd OpenPidFd(pid_t pid) {
  return UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

// write(2) that reports a closed pipe as EPIPE and never as a signal.
ssize_t WriteWithoutSignal(int fd, std::string_view bytes) {
  sigset_t pipe_only;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
  const ssize_t written = write(fd, bytes.data(), bytes.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once = {};
    sigtimedwait(&pipe_only, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

// The last `limit` bytes of a stream, at amortised constant cost a byte.
class Tail {
 public:
  explicit Tail(std::size_t limit) : limit_(limit) {}
  void Append(std::string_view bytes) {
    text_.append(bytes);
    if (text_.size() / 2 > limit_) text_.erase(0, text_.size() - limit_);
  }
  std::string_view text() const { return text_; }
  std::string Take() {
    if (text_.size() > limit_) text_.erase(0, text_.size() - limit_);
    return std::move(text_);
  }

 private:
  std::size_t limit_;
  std::string text_;
};

std::int64_t OurPeakRssBytes() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return std::int64_t{used.ru_maxrss} * 1024;
}

ResourceUsage UsageOf(const rusage& used, std::int64_t inherited_rss_bytes) {
  ResourceUsage usage;
  usage.user_cpu = absl::DurationFromTimeval(used.ru_utime);
  usage.system_cpu = absl::DurationFromTimeval(used.ru_stime);
  usage.peak_rss_bytes = std::int64_t{used.ru_maxrss} * 1024;
  usage.peak_rss_exact = usage.peak_rss_bytes > inherited_rss_bytes;
  usage.voluntary_switches = used.ru_nvcsw;
  usage.involuntary_switches = used.ru_nivcsw;
  return usage;
}

// Memory is left out: the keeper of a sandbox starts as a copy of us.
void AddUnawaited(const rusage& left, ResourceUsage& usage) {
  usage.user_cpu += absl::DurationFromTimeval(left.ru_utime);
  usage.system_cpu += absl::DurationFromTimeval(left.ru_stime);
  usage.voluntary_switches += left.ru_nvcsw;
  usage.involuntary_switches += left.ru_nivcsw;
}

// The number of a "Name:   123 kB" line of /proc/PID/status; 0 when it is gone.
std::int64_t ProcStatusNumber(pid_t pid, std::string_view name) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  std::string line;
  while (std::getline(status, line)) {
    if (std::string_view(line).substr(0, name.size()) != name) continue;
    std::string digits = line.substr(name.size());
    digits.erase(std::remove_if(digits.begin(), digits.end(),
                                [](char c) { return c < '0' || c > '9'; }),
                 digits.end());
    std::int64_t number = 0;
    return absl::SimpleAtoi(digits, &number) ? number : 0;
  }
  return 0;
}

// A child of ours that has died and was not waited for.
bool IsZombie(pid_t pid) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(pid), &info,
                WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

class PosixProcess : public RunningProcess {
 public:
  PosixProcess(ProcessSpec spec, LaunchedChild child)
      : spec_(std::move(spec)),
        child_(std::move(child)),
        pidfd_(OpenPidFd(child_.pid)),
        exec_confirmed_(!child_.failure.valid()),
        started_(MonotonicNow()),
        output_(spec_.output_limit_bytes),
        error_(spec_.output_limit_bytes) {}

  ~PosixProcess() override {
    if (child_.pid <= 0 || reaped_) return;
    SignalGroup(SIGKILL).IgnoreError();
    while (!child_.report.valid() && waitpid(child_.pid, nullptr, 0) < 0 &&
           errno == EINTR) {
    }
    EndKeeper(child_, nullptr);
  }

  pid_t pid() const override { return child_.pid; }
  absl::Status Stop() override { return SignalGroup(SIGSTOP); }
  absl::Status Kill() override { return SignalGroup(SIGKILL); }
  absl::Status Terminate() override { return SignalGroup(SIGTERM); }

  absl::Status Continue() override {
    RETURN_IF_ERROR(SignalGroup(SIGCONT));
    if (exec_confirmed_) return absl::OkStatus();
    exec_confirmed_ = true;
    absl::Status executed = ConfirmExec(child_, spec_);
    if (!executed.ok()) reaped_ = true;
    return executed;
  }

  absl::StatusOr<bool> PollEnded(absl::Duration wait) override {
    const absl::Duration until = MonotonicNow() + wait;
    while (!reaped_) {
      KillWhenLate();
      const absl::Duration now = MonotonicNow();
      const absl::Duration wake =
          std::min({until, NextDeadline(), now + kLongestSleep});
      RETURN_IF_ERROR(Pump(wake));
      ForgiveSuspension(std::max(now, wake));
      if (HasEnded()) {
        RETURN_IF_ERROR(Reap());
      } else if (MonotonicNow() >= until) {
        return false;
      }
    }
    return true;
  }

  absl::StatusOr<ProcessResult> Wait() override {
    ASSIGN_OR_RETURN(const bool ended, PollEnded(absl::InfiniteDuration()));
    if (!ended) return absl::InternalError("waited for ever and returned");
    result_.standard_output = output_.Take();
    result_.standard_error = error_.Take();
    return result_;
  }

  std::string_view StandardErrorSoFar() const override { return error_.text(); }
  int Threads() const override {
    return static_cast<int>(ProcStatusNumber(child_.pid, "Threads:"));
  }
  std::int64_t PeakRssBytes() const override {
    return ProcStatusNumber(child_.pid, "VmHWM:") * 1024;
  }

 private:
  absl::Status SignalGroup(int signal) {
    if (reaped_ || kill(-child_.pid, signal) == 0 || errno == ESRCH) {
      return absl::OkStatus();
    }
    return PosixError(errno, absl::StrCat(child_.program, ": cannot signal"));
  }

  absl::Duration NextDeadline() const {
    return result_.timed_out ? absl::InfiniteDuration() : deadline_;
  }

  // Time in which we ourselves were stopped (Ctrl-Z) is no time of the child's.
  void ForgiveSuspension(absl::Duration wake) {
    const absl::Duration late = MonotonicNow() - wake;
    if (late > kStarved) deadline_ += late;
  }

  void KillWhenLate() {
    if (MonotonicNow() < NextDeadline()) return;
    result_.timed_out = true;
    SignalGroup(SIGKILL).IgnoreError();
  }

  // Moves bytes both ways until something has happened or `until` is reached.
  absl::Status Pump(absl::Duration until) {
    std::array<pollfd, 5> watched = {{{child_.standard_output.get(), POLLIN, 0},
                                      {child_.standard_error.get(), POLLIN, 0},
                                      {child_.standard_input.get(), POLLOUT, 0},
                                      {pidfd_.get(), POLLIN, 0},
                                      {child_.report.get(), POLLIN, 0}}};
    absl::Duration wait =
        std::max(until - MonotonicNow(), absl::ZeroDuration());
    if (!pidfd_.valid()) wait = std::min(wait, kAskAgain);
    const timespec limit = absl::ToTimespec(wait);
    const bool for_ever = wait == absl::InfiniteDuration();
    if (ppoll(watched.data(), watched.size(), for_ever ? nullptr : &limit,
              nullptr) < 0) {
      if (errno == EINTR) return absl::OkStatus();
      return PosixError(errno, absl::StrCat(child_.program, ": cannot wait"));
    }
    if (watched[0].revents != 0) Receive(child_.standard_output, output_);
    if (watched[1].revents != 0) Receive(child_.standard_error, error_);
    if (watched[2].revents != 0) GiveInput();
    return absl::OkStatus();
  }

  // Takes what has arrived; closes the stream at its end.
  void Receive(UniqueFd& stream, Tail& tail) {
    std::array<char, 65536> piece;
    while (stream.valid()) {
      const ssize_t got = read(stream.get(), piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) {
        stream.Reset();
        return;
      }
      const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
      tail.Append(bytes);
    }
  }

  void GiveInput() {
    const std::string_view rest =
        std::string_view(spec_.standard_input).substr(given_);
    const ssize_t written =
        WriteWithoutSignal(child_.standard_input.get(), rest);
    if (written > 0) given_ += static_cast<std::size_t>(written);
    const bool refused = written < 0 && errno != EAGAIN && errno != EINTR;
    if (refused || given_ == spec_.standard_input.size()) {
      child_.standard_input.Reset();
    }
  }

  bool HasEnded() {
    if (child_.report.valid()) return KeeperSaysEnded();
    return IsZombie(child_.pid);
  }

  // A keeper that was killed says nothing any more: its program, whose parent
  // it was, then died with it.
  bool KeeperSaysEnded() {
    if (ReadRecord(child_.report, end_)) return true;
    if (!IsZombie(child_.keeper)) return false;
    end_.code = CLD_KILLED;
    end_.status = SIGKILL;
    return true;
  }

  // The leader is a zombie until the group is gone: its number cannot have
  // been taken by another group while we kill what is left.
  absl::Status Reap() {
    result_.wall = MonotonicNow() - started_;
    kill(-child_.pid, SIGKILL);
    Receive(child_.standard_output, output_);
    Receive(child_.standard_error, error_);
    if (!child_.report.valid()) RETURN_IF_ERROR(AwaitEnd());
    reaped_ = true;
    result_.usage = UsageOf(end_.used, our_rss_bytes_);
    rusage left = {};
    EndKeeper(child_, &left);
    AddUnawaited(left, result_.usage);
    result_.exit_code = end_.status;
    if (end_.code != CLD_EXITED) {
      result_.signal = end_.status;
      result_.exit_code = 128 + end_.status;
    }
    return absl::OkStatus();
  }

  absl::Status AwaitEnd() {
    int status = 0;
    pid_t reaped = 0;
    do {
      reaped = wait4(child_.pid, &status, 0, &end_.used);
    } while (reaped < 0 && errno == EINTR);
    if (reaped < 0) {
      return PosixError(errno, absl::StrCat(child_.program, ": cannot wait"));
    }
    end_.code = WIFSIGNALED(status) ? CLD_KILLED : CLD_EXITED;
    end_.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return absl::OkStatus();
  }

  ProcessSpec spec_;
  LaunchedChild child_;
  UniqueFd pidfd_;
  bool exec_confirmed_;
  bool reaped_ = false;
  absl::Duration started_;
  absl::Duration deadline_ = started_ + spec_.timeout;
  KeptEnd end_;
  std::int64_t our_rss_bytes_ = OurPeakRssBytes();
  std::size_t given_ = 0;
  Tail output_;
  Tail error_;
  ProcessResult result_;
};

class PosixProcessRunner : public ProcessRunner {
 public:
  absl::StatusOr<std::unique_ptr<RunningProcess>> Start(
      const ProcessSpec& spec) override {
    ASSIGN_OR_RETURN(LaunchedChild child, LaunchChild(spec));
    std::unique_ptr<RunningProcess> running =
        std::make_unique<PosixProcess>(spec, std::move(child));
    return running;
  }
};

bool IsPlainWord(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-./=:,+@%^";
  return !word.empty() &&
         word.find_first_not_of(kPlain) == std::string_view::npos;
}

std::string ShellWord(std::string_view word) {
  if (IsPlainWord(word)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

absl::StatusOr<ProcessResult> ProcessRunner::Run(const ProcessSpec& spec) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RunningProcess> process, Start(spec));
  if (spec.start_stopped) RETURN_IF_ERROR(process->Continue());
  return process->Wait();
}

std::unique_ptr<ProcessRunner> MakePosixProcessRunner() {
  return std::make_unique<PosixProcessRunner>();
}

absl::Status CheckSandbox(ProcessRunner& processes) {
  ProcessSpec spec;
  spec.argv = {"/bin/true"};
  spec.sandbox = SystemSandbox({}, {});
  return processes.Run(spec).status();
}

std::string CommandText(const std::vector<std::string>& argv) {
  std::string text;
  for (const std::string& word : argv) {
    if (!text.empty()) text += ' ';
    text += ShellWord(word);
  }
  return text;
}

}  // namespace autotune
