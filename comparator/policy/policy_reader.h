#ifndef AUTOTUNE_COMPARATOR_POLICY_POLICY_READER_H_
#define AUTOTUNE_COMPARATOR_POLICY_POLICY_READER_H_

#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "comparator/policy/policy.h"

namespace autotune {

// The TOML side of ParsePolicy, which documents it; the only place of the
// comparator that knows TOML.
absl::StatusOr<Policy> ReadPolicyToml(
    std::string_view text, std::string_view source_name,
    std::span<const std::string_view> other_tables);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_POLICY_READER_H_
