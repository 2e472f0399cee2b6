#include "tools/bench_compare/fleet_flags.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/names.h"
#include "base/number_text.h"
#include "comparator/fleet/fleet.h"
#include "tools/program/command_line.h"

namespace autotune {

void AddFleetPolicyFlags(CommandLine& line, FleetFlags& flags) {
  line.StartGroup("Hosts");
  line.AddChoice("--host-rule", NamesOf<HostRule>(), flags.rule,
                 "how hosts make one decision (mean+veto)");
  line.AddTexts("--weight", "HOST=NUMBER", flags.weights,
                "the host's weight in the mean (1); may be repeated");
}

absl::StatusOr<FleetPolicy> ResolveFleetPolicy(const FleetFlags& flags) {
  FleetPolicy policy;
  if (flags.rule.has_value()) {
    policy.rule = ValueNamed<HostRule>(*flags.rule).value();
  }
  for (const std::string& text : flags.weights) {
    const std::size_t equals = text.rfind('=');
    const std::optional<double> weight =
        equals == std::string::npos
            ? std::nullopt
            : ParseFiniteDouble(text.substr(equals + 1));
    if (!weight.has_value() || *weight <= 0.0) {
      return UsageError(absl::StrCat(
          "--weight: expected HOST=NUMBER with a number above 0, got ",
          Quoted(text)));
    }
    policy.weights[text.substr(0, equals)] = *weight;
  }
  if (policy.rule == HostRule::kEach && !policy.weights.empty()) {
    return UsageError(
        "--weight: has no effect under --host-rule=each, where every host "
        "decides for itself; leave it out");
  }
  return policy;
}

}  // namespace autotune
