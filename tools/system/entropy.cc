#include "tools/system/entropy.h"

#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/system/posix_error.h"

namespace autotune {
namespace {

class SystemEntropy : public Entropy {
 public:
  absl::StatusOr<std::uint64_t> Bits() override {
    std::uint64_t bits = 0;
    ssize_t got = 0;
    do {
      got = getrandom(&bits, sizeof bits, 0);
    } while (got < 0 && errno == EINTR);
    if (got == static_cast<ssize_t>(sizeof bits)) return bits;
    return absl::UnavailableError(absl::StrCat(
        "getrandom: the system gives no random bits: ", ErrnoText(errno)));
  }
  std::string name() const override { return "system"; }
};

class SeededEntropy : public Entropy {
 public:
  explicit SeededEntropy(std::uint64_t seed) : seed_(seed), engine_(seed) {}
  absl::StatusOr<std::uint64_t> Bits() override { return engine_(); }
  std::string name() const override { return absl::StrCat("seed:", seed_); }

 private:
  std::uint64_t seed_;
  std::mt19937_64 engine_;
};

}  // namespace

std::unique_ptr<Entropy> MakeSystemEntropy() {
  return std::make_unique<SystemEntropy>();
}

std::unique_ptr<Entropy> MakeSeededEntropy(std::uint64_t seed) {
  return std::make_unique<SeededEntropy>(seed);
}

}  // namespace autotune
