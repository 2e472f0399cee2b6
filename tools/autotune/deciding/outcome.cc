#include "tools/autotune/deciding/outcome.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/statistics/verdict.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/report/evidence_report.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Longest reason in a row's description, in bytes.
constexpr std::size_t kReasonLimit = 600;
// Begins the warnings of evidence that a person should look at.
constexpr absl::string_view kReview = "review: ";
constexpr std::size_t kReviewShown = 8;
// In reasons of decisions that more time may change.
constexpr absl::string_view kNeedsReview = "needs review";
constexpr absl::string_view kUndecided = "undecided after ";

std::string Description(const Attempt& attempt, const std::string& hypothesis,
                        std::string_view decision, std::string_view reason) {
  std::string text = attempt.approach;
  if (!hypothesis.empty()) absl::StrAppend(&text, ": ", hypothesis);
  if (decision == "keep") return text;
  return absl::StrCat(text, " (", std::string(decision), ": ",
                      OneLine(reason, kReasonLimit), ")");
}

AttemptRecord EmptyRecord(const Attempt& attempt, const std::string& base,
                          const std::string& hypothesis,
                          std::string_view decision, std::string_view reason) {
  AttemptRecord record;
  record.attempt = attempt;
  record.base = base;
  record.decision = decision;
  record.reason = reason;
  record.row.commit = attempt.head;
  record.row.status = LedgerStatus(decision);
  record.row.description = Description(attempt, hypothesis, decision, reason);
  return record;
}

std::string LogEntry(const Attempt& attempt, const std::string& hypothesis,
                     std::string_view outcome) {
  std::string text = absl::StrCat("**", attempt.approach,
                                  "**: ", OneLine(outcome, kReasonLimit));
  if (!hypothesis.empty()) {
    absl::StrAppend(&text, "\nHypothesis: ", hypothesis);
  }
  return text;
}

void LogWarnings(const Evidence& evidence, std::string& entry) {
  for (const std::string& warning : evidence.warnings) {
    absl::StrAppend(&entry, "\n", OneLine(warning, 200));
  }
}

std::optional<double> Number(const MetricRow& row, std::string_view name) {
  for (const auto& [key, value] : row.metrics) {
    if (key == name) return value;
  }
  return std::nullopt;
}

const MetricRow* FindRow(const MetricFile& ledger, const std::string& commit) {
  const auto row = std::find_if(ledger.rows.begin(), ledger.rows.end(),
                                [&commit](const MetricRow& candidate) {
                                  return candidate.commit == commit;
                                });
  return row == ledger.rows.end() ? nullptr : &*row;
}

std::string EndText(const std::optional<double>& ratio) {
  return ratio.has_value() ? SignedPercentText(*ratio - 1.0) : "open";
}

// "-47.50 % [-48.90 %, -45.90 %], 11 rounds, 6.1 s"; empty when not measured.
std::string NumbersText(const MetricRow& row) {
  const auto ratio = Number(row, "ratio");
  if (!ratio.has_value()) return "";
  return absl::StrCat(
      SignedPercentText(*ratio - 1.0), " [", EndText(Number(row, "ratio_low")),
      ", ", EndText(Number(row, "ratio_high")), "], ",
      CountText(std::llround(Number(row, "rounds").value_or(0.0)), "round"),
      ", ", FixedText(Number(row, "seconds").value_or(0.0), 1), " s");
}

void AddRow(const MetricRow& row, VerbResult& result) {
  for (const char* name : {"ratio", "ratio_low", "ratio_high", "seconds"}) {
    const auto value = Number(row, name);
    if (value.has_value()) result.fields.Number(name, *value);
  }
  const auto rounds = Number(row, "rounds");
  if (rounds.has_value()) {
    result.fields.Count("rounds", static_cast<std::int64_t>(*rounds));
  }
  result.fields.Text("status", row.status);
  result.fields.Numbers("metrics", row.metrics);
}

// What the attempt's evidence holds for review.
absl::StatusOr<std::vector<std::string>> StoredReview(
    const Repository& repository, const TaskState& state,
    const HistoryEntry& entry) {
  ASSIGN_OR_RETURN(const std::string text,
                   ReadTaskFile(repository, state.task, state.tip,
                                entry.approach + "/evidence.json"));
  std::vector<std::string> review;
  const auto evidence = ParseEvidence(text, entry.approach);
  if (!evidence.ok()) return review;  // none, or damaged: audit says so
  for (absl::string_view warning : evidence->warnings) {
    if (absl::ConsumePrefix(&warning, kReview)) review.emplace_back(warning);
  }
  return review;
}

void ShowReview(const std::vector<std::string>& review, VerbResult& result) {
  result.fields.Texts("review", review);
  if (review.empty()) return;
  result.lines.push_back("  for review:");
  for (std::size_t i = 0; i < review.size() && i < kReviewShown; ++i) {
    result.lines.push_back("    " + PrintableText(review[i]));
  }
  if (review.size() > kReviewShown) {
    result.lines.push_back(
        absl::StrCat("    and ", review.size() - kReviewShown, " more"));
  }
}

// After a gain so large that a person has to see it: a look, and the limit
// that lets an honest one through.
std::vector<NextStep> NextAfterReview(const HistoryEntry& entry,
                                      const MetricRow* row) {
  const double ratio =
      row == nullptr ? 1.0 : Number(*row, "ratio").value_or(1.0);
  const double factor = ratio > 0.0 ? std::max(ratio, 1.0 / ratio) : 1.0;
  return {{absl::StrCat("git show ", entry.attempt_commit.substr(0, 12)),
           "look whether the gain is honest; if it is:"},
          {absl::StrCat("autotune task set policy.review_ratio ",
                        FixedText(std::ceil(2.0 * factor), 0)),
           "gains up to this factor need no review"},
          {absl::StrCat("autotune revive ", entry.approach),
           "measure it once more, as a new attempt"}};
}

std::vector<NextStep> NextAfter(const TaskState& state,
                                const HistoryEntry& entry,
                                const MetricRow* row) {
  if (entry.decision != "inconclusive") {
    return {{"autotune start APPROACH --hypothesis TEXT", "open the next one"}};
  }
  if (absl::StartsWith(entry.reason, kNeedsReview)) {
    return NextAfterReview(entry, row);
  }
  const NextStep again = {absl::StrCat("autotune revive ", entry.approach),
                          "measure it once more, as a new attempt"};
  if (absl::StrContains(entry.reason, kUndecided)) {
    const double budget = 2.0 * state.settings.policy.budget_seconds;
    return {{absl::StrCat("autotune task set policy.budget ",
                          FixedText(std::ceil(budget), 0), "s"),
             "more time to decide"},
            again};
  }
  return {{absl::StrCat("git show ", entry.attempt_commit.substr(0, 12)),
           "the numbers alone do not prove a gain: look at what it does"},
          again};
}

}  // namespace

AttemptRecord UnmeasuredRecord(const TaskState& state, const Attempt& attempt,
                               const std::string& base,
                               const std::string& hypothesis,
                               std::string_view decision,
                               std::string_view reason) {
  AttemptRecord record =
      EmptyRecord(attempt, base, hypothesis, decision, reason);
  record.log_entry =
      LogEntry(attempt, hypothesis,
               absl::StrCat(std::string(decision), ": ", std::string(reason)));
  // An evidence file of the attempt's own making must not pass for ours.
  record.evidence = {
      {state.task.File(attempt.approach + "/evidence.json"), std::nullopt}};
  return record;
}

AttemptRecord MeasuredRecord(const TaskState& state, const Attempt& attempt,
                             const std::string& base,
                             const std::string& hypothesis,
                             const MeasuredOutcome& outcome) {
  const Evidence& evidence = outcome.evidence;
  const bool overruled = !outcome.overruled.empty();
  AttemptRecord record =
      EmptyRecord(attempt, base, hypothesis,
                  overruled ? "discard" : NameOf(evidence.decision),
                  overruled ? outcome.overruled : evidence.reason);
  record.row.metrics = ContenderNumbers(evidence);
  for (const auto& number : RatioNumbers(evidence, "")) {
    record.row.metrics.push_back(number);
  }
  record.row.metrics.emplace_back("seconds", evidence.measuring_seconds);
  record.row.metrics.insert(record.row.metrics.end(),
                            outcome.further_numbers.begin(),
                            outcome.further_numbers.end());
  record.log_entry = LogEntry(
      attempt, hypothesis,
      overruled ? absl::StrCat("discard: ", outcome.overruled,
                               "; the target: ", EvidenceSummaryLine(evidence))
                : EvidenceSummaryLine(evidence));
  LogWarnings(evidence, record.log_entry);
  const std::string folder = attempt.approach + "/";
  record.evidence.push_back(
      {state.task.File(folder + "evidence.json"), EvidenceToJson(evidence)});
  for (const auto& [name, text] : outcome.further_evidence) {
    record.evidence.push_back({state.task.File(folder + name), text});
  }
  return record;
}

void AddReview(const std::vector<std::string>& review, Evidence& evidence) {
  for (const std::string& line : review) {
    evidence.warnings.push_back(absl::StrCat(kReview, line));
  }
}

absl::StatusOr<VerbResult> RecordedResult(const Repository& repository,
                                          const TaskState& state,
                                          const HistoryEntry& entry) {
  ASSIGN_OR_RETURN(const std::vector<std::string> review,
                   StoredReview(repository, state, entry));
  VerbResult result;
  result.decision = entry.decision;
  result.reason = entry.reason;
  result.exit_code = ExitCodeForDecision(entry.decision);
  const MetricRow* row = FindRow(state.ledger, entry.attempt_commit);
  const std::string numbers = row == nullptr ? "" : NumbersText(*row);
  result.lines = {
      absl::StrCat(entry.decision, " ", entry.approach, ": ", numbers,
                   numbers.empty() ? "" : ": ", entry.reason),
      absl::StrCat("  recorded in ", entry.ledger.substr(0, 12), " on ",
                   state.task.branch())};
  result.fields.Text("task", state.task.id);
  result.fields.Text("approach", entry.approach);
  result.fields.Text("commit", entry.attempt_commit);
  result.fields.Text("merge", entry.merge);
  result.fields.Text("ledger", entry.ledger);
  if (row != nullptr) AddRow(*row, result);
  ShowReview(review, result);
  result.next = NextAfter(state, entry, row);
  return result;
}

}  // namespace autotune
