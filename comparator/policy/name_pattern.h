#ifndef AUTOTUNE_COMPARATOR_POLICY_NAME_PATTERN_H_
#define AUTOTUNE_COMPARATOR_POLICY_NAME_PATTERN_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace autotune {

// A regular expression over benchmark names with the meaning Google Benchmark
// gives to --benchmark_filter: POSIX extended, found anywhere in the name, and
// a leading '-' selects the names in which the rest is not found.
//
// Backed by regcomp(3): std::regex overflows the stack on long names. As a
// pattern may come from a stranger's policy file, those that cost regcomp or
// regexec more than any name needs are refused: back-references (\1), more than
// 4096 bytes, and repetition counts whose product times the pattern's length
// exceeds 100,000.
class NamePattern {
 public:
  // InvalidArgument `bad regular expression "[": REASON`.
  static absl::StatusOr<NamePattern> Create(std::string_view text);

  // Where in a name the expression was found: bytes [begin, end).
  struct Place {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  // Whether the pattern selects `name`; names may hold any byte.
  bool Matches(std::string_view name) const;

  // The leftmost longest place; nothing when there is none or the pattern has a
  // leading '-'.
  std::optional<Place> Find(std::string_view name) const;

  // `name` with the leftmost longest place replaced by `replacement`, in which
  // \0 to \9 are the whole place and its groups and \\ is a backslash. Nothing
  // when the expression is not found.
  std::optional<std::string> Replace(std::string_view name,
                                     std::string_view replacement) const;

  const std::string& text() const { return text_; }

 private:
  struct Compiled;
  NamePattern(std::string text, bool negated,
              std::shared_ptr<const Compiled> compiled);

  std::string text_;
  bool negated_ = false;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_NAME_PATTERN_H_
