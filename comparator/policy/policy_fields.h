#ifndef AUTOTUNE_COMPARATOR_POLICY_POLICY_FIELDS_H_
#define AUTOTUNE_COMPARATOR_POLICY_POLICY_FIELDS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "comparator/policy/field.h"
#include "comparator/policy/policy.h"

namespace autotune {

template <typename T>
using PolicyFieldOf = Field<T, double, std::int64_t, std::string, PolicyKind,
                            std::optional<Direction>, ErrorControl, TargetRule,
                            MeasureMode, GuardMode>;

// The settings of [policy], [[guard]], [[margin]] and [[waiver]], in the order
// in which they are written.
std::span<const PolicyFieldOf<Policy>> PolicyFields();
std::span<const PolicyFieldOf<Guard>> GuardFields();
std::span<const PolicyFieldOf<BenchmarkMargin>> MarginFields();
std::span<const PolicyFieldOf<Waiver>> WaiverFields();

// A flag that sets a part of a policy, with its help.
struct PolicyFlag {
  std::string_view flag;  // "--min-effect"
  std::string placeholder;
  std::string help;  // with the default in brackets
};

// The flags of single settings; kGuardFlag, which may be repeated, adds a
// guard.
const std::vector<PolicyFlag>& PolicyFlagTable();
extern const PolicyFlag kGuardFlag;

// Policy flags of one command line, as written.
struct PolicyFlagValues {
  // By flag, one of PolicyFlagTable.
  std::map<std::string_view, std::optional<std::string>> texts;
  std::vector<std::string> guards;
};

// Sets what the flags stand for, guards last: they take the default margin
// where they name none. Errors: InvalidArgument "FLAG: expected ..., got ...".
// The policy as a whole is left to CheckPolicy.
absl::Status SetPolicyFlags(const PolicyFlagValues& values, Policy& policy);

// Whether `text` is YYYY-MM-DD and a day of the calendar.
bool IsDate(std::string_view text);
// In (0, 1).
bool IsOpenFraction(double value);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_POLICY_FIELDS_H_
