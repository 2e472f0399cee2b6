#ifndef AUTOTUNE_TOOLS_LEDGER_POLICY_TEXT_H_
#define AUTOTUNE_TOOLS_LEDGER_POLICY_TEXT_H_

#include <string>

#include "comparator/policy/policy.h"

namespace autotune {

// The tables [policy], [[guard]], [[margin]] and [[waiver]] that ParsePolicy
// reads back as `policy`, with a comment for what a reader may not know.
std::string FormatPolicy(const Policy& policy);

// `seconds` (> 0) as ParseDurationSeconds reads it back: "120s", "0.5s".
std::string DurationText(double seconds);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_POLICY_TEXT_H_
