#ifndef AUTOTUNE_BASE_UTF8_TEXT_H_
#define AUTOTUNE_BASE_UTF8_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace autotune {

// Bytes of the well-formed UTF-8 character at the start of `text`; 0 when there
// is none: empty text, a stray continuation byte, an overlong form, a surrogate
// or a value above U+10FFFF. Source: Unicode 15, table 3-7.
std::size_t Utf8CharacterSize(std::string_view text);

// The code point of one well-formed character.
std::uint32_t Utf8CodePoint(std::string_view character);

// Columns that a terminal needs for one well-formed character: 0 for marks that
// join the one before, 2 for East Asian wide ones and emoji, else 1. By block:
// single exceptions of Unicode's East Asian Width are left out.
int Utf8Columns(std::string_view character);

// `code_point` in UTF-8; U+FFFD for surrogates and values above U+10FFFF.
void AppendUtf8(std::uint32_t code_point, std::string& text);

// `text` with every byte that is no part of a well-formed character replaced by
// U+FFFD: what may go into a TOML or Markdown file.
std::string ValidUtf8(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_BASE_UTF8_TEXT_H_
