#ifndef AUTOTUNE_TESTS_TOOLS_MEASURE_SCRIPTED_VISITS_H_
#define AUTOTUNE_TESTS_TOOLS_MEASURE_SCRIPTED_VISITS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/journal.h"
#include "tools/measure/mode_choice.h"
#include "tools/measure/round.h"
#include "tools/measure/round_loop.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"

namespace autotune {

// Time that passes only when a scripted round takes some.
class ScriptedClock : public Clock {
 public:
  absl::Time Now() override { return absl::UnixEpoch() + now_; }
  absl::Duration Monotonic() override { return now_; }
  void SleepFor(absl::Duration duration) override { now_ += duration; }

 private:
  absl::Duration now_;
};

// A run whose visits are made up: the real loop, judge, checks and settling, no
// program and no real time. Each benchmark's y (log-improvement) of a round is
// what `script` says for it and the round's setup.
class ScriptedVisits : public RoundMaker {
 public:
  using Script =
      std::function<double(const std::string& benchmark, const RoundSetup&)>;

  explicit ScriptedVisits(Script script) : script_(std::move(script)) {
    plan_.policy.mode = MeasureMode::kAuto;
  }

  RunPlan& plan() { return plan_; }

  // What the repetitions of the next round's visits scatter by, as the standard
  // deviation of their logarithms; 0 at first: one repetition a visit.
  void ScatterRepetitions(double sd) { repetition_sd_ = sd; }

  // Runs the plan's policy on `benchmarks` in turns of `turn`, or in `mode`.
  absl::StatusOr<Evidence> Run(std::vector<std::string> benchmarks,
                               MeasureMode mode = MeasureMode::kTurns,
                               absl::Duration turn = kUsualTurn) {
    Preparation prepared;
    for (const std::string& name : benchmarks) {
      prepared.setup.expected.emplace_back().name = name;
      PilotBenchmark& seen = prepared.pilot.targets.emplace_back();
      seen.name = name;
      seen.iteration_seconds = 1e-6;
    }
    prepared.setup.mode = mode;
    prepared.setup.turn = turn;
    prepared.setup.metric = {"cpu_time", Direction::kLowerIsBetter};
    Evidence& evidence = prepared.evidence;
    evidence.policy = plan_.policy;
    evidence.metric = prepared.setup.metric;
    evidence.settings =
        MakeJudgeSettings(plan_.policy, std::move(benchmarks), {});
    evidence.settings.stop_when_decided = !plan_.fixed_rounds.has_value();
    UseVisitSize(plan_, prepared);
    // Cut short is what counted less than nothing: no round is void.
    prepared.shortest.clear();
    Journal journal("", *files_);
    return RunRounds(plan_, std::move(prepared), journal, clock_, *entropy_,
                     *this, observer_);
  }

  absl::StatusOr<RoundEvidence> Make(const RoundSetup& setup,
                                     const RoundCoin& coin) override {
    RoundEvidence round;
    round.baseline_first = coin.baseline_first;
    round.mode = setup.mode;
    if (setup.mode == MeasureMode::kTurns) {
      round.turn_seconds = absl::ToDoubleSeconds(setup.turn);
    }
    for (const ExpectedBenchmark& expected : setup.expected) {
      const double y = script_(expected.name, setup);
      AddValue(round.baseline, expected.name, 1000.0);
      AddValue(round.contender, expected.name, 1000.0 * std::exp(-y));
    }
    // Both sides work as long, a millisecond a repetition.
    round.baseline.user_cpu_seconds = round.contender.user_cpu_seconds =
        0.001 * static_cast<double>(setup.size.repetitions);
    clock_.SleepFor(RoundTime(setup));
    return round;
  }

  const std::vector<std::string>& notes() const { return observer_.notes; }
  double seconds() { return absl::ToDoubleSeconds(clock_.Monotonic()); }

 private:
  struct Observer : RunObserver {
    void OnNote(std::string_view line) override { notes.emplace_back(line); }
    void OnRound(const RoundEvidence&, const SequentialJudge&, double,
                 double) override {}
    std::vector<std::string> notes;
  };

  void AddValue(VisitEvidence& visit, const std::string& name, double value) {
    VisitBenchmark& benchmark = visit.benchmarks.emplace_back();
    benchmark.name = name;
    benchmark.value = value;
    std::array<double, 4> logs = {};
    for (double& log : logs) log = repetition_sd_ * normal_(generator_);
    const double mean =
        std::accumulate(logs.begin(), logs.end(), 0.0) / logs.size();
    for (const double log : logs) {
      benchmark.values.push_back(value * std::exp(log - mean));
      benchmark.iterations.push_back(10000);
      if (repetition_sd_ == 0.0) break;
    }
  }

  // As measured live: start and search take as long as the repetitions of a
  // usual visit, and a visit lasts three turns at least.
  static absl::Duration RoundTime(const RoundSetup& setup) {
    const double repetitions = 1.4 * setup.size.min_time_seconds *
                               static_cast<double>(setup.size.repetitions);
    return absl::Seconds(2.0 * (0.03 + repetitions));
  }

  Script script_;
  double repetition_sd_ = 0.0;
  std::mt19937_64 generator_{20260103};
  std::normal_distribution<double> normal_;
  RunPlan plan_;
  ScriptedClock clock_;
  Observer observer_;
  std::unique_ptr<FileSystem> files_ = MakePosixFileSystem();
  std::unique_ptr<Entropy> entropy_ = MakeSeededEntropy(20260102);
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_TOOLS_MEASURE_SCRIPTED_VISITS_H_
