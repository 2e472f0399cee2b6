#include "comparator/results/library_version.h"

#include <charconv>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/str_format.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/metric.h"

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

// What a changed meaning is decided by: of one file each.
struct Meaning {
  std::optional<bool> changed;  // nothing: the file does not tell
  std::string version;          // as the file calls it; may be empty
};

std::vector<Meaning> MeaningsOf(std::span<const ResultContext* const> contexts,
                                bool (*changed)(const ResultContext&)) {
  std::vector<Meaning> meanings;
  for (const ResultContext* context : contexts) {
    Meaning& meaning = meanings.emplace_back();
    meaning.version = context->library_version;
    if (ThreadTimeOf(*context) == ThreadTime::kUnknown) continue;
    meaning.changed = changed(*context);
  }
  return meanings;
}

// Why numbers that changed their `meaning` must not be compared; empty when the
// files mean the same, or say nothing at all of their library.
std::string WhyIncomparable(const std::vector<Meaning>& meanings,
                            std::string_view meaning) {
  constexpr std::string_view kWayOut =
      "measure both sides with one version, or use --metric cpu_time";
  std::set<bool> known;
  bool some_silent = false;
  for (const Meaning& one : meanings) {
    if (one.changed.has_value()) known.insert(*one.changed);
    some_silent =
        some_silent || (!one.changed.has_value() && one.version.empty());
    if (one.changed.has_value() || one.version.empty()) continue;
    return absl::StrFormat(
        "%s, and which of both version %s does is unknown: %s", meaning,
        one.version, kWayOut);
  }
  if (known.size() > 1) return absl::StrFormat("%s: %s", meaning, kWayOut);
  if (known.empty() || !some_silent) return "";
  return absl::StrFormat("%s, and some files do not say theirs: %s", meaning,
                         kWayOut);
}

bool IsMeanWall(const ResultContext& context) {
  return ThreadTimeOf(context) == ThreadTime::kMeanWall;
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

ThreadFindings CompareThreads(std::span<const ResultContext* const> contexts) {
  return {WhyIncomparable(MeaningsOf(contexts, &IsMeanWall),
                          "real time of threads means something else from "
                          "Google Benchmark 1.9 on"),
          WhyIncomparable(MeaningsOf(contexts, &HasRatesPerThread),
                          "rates of threads are per thread in Google Benchmark "
                          "1.9.0 to 1.9.4")};
}

std::string_view WhyThreadsDiffer(std::string_view benchmark,
                                  std::string_view metric,
                                  const ThreadFindings& findings) {
  if (ThreadsInName(benchmark) <= 1) return "";
  if (metric == "real_time") return findings.real_time;
  return metric.ends_with("_per_second") ? std::string_view(findings.rates)
                                         : "";
}

}  // namespace autotune
