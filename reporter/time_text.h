#ifndef AUTOTUNE_REPORTER_TIME_TEXT_H_
#define AUTOTUNE_REPORTER_TIME_TEXT_H_

#include <chrono>
#include <string>

namespace autotune::internal {

// `time` in the local zone as RFC 3339 with its offset and whole seconds:
// "2026-01-31T09:30:00+01:00". What Google Benchmark calls "date".
std::string LocalTimeText(std::chrono::system_clock::time_point time);

// `time` in UTC as RFC 3339 with microseconds: "2026-01-31T08:30:00.250000Z".
std::string UtcTimeText(std::chrono::system_clock::time_point time);

// Seconds since 1970-01-01T00:00:00Z, to the microsecond.
double UnixSeconds(std::chrono::system_clock::time_point time);

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_TIME_TEXT_H_
