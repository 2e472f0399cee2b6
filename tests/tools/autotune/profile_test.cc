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
  const auto& sections = benchmark["parts"];
  EXPECT_EQ(json["kind"], "sections");
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

TEST_F(ProfileTest, IsWrittenToTheTask) {
  InitWithSections();
  const Answer answer = Run({"profile", "--visits=1"});
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("section"), HasSubstr("an iteration"),
                                HasSubstr("\nBM_Knob/iterations:4/repeats:3 "),
                                HasSubstr("\n  all "), HasSubstr("\n  most "),
                                HasSubstr("\nnext: autotune start APPROACH")));
  const auto stored = nlohmann::json::parse(TaskFile("profile.json"));
  EXPECT_EQ(stored["schema_version"], 1);
  EXPECT_EQ(stored["kind"], "sections");
  EXPECT_EQ(stored["date"], "2026-01-02");
  EXPECT_EQ(stored["benchmarks"][0]["parts"][0]["name"], "all");
  EXPECT_THAT(TaskFile("log.md"),
              AllOf(HasSubstr("## Architecture Notes\n\n- 2026-01-02, commit "),
                    HasSubstr(", by sections:\n  BM_Knob/")));
}

TEST_F(ProfileTest, WithoutSectionsFunctionsAreCounted) {
  InitTask();
  const Answer answer =
      Run({"profile", "--visits=1", "--by=instructions", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["kind"], "instructions");
  const auto& part = json["benchmarks"].at(0)["parts"].at(0);
  EXPECT_THAT(part["name"].get<std::string>(),
              testing::AnyOf(HasSubstr("Work"), HasSubstr("BM_Knob")));
  EXPECT_GT(part["share"], 0.9);
  EXPECT_FALSE(part.contains("real_time_ns"));
}

TEST_F(ProfileTest, SectionsThatAreNotThereAreAnError) {
  InitTask();
  const Answer answer = Run({"profile", "--visits=1", "--by", "sections"});
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("no sections: link "
                                    "autotune::benchmark_ext and put"));
}

TEST_F(ProfileTest, TheFirstAttemptNeedsAProfileOrAReason) {
  InitWithSections();
  StartAsGiven();
  const std::vector<std::string> start = {"start", "x", "--hypothesis", "y"};
  const Answer refused = Run(start);
  EXPECT_EQ(refused.exit_code, 69);
  EXPECT_EQ(refused.err,
            "autotune: error: the task has no profile yet: where its time goes "
            "says what is worth trying\nautotune: hint: autotune profile, or "
            "start with --no-profile REASON\n");
  EXPECT_EQ(
      Run({"start", "x", "--hypothesis", "y", "--no-profile", " "}).exit_code,
      64);
  ASSERT_EQ(
      Run({"start", "x", "--hypothesis", "y", "--no-profile", "one function"})
          .exit_code,
      0);
  EXPECT_THAT(TaskFile("log.md"),
              HasSubstr("- 2026-01-02, no profile: one function\n"));
  EXPECT_EQ(Run({"start", "z", "--hypothesis", "y"}).exit_code, 0);
}

TEST_F(ProfileTest, ShareTimesLocalGainIsTheExpectedGain) {
  InitWithSections();
  ASSERT_EQ(Run({"profile", "--visits=1"}).exit_code, 0);
  StartAsGiven();
  const Answer answer = Run({"start", "x", "--hypothesis", "y", "--targets",
                             "most", "--expect", "50%", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["targets"], "most");
  EXPECT_NEAR(json["expected_gain"].get<double>(),
              0.5 * json["share"].get<double>(), 1e-12);
  EXPECT_THAT(TaskFile("x/prompts.md"),
              AllOf(HasSubstr("It changes `most`, "),
                    HasSubstr(" % of the target's time; what is expected of "
                              "it saves ")));
  EXPECT_THAT(Git({"log", "-1", "--format=%B", kBranch}),
              AllOf(HasSubstr("Autotune-Phase: micro\n"),
                    HasSubstr("Autotune-Changes: most\n"),
                    HasSubstr("Autotune-Predicted-Ratio: 0.")));
  const Answer small = Run({"start", "w", "--hypothesis", "y", "--targets",
                            "most", "--expect", "1%"});
  EXPECT_THAT(small.err, HasSubstr(" end to end is hard to tell from noise"));
  EXPECT_THAT(Run({"start", "v", "--hypothesis", "y", "--targets", "mots"}).err,
              HasSubstr("expected one part of the profile, got \"mots\"; did "
                        "you mean most?"));
  EXPECT_EQ(
      Run({"start", "v", "--hypothesis", "y", "--expect", "5%"}).exit_code, 64);
  EXPECT_EQ(Run({"start", "v", "--hypothesis", "y", "--targets", "most",
                 "--expect", "35"})
                .exit_code,
            64);
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
  EXPECT_THAT(
      answer.err,
      HasSubstr("--visits: expected a whole number from 1 to 100, got \"0\""));
}

TEST_F(ProfileTest, DryRunRunsNothing) {
  InitTask();
  const Answer answer = Run({"profile", "--dry-run"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.out, "would build the tip and run ^BM_Knob/ 3 times\n");
}

}  // namespace
}  // namespace autotune
