#include "tools/autotune/verbs/check.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/open_attempt.h"
#include "tools/autotune/deciding/preparation.h"
#include "tools/autotune/measuring/test_count.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/walls/scope_check.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr std::size_t kLinesShown = 12;

void AddLines(const std::vector<std::string>& lines, VerbResult& result) {
  for (std::size_t i = 0; i < lines.size() && i < kLinesShown; ++i) {
    result.lines.push_back("  " + PrintableText(lines[i]));
  }
  if (lines.size() > kLinesShown) {
    result.lines.push_back(
        absl::StrCat("  and ", lines.size() - kLinesShown, " more"));
  }
}

VerbResult ViolationResult(const Attempt& attempt,
                           const std::vector<std::string>& violations) {
  VerbResult result;
  result.exit_code = kExitOutOfScope;
  result.decision = NameOf(AttemptStatus::kViolation);
  result.reason = "outside the scope";
  result.lines = {absl::StrCat(attempt.approach, ": outside the scope")};
  AddLines(violations, result);
  result.fields.Text("approach", attempt.approach);
  result.fields.Texts("violations", violations);
  result.next = {{Autotune({"decide", attempt.approach}),
                  "records it as a violation; or take those changes back"}};
  return result;
}

VerbResult PassedResult(const Attempt& attempt, const ScopeReport& scope,
                        const Sides& sides, const std::string& untested) {
  VerbResult result;
  result.lines = {
      absl::StrCat(attempt.approach, ": inside the scope, builds, ",
                   untested.empty() ? "passes its tests" : "but " + untested)};
  if (!sides.no_change.empty()) result.lines.push_back("  " + sides.no_change);
  if (!scope.review.empty()) {
    result.lines.push_back("  for review:");
    AddLines(scope.review, result);
  }
  result.fields.Text("approach", attempt.approach);
  result.fields.Flag("no_change", !sides.no_change.empty());
  result.fields.Flag("tested", untested.empty());
  result.fields.Texts("review", scope.review);
  result.next = {{Autotune({"decide", attempt.approach}), "measure it"}};
  return result;
}

}  // namespace

absl::StatusOr<VerbResult> Check(const TaskContext& context,
                                 const std::string& approach) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(Attempt attempt, FindAttempt(repository, task, approach));
  ASSIGN_OR_RETURN(const FileLock lock,
                   LockAttempt(repository, attempt.branch));
  RETURN_IF_ERROR(CommitLeftovers(session, repository, state, attempt));
  ASSIGN_OR_RETURN(const std::string base, BaseOf(repository, state, attempt));
  ASSIGN_OR_RETURN(ScopeReport scope,
                   CheckScope(repository, state, attempt, base));
  if (!scope.violations.empty()) {
    return ViolationResult(attempt, scope.violations);
  }
  ASSIGN_OR_RETURN(const Sides sides,
                   PrepareSides(session, repository, state, attempt));
  if (!sides.build_violations.empty()) {
    return ViolationResult(attempt, sides.build_violations);
  }
  for (const auto* lines : {&sides.taken_back, &sides.needs_review}) {
    scope.review.insert(scope.review.begin(), lines->begin(), lines->end());
  }
  return PassedResult(attempt, scope, sides,
                      WhyUntested(state.settings, sides.attempt.tests));
}

}  // namespace autotune
