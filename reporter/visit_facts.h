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

  // The "autotune" object, a top-level member, in two parts: what never
  // changes, up to the start of its array "benchmarks", and what is so as of
  // now, from the end of that array on.
  std::string Start() const;
  std::string End(bool complete, const RowNotes& notes) const;

 private:
  const std::string visit_id_;
  const std::chrono::system_clock::time_point start_;
  // JSON, made once.
  const std::string environment_;
  std::string build_id_;  // of the program; empty when it has none
  std::string objects_;
};

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_VISIT_FACTS_H_
