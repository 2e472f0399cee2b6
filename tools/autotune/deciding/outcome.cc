#include "tools/autotune/deciding/outcome.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/statistics/verdict.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/report/report.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Longest reason in a row's description, in bytes.
constexpr std::size_t kReasonLimit = 600;
constexpr std::size_t kReviewShown = 8;

std::string Description(const Attempt& attempt, const std::string& hypothesis,
                        AttemptStatus decision, std::string_view reason) {
  std::string text = attempt.approach;
  if (!hypothesis.empty()) absl::StrAppend(&text, ": ", hypothesis);
  if (decision == AttemptStatus::kKeep) return text;
  return absl::StrCat(text, " (", std::string(NameOf(decision)), ": ",
                      OneLine(reason, kReasonLimit), ")");
}

AttemptRecord EmptyRecord(const Attempt& attempt, const std::string& base,
                          const std::string& hypothesis, AttemptStatus decision,
                          std::string_view reason) {
  AttemptRecord record;
  record.attempt = attempt;
  record.base = base;
  record.decision = decision;
  record.reason = reason;
  record.row.commit = attempt.head;
  record.row.status = RowStatus(decision);
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
  for (const std::string& line : evidence.review) {
    absl::StrAppend(&entry, "\nreview: ", OneLine(line, 200));
  }
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
  if (row.status.has_value()) {
    result.fields.Text("status", NameOf(*row.status));
  }
  result.fields.Numbers("metrics", row.metrics);
}

// What the attempt's evidence says; nothing without any, or when it is damaged:
// audit says so.
absl::StatusOr<std::optional<Evidence>> StoredEvidence(
    const Repository& repository, const TaskState& state,
    const HistoryEntry& entry) {
  ASSIGN_OR_RETURN(const std::string text,
                   ReadTaskFile(repository, state.task, state.tip,
                                entry.approach + "/evidence.json"));
  auto evidence = ParseEvidence(text, entry.approach);
  if (!evidence.ok()) return std::nullopt;
  return *std::move(evidence);
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

// A look at the change, for what numbers alone do not prove.
NextStep Look(const HistoryEntry& entry, std::string why) {
  return {Command{"git", {"show", entry.attempt_commit.substr(0, 12)}, {}},
          std::move(why)};
}

NextStep SetPolicy(const std::string& key, std::string value, std::string why) {
  return {Autotune({"task", "set", key, std::move(value)}), std::move(why)};
}

// After a gain so large that a person has to see it, the limit that lets an
// honest one through; after one that more rounds may decide, twice the time.
std::vector<NextStep> NextAfter(const TaskState& state,
                                const HistoryEntry& entry,
                                const std::optional<Evidence>& evidence) {
  if (entry.decision != AttemptStatus::kInconclusive) {
    return {{Autotune({"start", "APPROACH", "--hypothesis", "TEXT"}),
             "open the next one"}};
  }
  const NextStep again = {Autotune({"revive", entry.approach}),
                          "measure it once more, as a new attempt"};
  const ReasonCode code =
      evidence.has_value() ? evidence->code : ReasonCode::kObjection;
  if (code == ReasonCode::kGainBeyondBelief) {
    double gain = std::max(1.0, GainFactor(evidence->overall));
    for (const Comparison& target : evidence->targets) {
      gain = std::max(gain, GainFactor(target));
    }
    return {
        Look(entry, "look whether the gain is honest; if it is:"),
        SetPolicy("policy.review_ratio", FixedText(std::ceil(2.0 * gain), 0),
                  "gains up to this factor need no review"),
        again};
  }
  if (code == ReasonCode::kUndecided) {
    const double budget = 2.0 * state.settings.policy.budget_seconds;
    return {SetPolicy("policy.budget",
                      absl::StrCat(FixedText(std::ceil(budget), 0), "s"),
                      "more time to decide"),
            again};
  }
  return {Look(entry,
               "the numbers alone do not prove a gain: look at what it does"),
          again};
}

}  // namespace

AttemptRecord UnmeasuredRecord(const TaskState& state, const Attempt& attempt,
                               const std::string& base,
                               const std::string& hypothesis,
                               AttemptStatus decision,
                               std::string_view reason) {
  AttemptRecord record =
      EmptyRecord(attempt, base, hypothesis, decision, reason);
  record.log_entry = LogEntry(
      attempt, hypothesis,
      absl::StrCat(std::string(NameOf(decision)), ": ", std::string(reason)));
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
  AttemptRecord record = EmptyRecord(
      attempt, base, hypothesis,
      overruled ? AttemptStatus::kDiscard : StatusOf(evidence.decision),
      overruled ? outcome.overruled : evidence.reason);
  if (!state.settings.no_tests.empty()) {
    absl::StrAppend(&record.row.description, " [no tests: ",
                    OneLine(state.settings.no_tests, kReasonLimit), "]");
  }
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

absl::StatusOr<VerbResult> RecordedResult(const Repository& repository,
                                          const TaskState& state,
                                          const HistoryEntry& entry) {
  ASSIGN_OR_RETURN(const std::optional<Evidence> evidence,
                   StoredEvidence(repository, state, entry));
  VerbResult result;
  result.decision = DecisionText(entry);
  result.reason = entry.reason;
  result.exit_code = ExitCodeOf(entry.decision);
  const MetricRow* row = FindRow(state.ledger, entry.attempt_commit);
  const std::string numbers = row == nullptr ? "" : NumbersText(*row);
  result.lines = {
      absl::StrCat(result.decision, " ", entry.approach, ": ", numbers,
                   numbers.empty() ? "" : ": ", entry.reason),
      absl::StrCat("  recorded in ", entry.ledger.substr(0, 12), " on ",
                   state.task.branch())};
  result.fields.Text("task", state.task.id);
  result.fields.Text("approach", entry.approach);
  result.fields.Text("commit", entry.attempt_commit);
  result.fields.Text("merge", entry.merge);
  result.fields.Text("ledger", entry.ledger);
  if (row != nullptr) AddRow(*row, result);
  ShowReview(
      evidence.has_value() ? evidence->review : std::vector<std::string>(),
      result);
  result.next = NextAfter(state, entry, evidence);
  return result;
}

}  // namespace autotune
