#ifndef AUTOTUNE_TOOLS_MEASURE_ELF_FILE_H_
#define AUTOTUNE_TOOLS_MEASURE_ELF_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// What we need of an ELF executable or shared library.
struct ElfFile {
  // Place of the build id's bytes in the file; size 0 when it has none.
  std::size_t build_id_offset = 0;
  std::size_t build_id_size = 0;
  std::vector<std::string> needed;   // DT_NEEDED, in order
  std::vector<std::string> runpath;  // DT_RUNPATH or DT_RPATH, split at ':'
  // "GCC: (Debian 12.2.0-14) 12.2.0" and the like, each once, in order.
  std::vector<std::string> compilers;
  std::string interpreter;  // PT_INTERP, the dynamic loader; empty: none
};

// One name of an ELF file's symbol tables.
struct ElfSymbol {
  std::string name;      // without a version ("@GLIBC_2.17")
  bool defined = false;  // else the file takes it from elsewhere
  bool weak = false;
  bool local = false;   // the linker writes hidden symbols as local ones
  bool object = false;  // a variable
  std::uint64_t size = 0;
  bool operator==(const ElfSymbol&) const = default;
};

// Reads a little-endian 64-bit ELF file; nothing for any other file, and what
// is damaged is left out. Never reads outside `bytes`.
// Source: System V ABI (ELF-64), and elf(5).
std::optional<ElfFile> ParseElf(std::string_view bytes);

// The named symbols of an executable, shared library or object file, from both
// of its tables, in their order; empty for any other file. What is damaged is
// left out. Never reads outside `bytes`.
std::vector<ElfSymbol> ElfSymbols(std::string_view bytes);

// The build id as lower-case hexadecimal digits; empty when there is none.
std::string BuildIdHex(std::string_view bytes, const ElfFile& elf);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_ELF_FILE_H_
