#include "tools/git/scope.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "tools/git/repository.h"

namespace autotune {
namespace {

constexpr std::string_view kLedgerFolder = "docs/autotune/";
constexpr std::string_view kSymlink = "120000";
constexpr std::string_view kSubmodule = "160000";
constexpr std::array<std::string_view, 2> kGitFiles = {".gitattributes",
                                                       ".gitmodules"};
constexpr std::array<std::string_view, 7> kSourceLists = {
    "CMakeLists.txt", "meson.build", "BUILD",      "BUILD.bazel",
    "Makefile",       "Makefile.am", "GNUmakefile"};

using Parts = std::vector<std::string_view>;

Parts Split(std::string_view text) {
  Parts parts;
  while (true) {
    const std::size_t slash = text.find('/');
    parts.push_back(text.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    text.remove_prefix(slash + 1);
  }
}

// Whether `text` matches `pattern` item by item, where an item for which
// `is_star` holds matches any run. Goes back only to the last star: O(n m).
template <typename Sequence, typename IsStar, typename Matches>
bool MatchesWild(const Sequence& pattern, const Sequence& text, IsStar is_star,
                 Matches matches) {
  std::size_t at = 0;
  std::size_t done = 0;
  std::optional<std::size_t> star;
  std::size_t star_text = 0;
  while (done < text.size()) {
    if (at < pattern.size() && is_star(pattern[at])) {
      star = at++;
      star_text = done;
    } else if (at < pattern.size() && matches(pattern[at], text[done])) {
      ++at;
      ++done;
    } else if (star.has_value()) {
      at = *star + 1;
      done = ++star_text;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && is_star(pattern[at])) ++at;
  return at == pattern.size();
}

bool MatchesPart(std::string_view pattern, std::string_view part) {
  return MatchesWild(
      pattern, part, [](char c) { return c == '*'; },
      [](char wanted, char c) { return wanted == '?' || wanted == c; });
}

std::string_view WithoutTop(std::string_view pattern) {
  return pattern.starts_with("./") ? pattern.substr(2) : pattern;
}

// "dir/" and "dir/**" need something below.
Parts PatternParts(std::string_view pattern) {
  Parts parts = Split(WithoutTop(pattern));
  if (parts.back().empty()) parts.back() = "**";
  if (parts.back() == "**") parts.push_back("*");
  return parts;
}

std::string_view BaseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

template <std::size_t kSize>
bool Contains(const std::array<std::string_view, kSize>& names,
              std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsBelow(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return !folder.empty() && path.size() > folder.size() &&
         path.starts_with(folder) && path[folder.size()] == '/';
}

std::optional<std::string> FirstMatch(const std::vector<std::string>& patterns,
                                      std::string_view path) {
  for (const std::string& pattern : patterns) {
    if (MatchesPathPattern(pattern, path)) return pattern;
  }
  return std::nullopt;
}

// What no scope can allow, whatever its patterns.
std::optional<std::string> NeverAllowed(const TreeChange& change) {
  if (change.new_mode == kSubmodule || change.old_mode == kSubmodule) {
    return "a submodule; attempts may not change one";
  }
  if (change.new_mode == kSymlink) {
    return "a symlink, which could lead out of the scope";
  }
  if (Contains(kGitFiles, BaseName(change.path))) {
    return "changes how git reads the tree";
  }
  return std::nullopt;
}

std::optional<ScopeViolation> Violation(const Scope& scope,
                                        const TreeChange& change) {
  if (const auto reason = NeverAllowed(change)) {
    return ScopeViolation{change.path, *reason};
  }
  if (IsBelow(change.path, scope.own_folder)) return std::nullopt;
  if (std::string_view(change.path).starts_with(kLedgerFolder)) {
    return ScopeViolation{change.path,
                          "the ledger, which only autotune writes"};
  }
  if (const auto pattern = FirstMatch(scope.sealed, change.path)) {
    return ScopeViolation{change.path,
                          absl::StrFormat("sealed by \"%s\"", *pattern),
                          Contains(kSourceLists, BaseName(change.path))};
  }
  if (FirstMatch(scope.edit, change.path).has_value()) return std::nullopt;
  return ScopeViolation{change.path, "outside scope.edit"};
}

}  // namespace

bool MatchesPathPattern(std::string_view pattern, std::string_view path) {
  if (pattern.empty() || path.empty()) return false;
  return MatchesWild(
      PatternParts(pattern), Split(path),
      [](std::string_view part) { return part == "**"; }, &MatchesPart);
}

std::vector<ScopeViolation> FindScopeViolations(
    const Scope& scope, const std::vector<TreeChange>& changes) {
  std::vector<ScopeViolation> violations;
  for (const TreeChange& change : changes) {
    if (auto violation = Violation(scope, change)) {
      violations.push_back(*std::move(violation));
    }
  }
  return violations;
}

}  // namespace autotune
