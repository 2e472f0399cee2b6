#include "tools/measure/identity.h"

#include <sys/stat.h>

#include <string>

#include "absl/status/status.h"
#include "base/sha256.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"
#include "tools/measure/elf_file.h"

namespace autotune {
namespace {

TEST(DifferingFoldersTest, DropsTheCommonTail) {
  const FolderPair pair = DifferingFolders("/t/a/bin/x", "/t/b/bin/x");
  EXPECT_EQ(pair.baseline, "/t/a");
  EXPECT_EQ(pair.contender, "/t/b");
}

TEST(DifferingFoldersTest, OtherNamesStayWhole) {
  const FolderPair pair = DifferingFolders("/t/old", "/t/new");
  EXPECT_EQ(pair.baseline, "/t/old");
  EXPECT_EQ(pair.contender, "/t/new");
}

TEST(DifferingFoldersTest, EqualPathsDifferNowhere) {
  EXPECT_EQ(DifferingFolders("/t/x", "/t/x").baseline, "");
}

// Two build folders with a program each, as an autotuning tool would make them.
class CompareIdentityTest : public testing::Test {
 protected:
  void SetUp() override {
    program_ = files().ReadFile(MEASURED_PROGRAM).value_or("");
    for (const char* name : {"one", "two"}) {
      ASSERT_OK(files().MakeDirectories(folder_.Join(name)));
      Place(name, program_);
    }
  }

  FileSystem& files() { return folder_.files(); }

  std::string PathOf(const std::string& side) {
    return folder_.Join(side + "/bench");
  }
  void Place(const std::string& side, const std::string& bytes) {
    ASSERT_OK(files().WriteFile(PathOf(side), bytes));
    ASSERT_EQ(chmod(PathOf(side).c_str(), 0755), 0);
  }
  // The program with `text` at its end, where only our search looks.
  void PlaceWith(const std::string& side, const std::string& text) {
    Place(side, program_ + text + std::string(1, '\0'));
  }

  SideCommand Command(const std::string& side) {
    SideCommand command;
    command.program = PathOf(side);
    return command;
  }
  bool Identical() { return Identical(Command("one"), Command("two")); }
  bool Identical(const SideCommand& one, const SideCommand& two) {
    const auto identity = CompareIdentity(one, two, files());
    EXPECT_OK(identity);
    return identity.ok() && identity->identical;
  }

  TemporaryFolder folder_;
  std::string program_;
};

TEST_F(CompareIdentityTest, EqualBytesAreIdentical) {
  EXPECT_TRUE(Identical());
  ASSERT_OK_AND_ASSIGN(
      const Identity identity,
      CompareIdentity(Command("one"), Command("two"), files()));
  EXPECT_EQ(identity.baseline.sha256, Sha256Hex(program_));
  EXPECT_FALSE(identity.baseline.compiler.empty());
}

TEST_F(CompareIdentityTest, OneByteMakesADifference) {
  std::string other = program_;
  other[other.size() / 2] ^= 1;
  Place("two", other);
  EXPECT_FALSE(Identical());
}

TEST_F(CompareIdentityTest, TheBuildIdIsNoDifference) {
  const auto elf = ParseElf(program_);
  ASSERT_TRUE(elf.has_value());
  ASSERT_GT(elf->build_id_size, 0U) << "built without --build-id";
  std::string other = program_;
  other[elf->build_id_offset] ^= 1;
  Place("two", other);
  EXPECT_TRUE(Identical());
}

TEST_F(CompareIdentityTest, TheBuildFoldersOwnPathIsNoDifference) {
  PlaceWith("one", folder_.Join("one") + "/src/lib.cc");
  PlaceWith("two", folder_.Join("two") + "/src/lib.cc");
  EXPECT_TRUE(Identical());
}

TEST_F(CompareIdentityTest, DataNamedByThatPathIsCompared) {
  for (const char* side : {"one", "two"}) {
    PlaceWith(side, folder_.Join(side) + "/table.bin");
    ASSERT_OK(files().WriteFile(folder_.Join(std::string(side) + "/table.bin"),
                                "same"));
  }
  EXPECT_TRUE(Identical());
  ASSERT_OK(files().WriteFile(folder_.Join("two/table.bin"), "else"));
  EXPECT_FALSE(Identical());
  ASSERT_OK(files().RemoveAll(folder_.Join("two/table.bin")));
  EXPECT_FALSE(Identical());
}

TEST_F(CompareIdentityTest, AFolderNamedByThatPathIsInDoubt) {
  for (const char* side : {"one", "two"}) {
    PlaceWith(side, folder_.Join(side) + "/data");
    ASSERT_OK(
        files().MakeDirectories(folder_.Join(std::string(side) + "/data")));
  }
  EXPECT_FALSE(Identical());
}

TEST_F(CompareIdentityTest, AProgramThatAsksWhereItLiesIsInDoubt) {
  PlaceWith("one", "/proc/self/exe");
  PlaceWith("two", "/proc/self/exe");
  EXPECT_FALSE(Identical());
  EXPECT_TRUE(Identical(Command("one"), Command("one")));
}

TEST_F(CompareIdentityTest, ArgumentsEnvironmentAndFolderMustBeEqual) {
  SideCommand two = Command("two");
  two.arguments = {"--fast"};
  EXPECT_FALSE(Identical(Command("one"), two));
  two = Command("two");
  two.environment["X"] = "1";
  EXPECT_FALSE(Identical(Command("one"), two));
  two = Command("two");
  two.working_directory = "/";
  EXPECT_FALSE(Identical(Command("one"), two));
}

TEST_F(CompareIdentityTest, AnArgumentInTheBuildFolderIsComparedByContent) {
  SideCommand one = Command("one");
  SideCommand two = Command("two");
  one.arguments = {"--data=" + folder_.Join("one/d")};
  two.arguments = {"--data=" + folder_.Join("two/d")};
  ASSERT_OK(files().WriteFile(folder_.Join("one/d"), "1"));
  ASSERT_OK(files().WriteFile(folder_.Join("two/d"), "2"));
  EXPECT_FALSE(Identical(one, two));
  ASSERT_OK(files().WriteFile(folder_.Join("two/d"), "1"));
  EXPECT_TRUE(Identical(one, two));
}

TEST_F(CompareIdentityTest, ScriptsNeedTheirFolderAndAreNeverIdentical) {
  Place("one", "#!/bin/sh\n");
  Place("two", "#!/bin/sh\n");
  ASSERT_OK_AND_ASSIGN(
      const Identity identity,
      CompareIdentity(Command("one"), Command("two"), files()));
  EXPECT_FALSE(identity.identical);
  EXPECT_TRUE(identity.baseline.needs_its_folder);
}

TEST_F(CompareIdentityTest, ABareNameIsFirstLookedForWhereItWillRun) {
  SideCommand bare;
  bare.program = "bench";
  bare.working_directory = folder_.Join("one");
  ASSERT_OK_AND_ASSIGN(const Identity identity,
                       CompareIdentity(bare, Command("two"), files()));
  EXPECT_EQ(identity.baseline.path, PathOf("one"));
}

TEST_F(CompareIdentityTest, AMissingProgramNamesItsSide) {
  SideCommand missing;
  missing.program = folder_.Join("none");
  EXPECT_THAT(CompareIdentity(Command("one"), missing, files()),
              StatusIs(absl::StatusCode::kNotFound,
                       "contender: " + missing.program +
                           ": cannot open: No such file or directory"));
}

}  // namespace
}  // namespace autotune
