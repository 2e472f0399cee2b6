#ifndef AUTOTUNE_BASE_DISPLAY_TEXT_H_
#define AUTOTUNE_BASE_DISPLAY_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace autotune {

// "2 %", "0.5 %": a fraction to four digits.
std::string PercentText(double fraction);

// "1 round", "3 rounds".
std::string CountText(std::size_t count, std::string_view noun);

// `text` with control characters, escape sequences, marks that reorder or hide
// text and invalid UTF-8 made visible, so that a hostile name cannot steer a
// terminal or forge a line: "a\\nb", "\\x1b[31m", "\\u202e". Nor is it a
// command to a CI log, which takes a line that begins with "::", and "##["
// anywhere, for one: "\\x3a:error::".
std::string PrintableText(std::string_view text);

// Printable `text` in ASCII alone, for those who read no UTF-8: every other
// character as "\\u00e4".
std::string AsciiText(std::string_view text);

// `text` between quotes for a message: printable, quotes and backslashes
// escaped. What is longer than 60 bytes is cut, and "..." follows the quote.
std::string Quoted(std::string_view text);

// `name` with control characters, quotes and backslashes escaped: names come
// from users' programs and end in terminals and files.
std::string PrintableName(const std::string& name);

// The character that `text`, not empty, starts with, as it can be printed: as
// it is, or "\xHH" for a control character or a byte that is no UTF-8.
std::string PrintableCharacter(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_BASE_DISPLAY_TEXT_H_
