// Wiring only: the process's arguments, environment and signals meet the
// commands here.
#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/bench_compare/program.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"
#include "tools/system/terminal.h"

extern char** environ;

namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void OnInterrupt(int) { g_interrupted = 1; }

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

}  // namespace

int main(int argc, char** argv) {
  struct sigaction action = {};
  action.sa_handler = &OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  const std::unique_ptr<autotune::FileSystem> files =
      autotune::MakePosixFileSystem();
  const std::unique_ptr<autotune::ProcessRunner> processes =
      autotune::MakePosixProcessRunner();
  const std::unique_ptr<autotune::Clock> clock = autotune::MakeSystemClock();
  const std::unique_ptr<autotune::Entropy> entropy =
      autotune::MakeSystemEntropy();
  const autotune::ProgramWorld world = {
      *files,   *processes,    *clock,
      *entropy, Environment(), [] { return g_interrupted != 0; }};
  autotune::Terminal terminal = autotune::MakeSystemTerminal();
  return autotune::RunBenchCompare({argv + 1, argv + argc}, world, terminal);
}
