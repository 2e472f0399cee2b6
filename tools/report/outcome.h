#ifndef AUTOTUNE_TOOLS_REPORT_OUTCOME_H_
#define AUTOTUNE_TOOLS_REPORT_OUTCOME_H_

#include <string>
#include <string_view>

#include "comparator/recorded/comparison.h"
#include "comparator/statistics/verdict.h"
#include "tools/report/text_table.h"

namespace autotune {

// How one benchmark's row ends, in a word for people and machines that read
// test reports.
struct RowOutcome {
  enum class Kind { kPassed, kFailed, kUndecided, kCannotJudge };
  Kind kind = Kind::kUndecided;
  std::string word;  // "improved", "within 2 %", "worse", "suspect", ...
  TextStyle style = TextStyle::kPlain;
  std::string message;  // why, for those that did not pass
};

// Guards and gates stand against their margin; tune targets have a verdict.
RowOutcome OutcomeOf(const Comparison& comparison);

// "improved", "no gain", ...: VerdictName with spaces.
std::string_view VerdictWord(Verdict verdict);

// "DECISION: REASON" and a newline, printable.
std::string OutcomeLine(const ComparisonTable& table, bool color);

TextStyle StyleOf(Verdict verdict);
TextStyle StyleOf(const ComparisonTable& table);
TextStyle StyleOf(Decision decision);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_OUTCOME_H_
