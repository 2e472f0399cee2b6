#include "tools/system/private_folder.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// TMPDIR is a folder of the test's own.
class PrivateFolderTest : public testing::Test {
 protected:
  PrivateFolderTest() {
    if (const char* root = std::getenv("TMPDIR")) before_ = root;
    setenv("TMPDIR", root_.path().c_str(), 1);
  }
  ~PrivateFolderTest() override {
    if (before_.empty()) {
      unsetenv("TMPDIR");
    } else {
      setenv("TMPDIR", before_.c_str(), 1);
    }
  }

  FileSystem& files() { return root_.files(); }
  std::vector<std::string> Left() {
    return *files().ListDirectory(root_.path());
  }

  // A process that has made a folder with a file, and waits.
  pid_t StartOwner() {
    int ready[2];
    if (pipe(ready) != 0) std::abort();
    const pid_t owner = fork();
    if (owner == 0) {
      const auto folder = PrivateFolder::Make(files());
      const bool made =
          folder.ok() &&
          files().WriteFile(JoinPath(folder->path(), "sub"), "x").ok();
      if (write(ready[1], made ? "y" : "n", 1) != 1) _exit(1);
      while (true) pause();
    }
    char answer = 'n';
    EXPECT_EQ(read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    close(ready[0]);
    close(ready[1]);
    return owner;
  }

  void Kill(pid_t owner) {
    kill(owner, SIGKILL);
    waitpid(owner, nullptr, 0);
  }

  TemporaryFolder root_;
  std::string before_;
};

TEST_F(PrivateFolderTest, IsRemovedWithItsContents) {
  {
    ASSERT_OK_AND_ASSIGN(const PrivateFolder folder,
                         PrivateFolder::Make(files()));
    ASSERT_OK(files().MakeDirectories(JoinPath(folder.path(), "a/b")));
    EXPECT_THAT(Left(), SizeIs(1));
  }
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(PrivateFolderTest, OnlyThatOfAKilledProcessIsAbandoned) {
  const pid_t owner = StartOwner();
  const pid_t other = StartOwner();
  ASSERT_THAT(Left(), SizeIs(2));
  RemoveAbandonedFolders(files());
  EXPECT_THAT(Left(), SizeIs(2)) << "both owners live";
  Kill(owner);
  RemoveAbandonedFolders(files());
  EXPECT_THAT(Left(), SizeIs(1)) << "one owner lives";
  Kill(other);
  RemoveAbandonedFolders(files());
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(PrivateFolderTest, WhatOthersMadeStays) {
  // Of somebody who names folders alike, and one that is just being made.
  ASSERT_OK(files().MakeDirectories(root_.Join("run-abcdef")));
  ASSERT_OK(files().MakeDirectories(root_.Join("run-ghijkl")));
  ASSERT_OK(files().WriteFile(root_.Join("run-ghijkl/.lock"), ""));
  ASSERT_OK(files().MakeDirectories(root_.Join("run-of-mine")));
  ASSERT_OK(files().WriteFile(root_.Join("run-of-mine/.lock"), "pid 1\n"));
  // A link to what must not be lost.
  ASSERT_OK(files().MakeDirectories(root_.Join("kept")));
  ASSERT_OK(files().WriteFile(root_.Join("kept/.lock"), "pid 1\n"));
  ASSERT_OK(files().MakeLink(root_.Join("kept"), root_.Join("run-mnopqr")));
  RemoveAbandonedFolders(files());
  EXPECT_THAT(Left(),
              UnorderedElementsAre("run-abcdef", "run-ghijkl", "run-of-mine",
                                   "kept", "run-mnopqr"));
  EXPECT_THAT(*files().ListDirectory(root_.Join("kept")), ElementsAre(".lock"));
}

}  // namespace
}  // namespace autotune
