#ifndef AUTOTUNE_TESTS_BENCHMARKS_DECISION_QUALITY_KNOB_H_
#define AUTOTUNE_TESTS_BENCHMARKS_DECISION_QUALITY_KNOB_H_

#include <cstdint>

namespace autotune {

// The number that decision_quality.py writes into a copy of the program: units
// of work an iteration for the planted kernels, 0 or 1 (which way of doing the
// work) for the unlike pairs. It lies in the data section behind a marker, so
// the copies share every byte of machine code and differ only in this number
// and a serial that nothing reads.
std::uint32_t KnobValue();

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_BENCHMARKS_DECISION_QUALITY_KNOB_H_
