#include "reporter/resource_use.h"

#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "reporter/file_io.h"

namespace autotune::internal {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) / 1e6;
}

// The number after "\nNAME:" in the text of /proc/self/status.
std::optional<std::int64_t> StatusNumber(const std::string& status,
                                         std::string_view name) {
  const std::string key = "\n" + std::string(name) + ":";
  const std::size_t at = status.find(key);
  if (at == std::string::npos) return std::nullopt;
  const char* start = status.c_str() + at + key.size();
  char* end = nullptr;
  const std::int64_t value = std::strtoll(start, &end, 10);
  if (end == start) return std::nullopt;
  return value;
}

void WriteInteger(std::string_view key, std::int64_t value, JsonWriter& out) {
  out.Key(key);
  out.Integer(value);
}

void WriteNumber(std::string_view key, double value, JsonWriter& out) {
  out.Key(key);
  out.Number(value);
}

// Sums of microseconds carry rounding dust in binary: cut at the microsecond.
double ToMicrosecond(double seconds) { return std::round(seconds * 1e6) / 1e6; }

}  // namespace

std::optional<ResourceUse> ReadResourceUse() {
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return std::nullopt;
  ResourceUse use;
  use.when = std::chrono::steady_clock::now();
  use.user_seconds = Seconds(usage.ru_utime);
  use.system_seconds = Seconds(usage.ru_stime);
  use.minor_faults = usage.ru_minflt;
  use.major_faults = usage.ru_majflt;
  use.voluntary_switches = usage.ru_nvcsw;
  use.involuntary_switches = usage.ru_nivcsw;
  return use;
}

ProcessState ReadProcessState() {
  ProcessState state;
  const std::optional<std::string> status = ReadTextFile("/proc/self/status");
  if (!status.has_value()) return state;
  const std::optional<std::int64_t> peak_kib = StatusNumber(*status, "VmHWM");
  if (peak_kib.has_value()) state.peak_rss_bytes = *peak_kib * 1024;
  state.threads = StatusNumber(*status, "Threads");
  return state;
}

void WriteUse(const ResourceUse& use, JsonWriter& out) {
  WriteNumber("user_seconds", ToMicrosecond(use.user_seconds), out);
  WriteNumber("system_seconds", ToMicrosecond(use.system_seconds), out);
  WriteInteger("minor_faults", use.minor_faults, out);
  WriteInteger("major_faults", use.major_faults, out);
  WriteInteger("voluntary_switches", use.voluntary_switches, out);
  WriteInteger("involuntary_switches", use.involuntary_switches, out);
}

void WriteDifference(const ResourceUse& since, const ResourceUse& use,
                     JsonWriter& out) {
  const std::chrono::duration<double> wall = use.when - since.when;
  WriteNumber("seconds", ToMicrosecond(wall.count()), out);
  ResourceUse difference = use;
  difference.user_seconds -= since.user_seconds;
  difference.system_seconds -= since.system_seconds;
  difference.minor_faults -= since.minor_faults;
  difference.major_faults -= since.major_faults;
  difference.voluntary_switches -= since.voluntary_switches;
  difference.involuntary_switches -= since.involuntary_switches;
  WriteUse(difference, out);
}

void WriteState(const ProcessState& state, JsonWriter& out) {
  if (state.peak_rss_bytes.has_value()) {
    WriteInteger("peak_rss_bytes", *state.peak_rss_bytes, out);
  }
  if (state.threads.has_value()) WriteInteger("threads", *state.threads, out);
}

}  // namespace autotune::internal
