#include "tools/autotune/walls/library_symbols.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "tools/measure/elf_file.h"
#include "tools/system/process_runner.h"

// A benchmark trusts its clock, its allocator and its runner, and takes all
// three from libraries. A linker gives precedence to a definition in the
// program, so one function of the right name inside the scope replaces the
// library's for everyone, the benchmark library included, and no test can see
// it. The files that were linked say who defines what: the tip's build is the
// yardstick, since whatever its own code defined already is no library's.

namespace autotune {
namespace {

constexpr std::size_t kMostFiles = 20'000;
constexpr absl::Duration kLoaderTimeout = absl::Seconds(20);

// Classes of Google Benchmark as their names are mangled: projects may use the
// namespace `benchmark` for functions of their own.
constexpr const char* kBenchmarkParts[] = {"9benchmark5State",
                                           "9benchmark8internal",
                                           "9benchmark12JSONReporter",
                                           "9benchmark15ConsoleReporter",
                                           "9benchmark11CSVReporter",
                                           "9benchmark17BenchmarkReporter",
                                           "9benchmark10Initialize",
                                           "9benchmark22RunSpecifiedBenchmarks",
                                           "9benchmark14ThreadCPUUsage",
                                           "9benchmark15ProcessCPUUsage",
                                           "9benchmark16ChildrenCPUUsage",
                                           "9benchmark14ChronoClockNow",
                                           "9benchmark19LocalDateTimeString"};

bool IsBenchmarks(const std::string& name) {
  return absl::StartsWith(name, "_Z") &&
         std::any_of(std::begin(kBenchmarkParts), std::end(kBenchmarkParts),
                     [&name](const char* part) {
                       return absl::StrContains(name, part);
                     });
}

// Any name inside the namespace, or a flag of the library.
bool NamesBenchmark(const std::string& name) {
  return absl::StartsWith(name, "_Z") && absl::StrContains(name, "9benchmark");
}

bool IsAllocation(const std::string& name) {
  return absl::StartsWith(name, "_Znw") || absl::StartsWith(name, "_Zna") ||
         absl::StartsWith(name, "_Zdl") || absl::StartsWith(name, "_Zda");
}

const SymbolFacts* Find(const SymbolTable& table, const std::string& name) {
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

bool Defines(const SymbolTable& table, const std::string& name) {
  const SymbolFacts* facts = Find(table, name);
  return facts != nullptr && facts->defined;
}

bool DefinedInAny(const std::map<std::string, SymbolTable>& targets,
                  const std::string& name, const std::string& but = "") {
  return std::any_of(targets.begin(), targets.end(), [&](const auto& target) {
    return target.first != but && Defines(target.second, name);
  });
}

int Strength(const SymbolFacts& facts) {
  return facts.local ? 0 : facts.weak ? 1 : 2;
}

// A definition counts before a reference, a strong one before a weak one, and
// that before a local one.
void Add(const ElfSymbol& symbol, SymbolTable& table) {
  const SymbolFacts facts = {symbol.defined, symbol.weak, symbol.local,
                             symbol.object, symbol.size};
  const auto [known, added] = table.emplace(symbol.name, facts);
  if (added) return;
  if (facts.defined != known->second.defined) {
    if (facts.defined) known->second = facts;
  } else if (Strength(facts) > Strength(known->second)) {
    known->second = facts;
  }
}

enum class Locals { kLeaveOut, kTake };

void AddFile(FileSystem& files, const std::string& path, Locals locals,
             SymbolTable& table) {
  const auto bytes = files.ReadFile(path);
  if (!bytes.ok()) return;
  for (const ElfSymbol& symbol : ElfSymbols(*bytes)) {
    if (symbol.local && (locals == Locals::kLeaveOut || symbol.object))
      continue;
    Add(symbol, table);
  }
}

// "CMakeFiles/words.dir" of ".../CMakeFiles/words.dir/src/a.cc.o".
std::string TargetOf(const std::string& object) {
  for (const absl::string_view mark : {".dir/", ".p/"}) {
    const std::size_t at = object.find(std::string(mark));
    if (at != std::string::npos) return object.substr(0, at + mark.size() - 1);
  }
  const std::size_t slash = object.rfind('/');
  return slash == std::string::npos ? "" : object.substr(0, slash);
}

bool IsSharedLibrary(const std::string& name) {
  return absl::EndsWith(name, ".so") || absl::StrContains(name, ".so.");
}

struct TargetReader {
  FileSystem& files;
  const std::string& root;
  BuildSymbols& symbols;
  std::size_t seen = 0;

  void Read(const std::string& folder) {
    const auto names = files.ListDirectory(JoinPath(root, folder));
    if (!names.ok()) return;
    for (const std::string& name : *names) {
      const std::string path = folder.empty() ? name : JoinPath(folder, name);
      const auto info = files.Info(JoinPath(root, path));
      if (!info.ok()) continue;
      if (info->kind == FileInfo::Kind::kDirectory) Read(path);
      if (info->kind == FileInfo::Kind::kFile) ReadOne(path, name);
    }
  }
  void ReadOne(const std::string& path, const std::string& name) {
    const bool object = absl::EndsWith(name, ".o");
    if ((!object && !IsSharedLibrary(name)) || seen++ >= kMostFiles) return;
    SymbolTable& table = symbols.targets[object ? TargetOf(path) : path];
    AddFile(files, JoinPath(root, path), Locals::kLeaveOut, table);
  }
};

// Paths of the shared libraries that the loader would use. Lists them only: no
// code of the program runs.
std::vector<std::string> LoadedLibraries(
    const Session& session, const std::string& program,
    const std::optional<Sandbox>& sandbox) {
  const auto bytes = session.seams.files.ReadFile(program);
  const auto elf = bytes.ok() ? ParseElf(*bytes) : std::nullopt;
  if (!elf.has_value() || elf->interpreter.empty()) return {};
  ProcessSpec spec;
  spec.argv = {elf->interpreter, "--list",
               sandbox.has_value() ? InsidePath(*sandbox, program) : program};
  spec.sandbox = sandbox;
  spec.timeout = kLoaderTimeout;
  const auto listed = session.seams.processes.Run(spec);
  std::vector<std::string> paths;
  if (!listed.ok() || !listed->succeeded()) return paths;
  for (const absl::string_view line :
       absl::StrSplit(listed->standard_output, '\n')) {
    const std::size_t arrow = line.find("=> ");
    const std::size_t end = line.rfind(" (");
    if (arrow == line.npos || end == line.npos || end < arrow + 3) continue;
    const std::string path(line.substr(arrow + 3, end - arrow - 3));
    paths.push_back(sandbox.has_value() ? OutsidePath(*sandbox, path) : path);
  }
  return paths;
}

// Whether a definition of `name` stands in for what `libraries` define or
// need: inline functions that both instantiate are weak on both sides.
bool StandsInForLibrary(const SymbolTable& libraries, const std::string& name,
                        const SymbolFacts& mine) {
  const SymbolFacts* theirs = Find(libraries, name);
  if (theirs == nullptr || (mine.variable && theirs->variable)) return false;
  const bool instantiated = absl::StartsWith(name, "_Z") && theirs->weak &&
                            mine.weak && !IsAllocation(name);
  return !instantiated;
}

class SymbolComparison {
 public:
  SymbolComparison(const BuildSymbols& tip, const BuildSymbols& attempt)
      : tip_(tip), attempt_(attempt) {}

  std::vector<std::string> Run() {
    for (const auto& [name, facts] : attempt_.program) InProgram(name, facts);
    for (const auto& [target, table] : attempt_.targets) {
      const auto before = tip_.targets.find(target);
      for (const auto& [name, facts] : table) {
        InTarget(target,
                 before == tip_.targets.end() ? nullptr : &before->second, name,
                 facts);
      }
    }
    std::vector<std::string> lines;
    for (const auto& [name, why] : taken_) {
      lines.push_back(absl::StrCat(name, ": ", why));
    }
    return lines;
  }

 private:
  void InProgram(const std::string& name, const SymbolFacts& mine) {
    const SymbolFacts* before = Find(tip_.program, name);
    if (!mine.defined) {
      const bool was = before != nullptr && (before->defined || before->weak);
      if (mine.weak && NamesBenchmark(name) && !was) TakeReference(name);
      return;
    }
    if (before == nullptr || !before->defined) {
      // A copy of a library's variable looks like a definition.
      const bool imported = before != nullptr && !mine.variable;
      const bool stands_in =
          !mine.local && StandsInForLibrary(tip_.libraries, name, mine);
      if (imported || stands_in) {
        TakeLibrarys(name);
      } else if (IsBenchmarks(name) && !mine.weak && !mine.local) {
        TakeBenchmarks(name);
      }
      return;
    }
    if (name == "main" && mine.weak && !before->weak) {
      taken_[name] = "the attempt's program has a weak one";
    }
    const bool other = mine.weak || mine.size != before->size;
    const bool whole = !mine.local && !before->local && !before->weak;
    if (IsBenchmarks(name) && whole && other) TakeBenchmarks(name);
  }

  // `before`: the target's symbols in the tip; null when it has none.
  void InTarget(const std::string& target, const SymbolTable* before,
                const std::string& name, const SymbolFacts& mine) {
    if (!mine.defined) {
      const bool was = before != nullptr && Find(*before, name) != nullptr;
      if (mine.weak && NamesBenchmark(name) && !was) TakeReference(name);
      return;
    }
    if (before != nullptr && Defines(*before, name)) return;
    if (IsLibrarys(name, mine)) return TakeLibrarys(name);
    const SymbolFacts* whole = Find(tip_.program, name);
    if (whole == nullptr || !whole->defined || whole->weak) return;
    const bool archived = !DefinedInAny(tip_.targets, name);
    const bool doubled =
        before != nullptr && DefinedInAny(attempt_.targets, name, target);
    if ((archived && before != nullptr) || doubled) {
      taken_[name] =
          "the tip's program has it from elsewhere, and the attempt defines it";
    }
  }

  bool IsLibrarys(const std::string& name, const SymbolFacts& mine) const {
    if (Defines(tip_.program, name) || DefinedInAny(tip_.targets, name)) {
      return false;
    }
    return Find(tip_.program, name) != nullptr ||
           StandsInForLibrary(tip_.libraries, name, mine);
  }

  void TakeLibrarys(const std::string& name) {
    taken_[name] = "a library's symbol, and the attempt defines it";
  }
  void TakeBenchmarks(const std::string& name) {
    taken_[name] = "a symbol of Google Benchmark, and the attempt changes it";
  }
  void TakeReference(const std::string& name) {
    taken_[name] =
        "a symbol of Google Benchmark that the attempt refers to weakly";
  }

  const BuildSymbols& tip_;
  const BuildSymbols& attempt_;
  std::map<std::string, std::string> taken_;
};

bool RefersToBenchmark(const SymbolTable& table) {
  return std::any_of(table.begin(), table.end(), [](const auto& symbol) {
    return !symbol.second.defined && NamesBenchmark(symbol.first);
  });
}

}  // namespace

BuildSymbols ReadBuildSymbols(FileSystem& files, const std::string& program,
                              const std::string& build_directory) {
  BuildSymbols symbols;
  AddFile(files, program, Locals::kTake, symbols.program);
  TargetReader{files, build_directory, symbols}.Read("");
  return symbols;
}

SymbolTable ReadLibrarySymbols(const Session& session,
                               const std::string& program,
                               const std::string& build_directory,
                               const std::optional<Sandbox>& sandbox) {
  SymbolTable symbols;
  for (const std::string& path : LoadedLibraries(session, program, sandbox)) {
    if (absl::StartsWith(path, build_directory + "/")) continue;
    AddFile(session.seams.files, path, Locals::kLeaveOut, symbols);
  }
  return symbols;
}

std::vector<std::string> TakenSymbols(const BuildSymbols& tip,
                                      const BuildSymbols& attempt) {
  return SymbolComparison(tip, attempt).Run();
}

std::vector<std::string> NewBenchmarkReferences(const BuildSymbols& tip,
                                                const BuildSymbols& attempt) {
  std::vector<std::string> lines;
  for (const auto& [target, table] : attempt.targets) {
    const auto before = tip.targets.find(target);
    if (before != tip.targets.end() && RefersToBenchmark(before->second)) {
      continue;
    }
    if (!RefersToBenchmark(table)) continue;
    lines.push_back(absl::StrCat(target.empty() ? "the program" : target,
                                 ": refers to Google Benchmark"));
  }
  return lines;
}

}  // namespace autotune
