#include "tools/autotune/measuring/section_profile.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "comparator/statistics/descriptive.h"

namespace autotune {
namespace {

constexpr std::string_view kPrefix = "section/";
constexpr std::string_view kCalls = "/calls";
constexpr double kNanosecondsPerSecond = 1e9;

// Everything the rows of one benchmark say.
struct Rows {
  std::vector<double> real_time;
  std::map<std::string, std::vector<double>> seconds;
  std::map<std::string, std::vector<double>> calls;
  double threads = 1.0;
};

void AddCounter(std::string_view counter, double value, Rows& rows) {
  if (!counter.starts_with(kPrefix)) return;
  counter.remove_prefix(kPrefix.size());
  if (counter.ends_with(kCalls)) {
    counter.remove_suffix(kCalls.size());
    rows.calls[std::string(counter)].push_back(value);
  } else {
    rows.seconds[std::string(counter)].push_back(value);
  }
}

void AddRow(const Measurement& row, Rows& rows) {
  rows.real_time.push_back(*row.real_time_ns);
  rows.threads = static_cast<double>(std::max<std::int64_t>(row.threads, 1));
  for (const auto& [counter, value] : row.counters) {
    AddCounter(counter, value, rows);
  }
}

bool TimesItself(const std::string& benchmark) {
  return benchmark.find("/manual_time") != std::string::npos;
}

BenchmarkProfile ProfileOf(const std::string& name, const Rows& rows) {
  BenchmarkProfile profile;
  profile.name = name;
  profile.nanoseconds = Median(rows.real_time);
  const double whole = profile.nanoseconds * rows.threads;
  for (const auto& [section, seconds] : rows.seconds) {
    ProfilePart time;
    time.name = section;
    const double nanoseconds = Median(seconds) * kNanosecondsPerSecond;
    time.nanoseconds = nanoseconds;
    if (whole > 0.0 && !TimesItself(name)) time.share = nanoseconds / whole;
    const auto calls = rows.calls.find(section);
    if (calls != rows.calls.end()) time.calls = Median(calls->second);
    profile.parts.push_back(std::move(time));
  }
  std::stable_sort(profile.parts.begin(), profile.parts.end(),
                   [](const ProfilePart& a, const ProfilePart& b) {
                     return a.nanoseconds > b.nanoseconds;
                   });
  return profile;
}

}  // namespace

std::vector<BenchmarkProfile> ProfileSections(
    const std::vector<Measurement>& rows) {
  std::vector<std::string> order;
  std::map<std::string, Rows> by_name;
  for (const Measurement& row : rows) {
    if (!row.real_time_ns.has_value()) continue;
    if (!by_name.contains(row.name)) order.push_back(row.name);
    AddRow(row, by_name[row.name]);
  }
  std::vector<BenchmarkProfile> profiles;
  for (const std::string& name : order) {
    profiles.push_back(ProfileOf(name, by_name[name]));
  }
  return profiles;
}

}  // namespace autotune
