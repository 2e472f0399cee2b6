#ifndef AUTOTUNE_COMPARATOR_RESULTS_FOREIGN_TEXT_H_
#define AUTOTUNE_COMPARATOR_RESULTS_FOREIGN_TEXT_H_

#include <string>
#include <string_view>

namespace autotune {

// What a text that is no JSON result of Google Benchmark looks like, and the
// way out: "this looks like the CSV of --benchmark_format=csv; write JSON with
// --benchmark_out=FILE --benchmark_out_format=json". Empty when it looks like
// nothing known. To be asked only once reading has failed: a benchmark might
// bear any of the names it looks for. O(size of text).
std::string DescribeForeignText(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_FOREIGN_TEXT_H_
