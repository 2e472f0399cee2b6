#include "reporter/visit_reporter.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tests/support/temporary_folder.h"

namespace autotune {
namespace {

using nlohmann::json;
using LibraryRun = benchmark::BenchmarkReporter::Run;

LibraryRun MakeRun(const std::string& name, std::int64_t family) {
  LibraryRun run;
  run.run_name.function_name = name;
  run.family_index = family;
  run.per_family_instance_index = 0;
  run.run_type = LibraryRun::RT_Iteration;
  run.repetition_index = 0;
  run.repetitions = 1;
  run.iterations = 10;
  run.real_accumulated_time = 1e-3;
  run.cpu_accumulated_time = 1e-3;
  run.statistics = nullptr;
  return run;
}

LibraryRun AsAggregate(LibraryRun run, const std::string& name) {
  run.run_type = LibraryRun::RT_Aggregate;
  run.aggregate_name = name;
  return run;
}

class VisitReporterTest : public testing::Test {
 protected:
  std::unique_ptr<VisitReporter> Open(VisitOptions options = {}) {
    options.result_path = path_;
    auto reporter = std::make_unique<VisitReporter>(options);
    std::string error;
    EXPECT_TRUE(reporter->Open(&error)) << error;
    return reporter;
  }
  json Document() const {
    std::ifstream file(path_);
    return json::parse(file);
  }
  static void ReportContext(VisitReporter& reporter) {
    EXPECT_TRUE(
        reporter.ReportContext(benchmark::BenchmarkReporter::Context()));
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_.Join("visit.json");
};

std::vector<std::string> Names(const json& rows) {
  std::vector<std::string> names;
  for (const json& row : rows) names.push_back(row["name"]);
  return names;
}

TEST_F(VisitReporterTest, TheDocumentIsWholeAfterEveryCallAndSaysSo) {
  auto reporter = Open();
  EXPECT_EQ(Document()["benchmarks"], json::array());
  EXPECT_EQ(Document()["autotune"]["complete"], false);
  ReportContext(*reporter);
  EXPECT_EQ(Document()["benchmarks"], json::array());
  EXPECT_TRUE(Document()["context"].contains("num_cpus"));
  reporter->ReportRuns({MakeRun("BM_A", 0)});
  EXPECT_EQ(Names(Document()["benchmarks"]),
            (std::vector<std::string>{"BM_A"}));
  EXPECT_EQ(Document()["autotune"]["complete"], false);
  reporter->ReportRuns({MakeRun("BM_B", 1)});
  EXPECT_FALSE(reporter->complete());
  reporter->Finalize();
  EXPECT_TRUE(reporter->complete());
  EXPECT_EQ(Names(Document()["benchmarks"]),
            (std::vector<std::string>{"BM_A", "BM_B"}));
  EXPECT_EQ(Document()["autotune"]["complete"], true);
  EXPECT_EQ(reporter->error(), "");
}

TEST_F(VisitReporterTest, ALaterSetOfRunsIsAppended) {
  auto reporter = Open();
  for (const char* name : {"BM_A", "BM_B"}) {
    ReportContext(*reporter);
    reporter->ReportRuns({MakeRun(name, 0)});
    reporter->Finalize();
  }
  EXPECT_EQ(Names(Document()["benchmarks"]),
            (std::vector<std::string>{"BM_A", "BM_B"}));
  EXPECT_EQ(Names(Document()["autotune"]["benchmarks"]),
            (std::vector<std::string>{"BM_A", "BM_B"}));
}

TEST_F(VisitReporterTest, ToleratesAnEmptyReport) {
  auto reporter = Open();
  ReportContext(*reporter);
  reporter->ReportRuns({});
  reporter->Finalize();
  EXPECT_EQ(Document()["benchmarks"], json::array());
}

TEST_F(VisitReporterTest, FinishesADocumentWithoutAnyBenchmark) {
  auto reporter = Open();
  reporter->Finalize();
  EXPECT_EQ(Document()["benchmarks"], json::array());
  EXPECT_EQ(Document()["autotune"]["complete"], true);
}

TEST_F(VisitReporterTest, TakesTheVisitIdOrMakesOneOf128Bits) {
  VisitOptions options;
  options.visit_id = "round 7 \"A\"";
  Open(options)->Finalize();
  EXPECT_EQ(Document()["autotune"]["visit_id"], "round 7 \"A\"");
  Open()->Finalize();
  const std::string first = Document()["autotune"]["visit_id"];
  EXPECT_TRUE(std::regex_match(first, std::regex("[0-9a-f]{32}"))) << first;
  Open()->Finalize();
  EXPECT_NE(Document()["autotune"]["visit_id"], first);
}

TEST_F(VisitReporterTest, TellsWhenTheVisitWasAndWhatTheProcessUsed) {
  Open()->Finalize();
  const json visit = Document()["autotune"];
  EXPECT_EQ(visit["format_version"], 1);
  EXPECT_LE(visit["start"]["unix"], visit["end"]["unix"]);
  const std::regex utc(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)");
  EXPECT_TRUE(
      std::regex_match(visit["start"]["rfc3339"].get<std::string>(), utc));
  EXPECT_GE(visit["rusage"]["user_seconds"], 0.0);
  EXPECT_GT(visit["rusage"]["peak_rss_bytes"], 1 << 20);
  EXPECT_EQ(visit["rusage"]["threads"], 1);
}

TEST_F(VisitReporterTest, NamesTheProgramAndItsLibrariesWithTheirBuildIds) {
  Open()->Finalize();
  const json visit = Document()["autotune"];
  ASSERT_TRUE(visit["objects"].is_array());
  EXPECT_EQ(visit["objects"][0]["path"],
            std::filesystem::read_symlink("/proc/self/exe").string());
  if (visit.contains("build_id")) {
    EXPECT_EQ(visit["build_id"], visit["objects"][0]["build_id"]);
    EXPECT_TRUE(std::regex_match(visit["build_id"].get<std::string>(),
                                 std::regex("([0-9a-f]{2})+")));
  }
  bool has_library = false;
  for (const json& object : visit["objects"]) {
    const std::string path = object["path"];
    has_library |= path.find("libbenchmark") != std::string::npos;
  }
  EXPECT_TRUE(has_library);
}

TEST_F(VisitReporterTest, WritesTheEnvironmentItIsGiven) {
  VisitOptions options;
  options.environment = {{"cpu_model", std::string("X \"1\"")},
                         {"cores", std::int64_t{4}},
                         {"turbo", true},
                         {"load_1min", 0.25}};
  Open(options)->Finalize();
  EXPECT_EQ(Document()["autotune"]["environment"],
            json::parse(R"({"cpu_model": "X \"1\"", "cores": 4,
                            "turbo": true, "load_1min": 0.25})"));
}

TEST_F(VisitReporterTest, TellsOfABenchmarkWhatItsRowsDoNot) {
  LibraryRun run = MakeRun("BM_A", 0);
  run.run_name.args = "64/key:2";
  run.run_name.time_type = "process_time/real_time";
  run.counters["bytes"] = benchmark::Counter(
      1, benchmark::Counter::kAvgIterationsRate, benchmark::Counter::kIs1024);
  run.counters["plain"] = 2;
  auto reporter = Open();
  ReportContext(*reporter);
  reporter->ReportRunsConfig(0.5, false, 0);
  reporter->ReportRuns({run});
  const json facts = Document()["autotune"]["benchmarks"][0];
  EXPECT_EQ(facts["name"], "BM_A/64/key:2/process_time/real_time");
  EXPECT_EQ(facts["base_name"], "BM_A");
  EXPECT_EQ(facts["arguments"], "64/key:2");
  EXPECT_EQ(facts["time_type"], "process_time/real_time");
  EXPECT_EQ(facts["clock"], "real");
  EXPECT_EQ(facts["requested"], json::parse(R"({"min_time_seconds": 0.5})"));
  EXPECT_EQ(facts["counters"],
            json::parse(R"({"bytes": ["is_rate", "avg_iterations", "is_1024"],
                            "plain": []})"));
}

TEST_F(VisitReporterTest, ABenchmarkHasItsFactsOnceThoughItsRowsComeInTwo) {
  auto reporter = Open();
  ReportContext(*reporter);
  const LibraryRun run = MakeRun("BM_A", 0);
  LibraryRun fit = AsAggregate(run, "BigO");
  fit.report_big_o = true;
  reporter->ReportRuns({run, run});
  reporter->ReportRuns({AsAggregate(run, "mean"), fit});
  reporter->ReportRuns({fit});
  reporter->ReportRuns({AsAggregate(MakeRun("BM_B", 1), "mean")});
  EXPECT_EQ(Names(Document()["autotune"]["benchmarks"]),
            (std::vector<std::string>{"BM_A", "BM_B"}));
  EXPECT_EQ(Document()["benchmarks"].size(), 6u);
}

TEST_F(VisitReporterTest, CallsACounterInTheFactsAsInTheRow) {
  LibraryRun run = MakeRun("BM_A", 0);
  run.counters["threads"] = benchmark::Counter(1, benchmark::Counter::kIsRate);
  run.counters["\xc3\xa9"] = 1;  // é
  run.counters["\xe9"] = 2;      // becomes the same text
  auto reporter = Open();
  ReportContext(*reporter);
  reporter->ReportRuns({run});
  EXPECT_EQ(Document()["autotune"]["benchmarks"][0]["counters"],
            json::parse(R"({"threads_counter": ["is_rate"], "\u00e9": [],
                            "\u00e9_counter": []})"));
}

TEST_F(VisitReporterTest, ABenchmarkThatIsRunAgainHasItsFactsAgain) {
  auto reporter = Open();
  for (int run = 0; run < 2; ++run) {
    ReportContext(*reporter);
    reporter->ReportRuns({MakeRun("BM_A", 0)});
    reporter->Finalize();
  }
  EXPECT_EQ(Names(Document()["autotune"]["benchmarks"]),
            (std::vector<std::string>{"BM_A", "BM_A"}));
}

TEST_F(VisitReporterTest, AForkedChildWritesNothing) {
  auto reporter = Open();
  ReportContext(*reporter);
  reporter->ReportRuns({MakeRun("BM_A", 0)});
  const pid_t child = fork();
  if (child == 0) {
    reporter->ReportRuns({MakeRun("BM_Child", 1)});
    reporter->Finalize();
    reporter.reset();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Names(Document()["benchmarks"]),
            (std::vector<std::string>{"BM_A"}));
  EXPECT_EQ(Document()["autotune"]["complete"], false);
  reporter->ReportRuns({MakeRun("BM_B", 1)});
  reporter->Finalize();
  EXPECT_EQ(Names(Document()["benchmarks"]),
            (std::vector<std::string>{"BM_A", "BM_B"}));
  EXPECT_EQ(Document()["autotune"]["complete"], true);
}

TEST_F(VisitReporterTest, CountsWhatTheProcessUsedSinceThePreviousReport) {
  using Clock = std::chrono::steady_clock;
  auto reporter = Open();
  const Clock::time_point start = Clock::now();
  ReportContext(*reporter);
  const Clock::time_point busy_until =
      Clock::now() + std::chrono::milliseconds(50);
  while (Clock::now() < busy_until) {
  }
  reporter->ReportRuns({MakeRun("BM_Busy", 0)});
  reporter->ReportRuns({MakeRun("BM_Nothing", 1)});
  const json facts = Document()["autotune"]["benchmarks"];
  const json busy = facts[0]["since_previous_report"];
  EXPECT_GE(busy["seconds"], 0.05);
  const double both =
      busy["seconds"].get<double>() +
      facts[1]["since_previous_report"]["seconds"].get<double>();
  EXPECT_LE(both, std::chrono::duration<double>(Clock::now() - start).count());
  for (const char* key :
       {"user_seconds", "system_seconds", "minor_faults", "major_faults",
        "voluntary_switches", "involuntary_switches"}) {
    EXPECT_GE(busy[key], 0) << key;
  }
}

TEST_F(VisitReporterTest, ListsWhatWasNotFiniteOrRenamed) {
  LibraryRun run = MakeRun("BM_A", 0);
  run.counters["x"] = std::nan("");
  run.counters["threads"] = 3;
  auto reporter = Open();
  ReportContext(*reporter);
  reporter->ReportRuns({run});
  const json visit = Document()["autotune"];
  EXPECT_EQ(visit["non_finite"], json::parse(R"([{"row": "BM_A", "field": "x",
                                                  "value": "NaN"}])"));
  EXPECT_EQ(visit["renamed"], json::parse(R"([{"row": "BM_A", "name": "threads",
                             "key": "threads_counter"}])"));
}

TEST_F(VisitReporterTest, SaysOnceThatItCannotWriteAndWhatIsLost) {
  VisitOptions options;
  options.result_path = "/dev/full";
  VisitReporter reporter(options);
  std::string error;
  testing::internal::CaptureStderr();
  ASSERT_TRUE(reporter.Open(&error));
  ReportContext(reporter);
  reporter.ReportRuns({MakeRun("BM_A", 0)});
  reporter.Finalize();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "autotune: cannot write '/dev/full': No space left on device\n");
  EXPECT_EQ(reporter.error(), "No space left on device");
}

TEST_F(VisitReporterTest, RefusesAPathThatCannotBeOpened) {
  VisitOptions options;
  options.result_path = folder_.Join("no/such.json");
  std::string error;
  EXPECT_FALSE(VisitReporter(options).Open(&error));
  EXPECT_EQ(error, "No such file or directory");
}

TEST(ClockThatCountsTest, FollowsTheTimeTypeInTheName) {
  using internal::ClockThatCounts;
  EXPECT_STREQ(ClockThatCounts(""), "cpu");
  EXPECT_STREQ(ClockThatCounts("process_time"), "process_cpu");
  EXPECT_STREQ(ClockThatCounts("real_time"), "real");
  EXPECT_STREQ(ClockThatCounts("process_time/real_time"), "real");
  EXPECT_STREQ(ClockThatCounts("manual_time"), "manual");
  EXPECT_STREQ(ClockThatCounts("process_time/manual_time"), "manual");
}

}  // namespace
}  // namespace autotune
