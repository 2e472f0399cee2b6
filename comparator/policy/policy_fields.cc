#include "comparator/policy/policy_fields.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include "comparator/policy/policy.h"

namespace autotune {
namespace {

bool IsNotNegative(double value) { return std::isfinite(value) && value >= 0; }
bool IsPositive(double value) { return std::isfinite(value) && value > 0; }
bool IsAboveOne(double value) { return std::isfinite(value) && value > 1; }

constexpr std::string_view kExpectedFraction =
    "a fraction in (0, 1) such as 0.01";
constexpr std::string_view kExpectedProbability =
    "a probability in (0, 1) such as 0.05";

constexpr std::array<PolicyNumberField, 8> kNumberFields = {{
    {"min_effect", &Policy::min_effect, &IsOpenFraction, kExpectedFraction},
    {"floor", &Policy::floor, &IsNotNegative, "a number of at least 0"},
    {"alpha", &Policy::alpha, &IsOpenFraction, kExpectedProbability},
    {"beta", &Policy::beta, &IsOpenFraction, kExpectedProbability},
    {"fdr", &Policy::fdr, &IsOpenFraction, kExpectedProbability},
    {"budget", &Policy::budget_seconds, &IsPositive,
     "a duration such as \"120s\" or \"2m\""},
    {"review_ratio", &Policy::review_ratio, &IsAboveOne,
     "a factor above 1 such as 5"},
    {"default_margin", &Policy::default_margin, &IsMargin, kExpectedMargin},
}};

constexpr std::array<PolicyCountField, 2> kCountFields = {{
    {"horizon", &Policy::horizon},
    {"max_rounds", &Policy::max_rounds},
}};

// The number that `digits` spell; -1 when one is no digit.
int ParseDigits(std::string_view digits) {
  int value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

// In the Gregorian calendar; `month` in [1, 12].
int DaysInMonth(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30,
                                         31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[static_cast<std::size_t>(month - 1)] + (leap && month == 2);
}

}  // namespace

std::span<const PolicyNumberField> PolicyNumberFields() {
  return kNumberFields;
}
std::span<const PolicyCountField> PolicyCountFields() { return kCountFields; }

bool IsOpenFraction(double value) { return value > 0 && value < 1; }
bool IsMargin(double value) { return IsPositive(value); }

bool IsDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int year = ParseDigits(text.substr(0, 4));
  const int month = ParseDigits(text.substr(5, 2));
  const int day = ParseDigits(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) return false;
  return month >= 1 && month <= 12 && day >= 1 &&
         day <= DaysInMonth(year, month);
}

}  // namespace autotune
