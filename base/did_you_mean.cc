#include "base/did_you_mean.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {
namespace {

// Optimal string alignment distance, three rows at a time.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1),
      current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] != b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      const bool swapped =
          i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::optional<std::string> ClosestName(
    std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> closest;
  std::size_t best = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = EditDistance(word, candidate);
    const std::size_t allowed =
        (std::max(word.size(), candidate.size()) + 2) / 3;
    if (distance > allowed || (closest.has_value() && distance >= best)) {
      continue;
    }
    closest = candidate;
    best = distance;
  }
  return closest;
}

std::string DidYouMean(std::string_view word,
                       std::span<const std::string> candidates) {
  const std::optional<std::string> closest = ClosestName(word, candidates);
  return closest.has_value() ? "; did you mean " + *closest + "?" : "";
}

std::string AlternativesText(std::span<const std::string> names) {
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += (i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return text;
}

}  // namespace autotune
