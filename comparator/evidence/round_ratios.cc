#include "comparator/evidence/round_ratios.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/statistics/estimate.h"

namespace autotune {
namespace {

constexpr double kSmallestExcessSeconds = 1e-3;

const VisitBenchmark* FindBenchmark(const VisitEvidence& visit,
                                    std::string_view name) {
  for (const VisitBenchmark& benchmark : visit.benchmarks) {
    if (benchmark.name == name) return &benchmark;
  }
  return nullptr;
}

std::optional<double> BenchmarkValue(const VisitEvidence& visit,
                                     std::string_view name) {
  const VisitBenchmark* benchmark = FindBenchmark(visit, name);
  if (benchmark == nullptr) return std::nullopt;
  return benchmark->value;
}

// Variance of the mean of the logarithms of a visit's repetitions; nothing with
// fewer than two, or where one has no logarithm.
std::optional<double> LogVariance(const VisitEvidence& visit,
                                  std::string_view name) {
  const VisitBenchmark* benchmark = FindBenchmark(visit, name);
  if (benchmark == nullptr || benchmark->values.size() < 2) return std::nullopt;
  double count = 0.0;
  double mean = 0.0;
  double squares = 0.0;  // of the distances from the mean
  for (const double value : benchmark->values) {
    if (!(value > 0.0) || !std::isfinite(value)) return std::nullopt;
    const double distance = std::log(value) - mean;
    mean += distance / ++count;
    squares += distance * (std::log(value) - mean);
  }
  return squares / ((count - 1.0) * count);
}

absl::Status NoRatio(std::string_view name, std::string_view side,
                     const std::string& found) {
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(side), ": \"", std::string(name),
                   "\": expected a number above 0, got ", found));
}

std::string ValueText(const std::optional<double>& value) {
  if (!value.has_value()) return "none";
  return std::isfinite(*value) ? ShortestText(*value) : "no finite number";
}

bool HasRatio(const std::optional<double>& value) {
  return value.has_value() && std::isfinite(*value) && *value > 0.0;
}

// Whether numbers of this kind may be 0: counts may, times, memory and file
// sizes are not. `metric` is the targets'.
bool MayBeZero(std::string_view name, std::string_view metric) {
  if (name == "peak_rss" || name == "excess_cpu" || name == "binary_size") {
    return false;
  }
  const bool is_counter = name.ends_with(']') && name.find(" [") != name.npos;
  return is_counter || (metric != "cpu_time" && metric != "real_time");
}

bool IsZero(const std::optional<double>& value) { return value == 0.0; }

// Of two numbers of which at least one is 0: no change, or a gain or loss whose
// size is not known, counted as one beyond any other.
double ZeroLogImprovement(double baseline, double contender,
                          Direction direction) {
  if (baseline == contender) return 0.0;
  const bool better =
      (contender < baseline) == (direction == Direction::kLowerIsBetter);
  return better ? kChangeFromZero : -kChangeFromZero;
}

absl::Status CheckNotMeasured(std::string_view name, std::string_view side,
                              const std::optional<double>& value) {
  if (!value.has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      std::string(side), ": \"", std::string(name),
      "\": expected no number, as it was decided before this round, got ",
      ValueText(value)));
}

absl::StatusOr<double> Ratio(std::string_view name, std::string_view metric,
                             Direction direction,
                             const std::optional<double>& baseline,
                             const std::optional<double>& contender) {
  if (MayBeZero(name, metric) && (IsZero(baseline) || IsZero(contender)) &&
      (IsZero(baseline) || HasRatio(baseline)) &&
      (IsZero(contender) || HasRatio(contender))) {
    return ZeroLogImprovement(*baseline, *contender, direction);
  }
  if (!HasRatio(baseline)) {
    return NoRatio(name, "baseline", ValueText(baseline));
  }
  if (!HasRatio(contender)) {
    return NoRatio(name, "contender", ValueText(contender));
  }
  return LogImprovement(*baseline, *contender, direction);
}

}  // namespace

std::optional<double> GuardValue(const VisitEvidence& visit,
                                 std::string_view name) {
  const auto number = [](const std::optional<std::int64_t>& bytes) {
    return bytes ? std::optional<double>(*bytes) : std::nullopt;
  };
  if (name == "peak_rss") return number(visit.peak_rss_bytes);
  if (name == "excess_cpu") {
    return std::max(visit.excess_cpu_seconds, kSmallestExcessSeconds);
  }
  if (name == "binary_size") return number(visit.program_bytes);
  return BenchmarkValue(visit, name);
}

std::string CounterEntryName(std::string_view benchmark,
                             std::string_view counter) {
  return absl::StrCat(std::string(benchmark), " [", std::string(counter), "]");
}

std::optional<double> MeanTargetRatio(const RoundEvidence& round) {
  const auto& targets = round.ratios.targets;
  if (round.use != RoundUse::kCounts || targets.empty()) return std::nullopt;
  double sum = 0.0;
  for (const std::optional<double>& y : targets) {
    if (!y.has_value()) return std::nullopt;
    sum += *y;
  }
  return sum / static_cast<double>(targets.size());
}

double RatioSpread(const VisitEvidence& baseline,
                   const VisitEvidence& contender, std::string_view name) {
  const std::optional<double> before = LogVariance(baseline, name);
  const std::optional<double> after = LogVariance(contender, name);
  if (!before.has_value() || !after.has_value()) return 0.0;
  return std::sqrt(*before + *after);
}

absl::StatusOr<RoundRatios> ComputeRoundRatios(const SequentialJudge& judge,
                                               const Metric& metric,
                                               const VisitEvidence& baseline,
                                               const VisitEvidence& contender) {
  const JudgeSettings& settings = judge.settings();
  RoundRatios ratios;
  for (std::size_t i = 0; i < settings.targets.size(); ++i) {
    const std::string& name = settings.targets[i];
    const std::optional<double> before = BenchmarkValue(baseline, name);
    const std::optional<double> after = BenchmarkValue(contender, name);
    if (!judge.measures(i)) {
      RETURN_IF_ERROR(CheckNotMeasured(name, "baseline", before));
      RETURN_IF_ERROR(CheckNotMeasured(name, "contender", after));
      ratios.targets.emplace_back();
      ratios.target_spreads.push_back(0.0);
      continue;
    }
    ASSIGN_OR_RETURN(const double y,
                     Ratio(name, metric.name, metric.direction, before, after));
    ratios.targets.emplace_back(y);
    ratios.target_spreads.push_back(RatioSpread(baseline, contender, name));
  }
  for (const JudgedGuard& guard : settings.guards) {
    ASSIGN_OR_RETURN(const double y,
                     Ratio(guard.name, metric.name, guard.direction,
                           GuardValue(baseline, guard.name),
                           GuardValue(contender, guard.name)));
    ratios.guards.push_back(y);
    ratios.guard_spreads.push_back(
        RatioSpread(baseline, contender, guard.name));
  }
  return ratios;
}

}  // namespace autotune
