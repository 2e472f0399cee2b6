#include "reporter/result_sink.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "reporter/plain_file.h"
#include "reporter/swapped_file.h"
#include "tests/support/temporary_folder.h"

namespace autotune::internal {
namespace {

std::string Read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void Write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

std::vector<std::string> Files(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

ino_t Inode(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

class ResultSinkTest : public testing::Test {
 protected:
  std::unique_ptr<ResultSink> Open(const std::string& path) {
    std::string error;
    auto sink = OpenResultSink(path, &error);
    EXPECT_NE(sink, nullptr) << error;
    return sink;
  }
  std::string OpenError(const std::string& path) {
    std::string error;
    EXPECT_EQ(OpenResultSink(path, &error), nullptr);
    return error;
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_.Join("result.json");
};

TEST_F(ResultSinkTest, EveryCallMakesKeptTextAndClosingTheDocument) {
  auto sink = Open(path_);
  EXPECT_TRUE(sink->Publish("", "[empty]"));
  EXPECT_EQ(Read(path_), "[empty]");
  EXPECT_TRUE(sink->Publish("{a", " long closing}"));
  EXPECT_EQ(Read(path_), "{a long closing}");
  EXPECT_TRUE(sink->Publish(",b", "}"));
  EXPECT_EQ(Read(path_), "{a,b}");
  EXPECT_TRUE(sink->Publish(",c", "}"));
  EXPECT_EQ(Read(path_), "{a,b,c}");
  EXPECT_TRUE(sink->Finish("", " done}"));
  EXPECT_EQ(Read(path_), "{a,b,c done}");
}

TEST_F(ResultSinkTest, LeavesOnlyTheDocumentBehind) {
  {
    auto sink = Open(path_);
    sink->Publish("a", "1");
    sink->Publish("b", "2");
    sink->Finish("c", "3");
    EXPECT_EQ(Files(folder_.path()), std::vector<std::string>{"result.json"});
  }
  { auto unfinished = Open(folder_.Join("other.json")); }
  EXPECT_EQ(Files(folder_.path()), std::vector<std::string>{"result.json"});
  EXPECT_EQ(Read(path_), "abc3");
}

TEST_F(ResultSinkTest, MayGoOnAfterFinish) {
  auto sink = Open(path_);
  sink->Finish("a", "]");
  EXPECT_TRUE(sink->Publish("b", "..."));
  EXPECT_EQ(Read(path_), "ab...");
  EXPECT_TRUE(sink->Publish("c", "..."));
  EXPECT_TRUE(sink->Finish("d", "]"));
  EXPECT_EQ(Read(path_), "abcd]");
}

TEST_F(ResultSinkTest, LeavesTheOldDocumentUntilTheFirstPublish) {
  Write(path_, "old");
  auto sink = Open(path_);
  EXPECT_EQ(Read(path_), "old");
  sink->Publish("", "new");
  EXPECT_EQ(Read(path_), "new");
}

TEST_F(ResultSinkTest, KeepsThePermissionsOfTheOldDocument) {
  Write(path_, "old");
  chmod(path_.c_str(), 0640);
  auto sink = Open(path_);
  sink->Publish("a", "1");
  sink->Finish("b", "2");
  struct stat status;
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0640u);
}

TEST_F(ResultSinkTest, FollowsALinkToTheFileItNames) {
  Write(folder_.Join("real.json"), "old");
  symlink("real.json", path_.c_str());
  auto sink = Open(path_);
  sink->Publish("a", "1");
  sink->Finish("b", "2");
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(Read(folder_.Join("real.json")), "ab2");
}

TEST_F(ResultSinkTest, FollowsALinkToNothing) {
  symlink("made.json", path_.c_str());
  auto sink = Open(path_);
  sink->Finish("a", "1");
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(Read(folder_.Join("made.json")), "a1");
}

TEST_F(ResultSinkTest, OverwritesAFileOfSeveralNamesInPlace) {
  Write(path_, "old");
  ASSERT_EQ(link(path_.c_str(), folder_.Join("twin").c_str()), 0);
  auto sink = Open(path_);
  sink->Publish("a", " a long closing");
  EXPECT_EQ(Read(path_), "a a long closing");
  sink->Publish("b", "2");
  EXPECT_EQ(Read(path_), "ab2             ");
  EXPECT_EQ(Read(folder_.Join("twin")), Read(path_));
  sink->Finish("", "3");
  EXPECT_EQ(Read(path_), "ab3");
  EXPECT_EQ(Inode(path_), Inode(folder_.Join("twin")));
}

TEST_F(ResultSinkTest, GivesAPipeTheTextAndTheClosingOnce) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const int reader = open(path_.c_str(), O_RDONLY | O_NONBLOCK);
  auto sink = Open(path_);
  EXPECT_TRUE(sink->Publish("{a", " never}"));
  EXPECT_TRUE(sink->Publish(",b", " never}"));
  EXPECT_TRUE(sink->Finish(",c", "}"));
  char text[64];
  const ssize_t size = read(reader, text, sizeof text);
  EXPECT_EQ(std::string(text, static_cast<std::size_t>(size)), "{a,b,c}");
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
  EXPECT_FALSE(sink->Publish("a", ""));
  EXPECT_EQ(sink->error(), "No space left on device");
  EXPECT_FALSE(sink->Finish("b", "]"));
}

TEST_F(ResultSinkTest, IsNotConfusedByAChangeOfTheWorkingFolder) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  auto sink = Open("relative.json");
  std::filesystem::current_path("/");
  sink->Publish("a", "1");
  sink->Finish("b", "2");
  std::filesystem::current_path(before);
  EXPECT_EQ(Read(folder_.Join("relative.json")), "ab2");
}

TEST_F(ResultSinkTest, ANameTooLongForASpareIsWrittenInPlace) {
  const std::string path = folder_.Join(std::string(250, 'x'));
  auto sink = Open(path);
  sink->Publish("a", "1");
  EXPECT_EQ(Read(path), "a1");
}

class SwappedFileTest : public ResultSinkTest {
 protected:
  const std::string spare_ = folder_.Join(".result.json.autotune-spare");
};

TEST_F(SwappedFileTest, NeverWritesToThePublishedFile) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish("a", "1");
  const int published = open(path_.c_str(), O_RDONLY);
  sink->Publish("b", "2");
  char text[16];
  EXPECT_EQ(pread(published, text, sizeof text, 0), 2);
  EXPECT_EQ(std::string(text, 2), "a1");
  close(published);
}

TEST_F(SwappedFileTest, WritesOnInTwoFilesInTurn) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish("a", "1");
  const ino_t first = Inode(path_);
  sink->Publish("b", "2");
  const ino_t second = Inode(path_);
  sink->Publish("c", "3");
  EXPECT_NE(first, second);
  EXPECT_EQ(Inode(path_), first);
  EXPECT_EQ(Inode(spare_), second);
}

TEST_F(SwappedFileTest, RemovesTheSpareOfAKilledWriter) {
  Write(spare_, "left behind");
  auto sink = SwappedFile::Open(path_);
  ASSERT_NE(sink, nullptr);
  sink->Finish("a", "1");
  EXPECT_EQ(Files(folder_.path()), std::vector<std::string>{"result.json"});
}

TEST_F(SwappedFileTest, TwoWritersOfOneNameDoNotShareASpare) {
  auto one = SwappedFile::Open(path_);
  auto other = SwappedFile::Open(path_);
  for (const char* text : {"a", "b", "c"}) {
    EXPECT_TRUE(one->Publish(text, "1"));
    EXPECT_TRUE(other->Publish(text, "2"));
  }
  EXPECT_TRUE(one->Finish("", "1"));
  EXPECT_EQ(Read(path_), "abc1");
  EXPECT_TRUE(other->Finish("", "2"));
  EXPECT_EQ(Read(path_), "abc2");
  EXPECT_EQ(Files(folder_.path()), std::vector<std::string>{"result.json"});
}

TEST_F(SwappedFileTest, SurvivesTheRemovalOfItsFiles) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish("a", "1");
  sink->Publish("b", "2");
  unlink(path_.c_str());
  EXPECT_TRUE(sink->Publish("c", "3"));
  EXPECT_EQ(Read(path_), "abc3");
  sink->Publish("d", "4");
  unlink(spare_.c_str());
  EXPECT_TRUE(sink->Publish("e", "5"));
  EXPECT_EQ(Read(path_), "abcde5");
  unlink(path_.c_str());
  unlink(spare_.c_str());
  EXPECT_TRUE(sink->Publish("f", "6"));
  EXPECT_EQ(Read(path_), "abcdef6");
}

TEST_F(SwappedFileTest, DoesNotTakeAnothersFileForItsSpare) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish("a", "1");
  sink->Publish("b", "2");
  Write(folder_.Join("foreign"), "foreign");
  std::filesystem::rename(folder_.Join("foreign"), path_);
  EXPECT_TRUE(sink->Publish("c", "3"));
  EXPECT_TRUE(sink->Publish("d", "4"));
  EXPECT_EQ(Read(path_), "abcd4");
}

TEST_F(SwappedFileTest, AFullDiskKeepsTheLatestDocumentAndLosesNothing) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish("a", "1");
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit tiny = {100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tiny);
  const bool written = sink->Publish(std::string(200, 'b'), "2");
  const std::string error = sink->error();
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(written);
  EXPECT_EQ(error, "File too large");
  EXPECT_EQ(Read(path_), "a1");
  EXPECT_TRUE(sink->Publish("c", "3"));
  EXPECT_EQ(sink->error(), "");
  EXPECT_EQ(Read(path_), "a" + std::string(200, 'b') + "c3");
}

// Publishes documents of growing size for ever: "<NNNN padding>...end", and
// says by a byte to `started` that the first one is there.
[[noreturn]] void PublishForever(const std::string& path, int started) {
  std::string error;
  auto sink = OpenResultSink(path, &error);
  for (int i = 0;; ++i) {
    std::string row = "<" + std::to_string(i);
    row.append(static_cast<std::size_t>(5000 + 977 * (i % 7)), ' ');
    sink->Publish(row + ">", std::string(9000, '.') + "end");
    if (i == 0 && write(started, "", 1) != 1) _exit(1);
  }
}

// Starts such a writer, kills it `microseconds` after its first document and
// tells what is in the file.
std::string KillWriterAfter(int microseconds, const std::string& path) {
  int pipe_ends[2];
  EXPECT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  if (child == 0) PublishForever(path, pipe_ends[1]);
  char byte;
  EXPECT_EQ(read(pipe_ends[0], &byte, 1), 1);
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return Read(path);
}

// Whether `text` is a whole document: rows 0, 1, 2, ... and the closing part.
bool IsWhole(const std::string& text) {
  std::size_t at = 0;
  for (int row = 0; text.compare(at, 1, "<") == 0; ++row) {
    const std::string start = "<" + std::to_string(row) + " ";
    const std::size_t end = text.find('>', at);
    if (text.compare(at, start.size(), start) != 0 || end == std::string::npos)
      return false;
    at = end + 1;
  }
  return text.substr(at) == std::string(9000, '.') + "end";
}

// Written in place a third of these files are torn.
TEST_F(SwappedFileTest, IsWholeWheneverItsWriterIsKilled) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> microseconds(0, 1500);
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(IsWhole(KillWriterAfter(microseconds(random), path_)))
        << "round " << round;
  }
}

}  // namespace
}  // namespace autotune::internal
