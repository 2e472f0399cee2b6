#include "comparator/statistics/change_points.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "boost/math/special_functions/erf.hpp"
#include "comparator/statistics/descriptive.h"

namespace autotune {
namespace {

// Slopes for changes both ways, small and clear ones.
constexpr std::array<double, 4> kSlopes = {-2.0, -1.0, 1.0, 2.0};
// Places whose evidence is this much below the most are not where it was.
constexpr double kPlausible = 2.995732273553991;  // log 20

// The standard normal score of rank `i` (from 1) of `n`.
double Score(std::size_t i, std::size_t n) {
  const double p = (static_cast<double>(i) - 0.5) / static_cast<double>(n);
  return std::sqrt(2.0) * boost::math::erf_inv(2.0 * p - 1.0);
}

// The values since the last change, and the detectors over them.
class Level {
 public:
  explicit Level(double mean_run) : mean_run_(mean_run) {}

  // True when a change is found.
  bool Add(double value) {
    const auto below = std::lower_bound(sorted_.begin(), sorted_.end(), value);
    const auto above = std::upper_bound(below, sorted_.end(), value);
    const auto lowest = static_cast<std::size_t>(below - sorted_.begin()) + 1;
    const auto highest = static_cast<std::size_t>(above - sorted_.begin()) + 1;
    sorted_.insert(below, value);
    std::array<double, kSlopes.size()> logs{};
    double sum = 0.0;
    for (std::size_t s = 0; s < kSlopes.size(); ++s) {
      logs[s] = std::log(Factor(kSlopes[s], lowest, highest));
      detectors_[s] = std::exp(logs[s]) * std::max(1.0, detectors_[s]);
      sum += detectors_[s];
    }
    logs_.push_back(logs);
    return sum / static_cast<double>(kSlopes.size()) >= mean_run_;
  }

  // Where the new level began, among the values added: evidence of all of them
  // from there on, by the slope that shows most.
  ChangePoint Place() const {
    std::size_t slope = 0;
    for (std::size_t s = 1; s < kSlopes.size(); ++s) {
      if (detectors_[s] > detectors_[slope]) slope = s;
    }
    std::vector<double> evidence(logs_.size(), 0.0);
    double sum = 0.0;
    for (std::size_t i = logs_.size(); i-- > 0;) {
      sum += logs_[i][slope];
      evidence[i] = sum;
    }
    ChangePoint change;
    change.at = static_cast<std::size_t>(
        std::max_element(evidence.begin() + 1, evidence.end()) -
        evidence.begin());
    const auto plausible = [&](std::size_t i) {
      return evidence[i] > evidence[change.at] - kPlausible;
    };
    change.first = change.last = change.at;
    while (change.first > 1 && plausible(change.first - 1)) --change.first;
    while (change.last + 1 < logs_.size() && plausible(change.last + 1)) {
      ++change.last;
    }
    return change;
  }

 private:
  // exp(slope z) over its mean, averaged over the ranks [lowest, highest] that
  // equal values share: its mean given the ranks before is 1.
  double Factor(double slope, std::size_t lowest, std::size_t highest) const {
    const std::size_t n = sorted_.size();
    double all = 0.0;
    double own = 0.0;
    for (std::size_t i = 1; i <= n; ++i) {
      const double weight = std::exp(slope * Score(i, n));
      all += weight;
      if (i >= lowest && i <= highest) own += weight;
    }
    const auto ties = static_cast<double>(highest - lowest + 1);
    return (own / ties) / (all / static_cast<double>(n));
  }

  double mean_run_;
  std::vector<double> sorted_;
  std::array<double, kSlopes.size()> detectors_{};
  std::vector<std::array<double, kSlopes.size()>> logs_;
};

double MedianOf(std::span<const double> values) {
  return Median(std::vector<double>(values.begin(), values.end()));
}

}  // namespace

std::vector<ChangePoint> FindChangePoints(std::span<const double> values,
                                          double mean_run) {
  assert(mean_run > 1.0);
  std::vector<ChangePoint> changes;
  std::size_t start = 0;
  while (start < values.size()) {
    Level level(mean_run);
    std::optional<ChangePoint> change;
    for (std::size_t i = start; i < values.size() && !change; ++i) {
      if (!level.Add(values[i])) continue;
      change = level.Place();
      change->found = i;
    }
    if (!change.has_value()) break;
    change->first += start;
    change->last += start;
    change->at += start;
    change->before = MedianOf(values.subspan(start, change->at - start));
    change->after =
        MedianOf(values.subspan(change->at, change->found + 1 - change->at));
    start = change->at;
    changes.push_back(*change);
  }
  return changes;
}

}  // namespace autotune
