#ifndef AUTOTUNE_TOOLS_SYSTEM_PROCESS_RUNNER_H_
#define AUTOTUNE_TOOLS_SYSTEM_PROCESS_RUNNER_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tools/system/sandbox.h"

namespace autotune {

// What to run. Never a shell: `argv[0]` is a path (with '/', relative to
// `working_directory`) or looked up in the child's PATH; the others arrive as
// they are.
struct ProcessSpec {
  std::vector<std::string> argv;                   // at least one
  std::string working_directory;                   // empty: ours
  std::map<std::string, std::string> environment;  // set on top of ours
  std::vector<std::string> unset_environment;
  // Removes every inherited variable whose name starts with one of these
  // ("BENCHMARK_", "GIT_").
  std::vector<std::string> unset_environment_prefixes;
  std::vector<std::string> keep_environment;  // though a prefix says otherwise
  std::string standard_input;                 // given whole, then closed
  absl::Duration timeout =
      absl::InfiniteDuration();  // then the group is killed
  std::optional<int> cpu;        // pin to this CPU
  // The last bytes kept of each stream; what comes earlier is dropped, never
  // blocking the child.
  std::size_t output_limit_bytes = std::size_t{64} << 20;
  // The child waits, stopped, for Continue() before exec; errors of exec are
  // then returned by the first Continue() instead of Start.
  bool start_stopped = false;
  // The kernel kills the child when the thread that started it dies, however
  // it dies: no benchmark keeps running behind a killed tool.
  bool dies_with_parent = true;
  // Whatever it starts ends with it, and with us however we die, though it left
  // the group or was stopped; what that used counts as the process's own. In a
  // sandbox this is so anyway.
  bool ends_descendants = false;
  // What the child sees of the machine; `argv[0]` with a '/' and
  // `working_directory` are paths inside. Start then fails with Unavailable
  // where the machine lets us make no sandbox.
  std::optional<Sandbox> sandbox;
};

// What a process used, from wait4's rusage (its waited-for children included;
// in a sandbox every process of it).
struct ResourceUsage {
  absl::Duration user_cpu;
  absl::Duration system_cpu;
  std::int64_t peak_rss_bytes = 0;
  // False when the process may have stayed below our own memory: the kernel
  // counts the forked copy of us before exec too, so its peak is then ours.
  bool peak_rss_exact = false;
  std::int64_t voluntary_switches = 0;
  std::int64_t involuntary_switches = 0;
};

// How a process ended.
struct ProcessResult {
  int exit_code = 0;          // 128 + signal when killed by one
  std::optional<int> signal;  // set when a signal ended it
  bool timed_out = false;     // we killed its group after `timeout`
  std::string standard_output;
  std::string standard_error;
  ResourceUsage usage;
  absl::Duration wall;

  bool succeeded() const { return exit_code == 0 && !timed_out; }
};

// A process that is running, in a process group of its own. When it ends, what
// is left of its group is killed. The destructor kills the group and reaps.
class RunningProcess {
 public:
  virtual ~RunningProcess() = default;

  virtual pid_t pid() const = 0;
  virtual absl::Status Stop() = 0;      // SIGSTOP to the group
  virtual absl::Status Continue() = 0;  // SIGCONT to the group
  virtual absl::Status Kill() = 0;      // SIGKILL to the group
  // SIGTERM to the group: asks it to end.
  virtual absl::Status Terminate() { return Kill(); }
  // Takes in output and says whether the process has ended, waiting at most
  // `wait`.
  virtual absl::StatusOr<bool> PollEnded(absl::Duration wait) = 0;
  // Waits for the end (timeout of the spec applies) and returns how it ended;
  // to be called once.
  virtual absl::StatusOr<ProcessResult> Wait() = 0;
  // What PollEnded took in of its standard error, but for a dropped beginning;
  // good until the next call.
  virtual std::string_view StandardErrorSoFar() const { return {}; }
  // Threads alive now (/proc/PID/status); 0 when unknown.
  virtual int Threads() const = 0;
  // Peak resident memory since exec (VmHWM); 0 when unknown. Exact where
  // ResourceUsage is not, but only until the process ends.
  virtual std::int64_t PeakRssBytes() const { return 0; }
};

// Seam for processes. Start fails with NotFound (no such program),
// PermissionDenied (not executable) or InvalidArgument (wrong architecture or
// format), naming the program and the way out; a process that starts and fails
// is a result, not an error.
class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;

  virtual absl::StatusOr<std::unique_ptr<RunningProcess>> Start(
      const ProcessSpec& spec) = 0;

  // Start and Wait.
  absl::StatusOr<ProcessResult> Run(const ProcessSpec& spec);
};

// fork + exec, process groups, wait4.
std::unique_ptr<ProcessRunner> MakePosixProcessRunner();

// Unavailable, saying why, where this machine lets us make no sandbox.
absl::Status CheckSandbox(ProcessRunner& processes);

// The command as a person would type it in a POSIX shell: for messages, and for
// a shell on another machine that a launcher hands it to.
std::string CommandText(const std::vector<std::string>& argv);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_PROCESS_RUNNER_H_
