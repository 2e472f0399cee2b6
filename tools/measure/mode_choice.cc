#include "tools/measure/mode_choice.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace autotune {
namespace {

std::int64_t MostThreads(const Pilot& pilot) {
  std::int64_t threads =
      std::max(pilot.baseline.threads, pilot.contender.threads);
  for (const auto* group : {&pilot.targets, &pilot.others}) {
    for (const PilotBenchmark& benchmark : *group) {
      threads = std::max(threads, benchmark.threads);
    }
  }
  return threads;
}

ModeChoice Alternate(const std::string& why, bool pin) {
  ModeChoice choice;
  choice.mode = MeasureMode::kAlternate;
  choice.why = why;
  choice.pin = pin;
  return choice;
}

}  // namespace

absl::StatusOr<ModeChoice> ChooseMode(MeasureMode asked,
                                      const RoundSetup& setup,
                                      const Pilot& pilot) {
  const bool cpu_time = setup.metric.name == "cpu_time";
  const bool one_thread = MostThreads(pilot) <= 1;
  const bool pin = cpu_time && one_thread;
  if (asked == MeasureMode::kAlternate) return Alternate("as asked", pin);
  if (asked != MeasureMode::kAuto && !cpu_time) {
    return absl::InvalidArgumentError(
        absl::StrCat("mode ", std::string(MeasureModeName(asked)),
                     ": measures cpu_time only, got metric ", setup.metric.name,
                     ": use mode alternate"));
  }
  if (asked != MeasureMode::kAuto) {
    ModeChoice choice;
    choice.mode = asked;
    choice.why = "as asked";
    return choice;
  }
  if (!cpu_time) {
    return Alternate(absl::StrCat("the metric is ", setup.metric.name), pin);
  }
  if (!one_thread) return Alternate("the programs use several threads", pin);
  ModeChoice choice;
  choice.mode = MeasureMode::kTurns;
  choice.why = "one thread, cpu_time";
  return choice;
}

}  // namespace autotune
