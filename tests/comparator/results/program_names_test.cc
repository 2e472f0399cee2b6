#include "comparator/results/program_names.h"

#include <string>
#include <utility>
#include <vector>

#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/result_builder.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Files = std::vector<ResultFile>;

// One file a path, each with the benchmark "A" and one named by its path.
Files Written(const std::vector<std::string>& paths) {
  Files files;
  for (const std::string& path : paths) {
    files.push_back(ResultBuilder("x")
                        .Executable(path)
                        .Times("A", {1})
                        .Times("own of " + path, {1})
                        .Build());
  }
  return files;
}

// The names of two sides, which they point into.
struct Sides {
  Sides(Files baseline_files, Files contender_files)
      : baseline(std::move(baseline_files)),
        contender(std::move(contender_files)),
        names(baseline, contender) {}

  Files baseline;
  Files contender;
  ProgramNames names;
};

TEST(ProgramNamesTest, OneProgramASideNeedsNoPrefix) {
  const Sides sides(Written({"old/bench"}), Written({"new/bench"}));
  EXPECT_EQ(sides.names.Prefix("old/bench", "A"), "");
  EXPECT_THAT(sides.names.warnings(), IsEmpty());
}

TEST(ProgramNamesTest, OnlySharedNamesGetThePrefix) {
  const Sides sides(Written({"b/one", "b/two"}), Written({"b/one", "b/two"}));
  EXPECT_EQ(sides.names.Prefix("b/one", "A"), "one: ");
  EXPECT_EQ(sides.names.Prefix("b/two", "A"), "two: ");
  EXPECT_EQ(sides.names.Prefix("b/two", "own of b/two"), "");
  EXPECT_EQ(sides.names.Prefix("b/three", "A"), "") << "not among the files";
}

TEST(ProgramNamesTest, AsManyPartsOfThePathsAsTellThemApart) {
  const Sides sides(Written({"/o/x/bench", "/o/y/bench"}),
                    Written({"/n/x/bench", "/n/y/bench"}));
  EXPECT_EQ(sides.names.Prefix("/o/x/bench", "A"), "x/bench: ");
  EXPECT_EQ(sides.names.Prefix("/n/y/bench", "A"), "y/bench: ");
}

TEST(ProgramNamesTest, FoldersOfWindowsAreParts) {
  const Sides sides(Written({"C:\\x\\b.exe", "C:\\y\\b.exe"}),
                    Written({"D:\\x\\b.exe", "D:\\y\\b.exe"}));
  EXPECT_EQ(sides.names.Prefix("C:\\x\\b.exe", "A"), "x\\b.exe: ");
}

TEST(ProgramNamesTest, FoldersThatDifferBetweenTheSidesLeaveTheFileName) {
  const Sides sides(Written({"/o/x/one", "/o/y/two"}),
                    Written({"/n/v/one", "/n/w/two"}));
  EXPECT_EQ(sides.names.Prefix("/o/x/one", "A"), "one: ");
  EXPECT_EQ(sides.names.Prefix("/n/w/two", "A"), "two: ");
}

TEST(ProgramNamesTest, ProgramsThatCannotBeToldApartAreOneAndSaidSo) {
  const Sides sides(Written({"/1/bench", "/2/bench"}),
                    Written({"/3/bench", "/4/bench"}));
  EXPECT_EQ(sides.names.Prefix("/1/bench", "A"), "");
  EXPECT_THAT(sides.names.warnings(),
              ElementsAre("different programs of one name count as visits of "
                          "one: /1/bench, /2/bench"));
}

TEST(ProgramNamesTest, ErroredAndPublishedRowsShareNamesToo) {
  const Files side = {
      ResultBuilder("x").Executable("one").Published("A", "mean", 1).Build(),
      ResultBuilder("y")
          .Executable("two")
          .Unusable("A", UnusableRow::Kind::kErrored, "")
          .Build()};
  const Sides sides(side, side);
  EXPECT_EQ(sides.names.Prefix("one", "A"), "one: ");
  EXPECT_EQ(sides.names.Prefix("two", "A"), "two: ");
}

TEST(ProgramNamesTest, FilesThatNameNoProgramHaveNoPrefix) {
  const Sides sides(Written({"", "one"}), Written({"one"}));
  EXPECT_EQ(sides.names.Prefix("", "A"), "");
}

}  // namespace
}  // namespace autotune
