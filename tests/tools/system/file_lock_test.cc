#include "tools/system/file_lock.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"

namespace autotune {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::StartsWith;

TEST(FileLockTest, ASecondHolderIsTurnedAwayNamingTheFirst) {
  const TemporaryFolder folder;
  const std::string path = folder.Join("lock");
  ASSERT_OK_AND_ASSIGN(const FileLock lock,
                       AcquireFileLock(path, absl::ZeroDuration()));
  EXPECT_THAT(AcquireFileLock(path, absl::Milliseconds(30)),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(StartsWith(absl::StrCat(path, ": held by pid ",
                                                     getpid(), " host ")),
                             EndsWith(": wait for it to end and try again"))));
}

TEST(FileLockTest, IsFreeAgainOnceDestroyed) {
  const TemporaryFolder folder;
  ASSERT_OK(AcquireFileLock(folder.Join("lock"), absl::ZeroDuration()));
  EXPECT_OK(AcquireFileLock(folder.Join("lock"), absl::ZeroDuration()));
}

TEST(FileLockTest, IsFreeAgainWhenItsHolderIsKilled) {
  const TemporaryFolder folder;
  const std::string path = folder.Join("lock");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = AcquireFileLock(path, absl::ZeroDuration());
    if (write(ready[1], lock.ok() ? "y" : "n", 1) != 1) _exit(1);
    while (true) pause();
  }
  char answer = 'n';
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  EXPECT_THAT(
      AcquireFileLock(path, absl::ZeroDuration()),
      StatusIs(absl::StatusCode::kUnavailable,
               StartsWith(absl::StrCat(path, ": held by pid ", child, " "))));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_OK(AcquireFileLock(path, absl::Seconds(5)));
}

TEST(FileLockTest, AMissingFolderIsNotFound) {
  const TemporaryFolder folder;
  const std::string path = folder.Join("none/lock");
  EXPECT_THAT(AcquireFileLock(path, absl::ZeroDuration()),
              StatusIs(absl::StatusCode::kNotFound,
                       path + ": cannot open the lock: No such file or "
                              "directory"));
}

}  // namespace
}  // namespace autotune
