#include "tools/measure/journal.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace autotune {
namespace {

// The policy as text, without what may differ between two parts of a run.
std::string PolicyText(Policy policy) {
  const Policy standard;
  policy.budget_seconds = standard.budget_seconds;
  policy.max_rounds = standard.max_rounds;
  Evidence evidence;
  evidence.policy = policy;
  return EvidenceHeaderLine(evidence);
}

absl::Status Differs(const std::string& path, const std::string& what) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": was measured with ", what,
                   ": give it again to continue, or another evidence file to "
                   "begin anew"));
}

}  // namespace

absl::StatusOr<std::optional<Evidence>> Journal::Read() {
  if (path_.empty() || !files_.Exists(path_)) return std::nullopt;
  ASSIGN_OR_RETURN(const std::string text, files_.ReadFile(path_));
  if (text.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(Evidence evidence, ParseEvidence(text, path_));
  return evidence;
}

absl::Status Journal::CheckFree() {
  ASSIGN_OR_RETURN(const std::optional<Evidence> earlier, Read());
  if (!earlier.has_value() || earlier->rounds.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      path_, ": holds ", earlier->rounds.size(),
      " measured rounds: continue it with --resume, or name another file"));
}

absl::Status Journal::Begin(const Evidence& evidence) {
  if (path_.empty()) return absl::OkStatus();
  std::string text = EvidenceHeaderLine(evidence);
  for (const RoundEvidence& round : evidence.rounds) {
    text += EvidenceRoundLine(round);
  }
  return files_.WriteFile(path_, text);
}

absl::Status Journal::Append(const RoundEvidence& round) {
  if (path_.empty()) return absl::OkStatus();
  return files_.AppendFile(path_, EvidenceRoundLine(round));
}

absl::Status CheckResumable(const Evidence& earlier, const Evidence& now,
                            const std::string& path) {
  if (earlier.baseline.sha256 != now.baseline.sha256) {
    return Differs(path, "another baseline program");
  }
  if (earlier.contender.sha256 != now.contender.sha256) {
    return Differs(path, "another contender program");
  }
  if (PolicyText(earlier.policy) != PolicyText(now.policy)) {
    return Differs(path, "another policy");
  }
  return absl::OkStatus();
}

}  // namespace autotune
