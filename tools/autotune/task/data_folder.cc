#include "tools/autotune/task/data_folder.h"

#include <unistd.h>

#include <array>

namespace autotune {
namespace {

// The folder two above the running program: the prefix of an installation.
std::string Prefix() {
  std::array<char, 4096> path{};
  const ssize_t length =
      readlink("/proc/self/exe", path.data(), path.size() - 1);
  if (length <= 0) return "";
  std::string prefix(path.data(), static_cast<std::size_t>(length));
  for (int i = 0; i < 2; ++i) {
    const std::size_t slash = prefix.rfind('/');
    if (slash == std::string::npos) return "";
    prefix.resize(slash);
  }
  return prefix;
}

}  // namespace

std::string DataFolder(const Session& session) {
  const auto given = session.environment.find("AUTOTUNE_DATA_DIR");
  if (given != session.environment.end() && !given->second.empty()) {
    return given->second;
  }
  const std::string installed = Prefix() + "/share/autotune";
  if (session.seams.files.Exists(JoinPath(installed, "recipes"))) {
    return installed;
  }
  return AUTOTUNE_SOURCE_TREE;
}

}  // namespace autotune
