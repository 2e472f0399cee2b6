#include "tools/autotune/deciding/used_evidence.h"

#include <algorithm>
#include <set>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/task/attempt.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

// What no two measurements have in common: a round's numbers, for that many
// nanoseconds never come out twice. Without rounds, when it began and on what.
std::set<std::string> Marks(const Evidence& evidence) {
  std::set<std::string> marks;
  for (const RoundEvidence& round : evidence.rounds) {
    marks.insert(EvidenceRoundLine(round));
  }
  if (marks.empty()) {
    marks.insert(absl::StrCat(evidence.started, " ", evidence.baseline.sha256,
                              " ", evidence.contender.sha256));
  }
  return marks;
}

// The first evidence file of the task that shares a mark; empty when none does.
absl::StatusOr<std::string> FileWithAnyOf(const Repository& repository,
                                          const TaskState& state,
                                          const std::set<std::string>& marks) {
  ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                   repository.ListPaths(state.tip, state.task.folder() + "/"));
  for (const std::string& path : paths) {
    if (!absl::EndsWith(path, ".json")) continue;
    ASSIGN_OR_RETURN(const std::string text,
                     repository.ReadBlob(state.tip, path));
    const auto used = ParseEvidence(text, path);
    if (!used.ok()) continue;  // an attempt's own file, or damaged: see audit
    const std::set<std::string> theirs = Marks(*used);
    const bool shared = std::any_of(
        marks.begin(), marks.end(),
        [&theirs](const std::string& mark) { return theirs.contains(mark); });
    if (shared) return path;
  }
  return std::string();
}

// " (row 3 of metric.toml)" for an attempt's evidence; "" for other files.
absl::StatusOr<std::string> RowText(const Repository& repository,
                                    const TaskState& state,
                                    const std::string& path) {
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  const std::vector<MetricRow>& rows = state.ledger.rows;
  for (const HistoryEntry& entry : history) {
    if (!absl::StartsWith(path, state.task.File(entry.approach + "/"))) {
      continue;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].commit == entry.attempt_commit) {
        return absl::StrCat(" (row ", i + 1, " of metric.toml, ",
                            entry.approach, ")");
      }
    }
  }
  return std::string();
}

}  // namespace

absl::Status CheckNotUsed(const Repository& repository, const TaskState& state,
                          const Evidence& evidence, const std::string& file) {
  ASSIGN_OR_RETURN(const std::string path,
                   FileWithAnyOf(repository, state, Marks(evidence)));
  if (path.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::string row, RowText(repository, state, path));
  return WithHint(
      absl::FailedPreconditionError(absl::StrCat(
          file, ": expected a measurement of its own, found the one in ", path,
          row)),
      {"measure this attempt: ", Autotune({"decide", "APPROACH"}),
       ", or bench_compare run with --evidence and another FILE"});
}

}  // namespace autotune
