#ifndef AUTOTUNE_BASE_COMMAND_WORDS_H_
#define AUTOTUNE_BASE_COMMAND_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace autotune {

// The words of a command typed on one line: separated by spaces, "..." and
// '...' keep spaces, a backslash outside '...' keeps the next character. There
// is no shell: nothing is expanded, and ; | & < > ` $( are refused outside
// quotes because they would not do what they look like.
// OutOfRange (usage) when a quote is not closed or nothing is left.
absl::StatusOr<std::vector<std::string>> CommandWords(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_BASE_COMMAND_WORDS_H_
