#include "comparator/results/library_version.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "comparator/results/result_file.h"

namespace autotune {
namespace {

// What a library built outside of its repository calls itself.
constexpr LibraryVersion kNotTold = {0, 0, 0};
constexpr LibraryVersion kMeanWallSince = {1, 9, 0};
constexpr LibraryVersion kRatesForAllThreadsSince = {1, 9, 5};

// Takes the number that `text` starts with off it.
std::optional<int> TakeNumber(std::string_view& text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(stop - text.data());
  return number;
}

bool TakePoint(std::string_view& text) {
  if (!text.starts_with('.')) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<LibraryVersion> ParseLibraryVersion(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::optional<int> major = TakeNumber(text);
  if (!major.has_value() || !TakePoint(text)) return std::nullopt;
  const std::optional<int> minor = TakeNumber(text);
  if (!minor.has_value() || !TakePoint(text)) return std::nullopt;
  const std::optional<int> patch = TakeNumber(text);
  if (!patch.has_value()) return std::nullopt;
  if (!text.empty() && text[0] != '-') return std::nullopt;
  return LibraryVersion{*major, *minor, *patch};
}

ThreadTime ThreadTimeOf(const ResultContext& context) {
  const std::optional<LibraryVersion> version =
      ParseLibraryVersion(context.library_version);
  if (version.has_value()) {
    if (*version == kNotTold) return ThreadTime::kUnknown;
    return *version < kMeanWallSince ? ThreadTime::kWallOverThreads
                                     : ThreadTime::kMeanWall;
  }
  const bool is_old = context.library_version.empty() &&
                      !context.json_schema_version.has_value() &&
                      !context.library_build_type.empty();
  return is_old ? ThreadTime::kWallOverThreads : ThreadTime::kUnknown;
}

bool HasRatesPerThread(const ResultContext& context) {
  const std::optional<LibraryVersion> version =
      ParseLibraryVersion(context.library_version);
  return version.has_value() && *version >= kMeanWallSince &&
         *version < kRatesForAllThreadsSince;
}

}  // namespace autotune
