#ifndef AUTOTUNE_TESTS_SUPPORT_SAMPLES_H_
#define AUTOTUNE_TESTS_SUPPORT_SAMPLES_H_

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "comparator/statistics/sample.h"
#include "gtest/gtest.h"

namespace autotune {

// The sample of these values, which must make one.
inline Sample SampleOf(std::vector<double> values) {
  absl::StatusOr<Sample> sample = Sample::Create(std::move(values));
  EXPECT_TRUE(sample.ok()) << sample.status();
  return *std::move(sample);
}

// `count` standard normal values times `sd`, around `mean`.
inline std::vector<double> NormalValues(std::mt19937_64& generator,
                                        std::size_t count, double mean = 0.0,
                                        double sd = 1.0) {
  std::normal_distribution<double> distribution(mean, sd);
  std::vector<double> values(count);
  for (double& value : values) value = distribution(generator);
  return values;
}

// The values with `function` applied to each.
template <typename Function>
std::vector<double> Mapped(std::vector<double> values,
                           const Function& function) {
  for (double& value : values) value = function(value);
  return values;
}

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_SAMPLES_H_
