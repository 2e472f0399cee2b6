#ifndef AUTOTUNE_COMPARATOR_RESULTS_ROW_FACTS_H_
#define AUTOTUNE_COMPARATOR_RESULTS_ROW_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

namespace autotune {

// What is known of a measurement's row beside the Measurement itself.
struct RowFacts {
  bool typed = false;  // has run_type
  bool times_are_whole = false;
  bool times_in_library_form = false;
  // So that only the library writes it.
  bool times_in_library_form_alone = false;
  double time_step_ns = 0.0;  // one of its last digit, the finer time's
  std::optional<std::int64_t> repetition_index;
  std::int64_t repetitions = 0;  // as the row claims; 0: it does not
  std::int64_t family_index = -1;
  std::int64_t instance_index = -1;
  std::size_t group = 0;  // rows of one name in a row share it
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_ROW_FACTS_H_
