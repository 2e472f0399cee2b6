#include "benchmark_ext/answer.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace autotune::internal {
namespace {

template <typename... Values>
double Digest(const Values&... values) {
  AnswerDigest digest;
  (digest.Add(values), ...);
  return digest.Value();
}

TEST(AnswerDigestTest, IsAWholeNumberBelowTwoToThe48) {
  for (int i = 0; i < 1000; ++i) {
    const double value = Digest(i);
    EXPECT_EQ(value, std::floor(value));
    EXPECT_LT(value, std::ldexp(1.0, 48));
  }
}

TEST(AnswerDigestTest, DependsOnEveryValueItsKindAndItsPlace) {
  const std::vector<std::string> words = {"ab", "c"};
  const std::vector<std::string> other = {"a", "bc"};
  const std::set<double> all = {Digest(1),
                                Digest(2),
                                Digest(1.0),
                                Digest(1, 2),
                                Digest(2, 1),
                                Digest("1"),
                                Digest(words),
                                Digest(other),
                                Digest(std::vector<int>{}),
                                Digest(0),
                                Digest(""),
                                Digest(std::pair(1, 2.0)),
                                Digest(1, 2.5),
                                Digest(std::nextafter(1.0, 2.0)),
                                Digest(std::map<std::string, int>{{"x", 1}})};
  EXPECT_EQ(all.size(), 15u);
}

TEST(AnswerDigestTest, EqualValuesHaveEqualDigests) {
  EXPECT_EQ(Digest(0.0), Digest(-0.0));
  EXPECT_EQ(Digest(std::numeric_limits<double>::quiet_NaN()),
            Digest(-std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(Digest(1), Digest(1L));
  EXPECT_EQ(Digest(std::string("ab")), Digest("ab"));
  EXPECT_EQ(Digest(true), Digest(1));
}

TEST(AnswerDigestTest, AVectorOfBoolsIsARange) {
  EXPECT_NE(Digest(std::vector<bool>{true}), Digest(std::vector<bool>{false}));
}

}  // namespace
}  // namespace autotune::internal
