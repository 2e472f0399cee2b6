#include "comparator/statistics/online_fdr.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"

namespace autotune {
namespace {

absl::Status CheckFraction(double value, std::string_view name) {
  if (value > 0.0 && value < 1.0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      std::string(name), ": expected a fraction in (0, 1), got ",
      std::isfinite(value) ? ShortestText(value) : "no finite number"));
}

absl::Status CheckPlan(const OnlineFdrPlan& plan) {
  RETURN_IF_ERROR(CheckFraction(plan.fdr, "fdr"));
  RETURN_IF_ERROR(CheckFraction(plan.alpha, "alpha"));
  if (plan.horizon >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "horizon: expected at least 1 decision, got ", plan.horizon));
}

}  // namespace

double LondLevel(double fdr, double share, std::int64_t discoveries) {
  assert(fdr > 0.0 && fdr < 1.0 && share >= 0.0 && share <= 1.0);
  assert(discoveries >= 0);
  return fdr * share * (static_cast<double>(discoveries) + 1.0);
}

absl::StatusOr<double> NextDecisionLevel(const OnlineFdrPlan& plan,
                                         std::int64_t decided,
                                         std::int64_t kept) {
  RETURN_IF_ERROR(CheckPlan(plan));
  if (decided < 0 || kept < 0 || kept > decided) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected 0 <= keeps <= decisions, got ", kept,
                     " keeps of ", decided, " decisions"));
  }
  if (decided >= plan.horizon) {
    return absl::FailedPreconditionError(absl::StrCat(
        "all ", plan.horizon, " decisions of the declared horizon are used; ",
        "declare a longer horizon to go on"));
  }
  const double share = 1.0 / static_cast<double>(plan.horizon);
  return std::min(plan.alpha, LondLevel(plan.fdr, share, kept));
}

}  // namespace autotune
