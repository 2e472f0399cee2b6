#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/verdict.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using Answer = std::pair<Decision, ReasonCode>;
using Comparisons = std::vector<Comparison>;

constexpr double kBelievable = 0.9;
constexpr double kBeyondBelief = 0.1;

Comparison Row(Verdict verdict, MarginStanding standing) {
  Comparison row;
  row.name = "BM_A";
  row.verdict = verdict;
  row.standing = standing;
  row.margin = 0.02;
  row.reason = "undecided after 3 rounds";
  row.estimate = RatioEstimate{.ratio = kBelievable, .interval = {}};
  return row;
}

// Every kind of row that a rule tells from others.
Comparisons AllRows() {
  Comparisons rows;
  for (const MarginStanding standing :
       {MarginStanding::kUndecided, MarginStanding::kWithin,
        MarginStanding::kBeyond}) {
    for (const Verdict verdict :
         {Verdict::kImproved, Verdict::kNoGain, Verdict::kInconclusive}) {
      rows.push_back(Row(verdict, standing));
    }
    for (const GuardMode mode : {GuardMode::kProve, GuardMode::kVeto}) {
      Comparison guard = Row(Verdict::kInconclusive, standing);
      guard.role = ComparisonRole::kGuard;
      guard.guard_mode = mode;
      rows.push_back(guard);
    }
  }
  Comparison row = Row(Verdict::kImproved, MarginStanding::kWithin);
  row.estimate->ratio = kBeyondBelief;
  rows.push_back(row);
  row = Row(Verdict::kImproved, MarginStanding::kWithin);
  row.suspicion = "equal digits";
  rows.push_back(row);
  row.role = ComparisonRole::kGuard;
  rows.push_back(row);
  for (const ComparisonRole role :
       {ComparisonRole::kTarget, ComparisonRole::kGuard}) {
    row = Row(Verdict::kInconclusive, MarginStanding::kUndecided);
    row.suspicion = "no time at all";
    row.takes_no_time = true;
    row.role = role;
    rows.push_back(row);
  }
  row = Row(Verdict::kInconclusive, MarginStanding::kUndecided);
  row.cannot_judge = "errored";
  rows.push_back(row);
  row.cannot_judge.clear();
  row.can_be_decided = false;
  rows.push_back(row);
  row.role = ComparisonRole::kGuard;
  row.margin = 0.02;
  rows.push_back(row);
  row = Row(Verdict::kRegressed, MarginStanding::kBeyond);
  row.estimate.reset();  // of counts that are 0
  rows.push_back(row);
  row = Row(Verdict::kImproved, MarginStanding::kWithin);
  row.estimate.reset();
  rows.push_back(row);
  return rows;
}

// The rules in the words of docs/statistics.md, as slowly as they read.
class Restated {
 public:
  Restated(const DecisionRule& rule, const Comparisons& rows,
           const Comparison& overall)
      : rule_(rule), rows_(rows), overall_(overall) {}

  Answer Say() const {
    constexpr Decision kOpen = Decision::kInconclusive;
    if (Any([](const Comparison& c) { return !c.cannot_judge.empty(); })) {
      return {kOpen, ReasonCode::kUnjudgeable};
    }
    if (rows_.empty()) return {kOpen, ReasonCode::kNothing};
    Comparisons timed;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(timed),
                 [](const Comparison& c) { return !c.takes_no_time; });
    if (timed.size() < rows_.size()) {
      return Restated(rule_, timed, overall_).Say();
    }
    const bool gate = rule_.kind == PolicyKind::kGate;
    if (gate && Any([](const Comparison& c) {
          return c.suspicion.empty() && !c.can_be_decided &&
                 c.guard_mode != GuardMode::kExact;
        })) {
      return {kOpen, ReasonCode::kTooFewRuns};
    }
    if (!gate && Any([](const Comparison& c) {
          return IsTarget(c) && !c.estimate.has_value() &&
                 c.verdict == Verdict::kRegressed;
        })) {
      return {Decision::kDiscard, ReasonCode::kHarmed};
    }
    if (Any([&](const Comparison& c) {
          return c.suspicion.empty() && Harmed(c) && (gate || !IsTarget(c));
        })) {
      return {Decision::kDiscard, ReasonCode::kHarmed};
    }
    return gate ? Gate() : Tune();
  }

 private:
  static bool IsTarget(const Comparison& c) {
    return c.role == ComparisonRole::kTarget && c.suspicion.empty();
  }
  static bool Harmed(const Comparison& c) {
    return c.standing == MarginStanding::kBeyond;
  }
  static bool Proven(const Comparison& c) {
    return c.standing == MarginStanding::kWithin;
  }
  template <typename Predicate>
  bool Any(const Predicate& holds) const {
    return std::any_of(rows_.begin(), rows_.end(), holds);
  }
  bool AnyDoubted() const {
    return Any([](const Comparison& c) {
      return c.role == ComparisonRole::kTarget && !c.suspicion.empty();
    });
  }
  bool AnyGuardDoubted() const {
    return Any([](const Comparison& c) {
      return c.role == ComparisonRole::kGuard && !c.suspicion.empty() &&
             c.guard_mode != GuardMode::kVeto;
    });
  }
  bool AnyGuardWaits() const {
    return Any([](const Comparison& c) {
      return c.role == ComparisonRole::kGuard && c.suspicion.empty() &&
             c.guard_mode != GuardMode::kVeto &&
             c.standing == MarginStanding::kUndecided;
    });
  }

  Answer Gate() const {
    constexpr Decision kOpen = Decision::kInconclusive;
    if (AnyDoubted() || AnyGuardDoubted()) {
      return {kOpen, ReasonCode::kDoubted};
    }
    const bool open = Any([](const Comparison& c) {
      return IsTarget(c) && c.standing == MarginStanding::kUndecided;
    });
    if (open || AnyGuardWaits()) return {kOpen, ReasonCode::kUndecided};
    if (!Any([](const Comparison& c) { return c.suspicion.empty(); })) {
      return {kOpen, ReasonCode::kNothing};
    }
    return {Decision::kKeep, ReasonCode::kWithinMargins};
  }

  Answer Tune() const {
    constexpr Decision kOpen = Decision::kInconclusive;
    Comparisons targets;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(targets),
                 &IsTarget);
    if (targets.empty()) {
      return {kOpen,
              AnyDoubted() ? ReasonCode::kDoubted : ReasonCode::kNothing};
    }
    Comparisons parts = targets;
    const bool each = rule_.targets == TargetRule::kEach && targets.size() > 1;
    Verdict verdict =
        targets.size() == 1 ? targets[0].verdict : overall_.verdict;
    if (each) {
      std::set<Verdict> verdicts;
      bool waiting = false;
      bool harmed = false;
      for (const Comparison& c : targets) {
        verdicts.insert(c.verdict);
        harmed = harmed || Harmed(c);
        waiting = waiting || (c.verdict != Verdict::kImproved && !Proven(c));
      }
      if (harmed) return {Decision::kDiscard, ReasonCode::kHarmed};
      const bool improved = verdicts.count(Verdict::kImproved) > 0;
      if (improved && waiting) return {kOpen, ReasonCode::kUndecided};
      verdict = improved ? Verdict::kImproved
                : verdicts.count(Verdict::kInconclusive) > 0
                    ? Verdict::kInconclusive
                    : Verdict::kNoGain;
      std::erase_if(parts, [](const Comparison& c) {
        return c.verdict != Verdict::kImproved;
      });
    } else if (targets.size() > 1) {
      parts.push_back(overall_);
    }
    if (verdict == Verdict::kInconclusive) {
      return {kOpen, ReasonCode::kUndecided};
    }
    if (verdict != Verdict::kImproved) {
      return {Decision::kDiscard, ReasonCode::kNoGain};
    }
    for (const Comparison& c : parts) {
      if (c.estimate.has_value() &&
          1.0 / c.estimate->ratio > rule_.review_ratio) {
        return {kOpen, ReasonCode::kGainBeyondBelief};
      }
    }
    if (AnyDoubted() || AnyGuardDoubted()) {
      return {kOpen, ReasonCode::kDoubted};
    }
    if (AnyGuardWaits()) return {kOpen, ReasonCode::kUndecided};
    return {Decision::kKeep, ReasonCode::kImproved};
  }

  const DecisionRule& rule_;
  const Comparisons& rows_;
  const Comparison& overall_;
};

std::string Described(const Comparisons& rows) {
  std::string text;
  for (const Comparison& row : rows) {
    text += std::string(NameOf(row.role)) + " " +
            std::string(NameOf(row.verdict)) + " " +
            std::string(NameOf(row.standing)) + " " + row.suspicion +
            row.cannot_judge + "; ";
  }
  return text;
}

// Checks `rows` under every rule and overall verdict; counts the codes seen.
void Check(const Comparisons& rows, std::set<ReasonCode>& seen) {
  for (const PolicyKind kind : {PolicyKind::kTune, PolicyKind::kGate}) {
    for (const TargetRule targets : {TargetRule::kGeomean, TargetRule::kEach}) {
      for (const Verdict verdict :
           {Verdict::kImproved, Verdict::kRegressed, Verdict::kEquivalent,
            Verdict::kNoGain, Verdict::kInconclusive}) {
        const DecisionRule rule = {.kind = kind, .targets = targets};
        const Comparison overall = Row(verdict, MarginStanding::kUndecided);
        const Ruling ruling = Decide(rule, rows, &overall);
        const Answer expected = Restated(rule, rows, overall).Say();
        ASSERT_EQ(ruling.decision, expected.first) << Described(rows);
        ASSERT_EQ(ruling.code, expected.second) << Described(rows);
        ASSERT_FALSE(ruling.reason.empty());
        ASSERT_TRUE(!ruling.cannot_judge() ||
                    ruling.decision == Decision::kInconclusive);
        seen.insert(ruling.code);
      }
    }
  }
}

TEST(DecideTest, EveryTableOfUpToThreeRowsIsDecidedAsTheRulesSay) {
  const Comparisons kinds = AllRows();
  std::set<ReasonCode> seen;
  Check({}, seen);
  for (const Comparison& first : kinds) {
    Check({first}, seen);
    for (const Comparison& second : kinds) {
      Check({first, second}, seen);
      for (const Comparison& third : kinds) {
        Check({first, second, third}, seen);
      }
    }
  }
  const std::set<ReasonCode> all = {
      ReasonCode::kImproved,         ReasonCode::kWithinMargins,
      ReasonCode::kHarmed,           ReasonCode::kNoGain,
      ReasonCode::kUndecided,        ReasonCode::kDoubted,
      ReasonCode::kGainBeyondBelief, ReasonCode::kUnjudgeable,
      ReasonCode::kNothing,          ReasonCode::kTooFewRuns};
  EXPECT_EQ(seen, all);
}

Comparison Target(const std::string& name, Verdict verdict) {
  Comparison row = Row(verdict, MarginStanding::kUndecided);
  row.name = name;
  row.margin.reset();
  return row;
}

Comparison GuardRow(const std::string& name, MarginStanding standing) {
  Comparison row = Row(Verdict::kInconclusive, standing);
  row.name = name;
  row.role = ComparisonRole::kGuard;
  return row;
}

std::string Said(const Comparisons& rows, const Comparison* overall = nullptr) {
  return Decide(DecisionRule{}, rows, overall).reason;
}

TEST(DecideTest, ASentenceNamesTheFirstAndCountsTheRest) {
  const Comparison better = Target("BM_A", Verdict::kImproved);
  const Comparison within = GuardRow("BM_G", MarginStanding::kWithin);
  const Comparison open = GuardRow("BM_H", MarginStanding::kUndecided);
  const Comparison beyond = GuardRow("BM_I\n", MarginStanding::kBeyond);
  EXPECT_EQ(Said({better}), "BM_A improved");
  EXPECT_EQ(Said({better, within, within}), "BM_A improved, 2 guards unharmed");
  EXPECT_EQ(Said({better, within, open}),
            "BM_A improved, but guard BM_H is not proven within 2 %");
  EXPECT_EQ(Said({better, open, open}),
            "BM_A improved, but guard BM_H and 1 more are not proven within "
            "2 %");
  EXPECT_EQ(Said({better, beyond}), "guard BM_I\\n is worse by more than 2 %");
  Comparison veto = open;
  veto.guard_mode = GuardMode::kVeto;
  EXPECT_EQ(Said({better, within, veto}),
            "BM_A improved, 1 guard unharmed, no evidence of harm to 1 guard");
  EXPECT_EQ(Said({Target("BM_A", Verdict::kEquivalent)}),
            "BM_A is equivalent within 1 %");
  EXPECT_EQ(Said({better, better}, &better),
            "geometric mean of 2 benchmarks improved");
  EXPECT_EQ(Said({}), "there is no benchmark to judge");
}

TEST(DecideTest, WhatTakesNoTimeHindersNothing) {
  Comparison empty = Target("BM_Empty", Verdict::kInconclusive);
  empty.suspicion = "0 ns";
  empty.takes_no_time = true;
  const Comparison better = Target("BM_A", Verdict::kImproved);
  EXPECT_EQ(Said({empty, better, empty}), "BM_A improved");
  EXPECT_EQ(Said({empty}),
            "BM_Empty takes no time: there is nothing to compare");
  EXPECT_EQ(Said({empty, empty}),
            "BM_Empty and 1 more take no time: there is nothing to compare");
  Comparison guard = GuardRow("BM_G", MarginStanding::kUndecided);
  guard.suspicion = "equal digits";
  EXPECT_EQ(Said({better, guard}), "needs review: guard BM_G: equal digits");
  guard.takes_no_time = true;
  EXPECT_EQ(Said({better, guard}), "BM_A improved");
}

TEST(ReasonCodeTest, EveryCodeHasItsOwnName) {
  std::set<std::string> names;
  for (int code = 0; code <= static_cast<int>(ReasonCode::kOtherMachine);
       ++code) {
    names.emplace(NameOf(static_cast<ReasonCode>(code)));
  }
  EXPECT_EQ(names.size(),
            static_cast<std::size_t>(ReasonCode::kOtherMachine) + 1);
  EXPECT_EQ(NameOf(ReasonCode::kImproved), "improved");
  EXPECT_EQ(NameOf(ReasonCode::kOtherMachine), "other_machine");
}

TEST(OutcomeNameTest, AGateHasItsOwnWords) {
  constexpr PolicyKind kTune = PolicyKind::kTune;
  constexpr PolicyKind kGate = PolicyKind::kGate;
  const Ruling keep = {Decision::kKeep, ReasonCode::kImproved, ""};
  const Ruling discard = {Decision::kDiscard, ReasonCode::kHarmed, ""};
  const Ruling missing = {Decision::kInconclusive, ReasonCode::kMissing, ""};
  EXPECT_EQ(OutcomeName(keep, kTune), "keep");
  EXPECT_EQ(OutcomeName(keep, kGate), "pass");
  EXPECT_EQ(OutcomeName(discard, kTune), "discard");
  EXPECT_EQ(OutcomeName(discard, kGate), "regression");
  EXPECT_EQ(OutcomeName(Ruling{}, kGate), "inconclusive");
  EXPECT_EQ(OutcomeName(missing, kTune), "cannot judge");
}

TEST(GainFactorTest, IsAboveOneWhenBetter) {
  Comparison row = Row(Verdict::kImproved, MarginStanding::kWithin);
  EXPECT_DOUBLE_EQ(GainFactor(row), 1.0 / kBelievable);
  row.metric.direction = Direction::kHigherIsBetter;
  EXPECT_DOUBLE_EQ(GainFactor(row), kBelievable);
  row.estimate.reset();
  EXPECT_EQ(GainFactor(row), 1.0);
}

}  // namespace
}  // namespace autotune
