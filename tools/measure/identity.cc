#include "tools/measure/identity.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "base/annotate.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "tools/measure/elf_file.h"
#include "tools/system/program_path.h"

namespace autotune {
namespace {

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// Where a path that a side's files name lies in truth.
std::string Outside(const SideCommand& command, const std::string& path) {
  return command.sandbox.has_value() ? OutsidePath(*command.sandbox, path)
                                     : path;
}

// One loaded file of a side.
struct Loaded {
  std::string path;
  std::string bytes;
  std::optional<ElfFile> elf;
};

absl::StatusOr<Loaded> Load(const std::string& path, FileSystem& files) {
  Loaded loaded;
  loaded.path = path;
  ASSIGN_OR_RETURN(loaded.bytes, files.ReadFile(path));
  loaded.elf = ParseElf(loaded.bytes);
  return loaded;
}

bool NamesOrigin(const Loaded& file) {
  if (!file.elf.has_value()) return file.bytes.substr(0, 2) == "#!";
  return std::any_of(file.elf->runpath.begin(), file.elf->runpath.end(),
                     [](const std::string& folder) {
                       return absl::StrContains(folder, "$ORIGIN") ||
                              absl::StrContains(folder, "${ORIGIN}");
                     });
}

std::string WithoutBuildId(const Loaded& file) {
  std::string bytes = file.bytes;
  if (!file.elf.has_value()) return bytes;
  std::fill_n(
      bytes.begin() + static_cast<std::ptrdiff_t>(file.elf->build_id_offset),
      file.elf->build_id_size, '\0');
  return bytes;
}

// Where the two files name their own folders: equal once masked?
bool EqualWhenMasked(const Loaded& baseline, const Loaded& contender,
                     const FolderPair& folders) {
  if (baseline.bytes.size() != contender.bytes.size()) return false;
  std::string left = WithoutBuildId(baseline);
  const std::string right = WithoutBuildId(contender);
  if (left == right) return true;
  if (folders.baseline.empty() ||
      folders.baseline.size() != folders.contender.size()) {
    return false;
  }
  return absl::StrReplaceAll(left, {{folders.baseline, folders.contender}}) ==
         right;
}

// The libraries of `file` that its run paths find, transitively; what they do
// not find comes from the system and is the same for both sides.
class LibraryWalk {
 public:
  LibraryWalk(const SideCommand& command, FileSystem& files)
      : command_(command), files_(files) {}

  absl::Status Add(const Loaded& file) {
    if (!file.elf.has_value()) return absl::OkStatus();
    for (const std::string& name : file.elf->needed) {
      const std::optional<std::string> path = Find(file, name);
      if (!path.has_value() || libraries_.count(name) != 0) continue;
      ASSIGN_OR_RETURN(Loaded library, Load(*path, files_));
      const auto added = libraries_.emplace(name, std::move(library));
      RETURN_IF_ERROR(Add(added.first->second));
    }
    return absl::OkStatus();
  }
  const std::map<std::string, Loaded>& libraries() const { return libraries_; }

 private:
  std::optional<std::string> Find(const Loaded& file,
                                  const std::string& name) const {
    const std::string origin = FolderOf(file.path);
    for (const std::string& folder : file.elf->runpath) {
      const std::string path = Outside(
          command_,
          JoinPath(absl::StrReplaceAll(
                       folder, {{"$ORIGIN", origin}, {"${ORIGIN}", origin}}),
                   name));
      if (files_.Exists(path)) return path;
    }
    return std::nullopt;
  }

  const SideCommand& command_;
  FileSystem& files_;
  std::map<std::string, Loaded> libraries_;
};

std::map<std::string, std::string> HashesOf(const LibraryWalk& walk) {
  std::map<std::string, std::string> hashes;
  for (const auto& [name, library] : walk.libraries()) {
    hashes[name] = Sha256Hex(library.bytes);
  }
  return hashes;
}

bool EqualLibraries(const std::map<std::string, Loaded>& baseline,
                    const std::map<std::string, Loaded>& contender,
                    const FolderPair& folders) {
  if (baseline.size() != contender.size()) return false;
  return std::equal(baseline.begin(), baseline.end(), contender.begin(),
                    [&folders](const auto& left, const auto& right) {
                      return left.first == right.first &&
                             EqualWhenMasked(left.second, right.second,
                                             folders);
                    });
}

std::string Moved(const std::string& text, const FolderPair& folders) {
  if (folders.baseline.empty()) return text;
  return absl::StrReplaceAll(text, {{folders.baseline, folders.contender}});
}

bool IsSource(const std::string& path) {
  constexpr std::array<std::string_view, 10> kEndings = {
      ".c", ".cc", ".cpp", ".cxx", ".C", ".h", ".hh", ".hpp", ".hxx", ".inc"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&path](std::string_view ending) {
                       return path.size() > ending.size() &&
                              path.compare(path.size() - ending.size(),
                                           ending.size(), ending) == 0;
                     });
}

// Texts in `bytes` that start with the folder, up to the next control byte:
// paths that the program may open.
std::set<std::string> NamedPaths(const std::string& bytes,
                                 const std::string& folder) {
  std::set<std::string> paths;
  if (folder.empty()) return paths;
  for (std::size_t at = bytes.find(folder); at != std::string::npos;
       at = bytes.find(folder, at + 1)) {
    std::size_t end = at;
    while (end < bytes.size() &&
           static_cast<unsigned char>(bytes[end]) >= ' ') {
      ++end;
    }
    paths.insert(bytes.substr(at, end - at));
  }
  return paths;
}

// The two sides, and how their files name the folders in which they differ.
struct Surroundings {
  const SideCommand& baseline;
  const SideCommand& contender;
  FolderPair folders;
  FileSystem& files;

  bool shut_in() const {
    return baseline.sandbox.has_value() && contender.sandbox.has_value();
  }
  // The start of every path that may differ, as the baseline names it.
  std::vector<std::string> NamedFolders() const {
    if (!shut_in()) return {folders.baseline};
    std::vector<std::string> named;
    for (const SandboxMount& mount : baseline.sandbox->mounts) {
      if (mount.writable) named.push_back(mount.inside);
    }
    return named;
  }
};

// Whether a path that the baseline names leads to equal data on both sides:
// nothing there, or equal files. A folder may hold anything: no.
bool EqualData(const std::string& named, const Surroundings& around) {
  FileSystem& files = around.files;
  const std::string path = Outside(around.baseline, named);
  const std::string other = around.shut_in() ? Outside(around.contender, named)
                                             : Moved(named, around.folders);
  const auto info = files.Info(path);
  if (!info.ok()) return !files.Exists(other);
  if (path == other) return true;
  if (info->kind != FileInfo::Kind::kFile) return false;
  const auto left = files.ReadFile(path);
  const auto right = files.ReadFile(other);
  return left.ok() && right.ok() && *left == *right;
}

// A program that asks where it lies may read anything beside itself.
bool AsksForItsPlace(const Loaded& file) {
  return absl::StrContains(file.bytes, "/proc/self/exe");
}

bool EqualNamedData(const Loaded& file, const Surroundings& around) {
  if (!around.folders.baseline.empty() && AsksForItsPlace(file)) return false;
  for (const std::string& folder : around.NamedFolders()) {
    const std::set<std::string> paths = NamedPaths(file.bytes, folder);
    const bool equal =
        std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
          return IsSource(path) || path == folder || EqualData(path, around);
        });
    if (!equal) return false;
  }
  return true;
}

bool EqualTexts(const std::string& baseline, const std::string& contender,
                const Surroundings& around) {
  if (around.shut_in() ? baseline != contender
                       : Moved(baseline, around.folders) != contender) {
    return baseline == contender;
  }
  for (const std::string& folder : around.NamedFolders()) {
    const std::size_t at =
        folder.empty() ? std::string::npos : baseline.find(folder);
    if (at == std::string::npos) continue;
    return EqualData(baseline.substr(at), around);
  }
  return baseline == contender;
}

bool EqualSurroundings(const Surroundings& around) {
  const SideCommand& baseline = around.baseline;
  const SideCommand& contender = around.contender;
  if (baseline.working_directory != contender.working_directory ||
      baseline.arguments.size() != contender.arguments.size() ||
      baseline.environment != contender.environment) {
    return false;
  }
  return std::equal(baseline.arguments.begin(), baseline.arguments.end(),
                    contender.arguments.begin(),
                    [&](const std::string& left, const std::string& right) {
                      return EqualTexts(left, right, around);
                    });
}

// A file in the folder where the program will run comes before PATH: a person
// who names a benchmark means the one just built there.
absl::StatusOr<std::string> FindSide(const SideCommand& command,
                                     FileSystem& files) {
  if (!command.program.empty() &&
      files.Exists(JoinPath(command.working_directory, command.program))) {
    return command.program;
  }
  return FindProgram(command.program);
}

absl::StatusOr<Loaded> LoadProgram(const SideCommand& command,
                                   std::string_view side, FileSystem& files) {
  auto path = FindSide(command, files);
  if (!path.ok()) return Annotate(path.status(), std::string(side));
  auto loaded =
      Load(files.RealPath(JoinPath(command.working_directory, *path)), files);
  if (loaded.ok()) return loaded;
  // A path of the user's own is said as it was typed, too.
  const bool typed_whole = command.program.starts_with('/');
  return Annotate(typed_whole ? loaded.status()
                              : Annotate(loaded.status(), command.program),
                  std::string(side));
}

std::vector<std::string> PathsOf(
    const std::map<std::string, Loaded>& libraries) {
  std::vector<std::string> paths;
  for (const auto& entry : libraries) paths.push_back(entry.second.path);
  return paths;
}

ProgramFile Describe(const Loaded& file) {
  ProgramFile program;
  program.path = file.path;
  program.sha256 = Sha256Hex(file.bytes);
  program.needs_its_folder = NamesOrigin(file);
  if (!file.elf.has_value()) return program;
  program.build_id = BuildIdHex(file.bytes, *file.elf);
  for (const std::string& compiler : file.elf->compilers) {
    program.compiler += program.compiler.empty() ? "" : "; ";
    program.compiler += compiler;
  }
  return program;
}

}  // namespace

FolderPair DifferingFolders(std::string_view baseline_path,
                            std::string_view contender_path) {
  if (baseline_path == contender_path) return {};
  while (true) {
    const std::size_t left = baseline_path.find_last_of('/');
    const std::size_t right = contender_path.find_last_of('/');
    if (left == std::string_view::npos || right == std::string_view::npos ||
        baseline_path.substr(left) != contender_path.substr(right)) {
      return {std::string(baseline_path), std::string(contender_path)};
    }
    baseline_path = baseline_path.substr(0, left);
    contender_path = contender_path.substr(0, right);
  }
}

absl::StatusOr<Identity> CompareIdentity(const SideCommand& baseline,
                                         const SideCommand& contender,
                                         FileSystem& files) {
  ASSIGN_OR_RETURN(const Loaded left, LoadProgram(baseline, "baseline", files));
  ASSIGN_OR_RETURN(const Loaded right,
                   LoadProgram(contender, "contender", files));
  Identity identity;
  identity.baseline = Describe(left);
  identity.contender = Describe(right);
  LibraryWalk left_walk(baseline, files);
  LibraryWalk right_walk(contender, files);
  RETURN_IF_ERROR(Annotate(left_walk.Add(left), "baseline"));
  RETURN_IF_ERROR(Annotate(right_walk.Add(right), "contender"));
  identity.baseline.libraries = HashesOf(left_walk);
  identity.contender.libraries = HashesOf(right_walk);
  identity.baseline.library_paths = PathsOf(left_walk.libraries());
  identity.contender.library_paths = PathsOf(right_walk.libraries());
  const FolderPair folders = DifferingFolders(left.path, right.path);
  const Surroundings around{baseline, contender, folders, files};
  identity.identical =
      left.elf.has_value() && EqualWhenMasked(left, right, folders) &&
      EqualLibraries(left_walk.libraries(), right_walk.libraries(), folders) &&
      EqualSurroundings(around) && EqualNamedData(left, around);
  for (const auto& [name, library] : left_walk.libraries()) {
    identity.identical = identity.identical && EqualNamedData(library, around);
  }
  return identity;
}

}  // namespace autotune
