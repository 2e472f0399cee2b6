#include "tools/autotune/verbs/start.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/did_you_mean.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/attempt_creation.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/profile_file.h"
#include "tools/autotune/task/progress.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/slug.h"

namespace autotune {
namespace {

// A smaller gain end to end takes more rounds than most budgets have.
constexpr double kLeastEndToEnd = 0.02;

VerbResult DryRunResult(const Task& task, const std::string& approach) {
  VerbResult result;
  result.lines = {absl::StrCat(
      "would commit ", task.File(approach + "/prompts.md"), " to ",
      task.branch(), " and make the attempt's branch and worktree")};
  result.fields.Flag("dry_run", true);
  result.fields.Text("approach", approach);
  return result;
}

absl::Status NoProfile() {
  return WithHint(
      absl::FailedPreconditionError(
          "the task has no profile yet: where its time goes says what is worth "
          "trying"),
      {Autotune({"profile"}), ", or start with --no-profile REASON"});
}

// A task is profiled before its first attempt, or says why not.
absl::Status CheckProfile(const Repository& repository, const TaskState& state,
                          const StartOptions& options) {
  ASSIGN_OR_RETURN(const auto profile, LoadProfile(repository, state));
  if (!options.no_profile.has_value()) {
    return profile.has_value() ? absl::OkStatus() : NoProfile();
  }
  if (absl::StripAsciiWhitespace(*options.no_profile).empty()) {
    return absl::OutOfRangeError(
        "--no-profile: expected a reason, got nothing");
  }
  if (profile.has_value() && profile->kind != ProfileKind::kNone) {
    return absl::OutOfRangeError(
        absl::StrCat("--no-profile: the task has a profile, of ", profile->date,
                     "; leave the option out"));
  }
  return absl::OkStatus();
}

absl::Status UnknownPart(const TaskProfile& profile, const std::string& name) {
  const std::vector<std::string> parts = PartNames(profile);
  const auto closest = ClosestName(name, parts);
  std::string names;
  for (std::size_t i = 0; i < parts.size() && i < 5; ++i) {
    absl::StrAppend(&names, i == 0 ? "" : ", ", OneLine(parts[i], 60));
  }
  return WithHint(
      absl::OutOfRangeError(absl::StrCat(
          "--targets: expected one part of the profile, got \"",
          OneLine(name, 80), "\"",
          closest.has_value() ? absl::StrCat("; did you mean ", *closest, "?")
                              : "")),
      names.empty() ? Hint{Autotune({"profile"})}
                    : Hint{absl::StrCat("it has ", names)});
}

// What --targets and --expect say, checked against the profile.
absl::Status AddExpectation(const Repository& repository,
                            const TaskState& state, const StartOptions& options,
                            NewAttempt& wanted) {
  if (options.expect.has_value() && !options.targets.has_value()) {
    return absl::OutOfRangeError(
        "--expect says what is saved of a part: name the part with --targets");
  }
  if (!options.targets.has_value()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const auto profile, LoadProfile(repository, state));
  if (!profile.has_value()) return NoProfile();
  const auto part = FindPart(*profile, *options.targets);
  if (!part.has_value()) return UnknownPart(*profile, *options.targets);
  wanted.part = *part;
  wanted.share = ShareOf(*profile, *part);
  if (!options.expect.has_value()) return absl::OkStatus();
  const std::optional<double> gain = ParseFraction(*options.expect);
  if (!gain.has_value() || *gain <= 0.0 || *gain >= 1.0) {
    return absl::OutOfRangeError(absl::StrCat(
        "--expect: expected a part of the time between 0% and 100%, such as "
        "35%, got \"",
        OneLine(*options.expect, 40), "\""));
  }
  if (!wanted.share.has_value()) {
    return absl::OutOfRangeError(absl::StrCat(
        "--expect: the profile knows no share of ", OneLine(*part, 80)));
  }
  wanted.end_to_end = std::min(*wanted.share, 1.0) * *gain;
  return absl::OkStatus();
}

void AddPrediction(const Session& session, const NewAttempt& wanted,
                   VerbResult& result) {
  if (!wanted.share.has_value()) return;
  result.fields.Text("targets", wanted.part);
  result.fields.Number("share", *wanted.share);
  std::string line =
      absl::StrCat("  targets:  ", OneLine(wanted.part, 60), ", ",
                   FixedText(100.0 * *wanted.share, 1), " % of the target");
  if (wanted.end_to_end.has_value()) {
    result.fields.Number("expected_gain", *wanted.end_to_end);
    absl::StrAppend(&line, "; expected end to end: ",
                    FixedText(100.0 * *wanted.end_to_end, 1), " %");
    if (*wanted.end_to_end < kLeastEndToEnd) {
      Say(session,
          absl::StrCat("warning: ", FixedText(100.0 * *wanted.end_to_end, 1),
                       " % end to end is hard to tell from noise; the largest "
                       "part of the profile may be worth more"));
    }
  }
  result.lines.push_back(std::move(line));
}

}  // namespace

absl::StatusOr<VerbResult> Start(const TaskContext& context,
                                 const StartOptions& options) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const std::string approach, Slug(options.approach));
  RETURN_IF_ERROR(CheckNotDecided(repository, state, approach));
  NewAttempt wanted;
  wanted.approach = approach;
  wanted.hypothesis = options.hypothesis;
  wanted.details = options.details;
  wanted.include = options.include;
  wanted.preserve = options.preserve;
  wanted.no_profile = options.no_profile;
  RETURN_IF_ERROR(AddExpectation(repository, state, options, wanted));
  if (session.dry_run) return DryRunResult(task, approach);
  RETURN_IF_ERROR(TaskStateDirectory(session, repository, task).status());
  ASSIGN_OR_RETURN(const auto existing,
                   ExistingAttempt(repository, task, approach));
  if (!existing.has_value()) {
    RETURN_IF_ERROR(CheckProfile(repository, state, options));
  }
  ASSIGN_OR_RETURN(const Attempt attempt,
                   EnsureAttempt(session, repository, task, wanted));
  FaultPoint("attempt-branch-created");
  ASSIGN_OR_RETURN(const std::string worktree,
                   EnsureAttemptWorktree(session, repository, task, attempt));
  VerbResult result = StartedResult(task, attempt, worktree);
  AddPrediction(session, wanted, result);
  return result;
}

}  // namespace autotune
