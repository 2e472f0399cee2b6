#ifndef AUTOTUNE_TESTS_SUPPORT_SIMULATED_ROUNDS_H_
#define AUTOTUNE_TESTS_SUPPORT_SIMULATED_ROUNDS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>

namespace autotune {

// What the machine does to the two visits of a round, whoever is measured.
enum class Noise {
  kNormal,          // the textbook
  kHeavyTails,      // Student t, 3 degrees of freedom
  kLaplace,         // between the two
  kSpikes,          // every tenth visit stalls by 6 sd on average
  kDriftingScale,   // noise grows 25-fold, with bursts
  kAutocorrelated,  // AR(1) over the visits in time, 0.9
  kSlotEffect,      // the first visit of a round is 5 % slower
  kCopyEffect,      // one file copy is 3 % slower, the second slot 1 %
};

inline constexpr std::array<std::pair<Noise, std::string_view>, 8> kNoises = {{
    {Noise::kNormal, "normal"},
    {Noise::kHeavyTails, "heavy tails"},
    {Noise::kLaplace, "Laplace"},
    {Noise::kSpikes, "spikes"},
    {Noise::kDriftingScale, "drifting scale"},
    {Noise::kAutocorrelated, "autocorrelated"},
    {Noise::kSlotEffect, "slot effect"},
    {Noise::kCopyEffect, "copy effect"},
}};

// Log-improvements of the rounds of one simulated run: the machine's noise is
// drawn first, then a fair coin says which visit was the contender's.
class SimulatedRounds {
 public:
  // `log_improvement`: what the contender really gains. `sd`: of one visit.
  SimulatedRounds(Noise noise, std::uint64_t seed, double log_improvement,
                  double sd = 0.012)
      : noise_(noise),
        generator_(seed),
        log_improvement_(log_improvement),
        sd_(sd) {}

  double Next() {
    ++round_;
    const double first = VisitLogTime(/*slot=*/0);
    const double second = VisitLogTime(/*slot=*/1);
    spread_ = std::abs(first - second) * (0.25 + 1.5 * Uniform());
    const bool contender_first = (generator_() & 1) != 0;
    const double difference = contender_first ? second - first : first - second;
    return log_improvement_ + difference;
  }

  // Of the last round: what a gambler may know besides of the pair, at its most
  // telling. The distance of the two visits, seen with an error, says nearly
  // all of y but its sign, as far as the effect is left out of account.
  double spread() const { return spread_; }

 private:
  double Normal() { return normal_(generator_); }
  double Uniform() { return uniform_(generator_); }

  double VisitLogTime(int slot) {
    switch (noise_) {
      case Noise::kNormal:
        return sd_ * Normal();
      case Noise::kHeavyTails:
        return sd_ * student_(generator_) / std::sqrt(3.0);
      case Noise::kLaplace:
        return sd_ / std::sqrt(2.0) * std::log(Uniform() / Uniform());
      case Noise::kSpikes:
        return sd_ * (Normal() +
                      (Uniform() < 0.1 ? -6.0 * std::log(Uniform()) : 0.0));
      case Noise::kDriftingScale:
        return sd_ * Normal() * (round_ % 17 < 3 ? 5.0 : 1.0) *
               std::exp(0.02 * std::min(round_, 160) - 1.6);
      case Noise::kAutocorrelated:
        state_ = 0.9 * state_ + std::sqrt(1.0 - 0.81) * 2.0 * sd_ * Normal();
        return state_;
      case Noise::kSlotEffect:
        return sd_ * Normal() + (slot == 0 ? 0.05 : 0.0);
      case Noise::kCopyEffect: {
        if (slot == 0) slow_copy_first_ = (generator_() & 1) != 0;
        const bool slow_copy = slow_copy_first_ == (slot == 0);
        return sd_ * Normal() + (slow_copy ? 0.03 : 0.0) +
               (slot == 1 ? 0.01 : 0.0);
      }
    }
    return 0.0;
  }

  Noise noise_;
  std::mt19937_64 generator_;
  double log_improvement_;
  double sd_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{1e-300, 1.0};
  std::student_t_distribution<double> student_{3.0};
  int round_ = 0;
  double state_ = 0.0;
  double spread_ = 0.0;
  bool slow_copy_first_ = false;
};

// How many of the `usual` draws to make: a fifth under a sanitizer, which looks
// for other faults and makes each draw cost several times as much.
constexpr int Draws(int usual) {
#if defined(__SANITIZE_ADDRESS__)
  return usual / 5;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return usual / 5;
#else
  return usual;
#endif
#else
  return usual;
#endif
}

// The most successes out of `trials` that chance explains at probability `p`:
// the mean and three standard deviations.
inline double MostByChance(int trials, double p) {
  return trials * p + 3.0 * std::sqrt(trials * p * (1.0 - p));
}
inline double FewestByChance(int trials, double p) {
  return trials * p - 3.0 * std::sqrt(trials * p * (1.0 - p));
}

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_SIMULATED_ROUNDS_H_
