#include "tools/autotune/walls/sealed_text.h"

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

bool InSource(const std::string& path) {
  return absl::StartsWith(path, "{tree}/src/");
}

TEST(ParsePreprocessedTest, SplitsAUnitByItsFiles) {
  const UnitText unit = ParsePreprocessed(
      "# 0 \"/w/tree/bench/b.cc\"\n# 0 \"<built-in>\"\n"
      "# 1 \"/w/tree/bench/b.cc\"\n"
      "# 1 \"../tree/src/a.h\" 1\nint   a;\n"
      "# 2 \"/w/tree/bench/b.cc\" 2\nauto f = \"/w/tree/x\" ;\n",
      "/w/build", {"", "/w/tree", "/w/build"});
  EXPECT_EQ(unit.text.at("{tree}/src/a.h"), "int a;");
  EXPECT_EQ(unit.text.at("{tree}/bench/b.cc"), "auto f = \"{tree}/x\" ;");
  EXPECT_THAT(unit.includes,
              ElementsAre(Pair("{tree}/bench/b.cc", "{tree}/src/a.h")));
}

UnitText Bench(const std::string& own, const std::string& header) {
  UnitText unit;
  unit.text["{tree}/bench/b.cc"] = own;
  unit.text["{tree}/src/a.h"] = header;
  unit.text["/usr/include/benchmark/benchmark.h"] = "class State;";
  unit.includes = {{"{tree}/bench/b.cc", "{tree}/src/a.h"},
                   {"{tree}/bench/b.cc", "/usr/include/benchmark/benchmark.h"}};
  return unit;
}

TEST(CompareSealedUnitsTest, AHeaderOfTheScopeMayChangeAndIncludeOthers) {
  UnitText now = Bench("run();", "int b;");
  now.text["{tree}/src/new.h"] = "int c;";
  now.includes.insert({"{tree}/src/a.h", "{tree}/src/new.h"});
  const auto findings = CompareSealedUnits({{"b", Bench("run();", "int a;")}},
                                           {{"b", now}}, InSource);
  EXPECT_THAT(findings.violations, IsEmpty());
  EXPECT_THAT(findings.review, IsEmpty());
}

TEST(CompareSealedUnitsTest, AShadowingHeaderAndAMacroAreViolations) {
  UnitText now = Bench("run(1);", "int a;");
  now.text["/usr/include/benchmark/benchmark.h"] = "struct State;";
  now.text["{tree}/src/vector"] = "";
  now.includes.insert(
      {"/usr/include/benchmark/benchmark.h", "{tree}/src/vector"});
  const auto findings = CompareSealedUnits({{"b", Bench("run();", "int a;")}},
                                           {{"b", now}}, InSource);
  EXPECT_THAT(
      findings.violations,
      ElementsAre("/usr/include/benchmark/benchmark.h: the attempt makes it "
                  "read differently, from \"struct State;\" on",
                  "{tree}/bench/b.cc: the attempt makes it read differently, "
                  "from \"run(1);\" on",
                  "{tree}/src/vector: it stands in for a header that "
                  "/usr/include/benchmark/benchmark.h includes"));
}

TEST(CompareSealedUnitsTest, AHeaderThatReadsTwoWaysIsForReview) {
  const auto units = [](const std::string& one, const std::string& other) {
    return std::map<std::string, UnitText>{{"bench", Bench("run();", one)},
                                           {"test", Bench("run();", other)}};
  };
  EXPECT_THAT(CompareSealedUnits(units("int a;", "int a;"),
                                 units("int a;", "int b;"), InSource)
                  .review,
              ElementsAre("{tree}/src/a.h: it reads differently in the sealed "
                          "files that include it"));
  EXPECT_THAT(CompareSealedUnits(units("int a;", "int b;"),
                                 units("int c;", "int d;"), InSource)
                  .review,
              IsEmpty());
}

TEST(NamesBenchmarkLibraryTest, SeesCodeButNoComments) {
  for (const char* code :
       {"#include <benchmark/benchmark.h>", "#ifdef BENCHMARK_BENCHMARK_H_\n",
        "#ifdef BENCH\\\nMARK_BENCHMARK_H_\n", "benchmark :: State* s;",
        "namespace benchmark {", "dlsym(0, \"_ZN9benchmark8ShutdownEv\")",
        "#if __INCLUDE_LEVEL__ > 1"}) {
    EXPECT_TRUE(NamesBenchmarkLibrary(code)) << code;
  }
  for (const char* code :
       {"// benchmark::State\nint a;", "/* BENCHMARK_MAIN */ int b;",
        "int benchmark = 1;", "int x = 'a';", "\"// \" int c;",
        "MY_BENCHMARK_NAME"}) {
    EXPECT_FALSE(NamesBenchmarkLibrary(code)) << code;
  }
}

}  // namespace
}  // namespace autotune
