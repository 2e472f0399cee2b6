#ifndef AUTOTUNE_TESTS_TOOLS_MEASURE_MEASURE_WORLD_H_
#define AUTOTUNE_TESTS_TOOLS_MEASURE_MEASURE_WORLD_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tools/measure/interleaved_run.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"

namespace autotune {

// The real world with seeded coins, and a private folder.
class MeasureWorld {
 public:
  MeasureSeams seams() { return {*processes_, *files_, *clock_, *entropy_}; }
  MeasureSeams seams(FileSystem& files) {
    return {*processes_, files, *clock_, *entropy_};
  }
  FileSystem& files() { return *files_; }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
  std::unique_ptr<FileSystem> files_ = MakePosixFileSystem();
  std::unique_ptr<Clock> clock_ = MakeSystemClock();
  std::unique_ptr<Entropy> entropy_ = MakeSeededEntropy(20260102);
};

// Keeps what it hears; asks for the end after `stop_after` rounds.
class RecordingObserver : public RunObserver {
 public:
  void OnNote(std::string_view line) override { notes.emplace_back(line); }
  void OnRound(const RoundEvidence& round, const SequentialJudge&, double,
               double) override {
    rounds.push_back(round);
    if (on_round) on_round();
  }
  bool Interrupted() override {
    return stop_after >= 0 && rounds.size() >= std::size_t(stop_after);
  }

  int stop_after = -1;
  std::function<void()> on_round;  // what happens meanwhile
  std::vector<std::string> notes;
  std::vector<RoundEvidence> rounds;
};

// The measured program doing `work` units an iteration.
inline SideCommand Worker(int work) {
  SideCommand command;
  command.program = MEASURED_PROGRAM;
  command.environment = {{"MEASURED_WORK", std::to_string(work)}};
  return command;
}

inline SideCommand Behaving(const std::string& behaviour) {
  SideCommand command = Worker(100);
  command.environment["MEASURED_BEHAVIOUR"] = behaviour;
  return command;
}

// A plan on the counter "units": what it decides does not depend on time, so
// no noise can change it.
inline RunPlan QuickPlan(SideCommand baseline, SideCommand contender) {
  RunPlan plan;
  plan.baseline = std::move(baseline);
  plan.contender = std::move(contender);
  plan.target_filter = "^BM_Work$";
  plan.policy.mode = MeasureMode::kAlternate;
  plan.policy.metric = "units";
  plan.policy.direction = Direction::kLowerIsBetter;
  plan.visit_seconds = 0.02;
  plan.visit_timeout = absl::Seconds(100);
  return plan;
}

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_TOOLS_MEASURE_MEASURE_WORLD_H_
