#ifndef AUTOTUNE_REPORTER_FACT_H_
#define AUTOTUNE_REPORTER_FACT_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace autotune {

// One thing known about the visit or its surroundings, as `name: value` in the
// result file. A thing that is not known has no Fact.
struct Fact {
  std::string name;
  std::variant<bool, std::int64_t, double, std::string> value;
};

using Facts = std::vector<Fact>;

}  // namespace autotune

#endif  // AUTOTUNE_REPORTER_FACT_H_
