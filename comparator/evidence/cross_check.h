#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_CROSS_CHECK_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_CROSS_CHECK_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/evidence/evidence.h"

namespace autotune {

// Whether the code fixes the number of iterations, which Google Benchmark says
// in the name (".../iterations:N"): the library then searches for none.
bool FixesIterations(std::string_view benchmark);

// How many times as long as the visits that count those of a confirmation have
// to be, so that the search for the number of iterations hides no clock that
// runs slow: at least 1; such a visit measures 2 s at most where it is longer.
double ConfirmationLength(const Evidence& evidence);

// Why a decision that the rounds prove must not be taken, for
// Evidence::downgrade; empty when nothing objects. Looks at what the test does
// not: where the work was done, and whether visits disturbed the next ones.
//   - threads: cpu_time counts the main thread only, so the contender must not
//     have run more of them;
//   - work outside the timed part (cpu_time: the process's other CPU time;
//     real_time, one visit after the other: its other wall time) that grew on
//     the contender by at least half of what the gain claims (gate: by the
//     margin), by more than the iteration search and the start of a process may
//     cost, and in so many rounds that a fair coin would show it once in twenty
//     times;
//   - cpu_time that takes longer by the kernel's account than by the program's,
//     by 3 % or half of what the gain claims: the longer visits of the
//     confirmation against those that count, whatever is done once a process
//     left out;
//   - carry-over between alternate rounds (TestCarryOver);
//   - confirmation rounds that contradict a keep.
// Deterministic: recomputing it from the evidence gives the same words.
std::string DecisionObjection(const Evidence& evidence);

// Whether the log-improvements of alternate confirmation rounds contradict a
// keep: of n, all are below 0 when n < 8, at least n - 1 from there. False with
// fewer than 2: one noisy round contradicts nothing.
bool ConfirmationContradicts(const std::vector<double>& improvements);

// The log-improvement of one round over the targets (their mean), from its
// visits, whatever its use; nothing without a positive value for
// each.
std::optional<double> RoundImprovement(const Evidence& evidence,
                                       const RoundEvidence& round);

// Things about the rounds that a reader should know but that object to nothing:
// the sides measured very different amounts of work, visits that hardly
// overlapped.
std::vector<std::string> RoundWarnings(const Evidence& evidence);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_CROSS_CHECK_H_
