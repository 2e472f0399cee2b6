#ifndef AUTOTUNE_TOOLS_AUTOTUNE_WALLS_LIBRARY_SYMBOLS_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_WALLS_LIBRARY_SYMBOLS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/autotune/task/session.h"
#include "tools/system/file_system.h"

namespace autotune {

// What one symbol is to a file.
struct SymbolFacts {
  bool defined = false;
  bool weak = false;   // of the definition, else of every reference
  bool local = false;  // a static or a hidden function: linking tells no more
  bool variable = false;
  std::uint64_t size = 0;
};
using SymbolTable = std::map<std::string, SymbolFacts>;

// The symbols of everything that a build's benchmark program is made of.
struct BuildSymbols {
  SymbolTable program;
  // Of the shared libraries of the program, those of the build's own making
  // left out; see ReadLibrarySymbols.
  SymbolTable libraries;
  // Of the build's object files and shared libraries, by target: the folder
  // up to ".dir/" or ".p/" that the object is in; a library by its path.
  std::map<std::string, SymbolTable> targets;
};

// Reads the program and the object files below `build_directory` (at most
// 20,000); `libraries` stay empty. A file that is no ELF has no symbols.
BuildSymbols ReadBuildSymbols(FileSystem& files, const std::string& program,
                              const std::string& build_directory);

// Symbols of the shared libraries outside `build_directory` that the loader
// lists for `program`, in the sandbox that it was built in. Runs the loader
// that the program names, and so is for programs that are trusted: the tip's.
SymbolTable ReadLibrarySymbols(const Session& session,
                               const std::string& program,
                               const std::string& build_directory,
                               const std::optional<Sandbox>& sandbox);

// "SYMBOL: why" of every symbol that the attempt's build takes from the
// libraries of the tip's program, in the order of names:
//   - it defines what the tip's program or its libraries take from a library,
//     operator new included: whoever calls the library calls the attempt;
//   - it defines, or has in another size, a function of Google Benchmark that
//     the tip's program has from the library;
//   - its main is a weak one;
//   - it refers weakly to Google Benchmark, which tells it what it is run by.
// Pure.
std::vector<std::string> TakenSymbols(const BuildSymbols& tip,
                                      const BuildSymbols& attempt);

// Targets of the attempt that refer to Google Benchmark and did not in the
// tip, one line each: for a person to look at. Pure.
std::vector<std::string> NewBenchmarkReferences(const BuildSymbols& tip,
                                                const BuildSymbols& attempt);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_WALLS_LIBRARY_SYMBOLS_H_
