// One rule for every source of comparisons. Each step below either rules or
// hands on: first what makes judging impossible, then harm, then what the
// targets show, last what may hold a proven improvement back.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

using Pointers = std::vector<const Comparison*>;

template <typename Predicate>
Pointers Where(const Pointers& comparisons, const Predicate& holds) {
  Pointers found;
  for (const Comparison* comparison : comparisons) {
    if (std::invoke(holds, *comparison)) found.push_back(comparison);
  }
  return found;
}

// "guard A" or "A and 3 more".
std::string FirstOf(const Pointers& comparisons) {
  const Comparison& first = *comparisons.front();
  std::string text =
      absl::StrCat(first.role == ComparisonRole::kTarget
                       ? ""
                       : absl::StrCat(std::string(NameOf(first.role)), " "),
                   PrintableName(first.name));
  if (comparisons.size() > 1) {
    absl::StrAppend(&text, " and ", comparisons.size() - 1, " more");
  }
  return text;
}

// The same with its verb: "A is", "A and 3 more are".
std::string FirstIs(const Pointers& comparisons) {
  return FirstOf(comparisons) + (comparisons.size() > 1 ? " are" : " is");
}

std::string MarginText(const Comparison& comparison) {
  return PercentText(comparison.margin.value_or(0.0));
}

bool IsGuard(const Comparison& comparison) {
  return comparison.role == ComparisonRole::kGuard;
}
bool IsHost(const Comparison& comparison) {
  return comparison.role == ComparisonRole::kHost;
}
bool IsRegressed(const Comparison& comparison) {
  return comparison.verdict == Verdict::kRegressed;
}
bool IsDoubted(const Comparison& comparison) {
  return !comparison.suspicion.empty();
}
bool IsImproved(const Comparison& comparison) {
  return comparison.verdict == Verdict::kImproved;
}
bool IsBeyond(const Comparison& comparison) {
  return comparison.margin.has_value() &&
         comparison.standing == MarginStanding::kBeyond;
}
bool IsOpen(const Comparison& comparison) {
  return comparison.standing == MarginStanding::kUndecided;
}
// Counts of which some are 0 have no ratio, so no part in the mean.
bool IsLostExactly(const Comparison& comparison) {
  return !comparison.estimate.has_value() &&
         comparison.verdict == Verdict::kRegressed;
}
bool IsHopeless(const Comparison& comparison) {
  return !comparison.can_be_decided &&
         comparison.guard_mode != GuardMode::kExact;
}
bool IsInconclusive(const Comparison& comparison) {
  return comparison.verdict == Verdict::kInconclusive;
}

class Decider {
 public:
  Decider(const DecisionRule& rule, std::span<const Comparison> comparisons,
          const Comparison* overall)
      : rule_(rule), overall_(overall) {
    for (const Comparison& comparison : comparisons) {
      all_.push_back(&comparison);
      if (!comparison.cannot_judge.empty()) continue;
      if (IsHost(comparison)) {
        hosts_.push_back(&comparison);
      } else if (comparison.takes_no_time) {
        no_ops_.push_back(&comparison);
      } else if (IsDoubted(comparison)) {
        if (!IsGuard(comparison)) {
          doubted_.push_back(&comparison);
        } else if (comparison.guard_mode != GuardMode::kVeto) {
          doubted_guards_.push_back(&comparison);
        }
      } else if (IsGuard(comparison)) {
        guards_.push_back(&comparison);
      } else {
        targets_.push_back(&comparison);
      }
    }
  }

  Ruling Rule() const {
    const Pointers failed = Where(
        all_, [](const Comparison& c) { return !c.cannot_judge.empty(); });
    if (!failed.empty()) {
      return Inconclusive(
          ReasonCode::kUnjudgeable,
          absl::StrCat(FirstOf(failed), ": ", failed.front()->cannot_judge));
    }
    if (all_.empty()) {
      return Inconclusive(ReasonCode::kNothing,
                          "there is no benchmark to judge");
    }
    return rule_.kind == PolicyKind::kGate ? Gate() : Tune();
  }

 private:
  static Ruling Inconclusive(ReasonCode code, std::string reason) {
    return {Decision::kInconclusive, code, std::move(reason)};
  }

  static Ruling Harmed(const Pointers& harmed) {
    const Comparison& first = *harmed.front();
    // A host may be harmed in one of its benchmarks only.
    if (IsHost(first) && !first.reason.empty()) {
      return {Decision::kDiscard, ReasonCode::kHarmed,
              absl::StrCat(FirstOf(harmed), ": ", first.reason)};
    }
    return {Decision::kDiscard, ReasonCode::kHarmed,
            absl::StrCat(FirstIs(harmed), " worse by more than ",
                         MarginText(*harmed.front()))};
  }

  static Ruling Doubted(const Pointers& doubted) {
    return Inconclusive(ReasonCode::kDoubted,
                        absl::StrCat("needs review: ", FirstOf(doubted), ": ",
                                     doubted.front()->suspicion));
  }

  Ruling Nothing(std::string_view otherwise) const {
    if (no_ops_.empty()) {
      return Inconclusive(ReasonCode::kNothing, std::string(otherwise));
    }
    return Inconclusive(
        ReasonCode::kNothing,
        absl::StrCat(FirstOf(no_ops_), no_ops_.size() > 1 ? " take" : " takes",
                     " no time: there is nothing to compare"));
  }

  Ruling Gate() const {
    for (const Pointers& family : {targets_, guards_}) {
      const Pointers hopeless = Where(family, &IsHopeless);
      if (hopeless.empty()) continue;
      return Inconclusive(ReasonCode::kTooFewRuns,
                          absl::StrCat(FirstOf({hopeless.front()}), ": ",
                                       hopeless.front()->reason));
    }
    for (const Pointers& family : {guards_, targets_, hosts_}) {
      const Pointers harmed = Where(family, &IsBeyond);
      if (!harmed.empty()) return Harmed(harmed);
    }
    for (const Pointers& doubted : {doubted_, doubted_guards_}) {
      if (!doubted.empty()) return Doubted(doubted);
    }
    for (const Pointers& family :
         {targets_, Blocking(guards_), Blocking(hosts_)}) {
      const Pointers open = Where(family, &IsOpen);
      if (open.empty()) continue;
      return Inconclusive(
          ReasonCode::kUndecided,
          absl::StrFormat("%s not proven within %s (alpha %s)", FirstIs(open),
                          MarginText(*open.front()),
                          ShortestText(rule_.alpha)));
    }
    if (targets_.empty() && guards_.empty()) {
      return Nothing("there is no benchmark whose numbers can be trusted");
    }
    return {Decision::kKeep, ReasonCode::kWithinMargins,
            PassedText() + HostsText()};
  }

  Ruling Tune() const {
    const Pointers lost = Where(targets_, &IsLostExactly);
    if (!lost.empty()) {
      return {Decision::kDiscard, ReasonCode::kHarmed,
              FirstOf(lost) + " regressed"};
    }
    const Pointers harmed = Where(guards_, &IsBeyond);
    if (!harmed.empty()) return Harmed(harmed);
    if (DiffersByMachine()) return Differs();
    const Pointers harmed_hosts = Where(hosts_, &IsBeyond);
    if (!harmed_hosts.empty()) return Harmed(harmed_hosts);
    if (targets_.empty() && !doubted_.empty()) return Doubted(doubted_);
    if (targets_.empty()) {
      return Nothing(
          "every benchmark is a guard: name the targets with --filter");
    }
    if (!hosts_.empty() && !hosts_.front()->margin.has_value()) {
      return EachHost();
    }
    if (targets_.size() == 1) return ByVerdict(*targets_.front());
    if (rule_.targets == TargetRule::kEach || overall_ == nullptr) {
      return Each();
    }
    return ByVerdict(*overall_);
  }

  bool DiffersByMachine() const {
    if (Where(hosts_, &IsRegressed).empty()) return false;
    return !Where(hosts_, &IsImproved).empty() ||
           (overall_ != nullptr && IsImproved(*overall_));
  }

  Ruling Differs() const {
    const Pointers improved = Where(hosts_, &IsImproved);
    return Inconclusive(
        ReasonCode::kDiffersByMachine,
        absl::StrCat("differs by machine: ",
                     improved.empty() ? "the whole" : FirstOf(improved),
                     " improved, ", FirstOf(Where(hosts_, &IsRegressed)),
                     " regressed"));
  }

  // Every host decides for itself.
  Ruling EachHost() const {
    const Pointers without = Where(hosts_, [](const Comparison& c) {
      return !IsImproved(c) && !IsInconclusive(c);
    });
    if (!without.empty()) {
      return {
          Decision::kDiscard, ReasonCode::kNoGain,
          absl::StrCat(FirstOf(without), without.size() > 1 ? " do" : " does",
                       " not improve by ", EffectText(), " or more")};
    }
    const Pointers open = Where(hosts_, &IsInconclusive);
    if (!open.empty()) {
      return Inconclusive(
          ReasonCode::kUndecided,
          absl::StrCat(FirstOf(open), ": ", open.front()->reason));
    }
    return Improved(
        absl::StrCat("all of ", CountText(hosts_.size(), "host"), " improved"),
        overall_ == nullptr ? *targets_.front() : *overall_, targets_);
  }

  // One figure decides.
  Ruling ByVerdict(const Comparison& figure) const {
    const std::string name =
        &figure == overall_ ? absl::StrFormat("geometric mean of %d benchmarks",
                                              targets_.size())
                            : PrintableName(figure.name);
    switch (figure.verdict) {
      case Verdict::kImproved:
        return Improved(name + " improved", figure, targets_);
      case Verdict::kRegressed:
        return {Decision::kDiscard, ReasonCode::kNoGain, name + " regressed"};
      case Verdict::kEquivalent:
        return {Decision::kDiscard, ReasonCode::kNoGain,
                absl::StrCat(name, " is equivalent within ", EffectText())};
      case Verdict::kNoGain:
        return {Decision::kDiscard, ReasonCode::kNoGain,
                absl::StrCat(name, " does not improve by ", EffectText(),
                             " or more")};
      case Verdict::kInconclusive:
        break;
    }
    return Inconclusive(ReasonCode::kUndecided, figure.reason.empty()
                                                    ? name + " is undecided"
                                                    : figure.reason);
  }

  // Any target may carry the keep while the others are its guards.
  Ruling Each() const {
    const Pointers harmed = Where(targets_, &IsBeyond);
    if (!harmed.empty()) return Harmed(harmed);
    const Pointers improved = Where(targets_, &IsImproved);
    if (improved.empty()) return NoneImproved();
    const Pointers waiting = Where(targets_, [](const Comparison& c) {
      return !IsImproved(c) && c.standing != MarginStanding::kWithin;
    });
    const std::string what = FirstOf(improved) + " improved";
    if (!waiting.empty()) return ButOpen(what, waiting);
    return Improved(what, *improved.front(), improved);
  }

  Ruling NoneImproved() const {
    const Pointers open = Where(targets_, &IsInconclusive);
    if (!open.empty()) {
      return Inconclusive(
          ReasonCode::kUndecided,
          absl::StrCat(FirstOf(open), ": ", open.front()->reason));
    }
    return {Decision::kDiscard, ReasonCode::kNoGain,
            absl::StrFormat("none of %d targets improves by %s or more",
                            targets_.size(), EffectText())};
  }

  // A proven improvement is kept only when nothing about it is implausible and
  // the guards agree. `parts` are the targets whose gains count.
  Ruling Improved(const std::string& what, const Comparison& figure,
                  Pointers parts) const {
    parts.push_back(&figure);
    const Pointers beyond = Where(parts, [this](const Comparison& c) {
      return GainFactor(c) > rule_.review_ratio;
    });
    if (!beyond.empty()) {
      return Inconclusive(
          ReasonCode::kGainBeyondBelief,
          absl::StrFormat("needs review: %s is %.3g times better; check that "
                          "the work is still done",
                          PrintableName(beyond.front()->name),
                          GainFactor(*beyond.front())));
    }
    for (const Pointers& doubted : {doubted_, doubted_guards_}) {
      if (!doubted.empty()) return Doubted(doubted);
    }
    for (const Pointers& family : {guards_, hosts_}) {
      const Pointers open = Where(Blocking(family), &IsOpen);
      if (!open.empty()) return ButOpen(what, open);
    }
    return {Decision::kKeep, ReasonCode::kImproved,
            absl::StrCat(what, GuardsText(), HostsText())};
  }

  static Ruling ButOpen(const std::string& what, const Pointers& open) {
    return Inconclusive(
        ReasonCode::kUndecided,
        absl::StrFormat("%s, but %s not proven within %s", what, FirstIs(open),
                        MarginText(*open.front())));
  }

  // A veto guard blocks by proven harm only.
  static Pointers Blocking(const Pointers& guards) {
    return Where(guards, [](const Comparison& c) {
      return c.guard_mode != GuardMode::kVeto;
    });
  }

  // "2 benchmarks proven within the margins, 1 guard unharmed".
  std::string PassedText() const {
    const std::string guards = GuardsText();
    if (targets_.empty() && !guards.empty()) {
      return guards.substr(guards.find_first_not_of(", "));
    }
    return absl::StrCat(CountText(targets_.size(), "benchmark"),
                        " proven within the margin",
                        targets_.size() == 1 ? "" : "s", guards);
  }

  std::string HostsText() const {
    if (hosts_.empty() || !hosts_.front()->margin.has_value()) return "";
    const bool proven = Where(hosts_, &IsOpen).empty();
    return absl::StrCat(", ", CountText(hosts_.size(), "host"),
                        proven ? " unharmed" : ", none proven harmed");
  }

  std::string GuardsText() const {
    const std::size_t open = Where(guards_, &IsOpen).size();
    std::string text;
    if (guards_.size() > open) {
      absl::StrAppend(&text, ", ", CountText(guards_.size() - open, "guard"),
                      " unharmed");
    }
    if (open > 0) {
      absl::StrAppend(&text, ", no evidence of harm to ",
                      CountText(open, "guard"));
    }
    return text;
  }

  std::string EffectText() const { return PercentText(rule_.min_effect); }

  const DecisionRule& rule_;
  const Comparison* overall_;
  Pointers all_;
  Pointers targets_;  // judged and not doubted, as guards_
  Pointers guards_;
  Pointers hosts_;
  Pointers no_ops_;          // of either role
  Pointers doubted_;         // targets
  Pointers doubted_guards_;  // but for those that only veto
};

}  // namespace

Ruling Decide(const DecisionRule& rule, std::span<const Comparison> comparisons,
              const Comparison* overall) {
  return Decider(rule, comparisons, overall).Rule();
}

}  // namespace autotune
