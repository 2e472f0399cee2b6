#ifndef AUTOTUNE_BASE_SHA256_H_
#define AUTOTUNE_BASE_SHA256_H_

#include <string>
#include <string_view>

namespace autotune {

// SHA-256 digest of `bytes` as 64 lower-case hexadecimal digits, O(size).
// Names what was built and run, so that a stale or swapped file is seen; no
// Debian package in our list offers it without a crypto library.
// Source: FIPS 180-4, section 6.2.
std::string Sha256Hex(std::string_view bytes);

}  // namespace autotune

#endif  // AUTOTUNE_BASE_SHA256_H_
