// What `autotune report` reads from a real task.

#include <string>

#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

using TaskReportVerbTest = AutotuneFixture;

TEST_F(TaskReportVerbTest, TellsEveryAttemptInEveryForm) {
  InitTask();
  Git({"remote", "add", "origin", "git@github.com:o/r.git"});
  EXPECT_EQ(Run({"report"}).out,
            "no attempt is decided yet\n2026-01-02-knob: no keep yet\n"
            "next: autotune next   # what to do first\n");
  CommitAttempt("first", "src/knob.txt", "600\n");
  ASSERT_EQ(Run({"decide", "first"}).exit_code, 0);
  CommitAttempt("broken", "src/knob.txt", "none\n");
  ASSERT_EQ(Run({"decide", "broken", "--crash", "no number"}).exit_code, 2);
  const std::string before = UserState();

  const std::string page = repository() + "/../page.html";
  const Answer answer = Run({"report", "--json", "--report", "html=" + page});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_EQ(json["task"], kTask);
  ASSERT_EQ(json["attempts"].size(), 2U);
  const auto& first = json["attempts"][0];
  EXPECT_EQ(first["approach"], "first");
  EXPECT_EQ(first["decision"], "keep");
  EXPECT_EQ(first["phase"], "micro");
  EXPECT_EQ(first["hypothesis"], "less work");
  EXPECT_LT(first["ratio"], 0.9);
  EXPECT_LT(first["ratio"], first["ratio_high"]);
  EXPECT_GE(first["rounds"], 5);
  EXPECT_GT(first["seconds"], 0.0);
  EXPECT_EQ(first["claimed_ratio"], first["ratio"]);
  const auto& broken = json["attempts"][1];
  EXPECT_EQ(broken["decision"], "crash");
  EXPECT_EQ(broken["reason"], "no number");
  EXPECT_TRUE(broken["ratio"].is_null());
  EXPECT_EQ(broken["claimed_ratio"], first["ratio"]);
  EXPECT_EQ(json["ratio"], first["ratio"]);
  const std::string commit = first["commit"];
  EXPECT_THAT(files().ReadFile(page).value(),
              HasSubstr("https://github.com/o/r/commit/" + commit));
  EXPECT_THAT(Run({"report", "knob"}).out,
              AllOf(ContainsRegex("\nfirst +micro +-"),
                    HasSubstr("\n2026-01-02-knob: -"),
                    HasSubstr("the product of what 1 keep claims\n")));
  EXPECT_EQ(UserState(), before) << "reads only";
}

TEST_F(TaskReportVerbTest, RefusesWhatItHasNot) {
  InitTask();
  EXPECT_EQ(Run({"report", "--report", "junit=x.xml"}).err,
            "autotune: error: --report: expected table, json, markdown, html, "
            "got junit\n");
  const Answer twice = Run({"report", "knob", "--task", "other"});
  EXPECT_EQ(twice.exit_code, 64);
  EXPECT_EQ(twice.err,
            "autotune: error: the task is named twice, by a word and by "
            "--task\n");
}

}  // namespace
}  // namespace autotune
