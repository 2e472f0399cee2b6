// Pairs of recorded runs as people meet them, with the whole of what the
// program says about them: tests/reference/recorded_cases/NAME.runs holds the
// files of one pair, NAME.said commands, each with its output and exit code.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/tools/bench_compare/program_fixture.h"

namespace autotune {
namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(AUTOTUNE_REFERENCE_DIR) / "recorded_cases";

std::string TextOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> CaseNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".runs") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class RecordedCasesTest : public ProgramFixture,
                          public testing::WithParamInterface<std::string> {
 protected:
  // Adds the files of "=== NAME\n" sections; the flags that name them all.
  std::vector<std::string> AddRuns(const std::string& text) {
    std::vector<std::string> flags;
    for (const absl::string_view section : absl::StrSplit(text, "=== ")) {
      if (section.empty()) continue;
      const std::pair<std::string, std::string> file =
          absl::StrSplit(section, absl::MaxSplits('\n', 1));
      files_.Add(file.first, file.second);
      flags.push_back(file.first[0] == 'b' ? "--baseline" : "--contender");
      flags.push_back(file.first);
    }
    return flags;
  }

  // What the program says to "$ bench_compare gate RUNS --alpha 0.01".
  std::string Said(const std::string& command,
                   const std::vector<std::string>& runs) {
    std::vector<std::string> arguments;
    const std::vector<std::string> words = absl::StrSplit(command, ' ');
    for (std::size_t i = 2; i < words.size(); ++i) {
      if (words[i] == "RUNS") {
        arguments.insert(arguments.end(), runs.begin(), runs.end());
      } else {
        arguments.push_back(words[i]);
      }
    }
    const ProgramOutput run = Run(arguments);
    return absl::StrCat(command, "\n", run.out, run.err, "exit ", run.exit_code,
                        "\n");
  }
};

TEST_P(RecordedCasesTest, IsSaidWhole) {
  const std::vector<std::string> runs =
      AddRuns(TextOf(kFolder / (GetParam() + ".runs")));
  const std::string expected = TextOf(kFolder / (GetParam() + ".said"));
  std::string said;
  for (const absl::string_view line : absl::StrSplit(expected, '\n')) {
    if (absl::StartsWith(line, "$ ")) said += Said(std::string(line), runs);
  }
  EXPECT_EQ(said, expected);
}

INSTANTIATE_TEST_SUITE_P(All, RecordedCasesTest, testing::ValuesIn(CaseNames()),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace autotune
