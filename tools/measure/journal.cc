#include "tools/measure/journal.h"

#include <optional>
#include <string>
#include <vector>

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

std::string KindText(FileInfo::Kind kind) {
  switch (kind) {
    case FileInfo::Kind::kFile:
      return "a file";
    case FileInfo::Kind::kDirectory:
      return "a folder";
    case FileInfo::Kind::kSymlink:
      return "a symbolic link";
    case FileInfo::Kind::kOther:
      break;
  }
  return "a device or a pipe";
}

// An error unless `earlier` and `now` run the same thing on the same terms.
absl::Status CheckSameSide(const EvidenceSide& earlier, const EvidenceSide& now,
                           const std::string& side, const std::string& path) {
  const auto arguments = [](const EvidenceSide& of) {
    return std::vector<std::string>(of.argv.begin() + (of.argv.empty() ? 0 : 1),
                                    of.argv.end());
  };
  if (earlier.sha256 != now.sha256) {
    return Differs(path, absl::StrCat("another ", side, " program"));
  }
  if (earlier.libraries != now.libraries) {
    return Differs(path, absl::StrCat("other libraries of the ", side));
  }
  if (arguments(earlier) != arguments(now)) {
    return Differs(path, absl::StrCat("other arguments of the ", side));
  }
  if (earlier.environment != now.environment) {
    return Differs(path, absl::StrCat("another environment of the ", side));
  }
  if (earlier.working_directory != now.working_directory) {
    return Differs(path, absl::StrCat("another working folder of the ", side));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckEvidencePlace(const std::string& path, FileSystem& files) {
  if (path.empty()) return absl::OkStatus();
  const absl::StatusOr<FileInfo> info = files.Info(path);
  if (!info.ok() || info->kind == FileInfo::Kind::kFile) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat(path,
                   ": expected a regular file for the evidence, or none "
                   "yet, got ",
                   KindText(info->kind), ": name another file"));
}

absl::StatusOr<std::optional<Evidence>> Journal::Read() {
  RETURN_IF_ERROR(CheckEvidencePlace(path_, files_));
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
  RETURN_IF_ERROR(
      CheckSameSide(earlier.baseline, now.baseline, "baseline", path));
  RETURN_IF_ERROR(
      CheckSameSide(earlier.contender, now.contender, "contender", path));
  if (earlier.settings.targets != now.settings.targets) {
    return Differs(path, "other benchmarks");
  }
  if (PolicyText(earlier.policy) != PolicyText(now.policy)) {
    return Differs(path, "another policy");
  }
  return absl::OkStatus();
}

}  // namespace autotune
