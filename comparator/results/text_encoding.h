#ifndef AUTOTUNE_COMPARATOR_RESULTS_TEXT_ENCODING_H_
#define AUTOTUNE_COMPARATOR_RESULTS_TEXT_ENCODING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace autotune {

// The code point of a UTF-16 unit, or of a high surrogate `unit` and its low
// surrogate `next` (ignored otherwise). Nothing for a surrogate that stands
// alone. Source: RFC 2781, section 2.2.
std::optional<std::uint32_t> CodePointOfUtf16(std::uint32_t unit,
                                              std::uint32_t next);

// `text` as UTF-8 without a byte order mark.
//
// UTF-16 is told by its byte order mark, or by zero bytes at every second place
// of the first characters, and converted into `storage`; the result then views
// `storage`, else `text`. InvalidArgument for UTF-32, and for UTF-16 with an
// odd number of bytes or a lone surrogate, naming the byte.
absl::StatusOr<std::string_view> DecodeText(std::string_view text,
                                            std::string& storage);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_TEXT_ENCODING_H_
