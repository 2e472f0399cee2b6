#ifndef AUTOTUNE_REPORTER_VISIT_FACTS_H_
#define AUTOTUNE_REPORTER_VISIT_FACTS_H_

#include <chrono>
#include <string>

#include "reporter/fact.h"
#include "reporter/result_row.h"

namespace autotune::internal {

// What holds for the whole visit: the members of the "autotune" object that do
// not belong to one benchmark.
class VisitFacts {
 public:
  // Takes the start of the visit from the clock. An empty `visit_id` becomes
  // 128 random bits in lower-case hex.
  VisitFacts(const std::string& visit_id, const Facts& environment);

  // The "autotune" object as of now, indented as a top-level member.
  // `benchmarks` are the elements of its array of that name, already JSON.
  std::string Json(bool complete, const std::string& benchmarks,
                   const RowNotes& notes) const;

 private:
  const std::string visit_id_;
  const std::chrono::system_clock::time_point start_;
  // JSON that never changes, made once: every report writes it again.
  const std::string environment_;
  std::string build_id_;  // of the program; empty when it has none
  std::string objects_;
};

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_VISIT_FACTS_H_
