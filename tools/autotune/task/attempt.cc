#include "tools/autotune/task/attempt.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/annotate.h"
#include "base/did_you_mean.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "base/utf8_text.h"
#include "tools/git/names.h"
#include "tools/ledger/slug.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

constexpr char kMergePrefix[] = "merge: autotune iteration ";
constexpr char kPlanPrefix[] = "plan: autotune iteration ";
constexpr char kPhaseTrailer[] = "Autotune-Phase: ";
constexpr char kPartTrailer[] = "Autotune-Changes: ";
constexpr char kPredictedTrailer[] = "Autotune-Predicted-Ratio: ";
constexpr char kAttemptTrailer[] = "Autotune-Attempt: ";
constexpr char kDecisionTrailer[] = "Autotune-Decision: ";
constexpr char kReasonTrailer[] = "Autotune-Reason: ";

struct Commit {
  std::string sha;
  std::vector<std::string> parents;
  std::vector<std::string> lines;  // of its message
};

// One record of `git log -z --format=%H%n%P%n%B`.
std::optional<Commit> ParseCommit(absl::string_view record) {
  std::vector<std::string> lines = absl::StrSplit(record, '\n');
  if (lines.size() < 3) return std::nullopt;
  Commit commit;
  commit.sha = lines[0];
  commit.parents = absl::StrSplit(lines[1], ' ', absl::SkipEmpty());
  commit.lines.assign(lines.begin() + 2, lines.end());
  return commit;
}

// The value of a trailer; the last one wins, as git has it.
std::string Trailer(const Commit& commit, std::string_view key) {
  for (auto line = commit.lines.rbegin(); line != commit.lines.rend(); ++line) {
    if (line->compare(0, key.size(), key) == 0) return line->substr(key.size());
  }
  return "";
}

absl::StatusOr<std::vector<Commit>> FirstParentCommits(
    const Repository& repository, const std::string& base,
    const std::string& tip) {
  ASSIGN_OR_RETURN(
      const std::string text,
      repository.Git({"log", "--first-parent", "--reverse", "-z",
                      "--format=%H%n%P%n%B", base + ".." + tip, "--"}));
  std::vector<Commit> commits;
  for (absl::string_view record : absl::StrSplit(text, '\0')) {
    if (auto commit = ParseCommit(record))
      commits.push_back(*std::move(commit));
  }
  return commits;
}

void AddRevert(const Commit& commit, std::vector<HistoryEntry>& history) {
  if (history.empty() || commit.parents.size() != 1) return;
  HistoryEntry& last = history.back();
  if (commit.lines.front() == RevertSubject(last.approach) &&
      commit.parents.front() == last.merge) {
    last.revert = commit.sha;
  }
}

// A word that this program does not write stands for no measurement of ours.
AttemptStatus DecisionOf(const Commit& commit) {
  return ValueNamed<AttemptStatus>(Trailer(commit, kDecisionTrailer))
      .value_or(AttemptStatus::kCrash);
}

void AddLedger(const Commit& commit, std::vector<HistoryEntry>& history) {
  const std::string attempt = Trailer(commit, kAttemptTrailer);
  if (attempt.empty()) return;
  for (auto entry = history.rbegin(); entry != history.rend(); ++entry) {
    if (entry->attempt_commit != attempt) continue;
    if (!entry->ledger.empty()) {
      if (DecisionOf(commit) == AttemptStatus::kReverted) {
        entry->reverted = commit.sha;
      }
      return;
    }
    entry->ledger = commit.sha;
    entry->decision = DecisionOf(commit);
    entry->reason = Trailer(commit, kReasonTrailer);
    return;
  }
}

AttemptPlan PlanOf(const Commit& commit) {
  AttemptPlan plan;
  plan.phase = ValueNamed<Phase>(Trailer(commit, kPhaseTrailer));
  plan.part = Trailer(commit, kPartTrailer);
  plan.predicted_ratio = ParseFiniteDouble(Trailer(commit, kPredictedTrailer));
  return plan;
}

void AddMerge(const Commit& commit,
              const std::map<std::string, AttemptPlan>& plans,
              std::vector<HistoryEntry>& history) {
  HistoryEntry entry;
  entry.approach = commit.lines.front().substr(sizeof(kMergePrefix) - 1);
  entry.attempt_commit = commit.parents[1];
  entry.merge = commit.sha;
  entry.mainline = commit.parents[0];
  const auto plan = plans.find(entry.approach);
  if (plan != plans.end()) entry.plan = plan->second;
  history.push_back(std::move(entry));
}

std::optional<Attempt> ParseAttemptRef(const Task& task, const std::string& ref,
                                       const std::string& commit) {
  const auto name = ParseAttemptBranch(task.id, ref);
  if (!name.has_value()) return std::nullopt;
  return Attempt{name->number, name->approach,
                 AttemptBranch(task.id, name->number, name->approach), commit};
}

bool Matches(const Attempt& attempt, std::string_view name) {
  return attempt.approach == name ||
         absl::StrCat(AttemptNumberText(attempt.number), "-",
                      attempt.approach) == name;
}

absl::Status NoSuchAttempt(const std::vector<Attempt>& attempts,
                           std::string_view approach) {
  std::vector<std::string> names;
  for (const Attempt& attempt : attempts) names.push_back(attempt.approach);
  const auto closest = ClosestName(approach, names);
  return WithHint(
      absl::FailedPreconditionError(absl::StrCat(
          "no attempt \"", std::string(approach), "\" in this task",
          closest.has_value() ? absl::StrCat("; did you mean ", *closest, "?")
                              : "")),
      {Autotune({"status"}), " lists the attempts; ",
       Autotune({"start", "APPROACH"}), " makes one"});
}

}  // namespace

std::string AttemptNumberText(int number) {
  return absl::StrFormat("%03d", number);
}

absl::StatusOr<std::vector<Attempt>> ListAttempts(const Repository& repository,
                                                  const Task& task) {
  ASSIGN_OR_RETURN(const auto refs, repository.ListRefs(task.attempt_prefix()));
  std::vector<Attempt> attempts;
  for (const auto& [ref, commit] : refs) {
    if (auto attempt = ParseAttemptRef(task, ref, commit)) {
      attempts.push_back(*std::move(attempt));
    }
  }
  std::sort(
      attempts.begin(), attempts.end(),
      [](const Attempt& a, const Attempt& b) { return a.number < b.number; });
  return attempts;
}

absl::StatusOr<std::vector<Attempt>> OpenAttempts(
    const Repository& repository, const Task& task,
    const std::vector<HistoryEntry>& history) {
  ASSIGN_OR_RETURN(std::vector<Attempt> attempts,
                   ListAttempts(repository, task));
  std::erase_if(attempts, [&](const Attempt& attempt) {
    const auto entry = FindEntry(history, attempt.approach);
    return entry.has_value() && !entry->ledger.empty();
  });
  return attempts;
}

absl::StatusOr<Attempt> FindAttempt(const Repository& repository,
                                    const Task& task,
                                    std::string_view approach) {
  ASSIGN_OR_RETURN(const std::vector<Attempt> attempts,
                   ListAttempts(repository, task));
  const absl::StatusOr<std::string> slug = Slug(approach);
  for (auto attempt = attempts.rbegin(); attempt != attempts.rend();
       ++attempt) {
    if (Matches(*attempt, approach) ||
        (slug.ok() && Matches(*attempt, *slug))) {
      return *attempt;
    }
  }
  return NoSuchAttempt(attempts, approach);
}

absl::StatusOr<int> NextAttemptNumber(const Repository& repository,
                                      const Task& task) {
  int largest = 0;
  ASSIGN_OR_RETURN(const std::vector<Attempt> attempts,
                   ListAttempts(repository, task));
  for (const Attempt& attempt : attempts) {
    largest = std::max(largest, attempt.number);
  }
  ASSIGN_OR_RETURN(const auto records,
                   repository.ListRefs(task.record_prefix()));
  for (const auto& [ref, commit] : records) {
    int number = 0;
    if (absl::SimpleAtoi(ref.substr(task.record_prefix().size()), &number)) {
      largest = std::max(largest, number);
    }
  }
  return largest + 1;
}

absl::StatusOr<std::vector<HistoryEntry>> ReadHistory(
    const Repository& repository, const std::string& base,
    const std::string& tip) {
  ASSIGN_OR_RETURN(const std::vector<Commit> commits,
                   FirstParentCommits(repository, base, tip));
  std::vector<HistoryEntry> history;
  std::map<std::string, AttemptPlan> plans;
  for (const Commit& commit : commits) {
    if (commit.parents.size() == 2 &&
        absl::StartsWith(commit.lines.front(), kMergePrefix)) {
      AddMerge(commit, plans, history);
      continue;
    }
    if (absl::StartsWith(commit.lines.front(), kPlanPrefix)) {
      plans[commit.lines.front().substr(sizeof(kPlanPrefix) - 1)] =
          PlanOf(commit);
    }
    AddRevert(commit, history);
    AddLedger(commit, history);
  }
  return history;
}

std::optional<HistoryEntry> FindEntry(const std::vector<HistoryEntry>& history,
                                      std::string_view approach) {
  for (auto entry = history.rbegin(); entry != history.rend(); ++entry) {
    if (entry->approach == approach) return *entry;
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<HistoryEntry>> RecordedEntry(
    const Repository& repository, const TaskState& state,
    std::string_view approach) {
  ASSIGN_OR_RETURN(const std::vector<HistoryEntry> history,
                   ReadHistory(repository, state.settings.base, state.tip));
  std::optional<HistoryEntry> entry = FindEntry(history, approach);
  if (entry.has_value() && entry->ledger.empty()) return std::nullopt;
  return entry;
}

bool IsKept(const HistoryEntry& entry) {
  return entry.decision == AttemptStatus::kKeep && entry.reverted.empty();
}

std::string DecisionText(const HistoryEntry& entry) {
  if (!entry.decision.has_value()) return "merged by hand";
  return std::string(NameOf(*entry.decision));
}

AttemptStatus StatusOf(Decision decision) {
  switch (decision) {
    case Decision::kKeep:
      return AttemptStatus::kKeep;
    case Decision::kDiscard:
      return AttemptStatus::kDiscard;
    case Decision::kInconclusive:
      break;
  }
  return AttemptStatus::kInconclusive;
}

ExitCode ExitCodeOf(std::optional<AttemptStatus> decision) {
  switch (decision.value_or(AttemptStatus::kCrash)) {
    case AttemptStatus::kKeep:
      return kExitKeep;
    case AttemptStatus::kDiscard:
    case AttemptStatus::kReverted:
      return kExitDiscard;
    case AttemptStatus::kInconclusive:
      return kExitInconclusive;
    case AttemptStatus::kViolation:
      return kExitOutOfScope;
    case AttemptStatus::kCrash:
      break;
  }
  return kExitCannotJudge;
}

std::string MergeSubject(std::string_view approach) {
  return kMergePrefix + std::string(approach);
}

std::string RevertSubject(std::string_view approach) {
  return absl::StrCat("Revert \"", MergeSubject(approach), "\"");
}

std::string PlanMessage(std::string_view approach, const AttemptPlan& plan) {
  std::string text = absl::StrCat(kPlanPrefix, std::string(approach), "\n\n");
  if (plan.phase.has_value()) {
    absl::StrAppend(&text, kPhaseTrailer, std::string(NameOf(*plan.phase)),
                    "\n");
  }
  if (!plan.part.empty()) {
    absl::StrAppend(&text, kPartTrailer, OneLine(plan.part, 400), "\n");
  }
  if (plan.predicted_ratio.has_value()) {
    absl::StrAppend(&text, kPredictedTrailer,
                    ShortestText(*plan.predicted_ratio), "\n");
  }
  return text;
}

std::string LedgerMessage(std::string_view approach, AttemptStatus decision,
                          std::string_view reason,
                          std::string_view attempt_commit) {
  const std::string line = OneLine(reason, 400);
  const std::string word(NameOf(decision));
  return absl::StrCat("ledger: ", word, " ", std::string(approach), "\n\n",
                      kAttemptTrailer, std::string(attempt_commit), "\n",
                      kDecisionTrailer, word, "\n", kReasonTrailer, line, "\n");
}

std::string OneLine(std::string_view text, std::size_t limit) {
  std::string line;
  for (char c : ValidUtf8(text)) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (control || c == ' ') {
      if (!line.empty() && line.back() != ' ') line.push_back(' ');
    } else {
      line.push_back(c);
    }
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() <= limit) return line;
  std::size_t end = limit - 3;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) {
    --end;
  }
  return line.substr(0, end) + "...";
}

}  // namespace autotune
