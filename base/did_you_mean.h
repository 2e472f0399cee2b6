#ifndef AUTOTUNE_BASE_DID_YOU_MEAN_H_
#define AUTOTUNE_BASE_DID_YOU_MEAN_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace autotune {

// The candidate with the smallest edit distance to `word` (insert, delete,
// replace and swap of neighbours cost 1 each), the first one among equals.
// Nothing when that distance exceeds a third of the longer word, rounded up:
// such a guess would not help. O(total length of candidates times word).
std::optional<std::string> ClosestName(std::string_view word,
                                       std::span<const std::string> candidates);

// The end of an error about `word`: "; did you mean NAME?" with its closest
// name, "" without one.
std::string DidYouMean(std::string_view word,
                       std::span<const std::string> candidates);

// "a, b or c" of at least one name.
std::string AlternativesText(std::span<const std::string> names);

}  // namespace autotune

#endif  // AUTOTUNE_BASE_DID_YOU_MEAN_H_
