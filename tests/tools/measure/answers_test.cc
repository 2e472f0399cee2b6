#include "tools/measure/answers.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

ResultFile Results(const std::vector<double>& answers) {
  ResultFile results;
  for (const double answer : answers) {
    Measurement row;
    row.name = "BM_X";
    row.counters = {{"answer/result", answer}, {"units", 1.0 + answer}};
    results.measurements.push_back(row);
  }
  return results;
}

TEST(CompareAnswersTest, EqualOnesAgreeWhateverElseIsCounted) {
  ResultFile other = Results({5, 5});
  other.measurements[0].counters[1].second = 9;
  EXPECT_OK(CompareAnswers(Results({5}), other));
  EXPECT_OK(CompareAnswers({}, {}));
}

TEST(CompareAnswersTest, EveryRepetitionOfBothSidesMustBeTheSame) {
  EXPECT_EQ(CompareAnswers(Results({5}), Results({6})).message(),
            "cannot judge: the answers differ: \"BM_X\": answer/result: "
            "baseline 5, contender 6");
  EXPECT_EQ(CompareAnswers(Results({5}), {}).message(),
            "cannot judge: the answers differ: \"BM_X\": answer/result: "
            "baseline 5, contender none");
  EXPECT_EQ(CompareAnswers({}, Results({6})).message(),
            "cannot judge: the answers differ: \"BM_X\": answer/result: "
            "baseline none, contender 6");
  EXPECT_EQ(CompareAnswers(Results({5, 6}), Results({5, 6})).message(),
            "cannot judge: the answers differ: \"BM_X\": answer/result: "
            "baseline not the same in all repetitions, contender not the same "
            "in all repetitions");
}

}  // namespace
}  // namespace autotune
