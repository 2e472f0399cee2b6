#include "tools/autotune/deciding/judgement.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "tools/autotune/deciding/outcome.h"
#include "tools/autotune/deciding/preparation.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/autotune/measuring/test_count.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/level.h"
#include "tools/report/report.h"

namespace autotune {
namespace {

// Rounds of the end-to-end estimate, fixed before the first.
constexpr std::int64_t kEndToEndRounds = 12;

// Two builds to be compared for one attempt.
struct Case {
  const OpenAttempt& open;
  const TaskState& state;
  const Sides& sides;

  MeasuredSide Tip() const { return {sides.tip, state.tip, sides.tip_code}; }
  MeasuredSide Contender() const {
    return {sides.attempt, open.attempt.head, sides.merged_code};
  }
};

// A journal belongs to one pair of code trees.
absl::StatusOr<std::string> JournalPath(const Case& judged,
                                        const std::string& what) {
  const OpenAttempt& open = judged.open;
  ASSIGN_OR_RETURN(
      const std::string task_directory,
      TaskStateDirectory(open.session, open.repository, open.task));
  const std::string directory =
      DecideDirectory(task_directory, open.attempt.number);
  RETURN_IF_ERROR(open.session.seams.files.MakeDirectories(directory));
  const std::string key =
      Sha256Hex(judged.sides.tip_code + judged.sides.merged_code);
  return JoinPath(directory,
                  absl::StrCat(what, "-", key.substr(0, 16), ".jsonl"));
}

// The level of a decision that has begun is the one it began with: the journal
// says it.
absl::StatusOr<DecisionLevel> LevelFor(const Case& judged,
                                       const std::string& journal_path) {
  const auto text = judged.open.session.seams.files.ReadFile(journal_path);
  if (text.ok()) {
    const auto begun = ParseEvidence(*text, journal_path);
    if (begun.ok() && begun->task_decision.has_value()) {
      return DecisionLevel{begun->settings.alpha, *begun->task_decision};
    }
  }
  return NextLevel(judged.state.settings.policy, judged.state.ledger);
}

absl::StatusOr<Evidence> MeasureTarget(const Case& judged) {
  MeasureRequest request;
  request.baseline = judged.Tip();
  request.contender = judged.Contender();
  request.target = judged.state.settings.target;
  request.with_guards = true;
  request.policy = judged.state.settings.policy;
  ASSIGN_OR_RETURN(request.journal_path, JournalPath(judged, "target"));
  ASSIGN_OR_RETURN(const DecisionLevel level,
                   LevelFor(judged, request.journal_path));
  request.alpha = level.alpha;
  request.task_decision = level.decision;
  Say(judged.open.session, "measuring the attempt against the tip");
  return Measure(judged.open.session, request);
}

// Asks of a holdout whether the tip is proven better than the attempt: a keep
// of the swapped sides proves harm, a discard that there is none above the
// margin.
absl::StatusOr<Evidence> MeasureHoldout(const Case& judged,
                                        const std::string& pattern,
                                        const std::string& name) {
  MeasureRequest request;
  request.baseline = judged.Contender();
  request.contender = judged.Tip();
  request.target = pattern;
  request.policy = judged.state.settings.policy;
  request.policy.min_effect = request.policy.default_margin;
  request.policy.floor = 0.0;
  ASSIGN_OR_RETURN(request.journal_path, JournalPath(judged, name));
  Say(judged.open.session, "measuring a holdout");
  return Measure(judged.open.session, request);
}

absl::Status AddHoldouts(const Case& judged, MeasuredOutcome& outcome) {
  const std::vector<std::string>& holdouts = judged.state.settings.holdouts;
  for (std::size_t i = 0; i < holdouts.size(); ++i) {
    const std::string name = absl::StrCat("holdout-", i + 1);
    ASSIGN_OR_RETURN(const Evidence evidence,
                     MeasureHoldout(judged, holdouts[i], name));
    outcome.further_evidence.emplace_back(name + ".json",
                                          EvidenceToJson(evidence));
    if (evidence.decision == Decision::kKeep && outcome.overruled.empty()) {
      outcome.overruled = absl::StrCat("holdout ", holdouts[i],
                                       " is proven worse (the tip "
                                       "against it: ",
                                       EvidenceSummaryLine(evidence), ")");
    }
  }
  return absl::OkStatus();
}

absl::Status AddEndToEnd(const Case& judged, MeasuredOutcome& outcome) {
  const auto& pattern = judged.state.settings.end_to_end;
  if (!pattern.has_value()) return absl::OkStatus();
  MeasureRequest request;
  request.baseline = judged.Tip();
  request.contender = judged.Contender();
  request.target = *pattern;
  request.policy = judged.state.settings.policy;
  request.fixed_rounds = kEndToEndRounds;
  ASSIGN_OR_RETURN(request.journal_path, JournalPath(judged, "end-to-end"));
  Say(judged.open.session, "measuring end to end");
  ASSIGN_OR_RETURN(const Evidence evidence,
                   Measure(judged.open.session, request));
  outcome.further_evidence.emplace_back("end_to_end.json",
                                        EvidenceToJson(evidence));
  for (const auto& number : RatioNumbers(evidence, "end_to_end_")) {
    outcome.further_numbers.push_back(number);
  }
  return absl::OkStatus();
}

// What only a person can clear stops a keep, whatever was measured.
void ObjectForReview(const std::vector<std::string>& needs_review,
                     Evidence& evidence) {
  if (needs_review.empty() || evidence.decision != Decision::kKeep) return;
  evidence.downgrade =
      absl::StrCat("needs review: ", absl::StrJoin(needs_review, "; "));
  static_cast<Ruling&>(evidence) = {Decision::kInconclusive,
                                    ReasonCode::kObjection, evidence.downgrade};
}

// An attempt that could reach the other side may have done so unseen: the row
// and the log say that nothing hindered it.
void NoteWhatIsOpen(const Build& attempt, MeasuredOutcome& outcome) {
  if (attempt.why_open.empty()) return;
  outcome.evidence.warnings.push_back(
      absl::StrCat("the attempt was not shut in: ", attempt.why_open));
  outcome.further_numbers.emplace_back("shut_in", 0.0);
}

void NoteWhatIsUntested(const TaskSettings& settings,
                        MeasuredOutcome& outcome) {
  if (settings.no_tests.empty()) return;
  outcome.evidence.warnings.push_back(
      absl::StrCat("there is no test: ", settings.no_tests));
}

absl::StatusOr<MeasuredOutcome> MeasureAll(const Case& judged,
                                           const ScopeReport& scope) {
  MeasuredOutcome outcome;
  ASSIGN_OR_RETURN(outcome.evidence, MeasureTarget(judged));
  FaultPoint("target-measured");
  NoteWhatIsOpen(judged.sides.attempt, outcome);
  NoteWhatIsUntested(judged.state.settings, outcome);
  ObjectForReview(judged.sides.needs_review, outcome.evidence);
  outcome.evidence.review = scope.review;
  if (outcome.evidence.decision != Decision::kKeep) return outcome;
  RETURN_IF_ERROR(AddHoldouts(judged, outcome));
  FaultPoint("holdouts-measured");
  RETURN_IF_ERROR(AddEndToEnd(judged, outcome));
  return outcome;
}

Judgement Unmeasured(const OpenAttempt& open, const TaskState& state,
                     AttemptStatus decision, std::string_view reason,
                     bool merge_trees) {
  Judgement judgement;
  judgement.record = UnmeasuredRecord(state, open.attempt, open.base,
                                      open.hypothesis, decision, reason);
  judgement.record.merge_trees = merge_trees;
  return judgement;
}

absl::StatusOr<std::optional<Judgement>> JudgeByMeasuring(
    const OpenAttempt& open, const TaskState& state, const Sides& sides,
    const ScopeReport& scope, bool follow_tip) {
  Judgement judgement;
  ASSIGN_OR_RETURN(judgement.lock, LockMeasuring(open.session));
  FaultPoint("measuring-locked");
  // What others recorded while we waited counts for the level.
  ASSIGN_OR_RETURN(TaskState now, LoadTask(open.repository, open.task));
  ASSIGN_OR_RETURN(const std::string code, CodeTree(open.repository, now.tip));
  if (follow_tip && code != sides.tip_code) return std::nullopt;
  now.tip = state.tip;
  ASSIGN_OR_RETURN(const MeasuredOutcome outcome,
                   MeasureAll({open, now, sides}, scope));
  for (const Build* build : {&sides.tip, &sides.attempt}) {
    RETURN_IF_ERROR(CheckBuildUnchanged(open.session, *build));
  }
  judgement.record =
      MeasuredRecord(now, open.attempt, open.base, open.hypothesis, outcome);
  if (follow_tip) judgement.record.judged_code_tree = sides.tip_code;
  return judgement;
}

}  // namespace

std::string ViolationReason(const std::vector<std::string>& violations) {
  return absl::StrCat("outside the scope: ", absl::StrJoin(violations, "; "));
}

absl::StatusOr<std::optional<Judgement>> Judge(const OpenAttempt& open,
                                               const TaskState& state,
                                               const ScopeReport& scope,
                                               bool follow_tip) {
  ASSIGN_OR_RETURN(
      const Sides sides,
      PrepareSides(open.session, open.repository, state, open.attempt));
  if (!sides.build_violations.empty()) {
    return Unmeasured(open, state, AttemptStatus::kViolation,
                      ViolationReason(sides.build_violations),
                      /*merge_trees=*/false);
  }
  if (!sides.no_change.empty()) {
    return Unmeasured(open, state, AttemptStatus::kDiscard, sides.no_change,
                      /*merge_trees=*/true);
  }
  RETURN_IF_ERROR(CheckTested(state.settings, sides.attempt.tests));
  ScopeReport seen = scope;
  for (const auto* lines : {&sides.taken_back, &sides.needs_review}) {
    seen.review.insert(seen.review.begin(), lines->begin(), lines->end());
  }
  return JudgeByMeasuring(open, state, sides, seen, follow_tip);
}

}  // namespace autotune
