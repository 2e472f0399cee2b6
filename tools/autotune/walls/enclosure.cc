#include "tools/autotune/walls/enclosure.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/program/verb_result.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

// Variables that name what compilers and build tools read.
constexpr const char* kBuildVariables[] = {
    "CC",    "CXX",          "CMAKE_PREFIX_PATH", "CMAKE_TOOLCHAIN_FILE",
    "CPATH", "LIBRARY_PATH", "LD_LIBRARY_PATH",   "PKG_CONFIG_PATH"};

// The absolute paths in a word of a command: "-DPREFIX=/a;/b" names two.
void AddPaths(std::string_view word, std::vector<std::string>& paths) {
  constexpr std::string_view kBefore = "=:;,'\" \t\n";
  for (std::size_t at = 0; at < word.size(); ++at) {
    const bool starts =
        word[at] == '/' &&
        (at == 0 || kBefore.find(word[at - 1]) != std::string_view::npos);
    if (!starts) continue;
    const std::size_t end =
        std::min(word.find_first_of(";:,'\"\n", at), word.size());
    paths.emplace_back(word.substr(at, end - at));
    at = end;
  }
}

std::vector<std::string> NamedPaths(const Session& session,
                                    const TaskSettings& settings) {
  std::vector<std::string> paths = settings.readable;
  for (const auto* command : {&settings.configure, &settings.build,
                              &settings.test, &settings.benchmark}) {
    for (const std::string& word : *command) AddPaths(word, paths);
  }
  for (const char* name : kBuildVariables) {
    const auto found = session.environment.find(name);
    if (found != session.environment.end()) AddPaths(found->second, paths);
  }
  return paths;
}

}  // namespace

std::string WhyOpen(const Session& session, const TaskSettings& settings) {
  if (settings.sandbox == SandboxUse::kOff) return "commands.sandbox is off";
  return std::string(CheckSandbox(session.seams.processes).message());
}

absl::StatusOr<Enclosure> EnclosureOf(const Session& session,
                                      const Repository& repository,
                                      const TaskSettings& settings) {
  Enclosure enclosure;
  enclosure.why_open = WhyOpen(session, settings);
  if (!enclosure.why_open.empty()) {
    if (settings.sandbox != SandboxUse::kRequire) return enclosure;
    return WithHint(
        absl::FailedPreconditionError(enclosure.why_open),
        absl::StrCat(kHowToShutIn, "; or set commands.sandbox to auto"));
  }
  ASSIGN_OR_RETURN(const std::string state,
                   StateDirectory(session, repository));
  enclosure.sandbox =
      SystemSandbox(NamedPaths(session, settings),
                    {repository.top_level(), repository.common_dir(), state});
  return enclosure;
}

}  // namespace autotune
