#include "tools/autotune/verbs/status.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/walls/enclosure.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr std::size_t kDecidedShown = 6;
constexpr std::size_t kOpenShown = 6;

struct OpenItem {
  Attempt attempt;
  std::string worktree;  // empty: none
};

absl::StatusOr<std::vector<OpenItem>> OpenItems(
    const Repository& repository, const Task& task,
    const std::vector<HistoryEntry>& history) {
  ASSIGN_OR_RETURN(const std::vector<Attempt> attempts,
                   OpenAttempts(repository, task, history));
  std::vector<OpenItem> open;
  for (const Attempt& attempt : attempts) {
    ASSIGN_OR_RETURN(const auto worktree,
                     FindAttemptWorktree(repository, attempt));
    open.push_back({attempt, worktree.value_or("")});
  }
  return open;
}

void AddOpen(const std::vector<OpenItem>& open, VerbResult& result) {
  JsonWriter& fields = result.fields;
  fields.BeginArray("open");
  for (const OpenItem& one : open) {
    fields.BeginObject();
    fields.Text("approach", one.attempt.approach);
    fields.Count("number", one.attempt.number);
    fields.Text("branch", one.attempt.branch);
    fields.Text("commit", one.attempt.head);
    fields.Text("worktree", one.worktree);
    fields.EndObject();
  }
  fields.EndArray();
  result.lines.push_back(absl::StrCat("  open:     ", open.size()));
  for (std::size_t i = 0; i < open.size() && i < kOpenShown; ++i) {
    result.lines.push_back(absl::StrCat(
        "    ", AttemptNumberText(open[i].attempt.number), " ",
        open[i].attempt.approach, "  ",
        open[i].worktree.empty() ? "(no worktree)" : open[i].worktree));
  }
}

void AddDecided(const std::vector<HistoryEntry>& history, VerbResult& result) {
  JsonWriter& fields = result.fields;
  fields.BeginArray("decided");
  for (const HistoryEntry& entry : history) {
    fields.BeginObject();
    fields.Text("approach", entry.approach);
    fields.Text("decision", DecisionText(entry));
    fields.Text("reason", entry.reason);
    fields.Text("commit", entry.attempt_commit);
    fields.EndObject();
  }
  fields.EndArray();
  result.lines.push_back(absl::StrCat("  decided:  ", history.size()));
  const std::size_t first =
      history.size() - std::min(history.size(), kDecidedShown);
  for (std::size_t i = first; i < history.size(); ++i) {
    const HistoryEntry& entry = history[i];
    result.lines.push_back(absl::StrCat("    ", DecisionText(entry), " ",
                                        entry.approach, ": ",
                                        OneLine(entry.reason, 70)));
  }
}

void AddLevel(const TaskState& state, VerbResult& result) {
  const MeasuredCounts counts = CountMeasured(state.ledger);
  const Policy& policy = state.settings.policy;
  result.fields.Count("measured_decisions", counts.decided);
  result.fields.Count("kept", counts.kept);
  const auto level = NextLevel(policy, state.ledger);
  if (level.ok()) result.fields.Number("level", level->alpha);
  const std::string level_text = level.ok()
                                     ? "level " + ShortestText(level->alpha)
                                     : std::string(level.status().message());
  if (policy.error_control == ErrorControl::kPerDecision) {
    result.lines.push_back("  next:     " + level_text + " (per decision)");
    return;
  }
  result.fields.Count("horizon", policy.horizon);
  result.fields.Count("horizon_left", std::max<std::int64_t>(
                                          policy.horizon - counts.decided, 0));
  result.lines.push_back(absl::StrCat(
      "  next:     ", level_text, "; ", counts.decided, " of ", policy.horizon,
      " measured decisions used, ", counts.kept, " kept"));
}

void AddNext(const std::vector<OpenItem>& open, VerbResult& result) {
  if (open.empty()) {
    result.next.push_back({Autotune({"next"}), "no attempt is open"});
    return;
  }
  result.next.push_back({Autotune({"decide", open.front().attempt.approach}),
                         "when its work is committed"});
}

}  // namespace

absl::StatusOr<VerbResult> Status(const TaskContext& context) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  ASSIGN_OR_RETURN(const auto open, OpenItems(repository, task, history));
  VerbResult result;
  result.lines = {
      absl::StrCat("task ", task.id, " on ", task.branch(), " at ",
                   state.tip.substr(0, 12)),
      absl::StrCat("  target:   ", PrintableText(state.settings.target))};
  result.fields.Text("task", task.id);
  result.fields.Text("branch", task.branch());
  result.fields.Text("tip", state.tip);
  result.fields.Text("base", state.settings.base);
  result.fields.Text("target", state.settings.target);
  ASSIGN_OR_RETURN(const auto profile, LoadProfile(repository, state));
  AddNext(open, result);
  AddProgress(state, ProgressOf(state, history), history, profile, result);
  AddLevel(state, result);
  AddOpen(open, result);
  AddDecided(history, result);
  std::vector<std::string> warnings = state.ledger.warnings;
  const std::string why_open = WhyOpen(session, state.settings);
  if (!why_open.empty()) {
    warnings.push_back("attempts are not shut in: " + why_open);
  }
  result.fields.Texts("warnings", warnings);
  for (const std::string& warning : warnings) {
    Say(session, "warning: " + warning);
  }
  return result;
}

}  // namespace autotune
