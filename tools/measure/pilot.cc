#include "tools/measure/pilot.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "comparator/policy/idle_setting.h"
#include "comparator/policy/policy.h"
#include "comparator/results/measurement.h"
#include "comparator/results/suspicion.h"

namespace autotune {
namespace {

constexpr VisitSize kPilotSize = {.min_time_seconds = 0.01, .repetitions = 1};

// Cost of a repetition over its min_time: the library aims at 1.4 times it.
constexpr double kOvershoot = 1.4;
constexpr double kShortestMinTime = 0.002;
constexpr double kUsualMinTime = 0.015;
constexpr int kPilotAttempts = 4;
// On a quiet machine several short repetitions; on a busy one a single long one
// whose iteration search is not cut short by waiting.
constexpr double kUsualRepetitions = 4.0;
// Below it fewer repetitions, so that the iteration search is not cut short.
constexpr double kShortMinTime = 0.008;
constexpr double kBusy = 3.0;
// The library's search costs about this much of min_time on top.
constexpr double kSearch = 0.4;
constexpr std::int64_t kMostRepetitions = 1000;
// W / B in SecondsToMeasure: the variance within a repetition of 15 ms is about
// twice that between visits. One after the other 0.7 times (docs/measuring.md);
// in turns, on seven kernels, 2 times to so much more that none was seen
// between.
constexpr double kWithinOverBetweenSeconds = 0.03;
// Measuring for less than this share of the set-up saves nothing.
constexpr double kLeastShareOfSetup = 0.1;
// Shorter waits are the machine's.
constexpr double kWaitingSeconds = 0.1;

struct SideVisits {
  FinishedVisit targets;
  std::optional<FinishedVisit> guards;
  absl::Status no_guards;  // why there are none although some were looked for
};

bool IsSpoiled(const ResultFile& results) {
  return std::any_of(results.unusable.begin(), results.unusable.end(),
                     [](const UnusableRow& row) {
                       return row.kind == UnusableRow::Kind::kNotMeasured;
                     });
}

absl::StatusOr<FinishedVisit> PilotVisit(const RoundSetup& setup, bool baseline,
                                         const std::string& filter,
                                         MeasureSeams seams) {
  ASSIGN_OR_RETURN(VisitRequest request,
                   PlaceVisit(setup, baseline, baseline ? 0 : 1, seams.files));
  request.filter = filter;
  request.size = kPilotSize;
  // A visit that another program spoiled is simply made again.
  absl::StatusOr<FinishedVisit> visit = absl::UnknownError("no visit");
  for (int attempt = 0; attempt < kPilotAttempts; ++attempt) {
    visit = RunVisit(request, seams.processes, seams.files);
    if (!visit.ok() || !IsSpoiled(visit->results)) break;
  }
  return visit;
}

absl::StatusOr<SideVisits> VisitSide(const RoundSetup& setup, bool baseline,
                                     const PilotFilters& filters,
                                     MeasureSeams seams) {
  SideVisits visits;
  ASSIGN_OR_RETURN(visits.targets,
                   PilotVisit(setup, baseline, filters.targets, seams));
  if (filters.guards.empty()) return visits;
  auto guards = PilotVisit(setup, baseline, filters.guards, seams);
  if (SelectedNothing(guards.status())) {
    visits.no_guards = guards.status();
    return visits;
  }
  ASSIGN_OR_RETURN(visits.guards, std::move(guards));
  return visits;
}

struct BothSides {
  SideVisits baseline;
  SideVisits contender;
};

absl::StatusOr<BothSides> VisitBoth(const RoundSetup& setup,
                                    const PilotFilters& filters,
                                    MeasureSeams seams) {
  BothSides both;
  auto baseline = VisitSide(setup, true, filters, seams);
  if (SelectedNothing(baseline.status())) {
    auto contender = VisitSide(setup, false, filters, seams);
    if (!SelectedNothing(contender.status())) return baseline.status();
    return IdleError(
        {SettingKind::kFilter, 0, filters.targets, "no benchmark matches it"});
  }
  ASSIGN_OR_RETURN(both.baseline, std::move(baseline));
  ASSIGN_OR_RETURN(both.contender, VisitSide(setup, false, filters, seams));
  return both;
}

// Names in the order of their first appearance, each once.
std::vector<std::string> NamesOf(const ResultFile& results) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const Measurement& row : results.measurements) add(row.name);
  for (const Aggregate& aggregate : results.aggregates) add(aggregate.row.name);
  for (const UnusableRow& row : results.unusable) add(row.name);
  return names;
}

std::optional<std::string> FirstMissing(const std::vector<std::string>& names,
                                        const std::vector<std::string>& from) {
  const std::set<std::string> present(from.begin(), from.end());
  for (const std::string& name : names) {
    if (present.count(name) == 0) return name;
  }
  return std::nullopt;
}

// Adds what only the contender has to `added`, if it may have more.
absl::Status CheckSameNames(const std::vector<std::string>& baseline,
                            const std::vector<std::string>& contender,
                            AddedRule rule, std::vector<std::string>& added) {
  constexpr char kWayOut[] =
      "\": both sides must hold the same benchmarks; narrow the filter";
  if (const auto name = FirstMissing(baseline, contender)) {
    return absl::AbortedError(absl::StrCat(
        "contender: lacks the baseline's benchmark \"", *name, kWayOut));
  }
  if (rule == AddedRule::kList) {
    const std::set<std::string> known(baseline.begin(), baseline.end());
    for (const std::string& name : contender) {
      if (known.count(name) == 0) added.push_back(name);
    }
    return absl::OkStatus();
  }
  if (const auto name = FirstMissing(contender, baseline)) {
    return absl::AbortedError(absl::StrCat(
        "baseline: lacks the contender's benchmark \"", *name, kWayOut));
  }
  return absl::OkStatus();
}

std::int64_t CountRows(const ResultFile& results, const std::string& name) {
  return std::count_if(
      results.measurements.begin(), results.measurements.end(),
      [&name](const Measurement& row) { return row.name == name; });
}

double IterationSeconds(const Measurement& row) {
  return std::max(row.real_time_ns.value_or(0.0),
                  row.cpu_time_ns.value_or(0.0)) *
         1e-9;
}

// Keeps the least of the times above 0: what was too short to time says
// nothing.
void KeepLeast(double seconds, std::optional<double>& least) {
  if (seconds > 0.0) least = std::min(least.value_or(seconds), seconds);
}

// Adds the names of counters that are not there yet.
void LearnCounters(const Measurement& row, PilotBenchmark& benchmark) {
  std::vector<std::string>& known = benchmark.counters;
  for (const auto& [name, value] : row.counters) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      known.push_back(name);
    }
  }
}

// Adds one side's rows of a benchmark.
void LearnRows(const ResultFile& results, PilotBenchmark& benchmark) {
  const auto shown =
      std::find_if(results.suspicions.begin(), results.suspicions.end(),
                   [&benchmark](const Suspicion& suspicion) {
                     return suspicion.kind == Suspicion::Kind::kNoOp &&
                            suspicion.benchmark == benchmark.name;
                   });
  if (shown != results.suspicions.end()) benchmark.no_time.push_back(*shown);
  for (const Measurement& row : results.measurements) {
    if (row.name != benchmark.name) continue;
    const double seconds = IterationSeconds(row);
    const auto iterations = static_cast<double>(row.iterations);
    benchmark.iteration_seconds =
        std::max(benchmark.iteration_seconds, seconds);
    KeepLeast(seconds * iterations, benchmark.measured_seconds);
    for (const auto& time : {row.real_time_ns, row.cpu_time_ns}) {
      KeepLeast(time.value_or(0.0) * 1e-9 * iterations,
                benchmark.least_counted_seconds);
    }
    benchmark.threads = std::max(benchmark.threads, row.threads);
    LearnCounters(row, benchmark);
  }
}

// A benchmark that publishes aggregates only still tells its time by them.
void LearnAggregates(const ResultFile& results, PilotBenchmark& benchmark) {
  for (const Aggregate& aggregate : results.aggregates) {
    if (aggregate.row.name != benchmark.name || aggregate.is_ratio) continue;
    benchmark.iteration_seconds =
        std::max(benchmark.iteration_seconds, IterationSeconds(aggregate.row));
    LearnCounters(aggregate.row, benchmark);
  }
}

absl::StatusOr<std::vector<PilotBenchmark>> Learn(
    const ResultFile& baseline, const ResultFile& contender, AddedRule rule,
    std::vector<std::string>& added) {
  const std::vector<std::string> names = NamesOf(baseline);
  RETURN_IF_ERROR(CheckSameNames(names, NamesOf(contender), rule, added));
  std::vector<PilotBenchmark> benchmarks;
  for (const std::string& name : names) {
    PilotBenchmark benchmark;
    benchmark.name = name;
    benchmark.rows = CountRows(baseline, name);
    LearnRows(baseline, benchmark);
    LearnRows(contender, benchmark);
    if (benchmark.rows == 0) LearnAggregates(baseline, benchmark);
    benchmarks.push_back(std::move(benchmark));
  }
  return benchmarks;
}

std::vector<PilotBenchmark> Without(std::vector<PilotBenchmark> benchmarks,
                                    const std::vector<PilotBenchmark>& known) {
  std::set<std::string> names;
  for (const PilotBenchmark& benchmark : known) names.insert(benchmark.name);
  benchmarks.erase(std::remove_if(benchmarks.begin(), benchmarks.end(),
                                  [&names](const PilotBenchmark& benchmark) {
                                    return names.count(benchmark.name) != 0;
                                  }),
                   benchmarks.end());
  return benchmarks;
}

absl::Status LearnGuards(const SideVisits& baseline,
                         const SideVisits& contender, AddedRule rule,
                         Pilot& pilot) {
  static const ResultFile kNone;
  const bool some = baseline.guards.has_value() || contender.guards.has_value();
  if (!some) return absl::OkStatus();
  if (!contender.guards.has_value()) return contender.no_guards;
  if (!baseline.guards.has_value() && rule == AddedRule::kFail) {
    return baseline.no_guards;
  }
  std::vector<std::string> added;
  ASSIGN_OR_RETURN(
      std::vector<PilotBenchmark> guarded,
      Learn(baseline.guards.has_value() ? baseline.guards->results : kNone,
            contender.guards->results, rule, added));
  pilot.others = Without(std::move(guarded), pilot.targets);
  for (std::string& name : added) {
    if (std::find(pilot.added.begin(), pilot.added.end(), name) ==
        pilot.added.end()) {
      pilot.added.push_back(std::move(name));
    }
  }
  return absl::OkStatus();
}

// CPU time inside the measured iterations.
double CountedCpuSeconds(const ResultFile& results) {
  double seconds = 0.0;
  for (const Measurement& row : results.measurements) {
    seconds += row.cpu_time_ns.value_or(0.0) * 1e-9 *
               static_cast<double>(row.iterations);
  }
  return seconds;
}

std::map<std::string, double> LeastCpuTimes(const ResultFile& results) {
  std::map<std::string, double> least;
  for (const Measurement& row : results.measurements) {
    const double time = row.cpu_time_ns.value_or(0.0);
    if (!(time > 0.0)) continue;
    const auto [at, is_new] = least.try_emplace(row.name, time);
    if (!is_new) at->second = std::min(at->second, time);
  }
  return least;
}

PilotSide LearnSide(const FinishedVisit& visit) {
  PilotSide side;
  side.least_cpu_ns = LeastCpuTimes(visit.results);
  side.context = visit.results.context;
  side.threads = visit.threads;
  side.wall_seconds = absl::ToDoubleSeconds(visit.process.wall);
  side.cpu_seconds = absl::ToDoubleSeconds(visit.process.usage.user_cpu +
                                           visit.process.usage.system_cpu);
  side.system_seconds = absl::ToDoubleSeconds(visit.process.usage.system_cpu);
  side.voluntary_switches = visit.process.usage.voluntary_switches;
  side.counted_cpu_seconds = CountedCpuSeconds(visit.results);
  return side;
}

double OverheadSeconds(const PilotSide& side) {
  return std::max(0.0, side.cpu_seconds - side.counted_cpu_seconds);
}

// Real over CPU time of the measured iterations; nothing without any.
std::optional<double> CountedContention(const SideVisits& visits) {
  double real = 0.0;
  double cpu = 0.0;
  for (const Measurement& row : visits.targets.results.measurements) {
    const auto iterations = static_cast<double>(row.iterations);
    real += row.real_time_ns.value_or(0.0) * iterations;
    cpu += row.cpu_time_ns.value_or(0.0) * iterations;
  }
  return cpu > 0.0 ? std::optional<double>(real / cpu) : std::nullopt;
}

double Contention(const Pilot& pilot, const BothSides& both) {
  const double wall =
      pilot.baseline.wall_seconds + pilot.contender.wall_seconds;
  const double cpu = pilot.baseline.cpu_seconds + pilot.contender.cpu_seconds;
  double contention = cpu > 0.0 ? wall / cpu : 1.0;
  const auto before = CountedContention(both.baseline);
  const auto after = CountedContention(both.contender);
  if (before.has_value() && after.has_value()) {
    contention = std::min(contention, std::max(*before, *after));
  }
  return std::max(1.0, contention);
}

double WaitingSeconds(const PilotSide& side, double contention) {
  const double waiting = side.wall_seconds - contention * side.cpu_seconds;
  return waiting < kWaitingSeconds ? 0.0 : waiting;
}

// A row that took many times the pilot's min_time was sized by the code
// (MinTime, Iterations): the flag will not shorten it.
double RepetitionSeconds(const PilotBenchmark& benchmark, double min_time) {
  const double own = benchmark.measured_seconds.value_or(0.0);
  const bool sized_by_code = own > 5.0 * kPilotSize.min_time_seconds;
  return std::max({kOvershoot * min_time, benchmark.iteration_seconds,
                   sized_by_code ? own : 0.0}) *
         static_cast<double>(std::max<std::int64_t>(1, benchmark.rows));
}

double SecondsPerRepetition(const Pilot& pilot, double min_time) {
  double seconds = 0.0;
  for (const auto* group : {&pilot.targets, &pilot.others}) {
    for (const PilotBenchmark& benchmark : *group) {
      seconds += RepetitionSeconds(benchmark, min_time);
    }
  }
  return seconds;
}

double CountBenchmarks(const Pilot& pilot) {
  return static_cast<double>(pilot.targets.size() + pilot.others.size());
}

// The pilot's overhead without what its searches usually cost: those grow with
// the visit and are no set-up.
double SetupSeconds(const Pilot& pilot) {
  const double search = kSearch * kPilotSize.min_time_seconds;
  return pilot.waiting_seconds +
         std::max(0.0,
                  pilot.overhead_seconds - CountBenchmarks(pilot) * search);
}

}  // namespace

absl::StatusOr<Pilot> RunPilot(const RoundSetup& setup,
                               const PilotFilters& filters,
                               MeasureSeams seams) {
  Pilot pilot;
  pilot.in_place = setup.in_place;
  auto both = VisitBoth(setup, filters, seams);
  if (!both.ok() && !setup.in_place) {
    RoundSetup in_place = setup;
    in_place.in_place = true;
    auto again = VisitBoth(in_place, filters, seams);
    if (!again.ok()) return again.status();
    both = std::move(again);
    pilot.in_place = true;
  }
  if (!both.ok()) return both.status();
  const SideVisits& baseline = both->baseline;
  const SideVisits& contender = both->contender;
  ASSIGN_OR_RETURN(pilot.targets,
                   Learn(baseline.targets.results, contender.targets.results,
                         filters.added, pilot.added));
  RETURN_IF_ERROR(LearnGuards(baseline, contender, filters.added, pilot));
  pilot.baseline = LearnSide(baseline.targets);
  pilot.contender = LearnSide(contender.targets);
  pilot.overhead_seconds = std::max(OverheadSeconds(pilot.baseline),
                                    OverheadSeconds(pilot.contender));
  pilot.contention = Contention(pilot, *both);
  pilot.waiting_seconds =
      std::max(WaitingSeconds(pilot.baseline, pilot.contention),
               WaitingSeconds(pilot.contender, pilot.contention));
  return pilot;
}

double SecondsToMeasure(const Pilot& pilot, double least_seconds,
                        double most_visit_seconds) {
  const double setup = SetupSeconds(pilot);
  const double best =
      std::sqrt(setup * CountBenchmarks(pilot) * kWithinOverBetweenSeconds);
  return std::max({least_seconds, kLeastShareOfSetup * setup,
                   std::min(best, most_visit_seconds - setup)});
}

VisitSize ChooseVisitSize(const Pilot& pilot, MeasureMode mode,
                          absl::Duration turn, double measured_seconds) {
  const double wanted = measured_seconds;
  // The library gives up its iteration search after 5 times min_time of wall
  // time: a visit stopped for one turn must stay clear of that.
  const double shortest =
      mode == MeasureMode::kTurns
          ? std::max(kShortestMinTime, 0.5 * absl::ToDoubleSeconds(turn))
          : kShortestMinTime;
  const bool busy = pilot.contention >= kBusy;
  const double usual = busy ? wanted / (kOvershoot + kSearch) : kUsualMinTime;
  const double short_ones =
      std::max(1.0, wanted / SecondsPerRepetition(pilot, kShortMinTime));
  const double repetitions =
      busy ? 1.0 : std::min(kUsualRepetitions, short_ones);
  const double fits =
      usual * wanted / (repetitions * SecondsPerRepetition(pilot, usual));
  VisitSize size;
  size.min_time_seconds = std::max(shortest, std::min(usual, fits));
  const double repetition = SecondsPerRepetition(pilot, size.min_time_seconds);
  size.repetitions = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::lround(wanted / repetition)), 1,
      kMostRepetitions);
  return size;
}

double ExpectedVisitSeconds(const Pilot& pilot, const VisitSize& size) {
  const double repetitions =
      SecondsPerRepetition(pilot, size.min_time_seconds) *
      static_cast<double>(size.repetitions);
  return pilot.waiting_seconds +
         pilot.contention * (pilot.overhead_seconds + repetitions);
}

}  // namespace autotune
