#ifndef AUTOTUNE_COMPARATOR_PRINTABLE_CHARACTER_H_
#define AUTOTUNE_COMPARATOR_PRINTABLE_CHARACTER_H_

#include <string>
#include <string_view>

namespace autotune {

// The character that `text`, not empty, starts with, as it can be printed: as
// it is, or "\xHH" for a control character or a byte that is no UTF-8.
std::string PrintableCharacter(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_PRINTABLE_CHARACTER_H_
