#ifndef AUTOTUNE_TOOLS_REPORT_NEXT_STEPS_H_
#define AUTOTUNE_TOOLS_REPORT_NEXT_STEPS_H_

#include <string>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "comparator/recorded/comparison.h"
#include "tools/report/json_writer.h"

namespace autotune {

// What the user can do about an outcome: a command and why.
struct NextStep {
  std::string command;
  std::string why;
};

// "next": [{"command": ..., "why": ...}]
void WriteNext(const std::vector<NextStep>& steps, JsonWriter& json);
// A line each: "next: COMMAND  (WHY)".
std::string NextText(const std::vector<NextStep>& steps);

// Ways on from a comparison that did not decide; empty when it did.
std::vector<NextStep> NextSteps(const ComparisonTable& table);

// Ways on from a run that did not decide. `evidence_path` names the file the
// run was written to; empty: none was.
std::vector<NextStep> NextSteps(const Evidence& evidence,
                                const std::string& evidence_path);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_NEXT_STEPS_H_
