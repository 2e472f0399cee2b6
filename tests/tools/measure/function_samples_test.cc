#include "tools/measure/function_samples.h"

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

// Two samples below BM_X, one of them in a recursive function, and one in main.
constexpr char kScript[] = R"(
	            90c0 _Z5ParsePKc
	            90d0 _Z5ParsePKc
	            9a97 _Z4BM_XRN9benchmark5StateE
	            9b00 _ZN9benchmark8internal17FunctionBenchmark3RunERNS_5StateE
	            9c00 main

	            9a99 _Z4BM_XRN9benchmark5StateE
	            9c00 main

	            9c01 main
)";

TEST(ParsePerfScriptTest, CountsWhatIsBelowTheBenchmark) {
  const FunctionSamples samples = ParsePerfScript(kScript);
  EXPECT_EQ(samples.samples, 2);
  ASSERT_EQ(samples.functions.size(), 2u);
  EXPECT_EQ(samples.functions[0].name, "BM_X(benchmark::State&)");
  EXPECT_EQ(samples.functions[0].exclusive, 1);
  EXPECT_EQ(samples.functions[0].inclusive, 2);
  EXPECT_EQ(samples.functions[1].name, "Parse(char const*)");
  EXPECT_EQ(samples.functions[1].exclusive, 1);
  EXPECT_EQ(samples.functions[1].inclusive, 1);
}

TEST(ParsePerfScriptTest, TextOfAnotherFormHoldsNoSample) {
  EXPECT_EQ(ParsePerfScript("").samples, 0);
  EXPECT_EQ(ParsePerfScript("\n\nno frames here\n\n").samples, 0);
}

// Where the kernel lets perf sample, nearly all samples are in the work; where
// it does not, the reason is said.
TEST(SampleFunctionsTest, SamplesOrSaysWhyNot) {
  const auto processes = MakePosixProcessRunner();
  const auto files = MakePosixFileSystem();
  const auto clock = MakeSystemClock();
  const auto entropy = MakeSystemEntropy();
  SideCommand command;
  command.program = MEASURED_PROGRAM;
  CountRequest request;
  request.command = &command;
  request.side = "profile";
  request.filter = "^BM_Work$";
  const auto samples =
      SampleFunctions(request, 0.2, {*processes, *files, *clock, *entropy});
  if (!samples.ok()) {
    EXPECT_THAT(samples, StatusIs(absl::StatusCode::kFailedPrecondition,
                                  testing::HasSubstr("perf ")));
    return;
  }
  ASSERT_GT(samples->samples, 20);
  EXPECT_THAT(samples->functions.front().name,
              testing::AnyOf(testing::HasSubstr("Spin"),
                             testing::HasSubstr("BM_Work")));
  EXPECT_GT(samples->functions.front().exclusive, samples->samples / 2);
}

}  // namespace
}  // namespace autotune
