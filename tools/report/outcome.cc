#include "tools/report/outcome.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "comparator/recorded/comparison.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/statistics/verdict.h"
#include "tools/report/text_table.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

RowOutcome StandingOutcome(const Comparison& comparison) {
  const std::string margin = PercentText(comparison.margin.value_or(0.0));
  const std::string waived = comparison.waiver.empty() ? "" : " (waived)";
  switch (comparison.standing) {
    case MarginStanding::kWithin:
      return {RowOutcome::Kind::kPassed,
              absl::StrCat("within ", margin, waived), TextStyle::kGood, ""};
    case MarginStanding::kBeyond:
      return {RowOutcome::Kind::kFailed,
              absl::StrCat("worse than ", margin, waived), TextStyle::kBad,
              absl::StrCat("worse by more than ", margin)};
    case MarginStanding::kUndecided:
      break;
  }
  return {RowOutcome::Kind::kUndecided, "inconclusive", TextStyle::kDoubtful,
          comparison.reason.empty() ? absl::StrCat("not proven within ", margin)
                                    : comparison.reason};
}

RowOutcome VerdictOutcome(const Comparison& comparison) {
  RowOutcome outcome;
  outcome.word = VerdictWord(comparison.verdict);
  outcome.style = StyleOf(comparison.verdict);
  outcome.kind = RowOutcome::Kind::kPassed;
  if (comparison.verdict == Verdict::kRegressed) {
    outcome.kind = RowOutcome::Kind::kFailed;
    outcome.message = "regressed";
  } else if (comparison.verdict == Verdict::kInconclusive) {
    outcome.kind = RowOutcome::Kind::kUndecided;
    outcome.message = comparison.reason;
  }
  return outcome;
}

}  // namespace

RowOutcome OutcomeOf(const Comparison& comparison) {
  if (!comparison.cannot_judge.empty()) {
    return {RowOutcome::Kind::kCannotJudge, "cannot judge", TextStyle::kBad,
            comparison.cannot_judge};
  }
  if (!comparison.suspicion.empty()) {
    return {RowOutcome::Kind::kUndecided, "suspect", TextStyle::kDoubtful,
            comparison.suspicion};
  }
  return comparison.margin.has_value() &&
                 comparison.verdict != Verdict::kImproved
             ? StandingOutcome(comparison)
             : VerdictOutcome(comparison);
}

std::string_view VerdictWord(Verdict verdict) {
  return verdict == Verdict::kNoGain ? "no gain" : NameOf(verdict);
}

std::string OutcomeLine(const ComparisonTable& table, bool color) {
  return absl::StrCat(Styled(OutcomeName(table), StyleOf(table), color), ": ",
                      PrintableText(table.reason), "\n");
}

TextStyle StyleOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kImproved:
      return TextStyle::kGood;
    case Verdict::kRegressed:
      return TextStyle::kBad;
    case Verdict::kInconclusive:
      return TextStyle::kDoubtful;
    case Verdict::kEquivalent:
    case Verdict::kNoGain:
      break;
  }
  return TextStyle::kPlain;
}

TextStyle StyleOf(Decision decision) {
  switch (decision) {
    case Decision::kKeep:
      return TextStyle::kGood;
    case Decision::kDiscard:
      return TextStyle::kBad;
    case Decision::kInconclusive:
      break;
  }
  return TextStyle::kDoubtful;
}

TextStyle StyleOf(const ComparisonTable& table) {
  return table.cannot_judge ? TextStyle::kBad : StyleOf(table.decision);
}

}  // namespace autotune
