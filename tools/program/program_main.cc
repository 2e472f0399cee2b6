#include "tools/program/program_main.h"

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

void HandleSignals() {
  struct sigaction action = {};
  action.sa_handler = &OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
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
