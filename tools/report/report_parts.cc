#include "tools/report/report_parts.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "comparator/outcome/outcome.h"
#include "comparator/statistics/verdict.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

using Kind = RowOutcome::Kind;

RowOutcome UndecidedOutcome(const Comparison& comparison,
                            const std::string& margin) {
  const bool veto = comparison.role != ComparisonRole::kTarget &&
                    comparison.guard_mode == GuardMode::kVeto;
  return {Kind::kUndecided, veto ? "no evidence of harm" : "inconclusive",
          TextStyle::kDoubtful,
          comparison.reason.empty() ? absl::StrCat("not proven within ", margin)
                                    : comparison.reason};
}

RowOutcome MarginOutcome(const Comparison& comparison) {
  const std::string margin = PercentText(comparison.margin.value_or(0.0));
  const std::string waived = comparison.waiver.empty() ? "" : " (waived)";
  switch (comparison.standing) {
    case MarginStanding::kWithin:
      return {Kind::kPassed, absl::StrCat("within ", margin, waived),
              TextStyle::kGood, ""};
    case MarginStanding::kBeyond:
      return {Kind::kFailed, absl::StrCat("worse than ", margin, waived),
              TextStyle::kBad, absl::StrCat("worse by more than ", margin)};
    case MarginStanding::kUndecided:
      break;
  }
  return UndecidedOutcome(comparison, margin);
}

RowOutcome VerdictOutcome(const Comparison& comparison) {
  switch (comparison.verdict) {
    case Verdict::kImproved:
      return {Kind::kPassed, "improved", TextStyle::kGood, ""};
    case Verdict::kRegressed:
      return {Kind::kFailed, "regressed", TextStyle::kBad, "regressed"};
    case Verdict::kEquivalent:
      return {Kind::kPassed, "equivalent", TextStyle::kPlain, ""};
    case Verdict::kNoGain:
      return {Kind::kPassed, "no gain", TextStyle::kPlain, ""};
    case Verdict::kInconclusive:
      break;
  }
  return {Kind::kUndecided, "inconclusive", TextStyle::kDoubtful,
          comparison.reason};
}

}  // namespace

RowOutcome RowOutcomeOf(const Comparison& comparison) {
  if (!comparison.cannot_judge.empty()) {
    return {Kind::kCannotJudge, "cannot judge", TextStyle::kBad,
            comparison.cannot_judge};
  }
  if (!comparison.suspicion.empty()) {
    return {Kind::kUndecided, "suspect", TextStyle::kDoubtful,
            comparison.suspicion};
  }
  // A host may be proven worse at all and yet not by its margin.
  const bool regressed = comparison.role == ComparisonRole::kHost &&
                         comparison.verdict == Verdict::kRegressed &&
                         comparison.standing == MarginStanding::kUndecided;
  return comparison.margin.has_value() && !regressed &&
                 comparison.verdict != Verdict::kImproved
             ? MarginOutcome(comparison)
             : VerdictOutcome(comparison);
}

RowOutcome WholeOutcomeOf(const Outcome& outcome) {
  RowOutcome whole;
  whole.word = OutcomeName(outcome, outcome.kind);
  whole.message = absl::StrCat(whole.word, ": ", outcome.reason);
  whole.style = TextStyle::kDoubtful;
  if (outcome.cannot_judge()) {
    whole.kind = Kind::kCannotJudge;
    whole.style = TextStyle::kBad;
  } else if (outcome.decision == Decision::kKeep) {
    whole.kind = Kind::kPassed;
    whole.style = TextStyle::kGood;
  } else if (outcome.decision == Decision::kDiscard) {
    whole.kind = Kind::kFailed;
    whole.style = TextStyle::kBad;
  }
  return whole;
}

RowOutcome MeanOutcomeOf(const Outcome& outcome) {
  RowOutcome mean = VerdictOutcome(*outcome.overall);
  if (outcome.kind == PolicyKind::kGate) mean.word.clear();
  return mean;
}

bool HasMedians(const Comparison& comparison) {
  return (comparison.estimate.has_value() || comparison.cannot_judge.empty()) &&
         comparison.baseline_size > 0 && comparison.contender_size > 0;
}

std::string NumbersText(const Comparison& comparison) {
  if (!comparison.estimate.has_value()) return "";
  const std::string& metric = comparison.metric.name;
  const std::string sides =
      HasMedians(comparison)
          ? absl::StrCat(ValueText(metric, comparison.baseline_median), " -> ",
                         ValueText(metric, comparison.contender_median), ", ")
          : "";
  return absl::StrFormat("%s: %s%s %s", metric, sides,
                         ChangeText(comparison.estimate->ratio),
                         IntervalText(comparison.estimate->interval));
}

std::string RoleText(const Comparison& comparison) {
  if (comparison.role == ComparisonRole::kTarget) return "";
  return absl::StrCat(" (", std::string(NameOf(comparison.role)), ")");
}

std::string EntryText(const Report::LeftOut::Entry& entry) {
  return absl::StrCat(entry.name, entry.kind.empty() ? "" : " ", entry.kind,
                      entry.count > 1 ? absl::StrCat(" ", entry.count, " times")
                                      : std::string(),
                      entry.reason.empty() ? "" : ": ", entry.reason);
}

std::vector<Report::LeftOut> LeftOutOnce(const Report& report) {
  using Entry = Report::LeftOut::Entry;
  const auto same = [](const Entry& a, const Entry& b) {
    return a.name == b.name && a.kind == b.kind && a.reason == b.reason;
  };
  std::vector<Report::LeftOut> lists = report.left_out;
  Report::LeftOut both = {"", "unusable on both sides", true, false, {}};
  for (std::size_t i = 1; i < lists.size(); ++i) {
    if (!lists[i - 1].with_reasons || !lists[i].with_reasons) continue;
    std::vector<Entry>& here = lists[i - 1].entries;
    std::erase_if(lists[i].entries, [&](const Entry& entry) {
      const auto found =
          std::find_if(here.begin(), here.end(),
                       [&](const Entry& other) { return same(entry, other); });
      if (found == here.end()) return false;
      both.entries.push_back(*found);
      both.entries.back().count += entry.count;
      here.erase(found);
      return true;
    });
  }
  lists.push_back(std::move(both));
  std::erase_if(
      lists, [](const Report::LeftOut& list) { return list.entries.empty(); });
  return lists;
}

bool HasMixedMetrics(const Outcome& outcome) {
  return std::any_of(outcome.comparisons.begin(), outcome.comparisons.end(),
                     [&outcome](const Comparison& comparison) {
                       return comparison.metric !=
                              outcome.comparisons.front().metric;
                     });
}

std::vector<std::size_t> WorstFirst(const Outcome& outcome) {
  struct Place {
    Kind kind;
    double gain;
    std::size_t index;
  };
  std::vector<Place> places;
  for (const Comparison& comparison : outcome.comparisons) {
    places.push_back(
        {RowOutcomeOf(comparison).kind, GainFactor(comparison), places.size()});
  }
  std::stable_sort(
      places.begin(), places.end(), [](const Place& a, const Place& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.gain < b.gain;
      });
  std::vector<std::size_t> indices;
  for (const Place& place : places) indices.push_back(place.index);
  return indices;
}

std::string OutcomeLine(const Outcome& outcome, bool color) {
  const RowOutcome whole = WholeOutcomeOf(outcome);
  return absl::StrCat(Styled(whole.word, whole.style, color), ": ",
                      PrintableText(outcome.reason), "\n");
}

}  // namespace autotune
