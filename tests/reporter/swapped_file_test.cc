#include "reporter/swapped_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/reporter/result_sink_fixture.h"

namespace autotune::internal {
namespace {

class SwappedFileTest : public ResultSinkTest {
 protected:
  const std::string spare_ = folder_.Join(".result.json.autotune-spare");
};

TEST_F(SwappedFileTest, NeverWritesToThePublishedFile) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish({"a", "", "1"});
  const int published = open(path_.c_str(), O_RDONLY);
  sink->Publish({"b", "", "2"});
  char text[16];
  EXPECT_EQ(pread(published, text, sizeof text, 0), 2);
  EXPECT_EQ(std::string(text, 2), "a1");
  close(published);
}

TEST_F(SwappedFileTest, WritesOnInTwoFilesInTurn) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish({"a", "", "1"});
  const ino_t first = InodeOf(path_);
  sink->Publish({"b", "", "2"});
  const ino_t second = InodeOf(path_);
  sink->Publish({"c", "", "3"});
  EXPECT_NE(first, second);
  EXPECT_EQ(InodeOf(path_), first);
  EXPECT_EQ(InodeOf(spare_), second);
}

TEST_F(SwappedFileTest, RemovesTheSpareOfAKilledWriter) {
  WriteFile(spare_, "left behind");
  auto sink = SwappedFile::Open(path_);
  ASSERT_NE(sink, nullptr);
  sink->Finish({"a", "", "1"});
  EXPECT_EQ(FilesIn(folder_.path()), std::vector<std::string>{"result.json"});
}

TEST_F(SwappedFileTest, TwoWritersOfOneNameDoNotShareASpare) {
  auto one = SwappedFile::Open(path_);
  auto other = SwappedFile::Open(path_);
  for (const char* text : {"a", "b", "c"}) {
    EXPECT_TRUE(one->Publish({text, "", "1"}));
    EXPECT_TRUE(other->Publish({text, "", "2"}));
  }
  EXPECT_TRUE(one->Finish({"", "", "1"}));
  EXPECT_EQ(ReadFile(path_), "abc1");
  EXPECT_TRUE(other->Finish({"", "", "2"}));
  EXPECT_EQ(ReadFile(path_), "abc2");
  EXPECT_EQ(FilesIn(folder_.path()), std::vector<std::string>{"result.json"});
}

TEST_F(SwappedFileTest, SurvivesTheRemovalOfItsFiles) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish({"a", "", "1"});
  sink->Publish({"b", "", "2"});
  unlink(path_.c_str());
  EXPECT_TRUE(sink->Publish({"c", "", "3"}));
  EXPECT_EQ(ReadFile(path_), "abc3");
  sink->Publish({"d", "", "4"});
  unlink(spare_.c_str());
  EXPECT_TRUE(sink->Publish({"e", "", "5"}));
  EXPECT_EQ(ReadFile(path_), "abcde5");
  unlink(path_.c_str());
  unlink(spare_.c_str());
  EXPECT_TRUE(sink->Publish({"f", "", "6"}));
  EXPECT_EQ(ReadFile(path_), "abcdef6");
}

TEST_F(SwappedFileTest, DoesNotTakeAnothersFileForItsSpare) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish({"a", "", "1"});
  sink->Publish({"b", "", "2"});
  WriteFile(folder_.Join("foreign"), "foreign");
  std::filesystem::rename(folder_.Join("foreign"), path_);
  EXPECT_TRUE(sink->Publish({"c", "", "3"}));
  EXPECT_TRUE(sink->Publish({"d", "", "4"}));
  EXPECT_EQ(ReadFile(path_), "abcd4");
}

TEST_F(SwappedFileTest, AFullDiskKeepsTheLatestDocumentAndLosesNothing) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish({"a", "", "1"});
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit tiny = {100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tiny);
  const bool written = sink->Publish({std::string(200, 'b'), "", "2"});
  const std::string error = sink->error();
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(written);
  EXPECT_EQ(error, "File too large");
  EXPECT_EQ(ReadFile(path_), "a1");
  EXPECT_TRUE(sink->Publish({"c", "", "3"}));
  EXPECT_EQ(sink->error(), "");
  EXPECT_EQ(ReadFile(path_), "a" + std::string(200, 'b') + "c3");
}

// `text` without the spaces in it.
std::string WithoutSpaces(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

// 100 kB each: the rows of a long document pass several powers of two.
TEST_F(SwappedFileTest, ALongDocumentIsWholeWithAGapAndHasNoneInTheEnd) {
  auto sink = SwappedFile::Open(path_);
  std::string rows;
  std::string tail;
  for (int i = 0; i < 14; ++i) {
    const std::string row(100000, static_cast<char>('a' + i % 26));
    const std::string fact = std::to_string(i) + ",";
    rows += row;
    tail += fact;
    ASSERT_TRUE(sink->Publish({row, fact, "]"}));
    ASSERT_EQ(WithoutSpaces(ReadFile(path_)), rows + tail + "]") << i;
  }
  EXPECT_GT(ReadFile(path_).size(), rows.size() + tail.size() + 1);
  ASSERT_TRUE(sink->Finish({"", "", "}"}));
  EXPECT_EQ(ReadFile(path_), rows + tail + "}");
  ASSERT_TRUE(sink->Publish({"more", "last", "]"}));
  EXPECT_EQ(WithoutSpaces(ReadFile(path_)), rows + "more" + tail + "last]");
}

// Bytes this process wrote to files so far; source: proc(5), io.
std::int64_t BytesWritten() {
  const std::string io = ReadFile("/proc/self/io");
  const std::size_t at = io.find("wchar: ");
  return at == std::string::npos ? 0 : std::stoll(io.substr(at + 7));
}

TEST_F(SwappedFileTest, WritesInProportionToWhatIsNew) {
  auto sink = SwappedFile::Open(path_);
  const std::string row(1000, 'r');
  const std::string fact(1000, 't');
  const std::int64_t before = BytesWritten();
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(sink->Publish({row, fact, "]"}));
  }
  // 8 MB of news in two files, 34 MB while the document is short and its tail
  // written whole, and the tail again at every power of two. Written whole
  // every time the tail alone would be 2 GB.
  EXPECT_LT(BytesWritten() - before, 60'000'000);
}

TEST_F(SwappedFileTest, GoesOnWhenAllItsDescriptorsAreTaken) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish({"a", "1", "]"});
  sink->Publish({"b", "2", "]"});
  WriteFile(folder_.Join("others"), "others");
  std::vector<int> taken;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code none;
    const auto name = std::filesystem::read_symlink(entry.path(), none);
    if (name.string().find("result.json") == std::string::npos) continue;
    taken.push_back(std::stoi(entry.path().filename().string()));
  }
  ASSERT_EQ(taken.size(), 2u);
  const int other = open(folder_.Join("others").c_str(), O_RDWR);
  for (const int fd : taken) dup2(other, fd);
  EXPECT_TRUE(sink->Publish({"c", "3", "]"})) << sink->error();
  EXPECT_EQ(ReadFile(path_), "abc123]");
  EXPECT_TRUE(sink->Finish({"d", "4", "]"}));
  EXPECT_EQ(ReadFile(path_), "abcd1234]");
  EXPECT_EQ(ReadFile(folder_.Join("others")), "others");
  for (const int fd : taken) EXPECT_EQ(close(fd), 0);
  close(other);
}

TEST_F(SwappedFileTest, AForkedChildThatExitsTakesNothingAway) {
  auto sink = SwappedFile::Open(path_);
  sink->Publish({"a", "", "1"});
  sink->Publish({"b", "", "2"});
  const pid_t child = fork();
  if (child == 0) {
    sink.reset();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(spare_));
  EXPECT_TRUE(sink->Publish({"c", "", "3"}));
  EXPECT_EQ(ReadFile(path_), "abc3");
}

// Publishes documents of growing size for ever: "<NNNN padding>...end", and
// says by a byte to `started` that the first one is there.
[[noreturn]] void PublishForever(const std::string& path, int started) {
  std::string error;
  auto sink = OpenResultSink(path, &error);
  const std::string closing = std::string(9000, '.') + "end";
  for (int i = 0;; ++i) {
    std::string row = "<" + std::to_string(i);
    row.append(static_cast<std::size_t>(5000 + 977 * (i % 7)), ' ');
    row += ">";
    sink->Publish({row, "", closing});
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
  return ReadFile(path);
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
  // A long document has a gap of spaces here.
  at = std::min(text.find_first_not_of(' ', at), text.size());
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
