// Reads from the tip what a prompt tells: the profile, what was decided before
// and what was found.

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/attempt_creation.h"
#include "tools/autotune/task/progress.h"
#include "tools/ledger/log_file.h"

namespace autotune {
namespace {

// Of one kept change, and of one pasted file: more would drown the rest.
constexpr std::size_t kLongestPaste = 16000;
constexpr char kCut[] = "\n[... cut here ...]\n";

std::string Shortened(std::string text) {
  if (text.size() <= kLongestPaste) return text;
  const std::size_t line = text.rfind('\n', kLongestPaste);
  text.resize(line == std::string::npos ? kLongestPaste : line);
  return text + kCut;
}

// What a keep changed, the ledger's own folder left out.
absl::Status AddKept(const Repository& repository, const HistoryEntry& entry,
                     bool with_change, PastAttempt& past) {
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(entry.mainline, entry.merge));
  for (const TreeChange& change : changes) {
    if (!absl::StartsWith(change.path, "docs/autotune/")) {
      past.files.push_back(change.path);
    }
  }
  if (!with_change) return absl::OkStatus();
  ASSIGN_OR_RETURN(std::string diff,
                   repository.Git({"diff", "--no-color", "--no-ext-diff",
                                   "--no-textconv", entry.mainline, entry.merge,
                                   "--", ".", ":(exclude)docs/autotune"}));
  past.change = Shortened(std::move(diff));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<PastAttempt>> PastAttempts(
    const Repository& repository, const TaskState& state, bool preserve) {
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  std::vector<PastAttempt> past;
  for (const HistoryEntry& entry : history) {
    if (entry.ledger.empty()) continue;
    PastAttempt& one = past.emplace_back();
    one.approach = entry.approach;
    one.decision =
        entry.reverted.empty() ? DecisionText(entry) : "taken out again";
    one.reason = entry.reason;
    for (const MetricRow& row : state.ledger.rows) {
      if (row.commit == entry.attempt_commit)
        one.ratio = NumberOf(row, "ratio");
    }
    if (IsKept(entry)) {
      RETURN_IF_ERROR(AddKept(repository, entry, preserve, one));
    }
  }
  return past;
}

// The log's findings without what it says of attempts, which are listed apart.
std::vector<std::string> Findings(const TaskState& state,
                                  const std::vector<PastAttempt>& past) {
  std::vector<std::string> findings = LogEntries(state.log_text);
  std::erase_if(findings, [&](const std::string& entry) {
    return std::any_of(past.begin(), past.end(), [&](const PastAttempt& one) {
      return absl::StartsWith(entry, absl::StrCat("**", one.approach, "**:"));
    });
  });
  return findings;
}

}  // namespace

absl::StatusOr<PromptInput> GatherPrompt(const Repository& repository,
                                         const TaskState& state,
                                         const NewAttempt& wanted) {
  PromptInput input(state);
  input.approach = wanted.approach;
  input.hypothesis = wanted.hypothesis;
  input.details = wanted.details;
  input.target_part = wanted.part;
  input.share = wanted.share;
  input.expected_gain = wanted.end_to_end;
  ASSIGN_OR_RETURN(input.profile, LoadProfile(repository, state));
  ASSIGN_OR_RETURN(input.past,
                   PastAttempts(repository, state, wanted.preserve));
  input.findings = Findings(state, input.past);
  for (const std::string& path : wanted.include) {
    auto text = repository.ReadBlob(state.tip, path);
    if (!text.ok()) return Annotate(text.status(), "--include");
    input.included.emplace_back(path, Shortened(*std::move(text)));
  }
  return input;
}

}  // namespace autotune
