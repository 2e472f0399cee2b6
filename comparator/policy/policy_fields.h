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
                            AddedRule, MeasureMode, OnInconclusive, GuardMode>;

// The json_key of a setting that evidence does not hold.
inline constexpr std::string_view kNotInEvidence = "-";

// The settings of [policy], [[guard]], [[margin]] and [[waiver]], in the order
// in which they are written.
std::span<const PolicyFieldOf<Policy>> PolicyFields();
std::span<const PolicyFieldOf<Guard>> GuardFields();
std::span<const PolicyFieldOf<BenchmarkMargin>> MarginFields();
std::span<const PolicyFieldOf<Waiver>> WaiverFields();

// What decides by a policy.
enum class PolicyVerb {
  kRecorded,  // two sets of recorded files
  kRun,       // `bench_compare run` and `calibrate`
  kTask,      // autotune
};

// Bits of FieldSpec::uses: where a setting can change an answer.
enum PolicyUse : unsigned {
  kRecordedTune = 1,
  kRecordedGate = 2,
  kRunTune = 4,
  kRunGate = 8,
  kTaskTune = 16,
  kTaskGate = 32,
};

// Whether a verb uses the setting under some kind of policy.
bool IsUsedBy(unsigned uses, PolicyVerb verb);

// A flag that sets a part of a policy, with its help.
struct PolicyFlag {
  std::string_view flag;  // "--min-effect"
  std::string placeholder;
  std::string help;   // with the default in brackets
  std::string value;  // what it stands for when it takes none; else empty
  unsigned uses = 0;
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

// Whether a setting of [policy] can change an answer of `verb` by `policy`.
bool TakesPart(const PolicyFieldOf<Policy>& field, PolicyVerb verb,
               const Policy& policy);

// A setting that cannot change an answer is refused, not passed over:
// InvalidArgument "FLAG: has no effect ..." for the first of `values`, or
// "SOURCE:LINE: KEY: has no effect ..." for the first of a file, that `policy`,
// made of all its sources, does not use when `verb` decides by it.
absl::Status CheckFlagUses(const PolicyFlagValues& values, PolicyVerb verb,
                           const Policy& policy);
absl::Status CheckTomlUses(const TomlTable& top, PolicyVerb verb,
                           const Policy& policy);

// Whether `text` is YYYY-MM-DD and a day of the calendar.
bool IsDate(std::string_view text);
// In (0, 1).
bool IsOpenFraction(double value);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_POLICY_FIELDS_H_
