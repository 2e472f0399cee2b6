#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_ATTEMPT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_ATTEMPT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/names.h"
#include "comparator/statistics/verdict.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"
#include "tools/system/exit_code.h"

namespace autotune {

// One attempt's branch, refs/heads/autotune-iter/<task>/<NNN>-<approach>.
struct Attempt {
  int number = 0;
  std::string approach;  // slug, unique in the task
  std::string branch;    // without refs/heads/
  std::string head;      // I, its tip
};

// "007" of number 7; three digits or more.
std::string AttemptNumberText(int number);

// The attempts that have a branch, by number.
absl::StatusOr<std::vector<Attempt>> ListAttempts(const Repository& repository,
                                                  const Task& task);

// The attempt of `approach` (a slug, any text with that slug, or NNN-slug).
// FailedPrecondition with the closest name when there is none.
absl::StatusOr<Attempt> FindAttempt(const Repository& repository,
                                    const Task& task,
                                    std::string_view approach);

// The smallest number above every attempt and record of the task.
absl::StatusOr<int> NextAttemptNumber(const Repository& repository,
                                      const Task& task);

// How deep an attempt cuts: small local changes first, then other data
// structures and algorithms, then another design.
enum class Phase { kMicro, kStructural, kArchitectural };

template <>
struct NameTable<Phase> {
  static constexpr Named<Phase> kAll[] = {
      {"micro", Phase::kMicro},
      {"structural", Phase::kStructural},
      {"architectural", Phase::kArchitectural}};
};

// What an attempt set out to do, as its plan commit says.
struct AttemptPlan {
  std::optional<Phase> phase;  // of the task, when it was started
  std::string part;  // the section or function it changes; may be empty
  // Contender / baseline, end to end, that was expected (Amdahl's law: the
  // part's share times the gain on it).
  std::optional<double> predicted_ratio;
};

// What the history of the working branch says of one merged attempt.
struct HistoryEntry {
  std::string approach;
  AttemptPlan plan;
  std::string attempt_commit;  // I
  std::string merge;           // M
  std::string mainline;        // M's first parent
  std::string revert;          // R right after M; empty when there is none
  std::string ledger;          // L; empty: merged by hand, nothing recorded
  std::optional<AttemptStatus> decision;  // of L; nothing without L
  std::string reason;                     // of L
  std::string reverted;  // ledger commit of a later `revert`; else empty
};

// The merged attempts of base..tip, oldest first along the first-parent line.
absl::StatusOr<std::vector<HistoryEntry>> ReadHistory(
    const Repository& repository, const std::string& base,
    const std::string& tip);

// The attempts that have a branch and no record in `history`, by number.
absl::StatusOr<std::vector<Attempt>> OpenAttempts(
    const Repository& repository, const Task& task,
    const std::vector<HistoryEntry>& history);

// The last entry of `approach`; nothing when it was never merged.
std::optional<HistoryEntry> FindEntry(const std::vector<HistoryEntry>& history,
                                      std::string_view approach);

// The same of the history at `state.tip`, once it is recorded too; nothing
// while the attempt is open or merged by hand alone.
absl::StatusOr<std::optional<HistoryEntry>> RecordedEntry(
    const Repository& repository, const TaskState& state,
    std::string_view approach);

// Whether the attempt is a keep that was not taken out again.
bool IsKept(const HistoryEntry& entry);

// The word of its decision; "merged by hand" when nothing is recorded.
std::string DecisionText(const HistoryEntry& entry);

AttemptStatus StatusOf(Decision decision);
ExitCode ExitCodeOf(std::optional<AttemptStatus> decision);

// Subjects and trailers of the commits that make up an attempt's history.
std::string MergeSubject(std::string_view approach);
std::string RevertSubject(std::string_view approach);
std::string PlanMessage(std::string_view approach, const AttemptPlan& plan);
std::string LedgerMessage(std::string_view approach, AttemptStatus decision,
                          std::string_view reason,
                          std::string_view attempt_commit);

// `text` on one line of at most `limit` bytes of valid UTF-8: controls and line
// ends become spaces, a cut is marked "...".
std::string OneLine(std::string_view text, std::size_t limit);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_ATTEMPT_H_
