#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROFILE_FILE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROFILE_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/names.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"

namespace autotune {

// What a profile's shares are shares of.
enum class ProfileKind {
  kSections,      // wall time, by named sections (autotune::SectionTimer)
  kSamples,       // CPU time, by functions: a sampling clock
  kInstructions,  // instructions, by functions: callgrind
  kNone,          // the user went on without a profile
};

template <>
struct NameTable<ProfileKind> {
  static constexpr Named<ProfileKind> kAll[] = {
      {"sections", ProfileKind::kSections},
      {"samples", ProfileKind::kSamples},
      {"instructions", ProfileKind::kInstructions},
      {"none", ProfileKind::kNone}};
};

// The part of a benchmark's iteration that one section or function took.
struct ProfilePart {
  std::string name;  // "parse"; "(rest)": between outermost sections
  // An iteration; of a function without what it calls. Absent for counted
  // instructions, which are no time.
  std::optional<double> nanoseconds;
  // Of the iteration's time. Above 1 in sum where sections nest; absent when
  // the benchmark's own time is not wall time (manual time) or is 0.
  std::optional<double> share;
  std::optional<double> inclusive_share;  // of functions: with what they call
  std::optional<double> calls;            // an iteration; of sections
};

// Where the time of one benchmark goes.
struct BenchmarkProfile {
  std::string name;
  double nanoseconds = 0.0;        // real time an iteration
  std::vector<ProfilePart> parts;  // longest first
};

// docs/autotune/TASK/profile.json: the task's last profile.
struct TaskProfile {
  ProfileKind kind = ProfileKind::kNone;
  std::string commit;  // of the tip that was profiled
  std::string date;    // YYYY-MM-DD
  // Rows of metric.toml at that time: later ones changed what was profiled.
  std::int64_t rows = 0;
  std::string reason;  // kNone: why there is no profile
  std::vector<BenchmarkProfile> benchmarks;
};

// Its JSON text, with schema_version 1.
std::string FormatTaskProfile(const TaskProfile& profile);

// InvalidArgument, "SOURCE: ...", for a text that is no such profile.
absl::StatusOr<TaskProfile> ParseTaskProfile(std::string_view text,
                                             std::string_view source);

// The task's profile at its tip; nothing when it has none.
absl::StatusOr<std::optional<TaskProfile>> LoadProfile(
    const Repository& repository, const TaskState& state);

// The part of the profile that `name` means: its whole name, or a piece that
// only one name holds. Nothing when there is none or several.
std::optional<std::string> FindPart(const TaskProfile& profile,
                                    std::string_view name);

// The share of `part` in the target: the mean over the benchmarks of its own
// share (of a function with what it calls), counting 0 where it is missing.
// Nothing when no benchmark has such a part.
std::optional<double> ShareOf(const TaskProfile& profile,
                              std::string_view part);

// The names of all parts, each once, the largest share first.
std::vector<std::string> PartNames(const TaskProfile& profile);

// Lines of Markdown for log.md and prompts: where the time goes, at most
// `most_parts` a benchmark and the largest `most_benchmarks`.
std::vector<std::string> ProfileLines(const TaskProfile& profile,
                                      std::size_t most_benchmarks,
                                      std::size_t most_parts);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROFILE_FILE_H_
