#ifndef AUTOTUNE_COMPARATOR_POLICY_IDLE_SETTING_H_
#define AUTOTUNE_COMPARATOR_POLICY_IDLE_SETTING_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/names.h"

namespace autotune {

// Settings that name what they are about: benchmarks or a number.
enum class SettingKind {
  kFilter,
  kBaselineFilter,
  kContenderFilter,
  kRename,
  kMetric,
  kGuard,
  kMargin,
  kWaiver
};

template <>
struct NameTable<SettingKind> {
  static constexpr Named<SettingKind> kAll[] = {
      {"filter", SettingKind::kFilter},
      {"filter-baseline", SettingKind::kBaselineFilter},
      {"filter-contender", SettingKind::kContenderFilter},
      {"rename", SettingKind::kRename},
      {"metric", SettingKind::kMetric},
      {"guard", SettingKind::kGuard},
      {"margin", SettingKind::kMargin},
      {"waiver", SettingKind::kWaiver}};
};

// A setting that found nothing of what it names, so that it would change
// nothing. It is never passed over: where the contender has lost what it names
// nothing can be judged, and anything else is a mistake of who wrote it.
struct IdleSetting {
  SettingKind kind = SettingKind::kFilter;
  std::size_t index = 0;  // among those of its kind
  std::string name;       // what it names, as written: a pattern, a metric
  std::string why;        // "no benchmark matches it"
  bool vanished = false;  // the baseline has what it names
};

// `guard "BM_A": no benchmark matches it`.
std::string IdleText(const IdleSetting& idle);

// InvalidArgument, IdleText, from which whoever knows where the setting was
// written takes the setting again (without its name).
absl::Status IdleError(const IdleSetting& idle);
std::optional<IdleSetting> IdleSettingOf(const absl::Status& status);

// `WHAT; did you mean BM_A?` with the name nearest to `name`, else "WHAT; there
// are BM_A, BM_B and 7 more", or WHAT alone when `there` is empty.
std::string WithWhatThereIs(std::string_view what, std::string_view name,
                            std::span<const std::string> there);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_IDLE_SETTING_H_
