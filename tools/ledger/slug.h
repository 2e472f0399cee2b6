#ifndef AUTOTUNE_TOOLS_LEDGER_SLUG_H_
#define AUTOTUNE_TOOLS_LEDGER_SLUG_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace autotune {

// Longest slug, in characters.
inline constexpr int kSlugLimit = 60;

// Lower case, every run of characters outside a-z0-9 becomes '-', trimmed, at
// most 60 characters. InvalidArgument when nothing is left.
absl::StatusOr<std::string> Slug(std::string_view text);

// Whether `text` is what Slug would make of it.
bool IsSlug(std::string_view text);

// `slug`, or with the smallest "-2", "-3", ... that is not in `taken`, still at
// most 60 characters. `slug` must be a slug.
std::string UniqueSlug(std::string_view slug,
                       const std::vector<std::string>& taken);

// "<date>-<slug>", the name of a task, for a date YYYY-MM-DD. InvalidArgument
// as Slug, or when `date` is not of that form.
absl::StatusOr<std::string> TaskName(std::string_view date,
                                     std::string_view text);

// Whether `text` is such a name.
bool IsTaskName(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_SLUG_H_
