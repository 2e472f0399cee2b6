#include "reporter/binary_identity.h"

#if defined(__linux__)
#include <elf.h>
#include <link.h>
#include <unistd.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace autotune::internal {
#if defined(__linux__)
namespace {

std::string Hex(const unsigned char* bytes, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x",
                  static_cast<unsigned>(bytes[i]));
    text += digits;
  }
  return text;
}

std::size_t Padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

// The GNU build id among the notes in [notes, notes + size); empty if none.
// Each note is three words, then the owner's name, then the content, both
// padded to four bytes. Source: elf(5).
std::string BuildIdIn(const unsigned char* notes, std::size_t size) {
  std::size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= size) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t name = at + sizeof note;
    const std::size_t content = name + Padded(note.n_namesz);
    const std::size_t next = content + Padded(note.n_descsz);
    if (next > size) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes + name, "GNU", 4) == 0) {
      return Hex(notes + content, note.n_descsz);
    }
    at = next;
  }
  return {};
}

std::string BuildIdOf(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    // An address in memory.
    // NOLINTBEGIN(performance-no-int-to-ptr)
    const auto* notes =
        reinterpret_cast<const unsigned char*>(info.dlpi_addr + header.p_vaddr);
    // NOLINTEND(performance-no-int-to-ptr)
    const std::string id = BuildIdIn(notes, header.p_memsz);
    if (!id.empty()) return id;
  }
  return {};
}

std::string ProgramPath() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  if (size <= 0 || static_cast<std::size_t>(size) >= sizeof path) return {};
  return std::string(path, static_cast<std::size_t>(size));
}

int AddObject(dl_phdr_info* info, std::size_t /*size*/, void* data) {
  auto& objects = *static_cast<std::vector<LoadedObject>*>(data);
  const std::string path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  // The kernel's own page of code has a name without a folder.
  if (!objects.empty() && path.find('/') == std::string::npos) return 0;
  objects.push_back({objects.empty() ? ProgramPath() : path, BuildIdOf(*info)});
  return 0;
}

}  // namespace

std::vector<LoadedObject> LoadedObjects() {
  std::vector<LoadedObject> objects;
  dl_iterate_phdr(AddObject, &objects);
  return objects;
}
#else
std::vector<LoadedObject> LoadedObjects() { return {}; }
#endif

}  // namespace autotune::internal
