#ifndef AUTOTUNE_COMPARATOR_JUDGE_TEXT_H_
#define AUTOTUNE_COMPARATOR_JUDGE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace autotune {

// The words that reasons are made of.

// "2 %", "0.5 %": a fraction to four digits.
std::string PercentText(double fraction);

// "1 round", "3 rounds".
std::string CountText(std::size_t count, std::string_view noun);

// "undecided after 12 rounds".
std::string UndecidedText(std::size_t rounds);

// `name` with control characters, quotes and backslashes escaped: names come
// from users' programs and end in terminals and files.
std::string PrintableName(const std::string& name);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_JUDGE_TEXT_H_
