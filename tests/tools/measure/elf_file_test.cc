#include "tools/measure/elf_file.h"

#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

using testing::Contains;

std::string ReadProgram() {
  return MakePosixFileSystem()->ReadFile(MEASURED_PROGRAM).value_or("");
}

TEST(ParseElfTest, ReadsARealProgram) {
  const std::string bytes = ReadProgram();
  const std::optional<ElfFile> elf = ParseElf(bytes);
  ASSERT_TRUE(elf.has_value());
  EXPECT_THAT(elf->needed, Contains("libc.so.6"));
  EXPECT_FALSE(elf->compilers.empty());
}

TEST(ParseElfTest, OtherFilesAreNone) {
  EXPECT_FALSE(ParseElf("").has_value());
  EXPECT_FALSE(ParseElf("#!/bin/sh\n").has_value());
  std::string bytes = ReadProgram().substr(0, 64);
  bytes[4] = 1;  // 32 bit
  EXPECT_FALSE(ParseElf(bytes).has_value());
}

TEST(ParseElfTest, SurvivesEveryTruncation) {
  const std::string bytes = ReadProgram();
  for (std::size_t size = 0; size < bytes.size(); size += 37) {
    const std::string head = bytes.substr(0, size);
    const std::optional<ElfFile> elf = ParseElf(head);
    if (elf.has_value()) {
      EXPECT_LE(elf->build_id_offset + elf->build_id_size, head.size());
    }
  }
}

TEST(ParseElfTest, SurvivesEveryByteOfTheHeadersSetToOnes) {
  const std::string bytes = ReadProgram();
  for (std::size_t at = 5; at < 1024; ++at) {
    std::string damaged = bytes;
    damaged[at] = '\xff';
    const std::optional<ElfFile> elf = ParseElf(damaged);
    if (elf.has_value()) {
      EXPECT_LE(elf->build_id_offset + elf->build_id_size, damaged.size());
    }
  }
}

TEST(ElfSymbolsTest, NamesWhatAProgramDefinesAndTakes) {
  const std::vector<ElfSymbol> symbols = ElfSymbols(ReadProgram());
  const auto named = [](const char* name, bool defined) {
    return testing::AllOf(testing::Field(&ElfSymbol::name, name),
                          testing::Field(&ElfSymbol::defined, defined));
  };
  EXPECT_THAT(symbols, Contains(named("main", true)));
  EXPECT_THAT(symbols, Contains(named("__libc_start_main", false)));
  EXPECT_THAT(ElfSymbols("no program"), testing::IsEmpty());
}

TEST(ElfSymbolsTest, SurvivesEveryTruncation) {
  const std::string bytes = ReadProgram();
  const std::size_t all = ElfSymbols(bytes).size();
  for (std::size_t size = 0; size < bytes.size(); size += 997) {
    EXPECT_LE(ElfSymbols(bytes.substr(0, size)).size(), all);
  }
}

TEST(BuildIdHexTest, NamesTheBytesOfTheNote) {
  ElfFile elf;
  elf.build_id_offset = 1;
  elf.build_id_size = 3;
  EXPECT_EQ(BuildIdHex("a\xab\x01\xff\x02", elf), "ab01ff");
  EXPECT_EQ(BuildIdHex("", elf), "");
}

}  // namespace
}  // namespace autotune
