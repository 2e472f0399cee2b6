#include "reporter/time_text.h"

#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace autotune::internal {
namespace {

std::int64_t UnixMicroseconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             time.time_since_epoch())
      .count();
}

// "2026-01-31T08:30:00" of a broken-down time.
std::string DateAndTime(const std::tm& parts) {
  char text[80];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d",
                parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                parts.tm_hour, parts.tm_min, parts.tm_sec);
  return text;
}

// tm_gmtoff is in seconds east of Greenwich.
std::string OffsetText(std::int64_t seconds) {
  const std::int64_t minutes = std::abs(seconds) / 60;
  char text[64];
  std::snprintf(text, sizeof text, "%c%02d:%02d", seconds < 0 ? '-' : '+',
                static_cast<int>(minutes / 60), static_cast<int>(minutes % 60));
  return text;
}

}  // namespace

std::string LocalTimeText(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return DateAndTime(parts) + OffsetText(parts.tm_gmtoff);
}

std::string UtcTimeText(std::chrono::system_clock::time_point time) {
  const std::int64_t microseconds = UnixMicroseconds(time);
  const std::time_t seconds = static_cast<std::time_t>(microseconds / 1000000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char fraction[32];
  std::snprintf(fraction, sizeof fraction, ".%06dZ",
                static_cast<int>(microseconds % 1000000));
  return DateAndTime(parts) + fraction;
}

double UnixSeconds(std::chrono::system_clock::time_point time) {
  return static_cast<double>(UnixMicroseconds(time)) / 1e6;
}

}  // namespace autotune::internal
