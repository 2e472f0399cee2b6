#ifndef AUTOTUNE_COMPARATOR_POLICY_COMPARISON_RULES_H_
#define AUTOTUNE_COMPARATOR_POLICY_COMPARISON_RULES_H_

#include <string>
#include <string_view>
#include <vector>

#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"

namespace autotune {

// "up to 12 % through 2027-01-31: needs the new parser".
std::string WaiverText(const Waiver& waiver);

// Takes the waivers whose day is before `today` (YYYY-MM-DD) out of the policy
// and says so, a line each.
std::vector<std::string> DropExpiredWaivers(Policy& policy,
                                            std::string_view today);

// What a policy says about benchmarks by name, with its patterns compiled once.
// The policy must pass CheckPolicy and outlive the rules.
class ComparisonRules {
 public:
  // `today` (YYYY-MM-DD) decides which waivers still hold; empty: all do.
  ComparisonRules(const Policy& policy, std::string_view today);

  // The guard by name that covers a benchmark, the first that matches; null
  // when none does.
  const Guard* GuardOf(std::string_view benchmark) const;

  // The first [[margin]] that matches; null when none does.
  const BenchmarkMargin* NamedMarginOf(std::string_view benchmark) const;

  // A gate's tolerated loss: the first [[margin]] that matches, else the
  // guard's, else the default.
  double MarginOf(std::string_view benchmark) const;

  // The waiver of a benchmark that still holds; null when there is none.
  const Waiver* WaiverOf(std::string_view benchmark) const;

  // What a gate tolerates of a benchmark: its margin, or the ceiling of a
  // waiver that still holds if that is more.
  struct Tolerance {
    double margin = 0.0;
    std::string waiver;  // "up to 12 % through 2027-01-31: REASON"; else empty
  };
  Tolerance ToleranceOf(std::string_view benchmark) const;

  std::vector<NamePattern> GuardPatterns() const;
  // Those whose day has passed; they point into the policy.
  const std::vector<const Waiver*>& expired() const { return expired_; }
  // "the waiver of NAME expired on DATE" for each whose day has passed.
  std::vector<std::string> ExpiryWarnings() const;

 private:
  struct NamedMargin {
    NamePattern pattern;
    const BenchmarkMargin* margin;
  };
  struct NamedGuard {
    NamePattern pattern;
    const Guard* guard;
  };

  const Policy& policy_;
  std::vector<NamedMargin> margins_;
  std::vector<NamedGuard> guards_;
  std::vector<const Waiver*> valid_;
  std::vector<const Waiver*> expired_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_COMPARISON_RULES_H_
