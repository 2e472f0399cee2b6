#ifndef AUTOTUNE_TOOLS_REPORT_EVIDENCE_REPORT_H_
#define AUTOTUNE_TOOLS_REPORT_EVIDENCE_REPORT_H_

#include <string>

#include "comparator/evidence.h"

namespace autotune {

// The outcome of a run as a table for people: a row per target and guard with
// ratio, interval, rounds, seconds and verdict, then the decision and why.
// At most `width` columns where names allow; benchmark names are made
// printable.
std::string EvidenceTable(const Evidence& evidence, int width, bool color);

// One line: "keep: -7.31 % [-8.90 %, -5.60 %], 9 rounds, 5.2 s: REASON".
std::string EvidenceSummaryLine(const Evidence& evidence);

// The --json object of `bench_compare run`: schema_version, decision, reason,
// next, targets, guards, rounds, seconds, mode, warnings (docs/cli.md).
std::string EvidenceReportJson(const Evidence& evidence);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_EVIDENCE_REPORT_H_
