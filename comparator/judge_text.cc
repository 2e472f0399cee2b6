#include "comparator/judge_text.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace autotune {

std::string PercentText(double fraction) {
  return absl::StrFormat("%.4g %%", 100.0 * fraction);
}

std::string CountText(std::size_t count, std::string_view noun) {
  return absl::StrFormat("%d %s%s", count, noun, count == 1 ? "" : "s");
}

std::string UndecidedText(std::size_t rounds) {
  return absl::StrCat("undecided after ", CountText(rounds, "round"));
}

std::string PrintableName(const std::string& name) {
  return absl::Utf8SafeCEscape(name);
}

}  // namespace autotune
