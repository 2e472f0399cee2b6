// Any bytes are a policy that passes its own check and can be applied, or an
// error of one line.

#include <cmath>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "tests/fuzz/fuzz_targets.h"

namespace autotune {
namespace {

void CheckApplied(const Policy& policy) {
  Require(CheckPolicy(policy).ok());
  Require(std::isfinite(MinLogImprovement(policy)));
  Require(MinLogImprovement(policy) > 0.0);
  const ComparisonRules rules(policy, "2027-01-31");
  for (const std::string_view name :
       {"", "BM_Parse/64", "BM_Parse/64/real_time/threads:8",
        "BM_<std::vector<int>>/\xff\n"}) {
    Require(!MetricFor(policy, name).name.empty());
    Require(std::isfinite(rules.MarginOf(name)));
    rules.GuardOf(name);
    rules.WaiverOf(name);
  }
}

}  // namespace

void FuzzPolicy(std::string_view text) {
  const absl::StatusOr<Policy> policy = ParsePolicy(text, "fuzz.toml");
  if (policy.ok()) return CheckApplied(*policy);
  Require(policy.status().code() == absl::StatusCode::kInvalidArgument);
  const std::string message(policy.status().message());
  Require(message.starts_with("fuzz.toml:"));
  for (const char c : message) {
    Require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  }
}

}  // namespace autotune
