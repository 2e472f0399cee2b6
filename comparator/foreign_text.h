#ifndef AUTOTUNE_COMPARATOR_FOREIGN_TEXT_H_
#define AUTOTUNE_COMPARATOR_FOREIGN_TEXT_H_

#include <string>
#include <string_view>

namespace autotune {

// What a text that is no JSON result of Google Benchmark looks like, and the
// way out: "this is the CSV of --benchmark_format=csv; write JSON with
// --benchmark_out=FILE --benchmark_out_format=json". Empty when it looks like
// none of the known ones. Only to be asked once reading has failed: one
// benchmark could bear any of the names it looks for. O(size of text).
std::string DescribeForeignText(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_FOREIGN_TEXT_H_
