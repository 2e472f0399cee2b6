#include "reporter/result_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "reporter/file_io.h"
#include "tests/reporter/result_sink_fixture.h"

namespace autotune::internal {
namespace {

TEST_F(ResultSinkTest, EveryCallMakesKeptTextAndClosingTheDocument) {
  auto sink = Open(path_);
  EXPECT_TRUE(sink->Publish({"", "", "[empty]"}));
  EXPECT_EQ(ReadFile(path_), "[empty]");
  EXPECT_TRUE(sink->Publish({"{a", "", " long closing}"}));
  EXPECT_EQ(ReadFile(path_), "{a long closing}");
  EXPECT_TRUE(sink->Publish({",b", "", "}"}));
  EXPECT_EQ(ReadFile(path_), "{a,b}");
  EXPECT_TRUE(sink->Publish({",c", "", "}"}));
  EXPECT_EQ(ReadFile(path_), "{a,b,c}");
  EXPECT_TRUE(sink->Finish({"", "", " done}"}));
  EXPECT_EQ(ReadFile(path_), "{a,b,c done}");
}

TEST_F(ResultSinkTest, RowsAndTailGrowBothAndTheClosingIsReplaced) {
  WriteFile(folder_.Join("two names"), "");
  link(folder_.Join("two names").c_str(), folder_.Join("in place").c_str());
  for (const std::string& path : {path_, folder_.Join("in place")}) {
    auto sink = Open(path);
    EXPECT_TRUE(sink->Publish({"[a", "|1", "]"}));
    EXPECT_TRUE(sink->Publish({"b", "", "]"}));
    EXPECT_TRUE(sink->Publish({"", "2", "]"}));
    EXPECT_EQ(ReadFile(path), "[ab|12]");
    EXPECT_TRUE(sink->Finish({"c", "3", "!]"}));
    EXPECT_EQ(ReadFile(path), "[abc|123!]");
    EXPECT_TRUE(sink->Publish({"d", "4", "]"}));
    EXPECT_EQ(ReadFile(path).substr(0, 11), "[abcd|1234]");
  }
}

TEST_F(ResultSinkTest, LeavesOnlyTheDocumentBehind) {
  {
    auto sink = Open(path_);
    sink->Publish({"a", "", "1"});
    sink->Publish({"b", "", "2"});
    sink->Finish({"c", "", "3"});
    EXPECT_EQ(FilesIn(folder_.path()), std::vector<std::string>{"result.json"});
  }
  { auto unfinished = Open(folder_.Join("other.json")); }
  EXPECT_EQ(FilesIn(folder_.path()), std::vector<std::string>{"result.json"});
  EXPECT_EQ(ReadFile(path_), "abc3");
}

TEST_F(ResultSinkTest, MayGoOnAfterFinish) {
  auto sink = Open(path_);
  sink->Finish({"a", "", "]"});
  EXPECT_TRUE(sink->Publish({"b", "", "..."}));
  EXPECT_EQ(ReadFile(path_), "ab...");
  EXPECT_TRUE(sink->Publish({"c", "", "..."}));
  EXPECT_TRUE(sink->Finish({"d", "", "]"}));
  EXPECT_EQ(ReadFile(path_), "abcd]");
}

TEST_F(ResultSinkTest, LeavesTheOldDocumentUntilTheFirstPublish) {
  WriteFile(path_, "old");
  auto sink = Open(path_);
  EXPECT_EQ(ReadFile(path_), "old");
  sink->Publish({"", "", "new"});
  EXPECT_EQ(ReadFile(path_), "new");
}

TEST_F(ResultSinkTest, KeepsThePermissionsOfTheOldDocument) {
  WriteFile(path_, "old");
  chmod(path_.c_str(), 0640);
  auto sink = Open(path_);
  sink->Publish({"a", "", "1"});
  sink->Finish({"b", "", "2"});
  struct stat status;
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0640u);
}

TEST_F(ResultSinkTest, FollowsALinkToTheFileItNames) {
  WriteFile(folder_.Join("real.json"), "old");
  symlink("real.json", path_.c_str());
  auto sink = Open(path_);
  sink->Publish({"a", "", "1"});
  sink->Finish({"b", "", "2"});
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(ReadFile(folder_.Join("real.json")), "ab2");
}

TEST_F(ResultSinkTest, FollowsALinkToNothing) {
  symlink("made.json", path_.c_str());
  auto sink = Open(path_);
  sink->Finish({"a", "", "1"});
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(ReadFile(folder_.Join("made.json")), "a1");
}

TEST_F(ResultSinkTest, OverwritesAFileOfSeveralNamesInPlace) {
  WriteFile(path_, "old");
  ASSERT_EQ(link(path_.c_str(), folder_.Join("twin").c_str()), 0);
  auto sink = Open(path_);
  sink->Publish({"a", "", " a long closing"});
  EXPECT_EQ(ReadFile(path_), "a a long closing");
  sink->Publish({"b", "", "2"});
  EXPECT_EQ(ReadFile(path_), "ab2             ");
  EXPECT_EQ(ReadFile(folder_.Join("twin")), ReadFile(path_));
  sink->Finish({"", "", "3"});
  EXPECT_EQ(ReadFile(path_), "ab3");
  EXPECT_EQ(InodeOf(path_), InodeOf(folder_.Join("twin")));
}

TEST_F(ResultSinkTest, GivesAPipeTheTextAndTheClosingOnce) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const int reader = open(path_.c_str(), O_RDONLY | O_NONBLOCK);
  auto sink = Open(path_);
  EXPECT_TRUE(sink->Publish({"{a", "", " never}"}));
  EXPECT_TRUE(sink->Publish({",b", "", " never}"}));
  EXPECT_TRUE(sink->Finish({",c", "", "}"}));
  char text[64];
  const ssize_t size = read(reader, text, sizeof text);
  EXPECT_EQ(std::string(text, static_cast<std::size_t>(size)), "{a,b,c}");
  close(reader);
}

TEST_F(ResultSinkTest, GivesAPipeTheTailAfterAllRows) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const int reader = open(path_.c_str(), O_RDONLY | O_NONBLOCK);
  auto sink = Open(path_);
  EXPECT_TRUE(sink->Publish({"{a", "|1", "}"}));
  EXPECT_TRUE(sink->Finish({"b", "2", "}"}));
  char text[64];
  const ssize_t size = read(reader, text, sizeof text);
  EXPECT_EQ(std::string(text, static_cast<std::size_t>(size)), "{ab|12}");
  close(reader);
}

TEST_F(ResultSinkTest, SaysWhyAFileCannotBeOpened) {
  EXPECT_EQ(OpenError(folder_.Join("no/such.json")),
            "No such file or directory");
  EXPECT_EQ(OpenError(folder_.path()), "Is a directory");
  EXPECT_EQ(OpenError(path_ + "/x"), "No such file or directory");
  EXPECT_EQ(OpenError(""), "No such file or directory");
}

TEST_F(ResultSinkTest, SaysThatADeviceIsFullAndTriesAgain) {
  auto sink = Open("/dev/full");
  EXPECT_FALSE(sink->Publish({"a", "", ""}));
  EXPECT_EQ(sink->error(), "No space left on device");
  EXPECT_FALSE(sink->Finish({"b", "", "]"}));
}

TEST_F(ResultSinkTest, IsNotConfusedByAChangeOfTheWorkingFolder) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  auto sink = Open("relative.json");
  std::filesystem::current_path("/");
  sink->Publish({"a", "", "1"});
  sink->Finish({"b", "", "2"});
  std::filesystem::current_path(before);
  EXPECT_EQ(ReadFile(folder_.Join("relative.json")), "ab2");
}

TEST_F(ResultSinkTest, ANameTooLongForASpareIsWrittenInPlace) {
  const std::string path = folder_.Join(std::string(250, 'x'));
  auto sink = Open(path);
  sink->Publish({"a", "", "1"});
  EXPECT_EQ(ReadFile(path), "a1");
}

TEST_F(ResultSinkTest, SaysThatAFileInPlaceWasClosedAndWritesNoOther) {
  WriteFile(path_, "");
  link(path_.c_str(), folder_.Join("twin").c_str());
  // The next descriptor is the lowest one free.
  const int next = dup(0);
  close(next);
  auto sink = Open(path_);
  sink->Publish({"a", "", "1"});
  WriteFile(folder_.Join("others"), "others");
  const int other = open(folder_.Join("others").c_str(), O_RDWR);
  dup2(other, next);
  EXPECT_FALSE(sink->Publish({"b", "", "2"}));
  EXPECT_EQ(sink->error(), "Bad file descriptor");
  EXPECT_EQ(ReadFile(folder_.Join("others")), "others");
  EXPECT_EQ(ReadFile(path_), "a1");
  close(next);
  close(other);
}

TEST(OpenFileTest, IsNeverAStandardStream) {
  TemporaryFolder folder;
  const int input = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  const OpenFile file(folder.Join("file"), O_RDWR | O_CREAT);
  EXPECT_GT(file.fd(), STDERR_FILENO);
  EXPECT_TRUE(file.is_open());
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD), -1);
  dup2(input, STDIN_FILENO);
  close(input);
}

}  // namespace
}  // namespace autotune::internal
