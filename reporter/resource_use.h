#ifndef AUTOTUNE_REPORTER_RESOURCE_USE_H_
#define AUTOTUNE_REPORTER_RESOURCE_USE_H_

#include <chrono>
#include <cstdint>
#include <optional>

#include "reporter/json_writer.h"

namespace autotune::internal {

// What this process, all its threads together, has used since it started.
struct ResourceUse {
  std::chrono::steady_clock::time_point when;
  double user_seconds = 0;
  double system_seconds = 0;
  std::int64_t minor_faults = 0;  // page faults served without reading a disk
  std::int64_t major_faults = 0;
  std::int64_t voluntary_switches = 0;  // gave the CPU up, for example to wait
  std::int64_t involuntary_switches = 0;  // lost the CPU to another thread
};

// The state of the process now; absent when the system does not say.
//
// The peak comes from /proc, not from getrusage: that one starts at the peak of
// the process that started this one.
struct ProcessState {
  std::optional<std::int64_t> peak_rss_bytes;
  std::optional<std::int64_t> threads;
};

// Absent when getrusage fails.
std::optional<ResourceUse> ReadResourceUse();

ProcessState ReadProcessState();

// Writes the members of `use` into the object open in `out`.
void WriteUse(const ResourceUse& use, JsonWriter& out);

// Writes the members of `use` minus `since`, after the wall time between the
// two as "seconds", into the object open in `out`.
void WriteDifference(const ResourceUse& since, const ResourceUse& use,
                     JsonWriter& out);

// Writes what is known of `state` into the object open in `out`.
void WriteState(const ProcessState& state, JsonWriter& out);

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_RESOURCE_USE_H_
