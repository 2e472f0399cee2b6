#include "tools/program/program_main.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "tools/program/program.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"
#include "tools/system/terminal.h"

extern char** environ;

namespace autotune {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void OnInterrupt(int) { g_interrupted = 1; }

// A stream that is closed would be the next file that we open.
void OpenStreams() {
  for (int stream = 0; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) return;
  }
}

void HandleSignals() {
  struct sigaction action = {};
  action.sa_handler = &OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // nohup has it ignored, to outlive the terminal.
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

std::map<std::string, std::string> Environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

std::string CurrentDirectory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

}  // namespace

int ProgramMain(const Program& program, int argc, char** argv) {
  OpenStreams();
  HandleSignals();
  const auto files = MakePosixFileSystem();
  const auto processes = MakePosixProcessRunner();
  const auto clock = MakeSystemClock();
  const auto entropy = MakeSystemEntropy();
  const ProgramWorld world = {*files,
                              *processes,
                              *clock,
                              *entropy,
                              Environment(),
                              CurrentDirectory(),
                              [] { return g_interrupted != 0; }};
  Terminal terminal = MakeSystemTerminal();
  return RunProgram(program, {argv + 1, argv + argc}, world, terminal);
}

}  // namespace autotune
