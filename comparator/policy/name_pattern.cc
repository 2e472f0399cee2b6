#include "comparator/policy/name_pattern.h"

#include <regex.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace autotune {
namespace {

// The whole match and \1 to \9.
constexpr std::size_t kGroups = 10;
using Groups = std::array<regmatch_t, kGroups>;

std::string RegexError(int code, const regex_t& regex) {
  std::array<char, 256> text;
  regerror(code, &regex, text.data(), text.size());
  return text.data();
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

constexpr std::size_t kLongestPattern = 4096;
// Nodes that regcomp may make: it copies what is repeated.
constexpr std::size_t kMostNodes = 100'000;

// The number that `text` starts with, at most kMostNodes; 1 for none.
std::size_t LeadingNumber(std::string_view text) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < text.size() && IsDigit(text[i]); ++i) {
    number = std::min(10 * number + static_cast<std::size_t>(text[i] - '0'),
                      kMostNodes);
  }
  return std::max<std::size_t>(number, 1);
}

// The largest count of the repetition whose "{" stands before `text`.
std::size_t LargestCount(std::string_view text) {
  const std::size_t comma = text.find_first_not_of("0123456789");
  const bool has_two = comma != std::string_view::npos && text[comma] == ',';
  return std::max(LeadingNumber(text),
                  has_two ? LeadingNumber(text.substr(comma + 1)) : 1);
}

// Why regcomp or regexec is not asked about `pattern`; empty when they are. An
// upper bound: counts are multiplied as if each repetition held the others.
std::string_view WhyTooCostly(std::string_view pattern) {
  if (pattern.size() > kLongestPattern) return "longer than 4096 bytes";
  std::size_t nodes = pattern.size();
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    const std::string_view rest = pattern.substr(i + 1);
    if (pattern[i] == '\\') {
      if (IsDigit(rest.front()) && rest.front() != '0') {
        return "back-references are not supported";
      }
      ++i;
    } else if (pattern[i] == '{') {
      nodes *= LargestCount(rest);
      if (nodes > kMostNodes) return "its repetition counts are too large";
    }
  }
  return "";
}

// At most 80 bytes of ASCII.
std::string ShortText(const std::string& text) {
  constexpr std::size_t kLongest = 80;
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

// What a group of a match holds; empty when it took no part.
std::string_view GroupText(std::string_view name, const regmatch_t& group) {
  if (group.rm_so < 0) return {};
  return name.substr(static_cast<std::size_t>(group.rm_so),
                     static_cast<std::size_t>(group.rm_eo - group.rm_so));
}

std::string Expand(std::string_view replacement, std::string_view name,
                   const Groups& groups) {
  std::string expanded;
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    const bool escape = replacement[i] == '\\' && i + 1 < replacement.size();
    if (!escape) {
      expanded += replacement[i];
      continue;
    }
    const char next = replacement[++i];
    if (IsDigit(next)) {
      expanded += GroupText(name, groups[static_cast<std::size_t>(next - '0')]);
    } else {
      if (next != '\\') expanded += '\\';
      expanded += next;
    }
  }
  return expanded;
}

}  // namespace

struct NamePattern::Compiled {
  Compiled() = default;
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() {
    if (valid) regfree(&regex);
  }

  bool Search(std::string_view name, Groups& groups) const {
    // REG_STARTEND gives the length, so a NUL inside a name ends nothing.
    groups[0].rm_so = 0;
    groups[0].rm_eo = static_cast<regoff_t>(name.size());
    const char* const start = name.data() == nullptr ? "" : name.data();
    return regexec(&regex, start, groups.size(), groups.data(), REG_STARTEND) ==
           0;
  }

  regex_t regex{};
  bool valid = false;
};

NamePattern::NamePattern(std::string text, bool negated,
                         std::shared_ptr<const Compiled> compiled)
    : text_(std::move(text)),
      negated_(negated),
      compiled_(std::move(compiled)) {}

absl::StatusOr<NamePattern> NamePattern::Create(std::string_view text) {
  std::string whole(text);
  const std::string quoted = absl::Utf8SafeCHexEscape(whole);
  if (whole.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat(
        "bad regular expression \"", quoted, "\": it holds a NUL byte"));
  }
  const std::string_view too_costly = WhyTooCostly(whole);
  if (!too_costly.empty()) {
    return absl::InvalidArgumentError(
        absl::StrFormat("bad regular expression \"%s\": %s",
                        ShortText(absl::CHexEscape(whole)), too_costly));
  }
  const bool negated = !whole.empty() && whole.front() == '-';
  auto compiled = std::make_shared<Compiled>();
  const int error = regcomp(&compiled->regex, whole.c_str() + (negated ? 1 : 0),
                            REG_EXTENDED);
  if (error != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("bad regular expression \"", quoted,
                     "\": ", RegexError(error, compiled->regex)));
  }
  compiled->valid = true;
  return NamePattern(std::move(whole), negated, std::move(compiled));
}

bool NamePattern::Matches(std::string_view name) const {
  Groups groups;
  return compiled_->Search(name, groups) != negated_;
}

std::optional<NamePattern::Place> NamePattern::Find(
    std::string_view name) const {
  Groups groups;
  if (negated_ || !compiled_->Search(name, groups)) return std::nullopt;
  return Place{static_cast<std::size_t>(groups[0].rm_so),
               static_cast<std::size_t>(groups[0].rm_eo)};
}

std::optional<std::string> NamePattern::Replace(
    std::string_view name, std::string_view replacement) const {
  Groups groups;
  if (negated_ || !compiled_->Search(name, groups)) return std::nullopt;
  std::string replaced(
      name.substr(0, static_cast<std::size_t>(groups[0].rm_so)));
  replaced += Expand(replacement, name, groups);
  replaced += name.substr(static_cast<std::size_t>(groups[0].rm_eo));
  return replaced;
}

}  // namespace autotune
