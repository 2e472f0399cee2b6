#include "tools/autotune/walls/source_list.h"

#include <string>

#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CompareBuildFilesTest, AddedSourceNameIsASourceListEdit) {
  const SourceListEdit edit =
      CompareBuildFiles("add_library(words a.cc b.cc)\n",
                        "add_library(words\n  a.cc\n  b.cc\n  fast/c.cc)\n");
  EXPECT_TRUE(edit.only_source_names);
  EXPECT_THAT(edit.changed_names, ElementsAre("fast/c.cc"));
}

TEST(CompareBuildFilesTest, RemovedAndReorderedNamesAreSourceListEdits) {
  const SourceListEdit edit = CompareBuildFiles("add_library(words a.cc b.cc)",
                                                "add_library(words b.cc)");
  EXPECT_TRUE(edit.only_source_names);
  EXPECT_THAT(edit.changed_names, ElementsAre("a.cc"));
  EXPECT_THAT(CompareBuildFiles("x(a.cc b.cc)", "x(b.cc a.cc)").changed_names,
              IsEmpty());
}

TEST(CompareBuildFilesTest, AnyOtherWordIsNone) {
  const std::string before = "add_library(words a.cc)\n";
  for (const char* after :
       {"add_library(words a.cc)\nset(CMAKE_CXX_FLAGS -O3)\n",
        "add_library(words a.cc -O3)\n", "add_library(other a.cc)\n",
        "add_library(words ../a.cc)\n", "add_library(words /tmp/a.cc)\n",
        "add_library(words ${x}.cc)\n", "add_library(words \"a.cc\")\n",
        "execute_process(COMMAND sh x.cc)\nadd_library(words a.cc)\n",
        "add_library(words a.cc) include(evil.cmake)\n"}) {
    EXPECT_FALSE(CompareBuildFiles(before, after).only_source_names) << after;
  }
}

TEST(CompareBuildFilesTest, NamesCannotHideInComments) {
  EXPECT_FALSE(CompareBuildFiles("x(a.cc\n b.cc)", "x(a.cc\n #b.cc\n)")
                   .only_source_names);
  EXPECT_FALSE(
      CompareBuildFiles("x(a.cc) # see b\n y(c.cc)", "x(a.cc) # see b y(c.cc)")
          .only_source_names);
}

std::string Entry(const std::string& file, const std::string& target,
                  const std::string& flags, const std::string& side) {
  const std::string object = "CMakeFiles/" + target + ".dir/src/" + file + ".o";
  return R"({"directory": "/b/)" + side + R"(/build", "command": "c++ )" +
         flags + " -o " + object + " -c /b/" + side + "/tree/src/" + file +
         R"(", "file": "/b/)" + side + "/tree/src/" + file +
         R"(", "output": ")" + object + R"("})";
}

absl::StatusOr<std::vector<std::string>> Compare(const std::string& before,
                                                 const std::string& after) {
  return CompareCompileCommands({"[" + before + "]", "/b/1/tree", "/b/1/build"},
                                {"[" + after + "]", "/b/2/tree", "/b/2/build"});
}

TEST(CompareCompileCommandsTest, EqualBuildsInOtherFoldersDoNotDiffer) {
  EXPECT_THAT(Compare(Entry("a.cc", "words", "-O2 -I/b/1/tree", "1"),
                      Entry("a.cc", "words", "-O2 -I/b/2/tree", "2")),
              IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(CompareCompileCommands({"", "/a", "/b"}, {"", "/c", "/d"}),
              IsOkAndHolds(IsEmpty()));
}

TEST(CompareCompileCommandsTest, ChangedFlagIsNamed) {
  EXPECT_THAT(Compare(Entry("a.cc", "words", "-O2", "1"),
                      Entry("a.cc", "words", "-O3", "2")),
              IsOkAndHolds(ElementsAre(
                  "{tree}/src/a.cc in CMakeFiles/words.dir: compiled "
                  "differently: c++ -O3 -o CMakeFiles/words.dir/src/a.cc.o -c "
                  "{tree}/src/a.cc")));
}

TEST(CompareCompileCommandsTest, AddedUnitWithItsTargetsFlagsIsAllowed) {
  EXPECT_THAT(Compare(Entry("a.cc", "words", "-O2", "1"),
                      Entry("a.cc", "words", "-O2", "2") + "," +
                          Entry("c.cc", "words", "-O2", "2")),
              IsOkAndHolds(IsEmpty()));
}

TEST(CompareCompileCommandsTest, RemovedUnitIsAllowedWhenAnotherHadItsFlags) {
  EXPECT_THAT(Compare(Entry("a.cc", "words", "-O2", "1") + "," +
                          Entry("b.cc", "words", "-O2", "1"),
                      Entry("a.cc", "words", "-O2", "2")),
              IsOkAndHolds(IsEmpty()));
}

TEST(CompareCompileCommandsTest, AddedUnitWithFlagsOfItsOwnIsNot) {
  EXPECT_THAT(Compare(Entry("a.cc", "words", "-O2", "1"),
                      Entry("a.cc", "words", "-O2", "2") + "," +
                          Entry("c.cc", "words", "-Ofast", "2")),
              IsOkAndHolds(ElementsAre(HasSubstr("c.cc in CMakeFiles/words.dir"
                                                 ": added with flags of its "
                                                 "own"))));
}

TEST(CompareCompileCommandsTest, UnitMovedToAnotherTargetIsSeen) {
  EXPECT_THAT(Compare(Entry("a.cc", "words", "-O2", "1"),
                      Entry("a.cc", "bench", "-O2", "2")),
              IsOkAndHolds(testing::SizeIs(2)));
}

TEST(CompareCompileCommandsTest, ForeignTextIsAnError) {
  EXPECT_THAT(
      CompareCompileCommands({"{}", "/a", "/b"}, {"[]", "/a", "/b"}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "compile_commands.json: expected an array, got something else"));
  EXPECT_THAT(
      CompareCompileCommands({"[{}]", "/a", "/b"}, {"[]", "/a", "/b"}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "compile_commands.json: expected a file in every entry"));
}

}  // namespace
}  // namespace autotune
