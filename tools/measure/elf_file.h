#ifndef AUTOTUNE_TOOLS_MEASURE_ELF_FILE_H_
#define AUTOTUNE_TOOLS_MEASURE_ELF_FILE_H_

#include <cstddef>
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
};

// Reads a little-endian 64-bit ELF file; nothing for any other file, and what
// is damaged is left out. Never reads outside `bytes`.
// Source: System V ABI (ELF-64), and elf(5).
std::optional<ElfFile> ParseElf(std::string_view bytes);

// The build id as lower-case hexadecimal digits; empty when there is none.
std::string BuildIdHex(std::string_view bytes, const ElfFile& elf);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_ELF_FILE_H_
