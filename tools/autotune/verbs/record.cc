#include "tools/autotune/verbs/record.h"

#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "tools/autotune/deciding/judgement.h"
#include "tools/autotune/deciding/open_attempt.h"
#include "tools/autotune/deciding/outcome.h"
#include "tools/autotune/deciding/used_evidence.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/walls/scope_check.h"

namespace autotune {
namespace {

// A claim without evidence; nothing when there is evidence.
absl::StatusOr<std::optional<AttemptStatus>> Claim(
    const RecordOptions& options) {
  if (options.evidence.empty() == !options.status.has_value()) {
    return absl::OutOfRangeError(
        "record: expected either --evidence FILE or --claim keep|discard");
  }
  if (!options.status.has_value()) return std::nullopt;
  const auto status = ValueNamed<AttemptStatus>(*options.status);
  if (status == AttemptStatus::kKeep || status == AttemptStatus::kDiscard) {
    return status;
  }
  return absl::OutOfRangeError(
      absl::StrCat("record: --claim: expected keep or discard, got \"",
                   *options.status, "\""));
}

// A run that says which commit it measured must have measured this one.
absl::Status CheckCommit(const Evidence& evidence, const Attempt& attempt,
                         const std::string& file) {
  const std::string& commit = evidence.contender.commit;
  if (commit.empty() || commit == attempt.head) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      file, ": evidence of commit ", commit.substr(0, 12), ", but ",
      attempt.approach, " is at ", attempt.head.substr(0, 12)));
}

// The evidence, once it proves what it says at the task's own level.
absl::StatusOr<Evidence> CheckedEvidence(const OpenAttempt& open,
                                         const TaskState& state,
                                         const std::string& file) {
  const Session& session = open.session;
  ASSIGN_OR_RETURN(
      const std::string text,
      session.seams.files.ReadFile(JoinPath(session.directory, file)));
  ASSIGN_OR_RETURN(Evidence evidence, ParseEvidence(text, file));
  RETURN_IF_ERROR(Annotate(VerifyEvidence(evidence), file));
  RETURN_IF_ERROR(CheckCommit(evidence, open.attempt, file));
  RETURN_IF_ERROR(CheckNotUsed(open.repository, state, evidence, file));
  if (evidence.reason.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(file,
                     ": the run was not finished; continue it with "
                     "bench_compare run --resume"));
  }
  ASSIGN_OR_RETURN(const DecisionLevel level,
                   NextLevel(state.settings.policy, state.ledger));
  if (evidence.settings.alpha > level.alpha * (1.0 + 1e-9)) {
    return WithHint(
        absl::FailedPreconditionError(absl::StrCat(
            file, ": measured at alpha ", ShortestText(evidence.settings.alpha),
            ", but the task's next decision has level ",
            ShortestText(level.alpha))),
        absl::StrCat("measure with --alpha ", ShortestText(level.alpha)));
  }
  evidence.task_decision = level.decision;
  return evidence;
}

AttemptRecord ClaimedRecord(const OpenAttempt& open, const TaskState& state,
                            AttemptStatus claim, const RecordOptions& options) {
  const std::string reason = options.reason.empty()
                                 ? "claimed, not measured"
                                 : "claimed: " + OneLine(options.reason, 400);
  AttemptRecord record = UnmeasuredRecord(state, open.attempt, open.base,
                                          open.hypothesis, claim, reason);
  record.row.claimed = true;
  return record;
}

absl::StatusOr<AttemptRecord> MakeRecord(const OpenAttempt& open,
                                         const TaskState& state,
                                         const ScopeReport& scope,
                                         const RecordOptions& options) {
  ASSIGN_OR_RETURN(const auto claim, Claim(options));
  if (claim.has_value()) return ClaimedRecord(open, state, *claim, options);
  MeasuredOutcome outcome;
  ASSIGN_OR_RETURN(outcome.evidence,
                   CheckedEvidence(open, state, options.evidence));
  outcome.evidence.review = scope.review;
  return MeasuredRecord(state, open.attempt, open.base, open.hypothesis,
                        outcome);
}

absl::StatusOr<HistoryEntry> RecordOpen(OpenAttempt& open,
                                        const TaskState& state,
                                        const RecordOptions& options) {
  bool has_commit = true;
  RETURN_IF_ERROR(CompleteAttempt(state, open, has_commit));
  ASSIGN_OR_RETURN(const ScopeReport scope,
                   CheckScope(open.repository, state, open.attempt, open.base));
  if (!scope.violations.empty()) {
    return RecordUnmeasured(open, state, AttemptStatus::kViolation,
                            ViolationReason(scope.violations),
                            /*merge_trees=*/false);
  }
  ASSIGN_OR_RETURN(const AttemptRecord record,
                   MakeRecord(open, state, scope, options));
  return IntegrateAnyway(open, record);
}

}  // namespace

absl::StatusOr<VerbResult> Record(const TaskContext& context,
                                  const RecordOptions& options) {
  RETURN_IF_ERROR(Claim(options).status());
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const Attempt attempt,
                   FindAttempt(repository, task, options.approach));
  ASSIGN_OR_RETURN(const FileLock lock,
                   LockAttempt(repository, attempt.branch));
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const auto recorded,
                   RecordedEntry(repository, state, attempt.approach));
  if (recorded.has_value()) {
    return FinishRecorded(session, repository, task, attempt, *recorded);
  }
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  if (session.dry_run) {
    VerbResult result;
    result.lines = {absl::StrCat("would record ", attempt.approach)};
    return result;
  }
  OpenAttempt open{session, repository, task, attempt, "", ""};
  ASSIGN_OR_RETURN(const HistoryEntry entry, RecordOpen(open, state, options));
  return FinishRecorded(session, repository, task, attempt, entry);
}

}  // namespace autotune
