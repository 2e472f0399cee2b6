// Where the tip's time goes, by the sections of a real benchmark program.

#include <string>

#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ProfileTest : public AutotuneFixture {
 protected:
  void InitWithSections() {
    Write("src/knob.txt", "900 sections\n");
    Git({"commit", "-qam", "time sections"});
    InitTask();
  }
};

TEST_F(ProfileTest, NestedSectionsAreShownWithTheirShare) {
  InitWithSections();
  const std::string before = UserState();
  const Answer answer = Run({"profile", "--visits", "1", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["task"], kTask);
  const auto& benchmark = json["benchmarks"].at(0);
  EXPECT_EQ(benchmark["name"], "BM_Knob/iterations:4/repeats:3");
  const auto& sections = benchmark["sections"];
  ASSERT_EQ(sections.size(), 3u);
  EXPECT_EQ(sections[0]["name"], "all");
  EXPECT_EQ(sections[1]["name"], "most");
  EXPECT_EQ(sections[2]["name"], "(rest)");
  // "most" is inside "all", and does ten times what the rest of "all" does.
  EXPECT_LE(sections[1]["real_time_ns"], sections[0]["real_time_ns"]);
  EXPECT_EQ(sections[1]["calls"], 1.0);
  EXPECT_EQ(UserState(), before);
  EXPECT_EQ(Rows(), 0);
}

TEST_F(ProfileTest, TextShowsSectionsUnderTheirBenchmark) {
  InitWithSections();
  const Answer answer = Run({"profile", "--visits=1"});
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("section"), HasSubstr("an iteration"),
                                HasSubstr("\nBM_Knob/iterations:4/repeats:3 "),
                                HasSubstr("\n  all "), HasSubstr("\n  most "),
                                HasSubstr("\nnext: autotune log TEXT")));
}

TEST_F(ProfileTest, BenchmarksWithoutSectionsSayHowToAddThem) {
  InitTask();
  const Answer answer =
      Run({"profile", "--visits=1", "--filter", "BM_Other|BM_Knob"});
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("BM_Other/iterations:4/repeats:3"));
  EXPECT_THAT(
      answer.out,
      HasSubstr("\nno sections: link autotune::benchmark_ext and put "
                "autotune::SectionTimer timer(state, \"NAME\"); around what is "
                "to be told apart\n"));
}

TEST_F(ProfileTest, FilterThatMatchesNothingIsAnError) {
  InitTask();
  const Answer answer = Run({"profile", "--filter", "BM_Nothing"});
  EXPECT_EQ(answer.exit_code, 2) << answer.out << answer.err;
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err, HasSubstr("BM_Nothing"));
}

TEST_F(ProfileTest, NumberOfVisitsIsChecked) {
  InitTask();
  const Answer answer = Run({"profile", "--visits", "0"});
  EXPECT_EQ(answer.exit_code, 64);
  EXPECT_THAT(answer.err,
              HasSubstr("profile: --visits: expected 1 to 100, got 0"));
}

TEST_F(ProfileTest, DryRunRunsNothing) {
  InitTask();
  const Answer answer = Run({"profile", "--dry-run"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.out, "would build the tip and run ^BM_Knob/ 3 times\n");
}

}  // namespace
}  // namespace autotune
