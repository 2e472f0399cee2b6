#include "base/annotate.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace autotune {

absl::Status Annotate(const absl::Status& status, const std::string& noun) {
  if (status.ok()) return status;
  absl::Status annotated(status.code(),
                         absl::StrCat(noun, ": ", status.message()));
  status.ForEachPayload(
      [&annotated](absl::string_view url, const absl::Cord& payload) {
        annotated.SetPayload(url, payload);
      });
  return annotated;
}

}  // namespace autotune
