#ifndef AUTOTUNE_TOOLS_REPORT_EVIDENCE_REPORT_H_
#define AUTOTUNE_TOOLS_REPORT_EVIDENCE_REPORT_H_

#include <string>
#include <string_view>

#include "comparator/evidence/evidence.h"

namespace autotune {

// The outcome of a run as a table for people: a row per target and guard with
// both medians, change, interval and verdict, then what it took, notes, and the
// decision as the last line. The baseline and contender columns go first when
// `width` columns are too few. Benchmark names are made printable.
std::string EvidenceTable(const Evidence& evidence, int width, bool color);

// One line: "keep: -7.31 % [-8.90 %, -5.60 %], 9 rounds, 5.2 s: REASON".
// Without the change when nothing was measured. No newline.
std::string EvidenceSummaryLine(const Evidence& evidence);

// "keep", "discard", "inconclusive"; of a gate "pass", "regression",
// "inconclusive".
std::string_view EvidenceOutcomeName(const Evidence& evidence);

// The --json object of `bench_compare run`: schema_version, decision, reason,
// next, targets, guards, rounds, seconds, mode, warnings (docs/cli.md).
// `evidence_path` is the file that a continued run would be given; may be
// empty.
std::string EvidenceReportJson(const Evidence& evidence,
                               const std::string& evidence_path = "");

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_EVIDENCE_REPORT_H_
