#ifndef AUTOTUNE_BASE_ANNOTATE_H_
#define AUTOTUNE_BASE_ANNOTATE_H_

#include <string>

#include "absl/status/status.h"

namespace autotune {

// `status` with "`noun`: " put before its message and its code and payloads
// kept: how each layer adds where the error was seen, outside in. An OK status
// is returned unchanged.
absl::Status Annotate(const absl::Status& status, const std::string& noun);

}  // namespace autotune

#endif  // AUTOTUNE_BASE_ANNOTATE_H_
