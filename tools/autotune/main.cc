// autotune: a tuning loop for Google Benchmark in git. Wiring only.

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "tools/autotune/command_line.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"
#include "tools/system/terminal.h"

namespace {

std::atomic<bool> interrupted = false;

void OnSignal(int) { interrupted = true; }

// What the program reads from its environment.
std::map<std::string, std::string> Environment() {
  std::map<std::string, std::string> environment;
  for (const char* name :
       {"HOME", "XDG_STATE_HOME", "AUTOTUNE_STATE_DIR", "AUTOTUNE_MEASURE_LOCK",
        "CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "PATH"}) {
    if (const char* value = std::getenv(name)) environment[name] = value;
  }
  return environment;
}

std::string CurrentDirectory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

void HandleInterrupts() {
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace

int main(int argc, char** argv) {
  HandleInterrupts();
  const auto processes = autotune::MakePosixProcessRunner();
  const auto files = autotune::MakePosixFileSystem();
  const auto clock = autotune::MakeSystemClock();
  const auto entropy = autotune::MakeSystemEntropy();
  autotune::AutotuneWorld world{{*processes, *files, *clock, *entropy},
                                CurrentDirectory(),
                                Environment()};
  world.interrupted = [] { return interrupted.load(); };
  autotune::Terminal terminal = autotune::MakeSystemTerminal();
  return autotune::RunAutotune(std::vector<std::string>(argv + 1, argv + argc),
                               world, terminal);
}
