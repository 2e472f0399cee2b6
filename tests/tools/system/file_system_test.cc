#include "tools/system/file_system.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"

namespace autotune {
namespace {

using absl::StatusCode;
using testing::ElementsAre;
using testing::StartsWith;

TEST(JoinPathTest, PutsOneSlashBetween) {
  EXPECT_EQ(JoinPath("a", "b"), "a/b");
  EXPECT_EQ(JoinPath("a/", "b"), "a/b");
  EXPECT_EQ(JoinPath("/", "b"), "/b");
}

TEST(JoinPathTest, KeepsAnAbsoluteSecondAndAnEmptyFirst) {
  EXPECT_EQ(JoinPath("a", "/b"), "/b");
  EXPECT_EQ(JoinPath("", "b"), "b");
}

TEST(PosixFileSystemTest, ReadsWhatItWroteBytesAndAll) {
  const TemporaryFolder folder;
  const std::string bytes("a\0\xff\nb", 5);
  ASSERT_OK(folder.files().WriteFile(folder.Join("f"), bytes));
  EXPECT_THAT(folder.files().ReadFile(folder.Join("f")), IsOkAndHolds(bytes));
}

TEST(PosixFileSystemTest, AMissingFileIsNotFoundWithItsPath) {
  const TemporaryFolder folder;
  const std::string path = folder.Join("none");
  EXPECT_THAT(folder.files().ReadFile(path),
              StatusIs(StatusCode::kNotFound,
                       path + ": cannot open: No such file or directory"));
}

TEST(PosixFileSystemTest, AFolderCannotBeReadAsAFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(folder.files().ReadFile(folder.path()),
              StatusIs(StatusCode::kFailedPrecondition,
                       folder.path() + ": cannot read: Is a directory"));
}

TEST(PosixFileSystemTest, WritingReplacesTheFileAndKeepsItsMode) {
  const TemporaryFolder folder;
  const std::string path = folder.Join("f");
  ASSERT_OK(folder.files().WriteFile(path, "old and longer"));
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  ASSERT_OK(folder.files().WriteFile(path, "new"));
  EXPECT_THAT(folder.files().ReadFile(path), IsOkAndHolds("new"));
  struct stat info = {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640U);
}

TEST(PosixFileSystemTest, AWriteThatFailsLeavesNothingBeside) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().MakeDirectories(folder.Join("d/inner")));
  EXPECT_FALSE(folder.files().WriteFile(folder.Join("d"), "x").ok());
  EXPECT_THAT(folder.files().ListDirectory(folder.path()),
              IsOkAndHolds(ElementsAre("d")));
}

TEST(PosixFileSystemTest, AFullDiskIsSaidSo) {
  const TemporaryFolder folder;
  EXPECT_THAT(folder.files().AppendFile("/dev/full", "x"),
              StatusIs(StatusCode::kResourceExhausted,
                       "/dev/full: cannot write: No space left on device"));
}

TEST(PosixFileSystemTest, AppendsAtTheEndAndCreates) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().AppendFile(folder.Join("j"), "one\n"));
  ASSERT_OK(folder.files().AppendFile(folder.Join("j"), "two\n"));
  EXPECT_THAT(folder.files().ReadFile(folder.Join("j")),
              IsOkAndHolds("one\ntwo\n"));
}

TEST(PosixFileSystemTest, ACopyHasTheBytesAndTheMode) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().WriteFile(folder.Join("a"), "#!/bin/sh\n"));
  ASSERT_EQ(chmod(folder.Join("a").c_str(), 0755), 0);
  ASSERT_OK(folder.files().WriteFile(folder.Join("b"), "in the way"));
  ASSERT_OK(folder.files().CopyFile(folder.Join("a"), folder.Join("b")));
  EXPECT_THAT(folder.files().ReadFile(folder.Join("b")),
              IsOkAndHolds("#!/bin/sh\n"));
  ASSERT_OK_AND_ASSIGN(const FileInfo info,
                       folder.files().Info(folder.Join("b")));
  EXPECT_TRUE(info.executable);
  EXPECT_EQ(info.size, 10U);
}

TEST(PosixFileSystemTest, MakesFoldersAboveAndAcceptsOnesThatAreThere) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().MakeDirectories(folder.Join("a/b/c")));
  ASSERT_OK(folder.files().MakeDirectories(folder.Join("a/b/c/")));
  ASSERT_OK(folder.files().WriteFile(folder.Join("a/f"), ""));
  EXPECT_THAT(folder.files().MakeDirectories(folder.Join("a/f/d")),
              StatusIs(StatusCode::kAlreadyExists,
                       folder.Join("a/f") + ": cannot make the folder: File "
                                            "exists"));
}

TEST(PosixFileSystemTest, TemporaryFoldersArePrivateAndDistinct) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(
      const std::string one,
      folder.files().MakeTemporaryDirectory(folder.path(), "x-"));
  ASSERT_OK_AND_ASSIGN(
      const std::string two,
      folder.files().MakeTemporaryDirectory(folder.path(), "x-"));
  EXPECT_NE(one, two);
  EXPECT_THAT(one, StartsWith(folder.Join("x-")));
  struct stat info = {};
  ASSERT_EQ(stat(one.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
}

TEST(PosixFileSystemTest, RemovesATreeButNotWhatItsSymlinksName) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().MakeDirectories(folder.Join("tree/read-only")));
  ASSERT_OK(folder.files().WriteFile(folder.Join("tree/read-only/f"), "x"));
  ASSERT_OK(folder.files().WriteFile(folder.Join("kept"), "x"));
  ASSERT_OK(folder.files().MakeDirectories(folder.Join("kept-folder")));
  ASSERT_OK(folder.files().WriteFile(folder.Join("kept-folder/f"), "x"));
  ASSERT_EQ(
      symlink(folder.Join("kept").c_str(), folder.Join("tree/to-file").c_str()),
      0);
  ASSERT_EQ(symlink(folder.Join("kept-folder").c_str(),
                    folder.Join("tree/to-folder").c_str()),
            0);
  ASSERT_EQ(chmod(folder.Join("tree/read-only").c_str(), 0500), 0);
  ASSERT_OK(folder.files().RemoveAll(folder.Join("tree")));
  EXPECT_FALSE(folder.files().Exists(folder.Join("tree")));
  EXPECT_TRUE(folder.files().Exists(folder.Join("kept")));
  EXPECT_TRUE(folder.files().Exists(folder.Join("kept-folder/f")));
}

TEST(PosixFileSystemTest, RemovingNothingIsFine) {
  const TemporaryFolder folder;
  EXPECT_OK(folder.files().RemoveAll(folder.Join("none")));
}

TEST(PosixFileSystemTest, RenamesOverAnExistingFile) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().WriteFile(folder.Join("a"), "a"));
  ASSERT_OK(folder.files().WriteFile(folder.Join("b"), "b"));
  ASSERT_OK(folder.files().Rename(folder.Join("a"), folder.Join("b")));
  EXPECT_THAT(folder.files().ListDirectory(folder.path()),
              IsOkAndHolds(ElementsAre("b")));
  EXPECT_THAT(folder.files().ReadFile(folder.Join("b")), IsOkAndHolds("a"));
}

TEST(PosixFileSystemTest, InfoDoesNotFollowALastSymlink) {
  const TemporaryFolder folder;
  ASSERT_EQ(symlink("nowhere", folder.Join("link").c_str()), 0);
  ASSERT_OK_AND_ASSIGN(const FileInfo link,
                       folder.files().Info(folder.Join("link")));
  EXPECT_EQ(link.kind, FileInfo::Kind::kSymlink);
  ASSERT_OK_AND_ASSIGN(const FileInfo self, folder.files().Info(folder.path()));
  EXPECT_EQ(self.kind, FileInfo::Kind::kDirectory);
  EXPECT_THAT(folder.files().Info("/dev/null"), IsOk());
  EXPECT_EQ(folder.files().Info("/dev/null")->kind, FileInfo::Kind::kOther);
}

TEST(FaultyFileSystemTest, FailsAtTheCallAskedForAndAfter) {
  const TemporaryFolder folder;
  FaultyFileSystem faulty(folder.files(), 1);
  EXPECT_OK(faulty.WriteFile(folder.Join("a"), "1"));
  EXPECT_THAT(faulty.WriteFile(folder.Join("a"), "2"),
              StatusIs(StatusCode::kResourceExhausted, "disk full"));
  EXPECT_FALSE(faulty.RemoveAll(folder.Join("a")).ok());
  EXPECT_THAT(faulty.ReadFile(folder.Join("a")), IsOkAndHolds("1"));
  EXPECT_EQ(faulty.writes(), 3);
}

}  // namespace
}  // namespace autotune
