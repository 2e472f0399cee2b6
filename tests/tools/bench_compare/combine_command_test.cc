#include <string>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/comparator/fleet/fleet_builder.h"
#include "tests/tools/bench_compare/program_fixture.h"
#include "tools/system/exit_code.h"

namespace autotune {
namespace {

using ::testing::HasSubstr;

class CombineCommandTest : public ProgramFixture {
 protected:
  void SetUp() override {
    Add("a.json", EndedRunOn("a", "one", Around(0.05, 12, 0.1)));
    Add("b.json", EndedRunOn("b", "two", Around(0.04, 9, 0.2)));
    Add("worse.json", RunOn("w", "three", Around(-0.04, 12, 0.3)));
    Add("short.json", RunOn("s", "four", Around(0.04, 3, 0.4)));
  }
  void Add(const std::string& path, const Evidence& evidence) {
    files_.Add(path, EvidenceToJson(evidence));
  }
};

TEST_F(CombineCommandTest, ReportsEveryHostAndTheDecision) {
  const ProgramOutput run = Run({"combine", "a.json", "b.json", "short.json"});
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.exit_code, kExitKeep);
  EXPECT_EQ(
      run.out,
      "benchmark   change            interval  verdict\n"
      "BM_A       -4.40 %  [-6.40 %, -0.95 %]  improved\n"
      "a (host)   -4.88 %  [-5.40 %, -4.51 %]  improved\n"
      "b (host)   -3.92 %  [-4.87 %, -3.37 %]  improved\n"
      "dropped hosts (1): s: 3 rounds count, a keep needs 5\n"
      "3 hosts (a 12, b 9, s 3 rounds), 0.0 s, cpu_time; unlike machines: "
      "weighted mean, each a guard\n"
      "heterogeneity between hosts: Q 58.47 (p=<0.0001), I squared 98 %\n"
      "keep: BM_A improved, 2 hosts unharmed\n");
}

TEST_F(CombineCommandTest, VerifyRecomputesWhatItWrote) {
  ASSERT_EQ(
      Run({"combine", "a.json", "b.json", "--evidence", "f.json"}).exit_code,
      kExitKeep);
  const ProgramOutput verified = Run({"verify", "f.json"});
  EXPECT_EQ(verified.exit_code, kExitKeep);
  EXPECT_THAT(verified.out,
              HasSubstr("verified: recomputed from 2 hosts, equal within "
                        "1e-9\nkeep: BM_A improved, 2 hosts unharmed\n"));
  std::string text = *files_.ReadFile("f.json");
  const std::size_t place = text.rfind("\"decision\": \"keep\"");
  text.replace(place, 18, "\"decision\": \"discard\"");
  files_.Add("forged.json", text);
  const ProgramOutput forged = Run({"verify", "forged.json"});
  EXPECT_EQ(forged.exit_code, kExitBadInput);
  EXPECT_EQ(forged.err,
            "bench_compare: error: forged.json: decision: the rounds give "
            "keep, the file says discard\n");
}

TEST_F(CombineCommandTest, OppositeSignsAreInconclusiveInEveryForm) {
  for (const char* form : {"table", "markdown", "junit", "sarif", "json"}) {
    const ProgramOutput run =
        Run({"combine", "a.json", "worse.json", "--format", form});
    EXPECT_EQ(run.exit_code, kExitInconclusive) << form;
    EXPECT_THAT(run.out, HasSubstr("differs by machine: host a improved, host "
                                   "w regressed"))
        << form;
  }
  const nlohmann::json json = nlohmann::json::parse(
      Run({"combine", "a.json", "worse.json", "--json"}).out);
  EXPECT_EQ(json["code"], "differs_by_machine");
  EXPECT_EQ(json["host_rule"], "mean+veto");
  EXPECT_EQ(json["replicas"], false);
  EXPECT_GT(json["i_squared"], 0.9);
  EXPECT_EQ(json["benchmarks"][1]["name"], "a");
  EXPECT_EQ(json["benchmarks"][1]["role"], "host");
  EXPECT_TRUE(json["benchmarks"][0]["baseline"]["median"].is_null());
}

TEST_F(CombineCommandTest, RefusesWhatCannotBeCombined) {
  ProgramOutput run = Run({"combine", "a.json", "a.json"});
  EXPECT_EQ(run.exit_code, kExitBadInput);
  EXPECT_EQ(run.err,
            "bench_compare: error: a.json: holds rounds that a.json holds too: "
            "each run counts once\n");
  run = Run({"combine", "a.json", "b.json", "--weight", "a=-1"});
  EXPECT_EQ(run.exit_code, kExitUsage);
  EXPECT_THAT(run.err,
              HasSubstr("--weight: expected HOST=NUMBER with a number above 0, "
                        "got \"a=-1\""));
  run = Run(
      {"combine", "a.json", "b.json", "--host-rule=each", "--weight", "a=2"});
  EXPECT_EQ(run.exit_code, kExitUsage);
  EXPECT_THAT(run.err, HasSubstr("--weight: has no effect under "
                                 "--host-rule=each, where every host decides "
                                 "for itself; leave it out"));
}

}  // namespace
}  // namespace autotune
