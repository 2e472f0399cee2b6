#include "tools/autotune/verbs/audit.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/statistics/verdict.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/metric_merge.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr std::size_t kFindingsShown = 18;
constexpr char kRepairSubject[] = "ledger: repair metric.toml";

// Collects what is wrong, one line each.
class Findings {
 public:
  void Add(const std::string& where, absl::string_view what) {
    lines_.push_back(absl::StrCat(where, ": ", what));
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

const MetricRow* FirstRow(const MetricFile& ledger, const std::string& commit) {
  for (const MetricRow& row : ledger.rows) {
    if (row.commit == commit) return &row;
  }
  return nullptr;
}

std::string RowWord(const MetricRow& row) {
  return row.status.has_value() ? std::string(NameOf(*row.status)) : "nothing";
}

// R must restore exactly what M's first parent had.
absl::Status CheckRevert(const Repository& repository,
                         const HistoryEntry& entry, Findings& findings) {
  if (entry.decision == AttemptStatus::kKeep) {
    if (!entry.revert.empty()) {
      findings.Add(entry.approach, "recorded as keep but reverted right after");
    }
    return absl::OkStatus();
  }
  if (entry.revert.empty()) {
    findings.Add(
        entry.approach,
        absl::StrCat("recorded as ", DecisionText(entry), " but not reverted"));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::string reverted, repository.TreeOf(entry.revert));
  ASSIGN_OR_RETURN(const std::string before, repository.TreeOf(entry.mainline));
  if (reverted != before) {
    findings.Add(entry.approach, "its revert does not restore what was before");
  }
  return absl::OkStatus();
}

absl::Status CheckEvidence(const Repository& repository, const TaskState& state,
                           const HistoryEntry& entry, Findings& findings) {
  ASSIGN_OR_RETURN(const std::string text,
                   ReadTaskFile(repository, state.task, state.tip,
                                entry.approach + "/evidence.json"));
  if (text.empty()) {
    findings.Add(entry.approach, "measured, but its evidence.json is missing");
    return absl::OkStatus();
  }
  const absl::StatusOr<Evidence> evidence =
      ParseEvidence(text, entry.approach + "/evidence.json");
  if (!evidence.ok()) {
    findings.Add(entry.approach, evidence.status().message());
    return absl::OkStatus();
  }
  if (const absl::Status sound = VerifyEvidence(*evidence); !sound.ok()) {
    findings.Add(entry.approach, sound.message());
  }
  const AttemptStatus proven = StatusOf(evidence->decision);
  const bool overruled = proven == AttemptStatus::kKeep &&
                         entry.decision == AttemptStatus::kDiscard;
  if (entry.decision != proven && !overruled) {
    findings.Add(
        entry.approach,
        absl::StrCat("recorded as ", DecisionText(entry),
                     ", but its evidence says ", std::string(NameOf(proven))));
  }
  if (!evidence->contender.commit.empty() &&
      evidence->contender.commit != entry.attempt_commit) {
    findings.Add(entry.approach, "its evidence is of another commit");
  }
  ASSIGN_OR_RETURN(const std::string before,
                   CodeTree(repository, entry.mainline));
  if (!evidence->baseline.tree.empty() && evidence->baseline.tree != before) {
    findings.Add(entry.approach,
                 "its evidence was measured against another tip");
  }
  return absl::OkStatus();
}

absl::Status CheckEntry(const Repository& repository, const TaskState& state,
                        const HistoryEntry& entry, Findings& findings) {
  if (entry.ledger.empty()) {
    findings.Add(entry.approach, "merged, but nothing is recorded");
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(CheckRevert(repository, entry, findings));
  const MetricRow* row = FirstRow(state.ledger, entry.attempt_commit);
  if (row == nullptr) {
    findings.Add(entry.approach, "has no row in metric.toml");
    return absl::OkStatus();
  }
  if (row->status != RowStatus(*entry.decision)) {
    findings.Add(entry.approach,
                 absl::StrCat("decided ", DecisionText(entry),
                              " but its row says ", RowWord(*row)));
  }
  return IsMeasured(*row) ? CheckEvidence(repository, state, entry, findings)
                          : absl::OkStatus();
}

absl::Status CheckCommits(const Repository& repository, const TaskState& state,
                          Findings& findings) {
  std::vector<std::string> names;
  for (const MetricRow& row : state.ledger.rows) names.push_back(row.commit);
  ASSIGN_OR_RETURN(const std::vector<bool> here, repository.HasCommits(names));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (here[i] || names[i].empty()) continue;
    findings.Add(absl::StrCat("metric.toml:", state.ledger.rows[i].line),
                 absl::StrCat("commit ", names[i], " is not here"));
  }
  for (const std::string& warning : state.ledger.warnings) {
    findings.Add("metric.toml", warning);
  }
  return absl::OkStatus();
}

// One text of metric.toml in history.
struct Version {
  std::string commit;
  std::string subject;
  std::string text;
};

// Those along the first-parent line, oldest first.
absl::StatusOr<std::vector<Version>> Versions(const Repository& repository,
                                              const TaskState& state) {
  ASSIGN_OR_RETURN(
      const std::string text,
      repository.Git({"log", "--first-parent", "--reverse", "--format=%H %s",
                      state.settings.base + ".." + state.tip, "--",
                      state.task.File("metric.toml")}));
  std::vector<Version> versions;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    ASSIGN_OR_RETURN(
        std::string version,
        ReadTaskFile(repository, state.task, parts.first, "metric.toml"));
    versions.push_back({parts.first, parts.second, std::move(version)});
  }
  return versions;
}

absl::Status CheckOnlyGrew(const Repository& repository, const TaskState& state,
                           Findings& findings) {
  ASSIGN_OR_RETURN(const auto versions, Versions(repository, state));
  for (std::size_t i = 1; i < versions.size(); ++i) {
    const bool grew = absl::StartsWith(versions[i].text, versions[i - 1].text);
    if (!grew && versions[i].subject != kRepairSubject) {
      findings.Add("metric.toml",
                   absl::StrCat("commit ", versions[i].commit.substr(0, 12),
                                " rewrote earlier rows"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<LedgerCommit> RepairCommit(const Repository& repository,
                                          const TaskState& state,
                                          std::vector<std::string>& dropped) {
  ASSIGN_OR_RETURN(const auto versions, Versions(repository, state));
  std::vector<std::string> texts;
  for (const Version& version : versions) texts.push_back(version.text);
  const RepairedMetricFile repaired =
      RepairMetricFile(state.metric_text, texts);
  dropped = repaired.dropped;
  LedgerCommit commit;
  if (repaired.text == state.metric_text) return commit;
  commit.message = absl::StrCat(kRepairSubject, "\n");
  commit.edits = {{state.task.File("metric.toml"), repaired.text}};
  return commit;
}

absl::Status Repair(const Session& session, const Repository& repository,
                    const Task& task) {
  std::vector<std::string> dropped;
  RETURN_IF_ERROR(
      CommitToTask(session, repository, task, [&](const TaskState& state) {
        return RepairCommit(repository, state, dropped);
      }).status());
  for (const std::string& entry : dropped) {
    Say(session, "left out, for a person to look at:");
    for (absl::string_view line :
         absl::StrSplit(entry, '\n', absl::SkipEmpty())) {
      Say(session, absl::StrCat("  ", line));
    }
  }
  return absl::OkStatus();
}

VerbResult AuditResult(const TaskState& state, std::size_t attempts,
                       const Findings& findings) {
  VerbResult result;
  const std::size_t count = findings.lines().size();
  result.exit_code = count == 0 ? kExitKeep : kExitBadInput;
  result.lines = {
      absl::StrCat(state.task.id, ": ", CountText(attempts, "attempt"), ", ",
                   CountText(state.ledger.rows.size(), "row"), ": ",
                   count == 0 ? "all agree" : CountText(count, "finding"))};
  for (std::size_t i = 0; i < count && i < kFindingsShown; ++i) {
    result.lines.push_back("  " + PrintableText(findings.lines()[i]));
  }
  result.fields.Text("task", state.task.id);
  result.fields.Texts("findings", findings.lines());
  return result;
}

}  // namespace

absl::StatusOr<VerbResult> Audit(const TaskContext& context,
                                 const AuditOptions& options) {
  const auto& [session, repository, task] = context;
  if (options.repair) RETURN_IF_ERROR(Repair(session, repository, task));
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  Findings findings;
  for (const HistoryEntry& entry : history) {
    RETURN_IF_ERROR(CheckEntry(repository, state, entry, findings));
  }
  RETURN_IF_ERROR(CheckCommits(repository, state, findings));
  RETURN_IF_ERROR(CheckOnlyGrew(repository, state, findings));
  return AuditResult(state, history.size(), findings);
}

}  // namespace autotune
