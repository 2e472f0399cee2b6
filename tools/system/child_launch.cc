#include "tools/system/child_launch.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/system/descendants.h"
#include "tools/system/posix_error.h"
#include "tools/system/program_path.h"
#include "tools/system/sandbox_entry.h"

namespace autotune {
namespace {

enum class Step : int { kSandbox, kFolder, kCpu, kExec };

// What a child that never reached its program writes to the failure pipe.
struct Failure {
  Step step = Step::kExec;
  int error = 0;
};

// Everything the child needs, made before fork: between fork and exec only
// async-signal-safe calls are allowed.
struct ChildImage {
  const char* program = nullptr;
  char* const* argv = nullptr;
  char* const* environment = nullptr;
  const char* folder = nullptr;  // null: stay
  const cpu_set_t* cpus = nullptr;
  bool start_stopped = false;
  bool dies_with_parent = true;
  pid_t parent = 0;
  const SandboxEntry* sandbox = nullptr;
  int siblings = -1;  // where the entrant of a sandbox says who it started
  int report = -1;    // where a keeper says what happens; -1: none is wanted
  std::array<int, 3> streams = {-1, -1, -1};
  int failure = -1;
};

[[noreturn]] void Fail(const ChildImage& image, Step step) {
  const Failure failure = {step, errno};
  const ssize_t written = write(image.failure, &failure, sizeof failure);
  _exit(written == static_cast<ssize_t>(sizeof failure) ? 127 : 126);
}

void ResetSignals() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    sigaction(signal, &standard, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void TieToParent(const ChildImage& image) {
  if (!image.dies_with_parent) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != image.parent) _exit(126);
}

// A file just written may still be open for writing in a child that another
// thread has forked and that has not executed yet: ETXTBSY passes by itself.
void Execute(const ChildImage& image) {
  for (int attempt = 0; attempt < 40; ++attempt) {
    execve(image.program, image.argv, image.environment);
    if (errno != ETXTBSY) return;
    const timespec pause = {0, 5'000'000};
    nanosleep(&pause, nullptr);
    errno = ETXTBSY;
  }
}

// The processes that the entrant of a sandbox starts, as seen outside.
struct Siblings {
  pid_t keeper = -1;
  pid_t program = -1;
};

[[noreturn]] void RunProgram(const ChildImage& image) {
  for (int stream = 0; stream < 3; ++stream) {
    dup2(image.streams[stream], stream);
  }
  if (image.folder != nullptr && chdir(image.folder) != 0) {
    Fail(image, Step::kFolder);
  }
  if (image.cpus != nullptr &&
      sched_setaffinity(0, sizeof *image.cpus, image.cpus) != 0) {
    Fail(image, Step::kCpu);
  }
  if (image.start_stopped) kill(getpid(), SIGSTOP);
  Execute(image);
  Fail(image, Step::kExec);
}

[[noreturn]] void RunInside(const ChildImage& image) {
  setpgid(0, 0);
  // Our parent has no number in here by which to see that it is gone already.
  if (image.dies_with_parent) prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!image.sandbox->FinishInside()) Fail(image, Step::kSandbox);
  RunProgram(image);
}

// The entrant of a sandbox; see sandbox_entry.h.
[[noreturn]] void EnterSandbox(const ChildImage& image) {
  if (!image.sandbox->MakeNamespaces()) Fail(image, Step::kSandbox);
  Siblings started;
  // No order to the keeper is lost, however early it comes.
  sigset_t order;
  sigemptyset(&order);
  sigaddset(&order, kEndKeeper);
  sigprocmask(SIG_BLOCK, &order, nullptr);
  started.keeper = ForkSibling();
  if (started.keeper == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    KeepSandbox();
  }
  sigprocmask(SIG_UNBLOCK, &order, nullptr);
  if (started.keeper > 0) started.program = ForkSibling();
  if (started.program == 0) RunInside(image);
  const int error = errno;
  const ssize_t written = write(image.siblings, &started, sizeof started);
  errno = error;
  if (started.program < 0) Fail(image, Step::kSandbox);
  _exit(written == static_cast<ssize_t>(sizeof started) ? 0 : 126);
}

// True once the child waits, stopped; false when it has already failed.
bool AwaitStop(pid_t pid) {
  siginfo_t info = {};
  while (waitid(P_PID, static_cast<id_t>(pid), &info,
                WSTOPPED | WEXITED | WNOWAIT) != 0) {
    if (errno != EINTR) return false;
  }
  return info.si_code == CLD_STOPPED;
}

// In a forked copy: starts the program and keeps what it starts; see
// descendants.h.
[[noreturn]] void RunKeeper(const ChildImage& image);

[[noreturn]] void RunChild(const ChildImage& image) {
  setpgid(0, 0);
  if (image.report >= 0) RunKeeper(image);
  TieToParent(image);
  ResetSignals();
  if (image.sandbox != nullptr) EnterSandbox(image);
  RunProgram(image);
}

void RunKeeper(const ChildImage& image) {
  BecomeKeeper(image.parent);
  ChildImage program = image;
  program.parent = getpid();
  program.report = -1;
  KeptStart started;
  started.program = ForkHere();
  if (started.program == 0) RunChild(program);
  started.error = errno;
  if (started.program > 0) {
    setpgid(started.program, started.program);
    started.stopped = image.start_stopped && AwaitStop(started.program);
  }
  KeepDescendants(started, image.report);
}

// Both ends at descriptor 3 or above, so that dup2 onto 0..2 never hits one.
absl::StatusOr<UniqueFd> LiftAboveStreams(UniqueFd fd) {
  if (fd.get() > 2) return fd;
  UniqueFd lifted(fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
  if (!lifted.valid()) return PosixError(errno, "cannot duplicate a pipe");
  return lifted;
}

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

absl::StatusOr<Pipe> MakePipe() {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return PosixError(errno, "cannot make a pipe");
  }
  UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  Pipe made;
  ASSIGN_OR_RETURN(made.read_end, LiftAboveStreams(std::move(reader)));
  ASSIGN_OR_RETURN(made.write_end, LiftAboveStreams(std::move(writer)));
  return made;
}

void SetNonBlocking(const UniqueFd& fd) {
  fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

struct Streams {
  UniqueFd child_input;
  UniqueFd our_input;
  Pipe output;
  Pipe error;
};

absl::Status OpenInput(const ProcessSpec& spec, Streams& streams) {
  if (!spec.standard_input.empty()) {
    ASSIGN_OR_RETURN(Pipe input, MakePipe());
    streams.child_input = std::move(input.read_end);
    streams.our_input = std::move(input.write_end);
    SetNonBlocking(streams.our_input);
    return absl::OkStatus();
  }
  UniqueFd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing.valid()) return PosixError(errno, "/dev/null");
  ASSIGN_OR_RETURN(streams.child_input, LiftAboveStreams(std::move(nothing)));
  return absl::OkStatus();
}

absl::StatusOr<Streams> OpenStreams(const ProcessSpec& spec) {
  Streams streams;
  RETURN_IF_ERROR(OpenInput(spec, streams));
  ASSIGN_OR_RETURN(streams.output, MakePipe());
  ASSIGN_OR_RETURN(streams.error, MakePipe());
  SetNonBlocking(streams.output.read_end);
  SetNonBlocking(streams.error.read_end);
  return streams;
}

// Forks with every signal blocked, so that none of our handlers runs in the
// child before it has reset them.
pid_t ForkQuietly(const ChildImage& image) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork();
  if (pid == 0) RunChild(image);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> EnvironmentEntries(
    const std::map<std::string, std::string>& environment) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : environment) {
    entries.push_back(absl::StrCat(name, "=", value));
  }
  return entries;
}

bool IsUnset(const ProcessSpec& spec, std::string_view name) {
  for (const std::string& unset : spec.unset_environment) {
    if (name == unset) return true;
  }
  for (const std::string& kept : spec.keep_environment) {
    if (name == kept) return false;
  }
  for (const std::string& prefix : spec.unset_environment_prefixes) {
    if (name.substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

std::string SearchPath(const std::map<std::string, std::string>& environment) {
  const auto path = environment.find("PATH");
  return path == environment.end() ? "/usr/local/bin:/usr/bin:/bin"
                                   : path->second;
}

absl::StatusOr<cpu_set_t> CpuSet(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) {
    return absl::InvalidArgumentError(
        absl::StrCat("CPU ", cpu, ": no such CPU: give one of this machine's"));
  }
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(cpu, &cpus);
  return cpus;
}

absl::Status FailureStatus(const Failure& failure, const std::string& program,
                           const ProcessSpec& spec) {
  switch (failure.step) {
    case Step::kFolder:
      return PosixError(
          failure.error,
          absl::StrCat(spec.working_directory, ": cannot work in this folder"));
    case Step::kCpu:
      return absl::InvalidArgumentError(absl::StrCat(
          "CPU ", spec.cpu.value_or(-1), ": cannot run there: ",
          ErrnoText(failure.error), ": give a CPU this process may use"));
    case Step::kSandbox:
      return absl::UnavailableError(absl::StrCat(
          "this machine lets us make no sandbox: ", ErrnoText(failure.error)));
    case Step::kExec:
      break;
  }
  return ExecError(failure.error, program, spec.working_directory);
}

absl::Status CheckSpec(const ProcessSpec& spec) {
  if (spec.argv.empty() || spec.argv[0].empty()) {
    return absl::InvalidArgumentError("no program given: the command is empty");
  }
  for (const std::string& argument : spec.argv) {
    if (argument.find('\0') != std::string::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat(spec.argv[0], ": an argument holds a NUL byte"));
    }
  }
  return absl::OkStatus();
}

// The environment a child of ours gets: `inherited` ("NAME=VALUE" strings ended
// by a null pointer, as in environ(7)) without what `spec` unsets, then what it
// sets.
std::map<std::string, std::string> ChildEnvironment(
    const ProcessSpec& spec, const char* const* inherited) {
  std::map<std::string, std::string> environment;
  for (; *inherited != nullptr; ++inherited) {
    const std::string_view entry(*inherited);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = entry.substr(0, equals);
    if (IsUnset(spec, name)) continue;
    environment.emplace(name, entry.substr(equals + 1));
  }
  if (spec.sandbox.has_value()) AdaptEnvironment(*spec.sandbox, environment);
  for (const auto& [name, value] : spec.environment) environment[name] = value;
  return environment;
}

void Await(pid_t pid, rusage* used = nullptr) {
  while (wait4(pid, nullptr, 0, used) < 0 && errno == EINTR) {
  }
}

// Takes over what the entrant, our only child so far, has started. Where that
// is nothing, `child` stays the entrant, which has said why.
void AdoptSiblings(Pipe pipe, LaunchedChild& child) {
  pipe.write_end.Reset();
  Siblings started;
  if (!ReadRecord(pipe.read_end, started)) return;
  child.keeper = started.keeper;
  if (started.program < 0) return;
  Await(child.pid);
  child.pid = started.program;
}

// Takes over what the keeper, our child, has started.
absl::Status AdoptKept(Pipe pipe, LaunchedChild& child) {
  pipe.write_end.Reset();
  child.keeper = child.pid;
  KeptStart started;
  if (!ReadRecord(pipe.read_end, started) || started.program < 0) {
    Await(child.keeper);
    return PosixError(started.error, "cannot start a process");
  }
  child.pid = started.program;
  child.waits_stopped = started.stopped;
  child.report = std::move(pipe.read_end);
  SetNonBlocking(child.report);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LaunchedChild> LaunchChild(const ProcessSpec& spec) {
  RETURN_IF_ERROR(CheckSpec(spec));
  const auto environment = ChildEnvironment(spec, environ);
  LaunchedChild child;
  ASSIGN_OR_RETURN(child.program,
                   FindProgram(spec.argv[0], SearchPath(environment)));
  cpu_set_t cpus;
  if (spec.cpu.has_value()) {
    ASSIGN_OR_RETURN(cpus, CpuSet(*spec.cpu));
  }
  ASSIGN_OR_RETURN(Streams streams, OpenStreams(spec));
  ASSIGN_OR_RETURN(Pipe failure, MakePipe());
  std::vector<std::string> arguments = spec.argv;
  std::vector<std::string> entries = EnvironmentEntries(environment);
  const std::vector<char*> argv = Pointers(arguments);
  const std::vector<char*> envp = Pointers(entries);
  ChildImage image;
  image.program = child.program.c_str();
  image.argv = argv.data();
  image.environment = envp.data();
  image.folder =
      spec.working_directory.empty() ? nullptr : spec.working_directory.c_str();
  image.cpus = spec.cpu.has_value() ? &cpus : nullptr;
  image.start_stopped = spec.start_stopped;
  image.dies_with_parent = spec.dies_with_parent;
  image.parent = getpid();
  image.streams = {streams.child_input.get(), streams.output.write_end.get(),
                   streams.error.write_end.get()};
  image.failure = failure.write_end.get();
  std::optional<SandboxEntry> sandbox;
  Pipe siblings;
  if (spec.sandbox.has_value()) {
    image.sandbox = &sandbox.emplace(*spec.sandbox);
    ASSIGN_OR_RETURN(siblings, MakePipe());
    image.siblings = siblings.write_end.get();
  }
  Pipe report;
  if (spec.ends_descendants && !spec.sandbox.has_value()) {
    ASSIGN_OR_RETURN(report, MakePipe());
    image.report = report.write_end.get();
  }
  child.pid = ForkQuietly(image);
  if (child.pid < 0) return PosixError(errno, "cannot start a process");
  if (sandbox.has_value()) AdoptSiblings(std::move(siblings), child);
  setpgid(child.pid, child.pid);  // whoever comes first: no moment without it
  if (image.report >= 0) {
    RETURN_IF_ERROR(AdoptKept(std::move(report), child));
  } else if (spec.start_stopped) {
    child.waits_stopped = AwaitStop(child.pid);
  }
  child.standard_input = std::move(streams.our_input);
  child.standard_output = std::move(streams.output.read_end);
  child.standard_error = std::move(streams.error.read_end);
  child.failure = std::move(failure.read_end);
  failure.write_end.Reset();
  if (!child.waits_stopped) {
    RETURN_IF_ERROR(ConfirmExec(child, spec));
  }
  return child;
}

absl::Status ConfirmExec(LaunchedChild& child, const ProcessSpec& spec) {
  Failure failure;
  const bool failed = ReadRecord(child.failure, failure);
  child.failure.Reset();
  if (!failed) return absl::OkStatus();
  if (!child.report.valid()) Await(child.pid);
  child.pid = -1;
  EndKeeper(child, nullptr);
  return FailureStatus(failure, child.program, spec);
}

void EndKeeper(LaunchedChild& child, rusage* used) {
  if (child.keeper <= 0) return;
  kill(child.keeper, kEndKeeper);
  const bool tells = child.report.valid();
  Await(child.keeper, tells ? nullptr : used);
  child.keeper = -1;
  rusage left = {};
  if (tells && used != nullptr && ReadRecord(child.report, left)) *used = left;
}

}  // namespace autotune
