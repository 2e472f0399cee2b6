#ifndef AUTOTUNE_TOOLS_MEASURE_ROUND_H_
#define AUTOTUNE_TOOLS_MEASURE_ROUND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "comparator/evidence/bias_trial.h"
#include "comparator/evidence/evidence.h"
#include "comparator/policy/policy.h"
#include "comparator/results/measurement.h"
#include "tools/measure/measure_seams.h"
#include "tools/measure/side_command.h"
#include "tools/measure/visit.h"
#include "tools/system/entropy.h"

namespace autotune {

// Everything positional about a round, drawn by fair bits: swapping the labels
// of two equal programs then changes nothing.
struct RoundCoin {
  bool baseline_first = true;
  int baseline_copy = 0;
  std::int64_t padding_bytes_first = 0;  // [0, 4096)
  std::int64_t padding_bytes_second = 0;
  // What both sides make their input from, where they ask.
  std::uint64_t input_seed = 0;  // [0, 2^38)
};

absl::StatusOr<RoundCoin> DrawCoin(Entropy& entropy);

// Turns: usual ones, those where the pilot saw some rise, and the longest that
// settle a decision that shorter ones' bias leaves in doubt. The machine's own
// ups and downs last some ten milliseconds: the shorter the turns, the better
// both sides share them, and the more the switches themselves cost.
inline constexpr absl::Duration kUsualTurn = absl::Milliseconds(5);
inline constexpr absl::Duration kLongTurn = absl::Milliseconds(20);
inline constexpr absl::Duration kLongestTurn = absl::Milliseconds(100);

// How every round of a run is made.
struct RoundSetup {
  SideCommand baseline;
  SideCommand contender;
  std::vector<ExpectedBenchmark> expected;
  std::string filter;
  Metric metric;
  MeasureMode mode = MeasureMode::kAlternate;  // never kAuto
  VisitSize size;
  absl::Duration turn = kLongTurn;
  std::optional<int> cpu;
  absl::Duration visit_timeout = absl::Seconds(60);
  bool in_place = false;
  // The programs as they were at the start, which rounds copy from; empty: the
  // commands' own files.
  std::string kept_baseline;
  std::string kept_contender;
  std::string folder;          // private: copies and results
  absl::Duration run_started;  // on the clock's monotonic time
};

// How a visit's numbers become one in `mode`; see docs/measuring.md.
Summary SummaryFor(MeasureMode mode, const Metric& metric);

// The request of a visit of one side from file copy 0 or 1, its files made
// ready: a fresh copy of the program (unless in place) and no old results.
absl::StatusOr<VisitRequest> PlaceVisit(const RoundSetup& setup,
                                        bool is_baseline, int copy,
                                        FileSystem& files);

// Runs one visit of each side in the positions of `coin`. The returned round
// has no ratios and no index yet. Errors: Aborted and those of starting a
// program, naming the side.
absl::StatusOr<RoundEvidence> RunRound(const RoundSetup& setup,
                                       const RoundCoin& coin,
                                       MeasureSeams seams);

// Where rounds come from: programs, or a script.
class RoundMaker {
 public:
  virtual ~RoundMaker() = default;
  virtual absl::StatusOr<RoundEvidence> Make(const RoundSetup& setup,
                                             const RoundCoin& coin) = 0;
};

// Rounds of real programs, by RunRound.
class LiveRounds : public RoundMaker {
 public:
  explicit LiveRounds(MeasureSeams seams) : seams_(seams) {}
  absl::StatusOr<RoundEvidence> Make(const RoundSetup& setup,
                                     const RoundCoin& coin) override {
    return RunRound(setup, coin, seams_);
  }

 private:
  MeasureSeams seams_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_ROUND_H_
