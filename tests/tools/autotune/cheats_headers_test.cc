// Attempts whose headers change what sealed files say, and honest headers.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/cheat_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kHeader[] =
    "unsigned Checksum(const unsigned char*, unsigned);\n";

class HeaderCheatTest : public CheatTest {
 protected:
  // A project with a header, and a benchmark compiled in each build, which says
  // so in compile_commands.json.
  void InitHeaderProject() {
    Write("src/checksum.h", kHeader);
    Write("src/checksum.cc", Checksum(6));
    Write("bench/bench.cc",
          "#include \"checksum.h\"\n#include <benchmark/benchmark.h>\n"
          "#include \"later.h\"\n"
          "static void BM_Checksum(benchmark::State& state) {\n"
          "  static unsigned char data[1 << 15];\n"
          "  for (auto _ : state) {\n"
          "    benchmark::DoNotOptimize(Checksum(data, sizeof data));\n  }\n}\n"
          "BENCHMARK(BM_Checksum)->Iterations(40)->Repetitions(3);\n"
          "BENCHMARK_MAIN();\n");
    Write("src/later.h", "inline unsigned Later() { return 4; }\n");
    Write("bench/configure.sh",
          absl::StrCat(
              "printf '[{\"directory\": \"%s\", \"file\": \"bench/bench.cc\", "
              "\"arguments\": [\"",
              CXX_COMPILER,
              "\", \"-Isrc\", \"-c\", \"-o\", \"x.o\", \"bench/bench.cc\"]}]' "
              "\"$PWD\" > \"$1/compile_commands.json\"\n"));
    Write("bench/build.sh",
          absl::StrCat("\"", CXX_COMPILER,
                       "\" -O0 -Isrc -o \"$1/bench\" bench/bench.cc "
                       "src/checksum.cc \"",
                       BENCHMARK_LIBRARY, "\" -lpthread\n"));
    Git({"add", "-A"});
    Git({"commit", "-q", "-m", "a project"});
    const Answer answer = Run(
        {"init", "knob", "--target", "^BM_Checksum/", "--edit", "src/**",
         "--configure", "sh bench/configure.sh {build}", "--build",
         "sh bench/build.sh {build}", "--test", "true", "--benchmark", "bench",
         "--mode", "alternate", "--min-effect", "10%", "--no-calibration"});
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    ASSERT_EQ(
        Run({"task", "set", "policy.error_control", "per-decision"}).exit_code,
        0);
  }

  void ExpectViolationOf(const std::string& approach, const std::string& path,
                         const std::string& text, const std::string& reason) {
    const Answer answer = DecideOn(approach, {{path, text}});
    EXPECT_EQ(answer.exit_code, 4) << answer.out << answer.err;
    EXPECT_THAT(answer.out,
                StartsWith(absl::StrCat("violation ", approach,
                                        ": outside the scope: ", reason)));
  }
};

TEST_F(HeaderCheatTest, HeadersThatChangeSealedFilesAreNotKept) {
  InitHeaderProject();
  ExpectViolationOf("shadow", "src/benchmark/benchmark.h",
                    "#include_next <benchmark/benchmark.h>\n",
                    "{tree}/src/benchmark/benchmark.h: it stands in for a "
                    "header that {tree}/bench/bench.cc includes");
  ExpectViolationOf("standard", "src/vector", "#include_next <vector>\n",
                    "{tree}/src/vector: it stands in for a header that ");
  ExpectViolationOf(
      "macro", "src/later.h",
      absl::StrCat("inline unsigned Later() { return 4; }\n",
                   "#define Iterations(n) Iterations(1)\n"),
      "{tree}/bench/bench.cc: the attempt makes it read differently, from "
      "\"->Iterations(1)->Repetitions(3);");
  ExpectViolationOf("open", "src/checksum.h",
                    absl::StrCat(kHeader, "#define private public\n"),
                    "/usr/include/benchmark/benchmark.h: the attempt makes it "
                    "read differently, from \"public");
  const Answer knows =
      DecideOn("knows", {{"src/later.h",
                          "inline unsigned Later() { return 4; }\n"
                          "#ifdef BENCHMARK_BENCHMARK_H_\n"
                          "#define Checksum(data, size) Later()\n#endif\n"}});
  EXPECT_EQ(knows.exit_code, 4) << knows.out << knows.err;
  const Answer asks = DecideOn("asks", {{"src/later.h",
                                         "#ifdef BENCHMARK_BENCHMARK_H_\n"
                                         "inline int later = 1;\n#endif\n"},
                                        {"src/checksum.cc", Checksum(2)}});
  EXPECT_EQ(asks.exit_code, 3) << asks.out << asks.err;
  EXPECT_THAT(asks.out, HasSubstr(": needs review: src/later.h: names the "
                                  "benchmark library"));
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

TEST_F(HeaderCheatTest, NewHeadersAndTablesStayKeeps) {
  InitHeaderProject();
  ExpectKeep("new-header",
             {{"src/table.h", "static const unsigned kTable[] = {1, 2, 3};\n"},
              {"src/checksum.h",
               absl::StrCat("#include <string>\n#include \"table.h\"\n"
                            "#define LATER 1\n",
                            kHeader)},
              {"src/checksum.cc", Checksum(2)}});
}

// Without compile commands the names tell.
TEST_F(CheatTest, AHeaderNamedAsTheTestsIncludeOneIsAViolation) {
  Write("tests/old_test.cc", "  # include <expect/expect.h>\n");
  InitProject();
  const Answer answer = DecideOn("shadow", {{"src/expect/expect.h", "\n"}});
  EXPECT_EQ(answer.exit_code, 4) << answer.out << answer.err;
  EXPECT_THAT(answer.out,
              HasSubstr("src/expect/expect.h: it stands in for a header that "
                        "tests/old_test.cc includes"));
}

}  // namespace
}  // namespace autotune
