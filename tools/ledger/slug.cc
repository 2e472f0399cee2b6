#include "tools/ledger/slug.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "tools/ledger/toml_text.h"

namespace autotune {
namespace {

constexpr std::size_t kDateSize = 10;  // YYYY-MM-DD

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return c >= 'a' && c <= 'z'; }

// ASCII only, whatever the locale.
char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string WithoutTrailingDashes(std::string text) {
  while (!text.empty() && text.back() == '-') text.pop_back();
  return text;
}

std::string SlugOrEmpty(std::string_view text) {
  std::string slug;
  for (const char raw : text) {
    const char c = Lower(raw);
    if (IsLetter(c) || IsDigit(c)) {
      slug.push_back(c);
    } else if (!slug.empty() && slug.back() != '-') {
      slug.push_back('-');
    }
    if (slug.size() == kSlugLimit) break;
  }
  return WithoutTrailingDashes(slug);
}

bool IsDate(std::string_view text) {
  if (text.size() != kDateSize || text[4] != '-' || text[7] != '-') {
    return false;
  }
  const auto digits = [text](std::size_t from, std::size_t size) {
    const std::string_view part = text.substr(from, size);
    return std::all_of(part.begin(), part.end(), IsDigit);
  };
  return digits(0, 4) && digits(5, 2) && digits(8, 2);
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

absl::StatusOr<std::string> Slug(std::string_view text) {
  std::string slug = SlugOrEmpty(text);
  if (!slug.empty()) return slug;
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: expected a name with at least one of a-z or 0-9",
                      TomlString(text.substr(0, kSlugLimit))));
}

bool IsSlug(std::string_view text) {
  return !text.empty() && SlugOrEmpty(text) == text;
}

std::string UniqueSlug(std::string_view slug,
                       const std::vector<std::string>& taken) {
  assert(IsSlug(slug));
  std::string candidate(slug);
  for (int number = 2; Contains(taken, candidate); ++number) {
    const std::string suffix = absl::StrCat("-", number);
    const std::string_view stem = slug.substr(0, kSlugLimit - suffix.size());
    candidate = WithoutTrailingDashes(std::string(stem)) + suffix;
  }
  return candidate;
}

absl::StatusOr<std::string> TaskName(std::string_view date,
                                     std::string_view text) {
  if (!IsDate(date)) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: expected a date YYYY-MM-DD", TomlString(date)));
  }
  ASSIGN_OR_RETURN(const std::string slug, Slug(text));
  return absl::StrFormat("%s-%s", date, slug);
}

bool IsTaskName(std::string_view text) {
  return text.size() > kDateSize && IsDate(text.substr(0, kDateSize)) &&
         text[kDateSize] == '-' && IsSlug(text.substr(kDateSize + 1));
}

}  // namespace autotune
