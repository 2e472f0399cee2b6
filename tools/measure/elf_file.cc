#include "tools/measure/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_split.h"

namespace autotune {
namespace {

// A copy of the T at `offset`; nothing when it does not fit.
template <typename T>
std::optional<T> At(std::string_view bytes, std::size_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view Slice(std::string_view bytes, std::size_t offset,
                       std::size_t size) {
  if (offset > bytes.size()) return {};
  return bytes.substr(offset, size);
}

// The NUL-terminated text at `offset`.
std::string_view TextAt(std::string_view bytes, std::size_t offset) {
  const std::string_view rest = Slice(bytes, offset, bytes.size());
  return rest.substr(0, rest.find('\0'));
}

std::size_t Padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

class Reader {
 public:
  Reader(std::string_view bytes, const Elf64_Ehdr& header)
      : bytes_(bytes), header_(header) {}

  ElfFile Read() {
    for (std::size_t i = 0; i < header_.e_phnum; ++i) {
      const auto segment =
          At<Elf64_Phdr>(bytes_, header_.e_phoff + i * sizeof(Elf64_Phdr));
      if (!segment.has_value()) break;
      if (segment->p_type == PT_NOTE) ReadNotes(*segment);
      if (segment->p_type == PT_INTERP) {
        elf_.interpreter = TextAt(bytes_, segment->p_offset);
      }
      if (segment->p_type == PT_LOAD) loads_.push_back(*segment);
      if (segment->p_type == PT_DYNAMIC) dynamic_ = segment;
    }
    if (dynamic_.has_value()) ReadDynamic(*dynamic_);
    ReadComment();
    return elf_;
  }

 private:
  void ReadNotes(const Elf64_Phdr& segment) {
    std::size_t at = segment.p_offset;
    const std::size_t end = segment.p_offset + segment.p_filesz;
    while (at < end) {
      const auto note = At<Elf64_Nhdr>(bytes_, at);
      if (!note.has_value()) return;
      const std::size_t name = at + sizeof(Elf64_Nhdr);
      const std::size_t content = name + Padded(note->n_namesz);
      if (note->n_type == NT_GNU_BUILD_ID && TextAt(bytes_, name) == "GNU" &&
          content + note->n_descsz <= bytes_.size()) {
        elf_.build_id_offset = content;
        elf_.build_id_size = note->n_descsz;
      }
      at = content + Padded(note->n_descsz);
    }
  }

  std::optional<std::size_t> FileOffset(Elf64_Addr address) const {
    for (const Elf64_Phdr& load : loads_) {
      if (address >= load.p_vaddr && address - load.p_vaddr < load.p_filesz) {
        return load.p_offset + (address - load.p_vaddr);
      }
    }
    return std::nullopt;
  }

  void ReadDynamic(const Elf64_Phdr& segment) {
    std::vector<Elf64_Xword> needed;
    std::optional<Elf64_Xword> runpath;
    std::optional<std::size_t> strings;
    for (std::size_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz;
         at += sizeof(Elf64_Dyn)) {
      const auto entry = At<Elf64_Dyn>(bytes_, segment.p_offset + at);
      if (!entry.has_value() || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) needed.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_RUNPATH || entry->d_tag == DT_RPATH) {
        runpath = entry->d_un.d_val;
      }
      if (entry->d_tag == DT_STRTAB) strings = FileOffset(entry->d_un.d_ptr);
    }
    if (!strings.has_value()) return;
    for (const Elf64_Xword name : needed) {
      elf_.needed.emplace_back(TextAt(bytes_, *strings + name));
    }
    if (runpath.has_value()) {
      elf_.runpath =
          absl::StrSplit(std::string(TextAt(bytes_, *strings + *runpath)), ':');
    }
  }

  std::optional<Elf64_Shdr> Section(std::size_t index) const {
    return At<Elf64_Shdr>(bytes_, header_.e_shoff + index * sizeof(Elf64_Shdr));
  }

  void ReadComment() {
    const auto names = Section(header_.e_shstrndx);
    if (header_.e_shoff == 0 || !names.has_value()) return;
    for (std::size_t i = 0; i < header_.e_shnum; ++i) {
      const auto section = Section(i);
      if (!section.has_value()) return;
      if (TextAt(bytes_, names->sh_offset + section->sh_name) != ".comment") {
        continue;
      }
      AddCompilers(Slice(bytes_, section->sh_offset, section->sh_size));
    }
  }

  void AddCompilers(std::string_view comment) {
    const std::vector<std::string> texts =
        absl::StrSplit(absl::string_view(comment.data(), comment.size()), '\0',
                       absl::SkipEmpty());
    for (const std::string& text : texts) {
      if (std::find(elf_.compilers.begin(), elf_.compilers.end(), text) ==
          elf_.compilers.end()) {
        elf_.compilers.push_back(text);
      }
    }
  }

  std::string_view bytes_;
  Elf64_Ehdr header_;
  std::vector<Elf64_Phdr> loads_;
  std::optional<Elf64_Phdr> dynamic_;
  ElfFile elf_;
};

std::optional<Elf64_Ehdr> HeaderOf(std::string_view bytes) {
  const auto header = At<Elf64_Ehdr>(bytes, 0);
  if (!header.has_value() ||
      std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB) {
    return std::nullopt;
  }
  return header;
}

ElfSymbol SymbolOf(const Elf64_Sym& entry, std::string_view name) {
  ElfSymbol symbol;
  symbol.name = name.substr(0, name.find('@'));
  symbol.defined = entry.st_shndx != SHN_UNDEF;
  symbol.weak = ELF64_ST_BIND(entry.st_info) == STB_WEAK;
  symbol.local = ELF64_ST_BIND(entry.st_info) == STB_LOCAL;
  symbol.object = ELF64_ST_TYPE(entry.st_info) == STT_OBJECT ||
                  ELF64_ST_TYPE(entry.st_info) == STT_TLS;
  symbol.size = entry.st_size;
  return symbol;
}

bool NamesCodeOrData(const Elf64_Sym& entry) {
  const auto type = ELF64_ST_TYPE(entry.st_info);
  return type != STT_SECTION && type != STT_FILE;
}

void AddSymbols(std::string_view bytes, const Elf64_Shdr& table,
                const Elf64_Shdr& names, std::vector<ElfSymbol>& symbols) {
  const std::string_view entries = Slice(bytes, table.sh_offset, table.sh_size);
  const std::string_view texts = Slice(bytes, names.sh_offset, names.sh_size);
  for (std::size_t at = 0;; at += sizeof(Elf64_Sym)) {
    const auto entry = At<Elf64_Sym>(entries, at);
    if (!entry.has_value()) return;
    const std::string_view name = TextAt(texts, entry->st_name);
    if (name.empty() || !NamesCodeOrData(*entry)) continue;
    symbols.push_back(SymbolOf(*entry, name));
  }
}

}  // namespace

std::optional<ElfFile> ParseElf(std::string_view bytes) {
  const auto header = HeaderOf(bytes);
  if (!header.has_value()) return std::nullopt;
  return Reader(bytes, *header).Read();
}

std::vector<ElfSymbol> ElfSymbols(std::string_view bytes) {
  std::vector<ElfSymbol> symbols;
  const auto header = HeaderOf(bytes);
  if (!header.has_value() || header->e_shoff == 0) return symbols;
  const auto section = [&](std::size_t index) {
    return At<Elf64_Shdr>(bytes, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  // A file of 65,280 sections or more has their number in the first one.
  const auto first = section(0);
  const std::size_t count =
      header->e_shnum == 0 && first ? first->sh_size : header->e_shnum;
  for (std::size_t i = 0; i < count; ++i) {
    const auto table = section(i);
    if (!table.has_value()) break;
    if (table->sh_type != SHT_SYMTAB && table->sh_type != SHT_DYNSYM) continue;
    const auto names = section(table->sh_link);
    if (names.has_value()) AddSymbols(bytes, *table, *names, symbols);
  }
  return symbols;
}

std::string BuildIdHex(std::string_view bytes, const ElfFile& elf) {
  const std::string_view id =
      Slice(bytes, elf.build_id_offset, elf.build_id_size);
  return absl::BytesToHexString(absl::string_view(id.data(), id.size()));
}

}  // namespace autotune
