#include "tools/measure/instruction_count.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

// main calls Run, which calls BM_X; that starts the loop (9 instructions) and
// calls Parse twice, which calls itself.
constexpr char kPart[] = R"(# callgrind format
version: 1
positions: line
events: Ir
summary: 169

fn=(1) main
3 1
cfn=(2) benchmark::internal::FunctionBenchmark::Run(benchmark::State&)
calls=1 0
3 168

fn=(2)
5 2
cfn=(3) BM_X(benchmark::State&)
calls=1 10
5 166

fn=(3)
10 40
+1 5
cfn=(4) benchmark::State::StartKeepRunning()
calls=1 0
11 9
cfn=(5) Parse(char const*)
calls=2 20
* 112

fn=(4)
0 4
cfn=(6) pthread_mutex_lock
calls=1 0
0 5

fn=(6)
0 5

fn=(5)
20 100
-1 12
cfn=(5)
calls=2 20
20 70

)";

TEST(ParseCallgrindPartTest, CountsWhatIsBelowTheBenchmark) {
  const auto count = ParseCallgrindPart(kPart);
  ASSERT_OK(count);
  ASSERT_EQ(count->functions.size(), 2u);
  EXPECT_EQ(count->functions[0].name, "Parse(char const*)");
  EXPECT_EQ(count->functions[0].exclusive, 112);
  // 112 + 70 of its calls of itself, but no more than there is.
  EXPECT_EQ(count->functions[0].inclusive, 157);
  EXPECT_EQ(count->functions[1].name, "BM_X(benchmark::State&)");
  EXPECT_EQ(count->functions[1].exclusive, 45);
  EXPECT_EQ(count->functions[1].inclusive, 157);
  EXPECT_EQ(count->instructions, 157);
}

TEST(ParseCallgrindPartTest, NamesTheLineOfWhatItCannotRead) {
  EXPECT_THAT(ParseCallgrindPart("nothing"),
              StatusIs(StatusCode::kInvalidArgument,
                       "callgrind's output:1: expected \"# callgrind "
                       "format\""));
  EXPECT_THAT(ParseCallgrindPart("# callgrind format\nfn=(1) a\n3 many\n"),
              StatusIs(StatusCode::kInvalidArgument,
                       "callgrind's output:3: expected a count, got \"many\""));
  EXPECT_THAT(ParseCallgrindPart("# callgrind format\nfn=(1)\n"),
              StatusIs(StatusCode::kInvalidArgument,
                       "callgrind's output:2: function (1) has no name"));
}

class CountInstructionsTest : public testing::Test {
 protected:
  absl::StatusOr<std::vector<InstructionCount>> Count(const std::string& filter,
                                                      const std::string& work) {
    SideCommand command;
    command.program = MEASURED_PROGRAM;
    command.environment = {{"MEASURED_WORK", work}};
    CountRequest request;
    request.command = &command;
    request.side = "baseline";
    request.filter = filter;
    return CountInstructions(request,
                             {*processes_, *files_, *clock_, *entropy_});
  }

 private:
  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
  std::unique_ptr<FileSystem> files_ = MakePosixFileSystem();
  std::unique_ptr<Clock> clock_ = MakeSystemClock();
  std::unique_ptr<Entropy> entropy_ = MakeSystemEntropy();
};

TEST_F(CountInstructionsTest, TheSameProgramCountsTheSameToTheDigit) {
  const auto first = Count("^BM_Work$", "40");
  const auto second = Count("^BM_Work$", "40");
  ASSERT_OK(first);
  ASSERT_OK(second);
  ASSERT_EQ(first->size(), 1u);
  EXPECT_EQ(first->front().benchmark, "BM_Work");
  EXPECT_EQ(first->front().instructions, second->front().instructions);
  // 4000 steps of a few instructions each.
  EXPECT_GT(first->front().instructions, 4000 * 2);
}

TEST_F(CountInstructionsTest, WorkIsCountedAndSetUpIsNot) {
  const auto some = Count("^BM_Work$", "40");
  const auto twice = Count("^BM_Work$", "80");
  ASSERT_OK(some);
  ASSERT_OK(twice);
  const double steps = static_cast<double>(twice->front().instructions -
                                           some->front().instructions) /
                       4000.0;
  const double whole = static_cast<double>(some->front().instructions);
  // What is no step: the loop itself.
  EXPECT_LT(whole - steps * 4000.0, 200.0);
  EXPECT_THAT(some->front().functions.front().name,
              testing::AnyOf(HasSubstr("Spin"), HasSubstr("BM_Work")));
}

TEST_F(CountInstructionsTest, NothingMatchesIsAnError) {
  EXPECT_THAT(Count("^Nothing$", "1"),
              StatusIs(StatusCode::kAborted,
                       HasSubstr("no benchmark matches \"^Nothing$\"")));
}

}  // namespace
}  // namespace autotune
