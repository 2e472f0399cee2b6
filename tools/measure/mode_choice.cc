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

constexpr double kFewSwitches = 20.0;
constexpr double kSwitchesASecond = 200.0;
constexpr double kMostOfIt = 0.8;
constexpr double kLargeShare = 0.4;
constexpr double kFewestTurns = 3.0;
// One look, ten rounds and ten that check them: with fewer a decision rests on
// the five rounds that are the least, and alternate rounds get those sooner.
constexpr double kRoundsWorthTurns = 21.0;

std::int64_t MostThreads(const Pilot& pilot) {
  std::int64_t threads =
      std::max(pilot.baseline.threads, pilot.contender.threads).value_or(0);
  for (const auto* group : {&pilot.targets, &pilot.others}) {
    for (const PilotBenchmark& benchmark : *group) {
      threads = std::max(threads, benchmark.threads);
    }
  }
  return threads;
}

bool Waits(const PilotSide& side) {
  const auto switches = static_cast<double>(side.voluntary_switches);
  return switches > kFewSwitches &&
         switches > kSwitchesASecond * side.cpu_seconds;
}

// Set-up may live in the kernel (memory): only where the counted part is most
// of the visit does the system's share speak of the benchmark.
bool LivesInKernel(const PilotSide& side) {
  return side.counted_cpu_seconds > kMostOfIt * side.cpu_seconds &&
         side.system_seconds > kLargeShare * side.cpu_seconds;
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
        absl::StrCat("mode ", std::string(NameOf(asked)),
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
  if (Waits(pilot.baseline) || Waits(pilot.contender)) {
    return Alternate("the benchmark waits (I/O, locks, timers)", pin);
  }
  if (LivesInKernel(pilot.baseline) || LivesInKernel(pilot.contender)) {
    return Alternate("the benchmark spends its time in system calls", pin);
  }
  ModeChoice choice;
  choice.mode = MeasureMode::kTurns;
  choice.turn = kUsualTurn;
  choice.look = true;
  choice.why = "one thread, cpu_time";
  return choice;
}

ModeChoice AfterLooking(ModeChoice choice, TurnsFitness fitness) {
  if (fitness == TurnsFitness::kUnfit) {
    return Alternate("in turns the benchmark is in another regime", true);
  }
  if (fitness != TurnsFitness::kFit) {
    choice.turn = kLongTurn;
    choice.why += ", longer turns for what they cost";
  }
  return choice;
}

ModeChoice WithinBudget(ModeChoice choice, double round_seconds,
                        double budget_seconds) {
  if (!choice.look || kRoundsWorthTurns * round_seconds <= budget_seconds) {
    return choice;
  }
  return Alternate("the budget holds few rounds", true);
}

absl::Duration NextTurn(absl::Duration turn) {
  return turn < kLongTurn ? kLongTurn : kLongestTurn;
}

double VisitSecondsFor(const RoundSetup& setup, double visit_seconds) {
  if (setup.mode != MeasureMode::kTurns) return visit_seconds;
  return std::max(visit_seconds,
                  kFewestTurns * absl::ToDoubleSeconds(setup.turn));
}

}  // namespace autotune
