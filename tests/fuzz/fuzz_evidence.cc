// Any bytes are evidence that writes and reads back as itself and can be
// recomputed, or an error of one line.

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"
#include "tests/fuzz/fuzz_targets.h"

namespace autotune {
namespace {

// Judging many rounds of many benchmarks is slow and shows nothing new.
constexpr std::size_t kMostRounds = 40;

void RequireOneLine(const absl::Status& status) {
  const std::string message(status.message());
  Require(!message.empty());
  Require(message.find('\n') == std::string::npos);
}

}  // namespace

void FuzzEvidence(std::string_view text) {
  const absl::StatusOr<Evidence> evidence = ParseEvidence(text, "fuzz.json");
  if (!evidence.ok()) {
    Require(evidence.status().code() == absl::StatusCode::kInvalidArgument);
    Require(evidence.status().message().substr(0, 10) == "fuzz.json:");
    return RequireOneLine(evidence.status());
  }
  const std::string written = EvidenceToJson(*evidence);
  const absl::StatusOr<Evidence> again = ParseEvidence(written, "again.json");
  Require(again.ok());
  Require(EvidenceToJson(*again) == written);
  if (evidence->rounds.size() > kMostRounds) return;
  const absl::Status verified = VerifyEvidence(*evidence);
  if (!verified.ok()) RequireOneLine(verified);
}

}  // namespace autotune
