// What bench_compare prints on a terminal, played by a pseudo terminal, and
// where there is none.

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temporary_folder.h"

namespace autotune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kUtf8Locale[] = "LC_ALL=C.UTF-8";
constexpr char kLongName[] =
    "BM_SomeVeryLongNameOfABenchmark<std::vector<int>>/4096/threads:8";

class TerminalCliTest : public testing::Test {
 protected:
  // Files of a side: BM_Fast, one that takes no time, one of another alphabet.
  std::string WriteFile(const std::string& name, double time) {
    std::string rows;
    const std::vector<std::pair<std::string, double>> benchmarks = {
        {kLongName, time}, {"BM_Empty", 1e-7}, {"BM_\u00c4rger/\u6f22", time}};
    for (const auto& [benchmark, each] : benchmarks) {
      const std::string number = absl::StrCat(each);
      absl::StrAppend(
          &rows, rows.empty() ? "" : ",", R"({"name": ")", benchmark,
          R"(", "run_name": ")", benchmark,
          R"(", "run_type": "iteration", "repetitions": 1, "repetition_index": )"
          R"(0, "threads": 1, "iterations": 1000000, "real_time": )",
          number, R"(, "cpu_time": )", number, R"(, "time_unit": "ns"})");
    }
    const std::string path = folder_.Join(name);
    std::ofstream(path)
        << R"({"context": {"date": "2026-01-31T10:00:00+00:00", "num_cpus": 2, )"
        << R"("library_build_type": "release"}, "benchmarks": [)" << rows
        << "]}\n";
    return path;
  }

  std::vector<std::string> Arguments() {
    std::vector<std::string> arguments = {BENCH_COMPARE};
    for (int i = 0; i < 6; ++i) {
      arguments.push_back("--baseline");
      arguments.push_back(WriteFile(absl::StrCat("o", i), 100.03 + 0.01 * i));
      arguments.push_back("--contender");
      arguments.push_back(WriteFile(absl::StrCat("n", i), 90.07 + 0.013 * i));
    }
    return arguments;
  }

  // What is printed on a terminal of `columns` with the environment besides.
  std::string OnTerminal(int columns, std::vector<std::string> environment,
                         const std::vector<std::string>& more = {}) {
    const int main_end = posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT_GE(main_end, 0);
    EXPECT_EQ(grantpt(main_end), 0);
    EXPECT_EQ(unlockpt(main_end), 0);
    winsize size = {};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = 40;
    const int end = open(ptsname(main_end), O_RDWR | O_NOCTTY);
    EXPECT_EQ(ioctl(end, TIOCSWINSZ, &size), 0);
    const pid_t child = Start(end, std::move(environment), more);
    close(end);
    std::string text = ReadAll(main_end, child);
    close(main_end);
    return absl::StrReplaceAll(text, {{"\r\n", "\n"}});
  }

  std::string OnPipe(std::vector<std::string> environment,
                     const std::vector<std::string>& more = {}) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = Start(ends[1], std::move(environment), more);
    close(ends[1]);
    std::string text = ReadAll(ends[0], child);
    close(ends[0]);
    return text;
  }

  // Lines of the table.
  static std::vector<std::string> RowsOf(const std::string& text) {
    std::vector<std::string> rows = absl::StrSplit(text, '\n');
    rows.resize(std::min<std::size_t>(rows.size(), 5));
    return rows;
  }

 private:
  pid_t Start(int out, std::vector<std::string> environment,
              const std::vector<std::string>& more) {
    std::vector<std::string> words = Arguments();
    words.insert(words.end(), more.begin(), more.end());
    environment.push_back("PATH=/usr/bin:/bin");
    const auto pointers = [](std::vector<std::string>& texts) {
      std::vector<char*> all;
      for (std::string& text : texts) all.push_back(text.data());
      all.push_back(nullptr);
      return all;
    };
    const std::vector<char*> argv = pointers(words);
    const std::vector<char*> variables = pointers(environment);
    const pid_t child = fork();
    if (child == 0) {
      dup2(out, STDOUT_FILENO);
      dup2(out, STDERR_FILENO);
      execve(argv[0], argv.data(), variables.data());
      _exit(127);
    }
    return child;
  }

  static std::string ReadAll(int from, pid_t child) {
    std::string text;
    std::vector<char> buffer(4096);
    while (true) {
      pollfd ready = {from, POLLIN, 0};
      if (poll(&ready, 1, 20'000) <= 0) break;
      const ssize_t size = read(from, buffer.data(), buffer.size());
      if (size <= 0) break;  // a terminal whose other end is closed: an error
      text.append(buffer.data(), static_cast<std::size_t>(size));
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << text;
    return text;
  }

  TemporaryFolder folder_;
};

bool IsAscii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x80;
  });
}

TEST_F(TerminalCliTest, AWideOneShowsTheWholeTableInColour) {
  const std::string text = OnTerminal(200, {kUtf8Locale, "TERM=xterm"});
  EXPECT_THAT(text, HasSubstr(kLongName));
  EXPECT_THAT(text, HasSubstr("two-sided"));
  EXPECT_THAT(text, HasSubstr("\x1b[32mimproved\x1b[0m"));
  EXPECT_THAT(text, HasSubstr("\x1b[33msuspect \u00b9\x1b[0m\n"));
  EXPECT_THAT(text, HasSubstr("\n\u00b9 baseline: 1e-07 ns an iteration "));
  EXPECT_THAT(text, HasSubstr("BM_\u00c4rger/\u6f22 "));
}

TEST_F(TerminalCliTest, NoColorAndADumbTerminalArePlain) {
  for (const auto& plain :
       {std::vector<std::string>{kUtf8Locale, "TERM=xterm", "NO_COLOR=1"},
        std::vector<std::string>{kUtf8Locale, "TERM=dumb"},
        std::vector<std::string>{kUtf8Locale}}) {
    EXPECT_THAT(OnTerminal(200, plain), Not(HasSubstr("\x1b")));
  }
  EXPECT_THAT(OnTerminal(200, {kUtf8Locale, "TERM=xterm", "NO_COLOR="}),
              HasSubstr("\x1b["));
  EXPECT_THAT(OnTerminal(200, {kUtf8Locale, "TERM=xterm", "NO_COLOR=1"},
                         {"--color=always"}),
              HasSubstr("\x1b["));
  EXPECT_THAT(OnTerminal(200, {kUtf8Locale, "TERM=xterm"}, {"--color=never"}),
              Not(HasSubstr("\x1b")));
}

// Columns of text without wide characters, which are counted apart.
std::size_t ColumnsOf(const std::string& line) {
  const auto characters = static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  return characters + (line.find("\u6f22") == std::string::npos ? 0 : 1);
}

TEST_F(TerminalCliTest, ANarrowOneKeepsChangeAndVerdict) {
  for (const int columns : {140, 110, 90, 70, 50, 40}) {
    for (const char* locale : {kUtf8Locale, "LC_ALL=C"}) {
      const std::string text =
          OnTerminal(columns, {locale, "TERM=xterm", "NO_COLOR=1"});
      for (const std::string& row : RowsOf(text)) {
        EXPECT_LE(ColumnsOf(row), static_cast<std::size_t>(columns)) << text;
      }
      EXPECT_THAT(RowsOf(text)[0], HasSubstr("change"));
      EXPECT_THAT(RowsOf(text)[1], HasSubstr("-9.9"));
      EXPECT_THAT(RowsOf(text)[1], HasSubstr("improved"));
      EXPECT_THAT(RowsOf(text)[1], HasSubstr("BM_Some"));
    }
  }
}

TEST_F(TerminalCliTest, ALocaleWithoutUtf8GetsAscii) {
  for (const auto& locale :
       {std::vector<std::string>{"LC_ALL=C"}, std::vector<std::string>{},
        std::vector<std::string>{"LC_ALL=no_SUCH.locale"},
        std::vector<std::string>{"LC_ALL=POSIX", "LANG=C.UTF-8"}}) {
    const std::string text = OnPipe(locale);
    EXPECT_TRUE(IsAscii(text)) << text;
    EXPECT_THAT(text, HasSubstr("\nBM_\\u00c4rger/\\u6f22  "));
    EXPECT_THAT(text, HasSubstr("  suspect [1]\n"));
    EXPECT_THAT(text, HasSubstr("\n[1] baseline: 1e-07 ns an iteration "));
    // Of what programs read, the encoding is fixed.
    EXPECT_THAT(OnPipe(locale, {"--json"}), HasSubstr("BM_\u00c4rger/\u6f22"));
  }
  EXPECT_FALSE(IsAscii(OnPipe({"LC_CTYPE=C.UTF-8"})));
  EXPECT_FALSE(IsAscii(OnPipe({"LANG=C.UTF-8"})));
}

TEST_F(TerminalCliTest, APipeIsPlainAndAsWideAsItsLines) {
  const std::string text = OnPipe({kUtf8Locale, "TERM=xterm"});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr(kLongName));
  EXPECT_THAT(text, HasSubstr("two-sided"));
}

}  // namespace
}  // namespace autotune
