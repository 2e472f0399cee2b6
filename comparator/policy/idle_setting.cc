#include "comparator/policy/idle_setting.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/did_you_mean.h"
#include "base/display_text.h"
#include "base/names.h"

namespace autotune {
namespace {

constexpr char kUrl[] = "autotune/idle-setting";
constexpr std::size_t kMostNames = 3;

}  // namespace

std::string IdleText(const IdleSetting& idle) {
  return absl::StrCat(std::string(NameOf(idle.kind)), " ", Quoted(idle.name),
                      ": ", idle.why);
}

absl::Status IdleError(const IdleSetting& idle) {
  absl::Status status = absl::InvalidArgumentError(IdleText(idle));
  status.SetPayload(kUrl,
                    absl::Cord(absl::StrCat(std::string(NameOf(idle.kind)), " ",
                                            idle.index, " ", idle.why)));
  return status;
}

std::optional<IdleSetting> IdleSettingOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kUrl);
  if (!payload.has_value()) return std::nullopt;
  const std::vector<std::string> parts =
      absl::StrSplit(std::string(*payload), absl::MaxSplits(' ', 2));
  IdleSetting idle;
  idle.kind = ValueNamed<SettingKind>(parts[0]).value();
  if (!absl::SimpleAtoi(parts[1], &idle.index)) return std::nullopt;
  idle.why = parts[2];
  return idle;
}

std::string WithWhatThereIs(std::string_view what, std::string_view name,
                            std::span<const std::string> there) {
  const std::string text(what);
  if (there.empty()) return text;
  const std::optional<std::string> closest = ClosestName(name, there);
  if (closest.has_value()) {
    return absl::StrCat(text, "; did you mean ", PrintableName(*closest), "?");
  }
  const std::size_t shown = std::min(there.size(), kMostNames);
  std::vector<std::string> names;
  for (const std::string& one : there.first(shown)) {
    names.push_back(PrintableName(one));
  }
  if (there.size() > shown) {
    return absl::StrCat(text, "; there are ", absl::StrJoin(names, ", "),
                        " and ", there.size() - shown, " more");
  }
  return absl::StrCat(text, "; there ", shown == 1 ? "is " : "are ",
                      absl::StrJoin(names, ", "));
}

}  // namespace autotune
