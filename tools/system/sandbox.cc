#include "tools/system/sandbox.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace autotune {
namespace {

// Where compilers, build tools, libraries and their settings are.
constexpr const char* kSystem[] = {"/usr",
                                   "/bin",
                                   "/sbin",
                                   "/lib",
                                   "/lib32",
                                   "/lib64",
                                   "/libx32",
                                   "/etc",
                                   "/opt",
                                   "/nix",
                                   "/gnu",
                                   "/snap",
                                   "/var/lib/dpkg/alternatives"};
// The machine's CPUs and caches, which Google Benchmark reads.
constexpr char kHardware[] = "/sys/devices/system";

std::string RealPath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? "" : real.string();
}

bool IsAtOrBelow(std::string_view path, std::string_view folder) {
  return path.substr(0, folder.size()) == folder &&
         (path.size() == folder.size() || path[folder.size()] == '/' ||
          folder == "/");
}

// The rest of `path` in the last mount that holds it by the end `from`, after
// the end `to` of that mount.
std::string Moved(const Sandbox& sandbox, std::string_view path,
                  std::string SandboxMount::*from,
                  std::string SandboxMount::*to) {
  for (auto mount = sandbox.mounts.rbegin(); mount != sandbox.mounts.rend();
       ++mount) {
    const std::string& at = (*mount).*from;
    if (!IsAtOrBelow(path, at)) continue;
    return absl::StrCat((*mount).*to, std::string(path.substr(at.size())));
  }
  return std::string(path);
}

bool IsSeen(const Sandbox& sandbox, std::string_view inside) {
  const auto holds = [inside](const auto& place) {
    return IsAtOrBelow(inside, place.inside);
  };
  return std::any_of(sandbox.mounts.begin(), sandbox.mounts.end(), holds) ||
         std::any_of(sandbox.links.begin(), sandbox.links.end(), holds);
}

}  // namespace

Sandbox SystemSandbox(const std::vector<std::string>& readable,
                      const std::vector<std::string>& hidden) {
  std::vector<std::string> secret;
  for (const std::string& path : hidden) {
    const std::string real = RealPath(path);
    if (!real.empty()) secret.push_back(real);
  }
  Sandbox sandbox;
  const auto add = [&](const std::string& path) {
    const std::string real = RealPath(path);
    const bool of_a_secret = std::any_of(secret.begin(), secret.end(),
                                         [&real](const std::string& folder) {
                                           return IsAtOrBelow(real, folder);
                                         });
    if (real.empty() || real == "/" || of_a_secret) return;
    sandbox.mounts.push_back({real, path, false});
  };
  for (const char* folder : kSystem) {
    std::error_code error;
    const std::filesystem::path target =
        std::filesystem::read_symlink(folder, error);
    if (!error && target.is_relative()) {  // /lib -> usr/lib
      sandbox.links.push_back({folder, target.string()});
    } else {
      add(folder);
    }
  }
  add(kHardware);
  for (const std::string& path : readable) {
    const bool seen = std::any_of(sandbox.mounts.begin(), sandbox.mounts.end(),
                                  [&path](const SandboxMount& mount) {
                                    return mount.inside == mount.outside &&
                                           IsAtOrBelow(path, mount.inside);
                                  });
    if (!seen) add(path);
  }
  for (const std::string& path : secret) {
    for (const SandboxMount& mount : sandbox.mounts) {
      if (!IsAtOrBelow(path, mount.outside)) continue;
      sandbox.hidden.push_back(mount.inside +
                               path.substr(mount.outside.size()));
    }
  }
  return sandbox;
}

void AdaptEnvironment(const Sandbox& sandbox,
                      std::map<std::string, std::string>& environment) {
  constexpr std::string_view kPlaces[] = {"TMPDIR", "PWD", "OLDPWD",
                                          "CCACHE_DIR"};
  std::erase_if(environment, [&](const auto& variable) {
    const std::string& name = variable.first;
    return name.starts_with("XDG_") || name.starts_with("AUTOTUNE_") ||
           std::find(std::begin(kPlaces), std::end(kPlaces), name) !=
               std::end(kPlaces);
  });
  environment["HOME"] = "/home";
  const auto path = environment.find("PATH");
  if (path == environment.end()) return;
  std::vector<absl::string_view> seen;
  for (const absl::string_view folder : absl::StrSplit(path->second, ':')) {
    if (IsSeen(sandbox, {folder.data(), folder.size()})) seen.push_back(folder);
  }
  path->second = absl::StrJoin(seen, ":");
}

std::string InsidePath(const Sandbox& sandbox, std::string_view path) {
  return Moved(sandbox, path, &SandboxMount::outside, &SandboxMount::inside);
}

std::string OutsidePath(const Sandbox& sandbox, std::string_view inside) {
  return Moved(sandbox, inside, &SandboxMount::inside, &SandboxMount::outside);
}

}  // namespace autotune
