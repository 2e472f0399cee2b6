#ifndef AUTOTUNE_TOOLS_SYSTEM_ENTROPY_H_
#define AUTOTUNE_TOOLS_SYSTEM_ENTROPY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace autotune {

// Seam for randomness: the fairness of our coins is what the sequential test's
// validity rests on, so production coins come from the kernel.
class Entropy {
 public:
  virtual ~Entropy() = default;

  // 64 independent fair bits. Unavailable when the system gives none.
  virtual absl::StatusOr<std::uint64_t> Bits() = 0;
  // "system" or "seed:N": recorded in the evidence.
  virtual std::string name() const = 0;
};

// getrandom(2).
std::unique_ptr<Entropy> MakeSystemEntropy();
// A reproducible sequence (std::mt19937_64), for tests only.
std::unique_ptr<Entropy> MakeSeededEntropy(std::uint64_t seed);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_ENTROPY_H_
