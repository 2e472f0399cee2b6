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

}  // namespace autotune

#endif  // AUTOTUNE_BASE_DID_YOU_MEAN_H_
