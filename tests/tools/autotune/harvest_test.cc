// What a task kept, as a branch that can be reviewed.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/autotune/verbs/harvest_branch.h"

namespace autotune {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

HarvestedKeep Keep(const std::string& approach,
                   std::vector<std::string> files) {
  HarvestedKeep keep;
  keep.entry.approach = approach;
  keep.files = std::move(files);
  return keep;
}

std::vector<std::string> Names(const std::vector<HarvestedKeep>& keeps) {
  std::vector<std::string> names;
  for (const HarvestedKeep& keep : keeps) names.push_back(keep.entry.approach);
  return names;
}

TEST(FileDisjointGroupsTest, KeepsThatShareAFileStayTogether) {
  const auto groups =
      FileDisjointGroups({Keep("a", {"x"}), Keep("b", {"y"}), Keep("c", {"z"}),
                          Keep("d", {"y", "w"}), Keep("e", {"w", "x"})});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(Names(groups[0]), ElementsAre("a", "b", "d", "e"));
  EXPECT_THAT(Names(groups[1]), ElementsAre("c"));
}

class HarvestTest : public AutotuneFixture {
 protected:
  // Two keeps with a discard between them.
  void TuneTwice() {
    InitTask();
    CommitAttempt("first", "src/knob.txt", "600\n");
    ASSERT_EQ(Run({"decide", "first"}).exit_code, 0);
    CommitAttempt("worse", "src/knob.txt", "1500\n");
    ASSERT_EQ(Run({"decide", "worse"}).exit_code, 1);
    CommitAttempt("second", "src/knob.txt", "400\n");
    ASSERT_EQ(Run({"decide", "second"}).exit_code, 0);
  }
  Answer Harvest() { return Run({"harvest", "--rounds", "3"}); }

  static constexpr char kHarvest[] = "autotune-harvest/2026-01-02-knob-1";
};

TEST_F(HarvestTest, OneCommitAKeepAndTheTipsCode) {
  TuneTwice();
  const std::string before = UserState();
  const Answer answer = Harvest();
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out,
              AllOf(HasSubstr("branch autotune-harvest/2026-01-02-knob-1, 2 "
                              "commits on the task's base\n"),
                    HasSubstr("text for a pull request: "
                              "docs/autotune/2026-01-02-knob/harvest.md")));
  EXPECT_EQ(Git({"log", "--reverse", "--format=%s",
                 "main.." + std::string(kHarvest)}),
            "first: less work\nsecond: less work\n");
  EXPECT_EQ(Git({"diff", "--name-only", kBranch, kHarvest, "--", ".",
                 ":(exclude)docs/autotune"}),
            "");
  EXPECT_EQ(Git({"ls-tree", "-r", "--name-only", kHarvest, "docs"}), "");
  EXPECT_THAT(
      TaskFile("harvest.md"),
      AllOf(HasSubstr("start against tip: "), HasSubstr("- **first**, "),
            HasSubstr("## Tried and not kept\n\n- worse: discard, ")));
  EXPECT_EQ(UserState(), before);
  ExpectSound();
}

TEST_F(HarvestTest, AgainWithoutNewKeepsMakesNothing) {
  TuneTwice();
  ASSERT_EQ(Harvest().exit_code, 0);
  const std::string refs = Git({"for-each-ref"});
  const Answer again = Harvest();
  EXPECT_THAT(again.out, HasSubstr("branch " + std::string(kHarvest)));
  EXPECT_EQ(Git({"for-each-ref"}), refs);
}

TEST_F(HarvestTest, IsReplayedOnTheStartBranchAsItIsNow) {
  TuneTwice();
  Write("notes.txt", "of somebody else\n");
  Git({"add", "notes.txt"});
  Git({"commit", "-q", "-m", "notes"});
  const Answer answer = Harvest();
  EXPECT_THAT(answer.out, HasSubstr("-knob-1, 2 commits on main\n"));
  EXPECT_EQ(Git({"show", std::string(kHarvest) + ":notes.txt"}),
            "of somebody else\n");
  EXPECT_EQ(Git({"show", std::string(kHarvest) + ":src/knob.txt"}), "400\n");
}

TEST_F(HarvestTest, ConflictsAreNamedAndNothingIsHalfApplied) {
  TuneTwice();
  Write("src/knob.txt", "850\n");
  Git({"commit", "-qam", "somebody else's"});
  const Answer answer = Harvest();
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out,
              AllOf(HasSubstr("2 commits on the task's base\n"),
                    HasSubstr("conflicts with main: src/knob.txt")));
  EXPECT_EQ(Git({"show", std::string(kHarvest) + ":src/knob.txt"}), "400\n");
}

TEST_F(HarvestTest, ChangesThatNoKeepMadeAreSaid) {
  TuneTwice();
  Git({"switch", "-q", kBranch});
  Write("src/more.cc", "int more;\n");
  Git({"add", "src/more.cc"});
  Git({"commit", "-q", "-m", "by hand"});
  Git({"switch", "-q", "main"});
  const Answer answer = Harvest();
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("the keeps do not add up to the tip; it "
                                    "differs in src/more.cc"));
}

}  // namespace
}  // namespace autotune
