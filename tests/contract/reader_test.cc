// What our reporter writes, read by the comparator.
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "comparator/results/result_file.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

class ReaderContractTest : public testing::Test {
 protected:
  // Runs the contract's program with our main; the text of its result file.
  std::string RunProgram(const std::string& filter, const std::string& flag) {
    ProcessSpec spec;
    spec.argv = {AUTOTUNE_CONTRACT_PROGRAM, "--benchmark_filter=" + filter,
                 "--benchmark_min_time=0.001", flag,
                 "--benchmark_out=" + path_};
    spec.environment["AUTOTUNE_VISIT_ID"] = "visit-1";
    spec.unset_environment_prefixes = {"BENCHMARK_"};
    spec.timeout = absl::Minutes(2);
    const auto done = MakePosixProcessRunner()->Run(spec);
    EXPECT_TRUE(done.ok()) << done.status();
    std::ifstream file(path_);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  // The result file of such a run as the comparator reads it.
  ResultFile RunAndRead(const std::string& filter, const std::string& flag) {
    auto parsed = ParseResultFile(RunProgram(filter, flag), "out.json");
    EXPECT_TRUE(parsed.ok()) << parsed.status();
    return parsed.ok() ? *std::move(parsed) : ResultFile();
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_.Join("out.json");
};

std::optional<double> Counter(const Measurement& row, const std::string& name) {
  for (const auto& [key, value] : row.counters) {
    if (key == name) return value;
  }
  return std::nullopt;
}

TEST_F(ReaderContractTest, ReadsTheVisitItsBuildAndItsSurroundings) {
  const ResultFile file = RunAndRead("BM_Template", "--v=0");
  EXPECT_EQ(file.visit_id, "visit-1");
  EXPECT_TRUE(file.complete);
  EXPECT_TRUE(file.warnings.empty()) << file.warnings.front();
  ASSERT_TRUE(file.visit.start_unix_seconds.has_value());
  ASSERT_TRUE(file.visit.end_unix_seconds.has_value());
  EXPECT_LE(*file.visit.start_unix_seconds, *file.visit.end_unix_seconds);
  std::map<std::string, std::string> environment(file.visit.environment.begin(),
                                                 file.visit.environment.end());
  EXPECT_EQ(environment.count("kernel"), 1u);
  EXPECT_EQ(environment.count("compiler"), 1u);
}

TEST_F(ReaderContractTest, ReadsEveryRepetition) {
  const ResultFile file =
      RunAndRead("BM_Arguments", "--benchmark_repetitions=3");
  ASSERT_EQ(file.measurements.size(), 6u);
  EXPECT_EQ(file.measurements[2].name, "BM_Arguments/size:1/2/mode:3");
  EXPECT_EQ(file.measurements[2].repetition_index, 2);
  EXPECT_EQ(file.measurements[2].visit_id, "visit-1");
  EXPECT_TRUE(Counter(file.measurements[2], "items_per_second").has_value());
  EXPECT_EQ(file.aggregates.size(), 2u * 4);
}

TEST_F(ReaderContractTest, ReadsErrorsAsRowsThatAreNoSamples) {
  const ResultFile file = RunAndRead("BM_(Error|OnlyError)", "--v=0");
  ASSERT_EQ(file.unusable.size(), 2u);
  EXPECT_EQ(file.unusable[0].kind, UnusableRow::Kind::kErrored);
  EXPECT_EQ(file.unusable[0].reason, "broke \"here\"\tü");
  EXPECT_EQ(file.unusable[1].name, "BM_OnlyError");
}

TEST_F(ReaderContractTest, ReadsNullAsAnAbsentNumber) {
  const ResultFile file = RunAndRead("BM_NotFinite", "--v=0");
  ASSERT_EQ(file.measurements.size(), 1u);
  EXPECT_FALSE(Counter(file.measurements[0], "nan").has_value());
  EXPECT_FALSE(Counter(file.measurements[0], "minus").has_value());
  EXPECT_TRUE(file.measurements[0].real_time_ns.has_value());
}

TEST_F(ReaderContractTest, ReadsNamesOfAnyText) {
  const ResultFile file = RunAndRead("quoted", "--v=0");
  ASSERT_EQ(file.measurements.size(), 1u);
  EXPECT_EQ(file.measurements[0].name,
            "BM \"quoted\" \\ Grüße/日本/iterations:3");
}

TEST_F(ReaderContractTest, ReadsWhatARunThatEndedEarlyReported) {
  const std::string text = RunProgram("BM_Template|^Exits", "--v=0");
  EXPECT_EQ(ParseResultFile(text, "out.json").status().message(),
            "out.json: its run was ended early, after 1 complete benchmark; "
            "measure again, or use what is complete with --partial");
  ParseOptions options;
  options.partial = true;
  const auto file = ParseResultFile(text, "out.json", options);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_FALSE(file->complete);
  EXPECT_EQ(file->measurements.size(), 1u);
}

}  // namespace
}  // namespace autotune
