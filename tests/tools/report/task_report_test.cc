#include "tools/report/task_report.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TaskReport::Attempt Attempt(const std::string& approach,
                            const std::string& decision,
                            std::optional<double> ratio, double claimed) {
  TaskReport::Attempt attempt;
  attempt.approach = approach;
  attempt.hypothesis = "because of " + approach;
  attempt.phase = "micro";
  attempt.decision = decision;
  attempt.reason = "as measured";
  attempt.commit = std::string(40, 'a');
  attempt.kept = decision == "keep";
  attempt.claimed_ratio = claimed;
  if (!ratio.has_value()) return attempt;
  attempt.measured = true;
  attempt.estimate = RatioEstimate{*ratio, {0.98 * *ratio, 1.02 * *ratio, 0.0}};
  attempt.rounds = 12;
  attempt.seconds = 2.5;
  return attempt;
}

// A keep, a discard, a crash; a harvest after the first; another keep.
TaskReport Example() {
  TaskReport report;
  report.task = "2026-01-02-knob";
  report.branch = "autotune/2026-01-02-knob";
  report.base = std::string(40, 'b');
  report.tip = std::string(40, 'c');
  report.target = "^BM_Knob$";
  report.metric = {"cpu_time", Direction::kLowerIsBetter};
  report.attempts = {Attempt("table", "keep", 0.8, 0.8),
                     Attempt("sorted", "discard", 1.05, 0.8),
                     Attempt("broken", "crash", std::nullopt, 0.8),
                     Attempt("twice", "keep", 0.9, 0.72)};
  report.attempts[0].predicted_ratio = 0.75;
  report.attempts[3].phase = "structural";
  report.harvests = {
      {1, std::string(40, 'd'), RatioEstimate{0.82, {0.8, 0.84, 0.0}}, 30}};
  return report;
}

TEST(TaskReportTest, TextHasARowAnAttemptAndTheGainLast) {
  EXPECT_EQ(
      RenderTaskReport(Example(), ReportFormat::kTable),
      R"(attempt       phase    change              interval  rounds   time    so far  decision
table         micro  -20.00 %  [-21.60 %, -18.40 %]      12  2.5 s  -20.00 %  keep
sorted        micro   +5.00 %    [+2.90 %, +7.10 %]      12  2.5 s  -20.00 %  discard
broken        micro                                                 -20.00 %  crash
twice    structural  -10.00 %   [-11.80 %, -8.20 %]      12  2.5 s  -28.00 %  keep
table: because of table
sorted: because of sorted
broken: because of broken
twice: because of twice
2026-01-02-knob: -28.00 %, the product of what 2 keeps claim; -18.00 % [-20.00 %, -16.00 %], measured start against tip after 1 attempt
)");
}

TEST(TaskReportTest, TheGainIsTheMeasuredOneUntilAKeepComesOnTop) {
  TaskReport report = Example();
  EXPECT_DOUBLE_EQ(TaskRatio(report), 0.72);
  report.harvests[0].after = 4;
  EXPECT_DOUBLE_EQ(TaskRatio(report), 0.82);
  EXPECT_EQ(TaskGainText(report),
            "-18.00 % [-20.00 %, -16.00 %], measured start against tip after 4 "
            "attempts; -28.00 %, the product of what 2 keeps claim");
  report.harvests.clear();
  EXPECT_EQ(TaskGainText(report),
            "-28.00 %, the product of what 2 keeps claim");
  report.attempts.clear();
  EXPECT_EQ(TaskGainText(report), "no keep yet");
}

TEST(TaskReportTest, JsonHasNullForWhatWasNotMeasured) {
  const auto json =
      nlohmann::json::parse(RenderTaskReport(Example(), ReportFormat::kJson));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["verb"], "report");
  EXPECT_EQ(json["attempts"].size(), 4U);
  EXPECT_EQ(json["attempts"][0]["hypothesis"], "because of table");
  EXPECT_EQ(json["attempts"][0]["predicted_ratio"], 0.75);
  EXPECT_TRUE(json["attempts"][2]["ratio"].is_null());
  EXPECT_TRUE(json["attempts"][2]["rounds"].is_null());
  EXPECT_EQ(json["harvests"][0]["after_attempts"], 1);
  EXPECT_EQ(json["harvests"][0]["ratio"], 0.82);
  EXPECT_EQ(json["ratio"], 0.72);
}

std::set<std::string> KeysOf(const nlohmann::json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

TEST(TaskReportTest, ThePublishedSchemaNamesExactlyTheKeysThatThereAre) {
  std::ifstream file(TASK_SCHEMA);
  const auto task = nlohmann::json::parse(file)["$defs"]["task"];
  const auto json =
      nlohmann::json::parse(RenderTaskReport(Example(), ReportFormat::kJson));
  EXPECT_EQ(KeysOf(json), KeysOf(task["properties"]));
  for (const char* list : {"attempts", "harvests"}) {
    EXPECT_EQ(KeysOf(json[list][0]),
              KeysOf(task["properties"][list]["items"]["properties"]));
  }
  EXPECT_EQ(task["required"].size(), task["properties"].size());
}

TEST(TaskReportTest, MarkdownIsInertAndBounded) {
  TaskReport report = Example();
  report.attempts[0].hypothesis = "@team |x| <b> `c`";
  report.attempts.resize(2000, report.attempts[0]);
  const std::string text = RenderTaskReport(report, ReportFormat::kMarkdown);
  EXPECT_LT(text.size(), 65'536U);
  EXPECT_THAT(text, AllOf(HasSubstr(" more |\n"), Not(HasSubstr("@team")),
                          Not(HasSubstr("<b>")), Not(HasSubstr("|x|"))));
}

TEST(TaskReportTest, ThePageShowsCoursePhasesPredictionsAndAttempts) {
  TaskReport report = Example();
  report.attempts[1].hypothesis = "<script>alert(1)</script>";
  const std::string page = RenderTaskReport(report, ReportFormat::kHtml);
  for (const char* part :
       {"<h1>Tuning task 2026-01-02-knob</h1>",
        "<title>The tip against the task&#39;s start, attempt by attempt"
        "</title><desc>4 attempts. -28.00 %, the product of what 2 keeps "
        "claim; "
        "-18.00 % [-20.00 %, -16.00 %], measured start against tip after 1 "
        "attempt. The numbers are in the table below.</desc>",
        "<title>sorted: discard, as measured</title>",
        "<title>broken: crash, as measured</title><path class=\"crash\"",
        "<title>measured start against tip: -18.00 % [-20.00 %, -16.00 %]"
        "</title>",
        "<title>Predictions against results</title><desc>1 attempt with a "
        "prediction; on the line they agree.",
        "<th scope=\"row\">micro<td>3<td>1<td>-20.00 %<td>5.0 s",
        "<th scope=\"row\">structural<td>1<td>1<td>-10.00 %<td>2.5 s",
        "&lt;script&gt;alert(1)&lt;/script&gt;", "<code>aaaaaaaaaa</code>"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_THAT(page, Not(HasSubstr("<a href=\"http")));
  report.commit_url = "https://github.com/o/r/commit/";
  EXPECT_THAT(RenderTaskReport(report, ReportFormat::kHtml),
              HasSubstr("<a href=\"https://github.com/o/r/commit/" +
                        std::string(40, 'a') + "\"><code>aaaaaaaaaa</code>"));
}

TEST(TaskReportTest, ATaskWithoutAttemptsHasEveryForm) {
  TaskReport report;
  report.task = "t";
  EXPECT_THAT(TaskReportForms(),
              ElementsAre("table", "json", "markdown", "html"));
  EXPECT_EQ(RenderTaskReport(report, ReportFormat::kTable),
            "no attempt is decided yet\nt: no keep yet\n");
  EXPECT_EQ(RenderTaskReport(report, ReportFormat::kMarkdown),
            "**t**: no keep yet\n\nno attempt is decided yet\n");
  EXPECT_THAT(RenderTaskReport(report, ReportFormat::kHtml),
              HasSubstr("<div class=\"why\">no keep yet</div>"));
}

TEST(CommitUrlTest, IsThatOfKnownForgesWithoutCredentials) {
  EXPECT_EQ(CommitUrlOf("https://user:secret@github.com/o/r.git"),
            "https://github.com/o/r/commit/");
  EXPECT_EQ(CommitUrlOf("git@github.com:o/r.git"),
            "https://github.com/o/r/commit/");
  EXPECT_EQ(CommitUrlOf("ssh://git@gitlab.example.org:2222/a/b/c"),
            "https://gitlab.example.org/a/b/c/-/commit/");
  EXPECT_EQ(CommitUrlOf("https://bitbucket.org/o/r/"),
            "https://bitbucket.org/o/r/commits/");
  for (const char* unknown :
       {"", "/srv/git/r.git", "../r", "file:///github/r", "https://github.com",
        "https://example.org/o/r", "javascript://github.com/%0aalert(1)",
        "https://github.com/o/r\"><script>"}) {
    EXPECT_EQ(CommitUrlOf(unknown), "") << unknown;
  }
}

}  // namespace
}  // namespace autotune
