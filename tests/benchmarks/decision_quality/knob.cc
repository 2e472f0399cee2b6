#include "tests/benchmarks/decision_quality/knob.h"

#include <cstdint>

namespace autotune {
namespace {

// decision_quality.py finds `marker` and writes `digits` and `serial`: decimal,
// all of the width they have here.
struct Knob {
  char marker[16];
  char digits[8];
  char serial[8];
};

// Volatile: the compiler may not assume the value it sees.
[[gnu::used]] volatile Knob planted = {
    {'a', 'u', 't', 'o', 't', 'u', 'n', 'e', '-', 'k', 'n', 'o', 'b', ' ', '=',
     ' '},
    {'0', '0', '0', '0', '0', '0', '0', '0'},
    {'0', '0', '0', '0', '0', '0', '0', '0'}};

}  // namespace

std::uint32_t KnobValue() {
  std::uint32_t value = 0;
  for (const volatile char& digit : planted.digits) {
    value = value * 10 + static_cast<std::uint32_t>(digit - '0');
  }
  return value;
}

}  // namespace autotune
