#include "comparator/recorded/side_suspicion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/number_text.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/library_version.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "comparator/results/suspicion.h"

namespace autotune {
namespace {

// "One ratio everywhere": to the last digits of a double.
constexpr double kSameRatio = 1e-12;
// Fewer equal ratios may be chance.
constexpr std::size_t kFewestRatios = 3;
// CPUs of one kind say about the same clock.
constexpr double kSameClock = 1.1;

// What can be done about a clock that says nothing; empty for other doubts.
std::string_view WayOut(Suspicion::Kind kind) {
  return kind == Suspicion::Kind::kNoCpuClock ||
                 kind == Suspicion::Kind::kCoarseCpuClock
             ? "; use --metric real_time"
             : "";
}

std::string FileSuspicion(const BenchmarkSide& side, std::string_view name,
                          const PairValues& values, const Metric& metric) {
  const bool by_repetition = values.unit == SamplingUnit::kRepetition;
  for (const Suspicion* suspicion : side.suspicions) {
    if (Doubts(*suspicion, metric.name, by_repetition)) {
      return absl::StrCat(std::string(name), ": ", suspicion->text,
                          std::string(WayOut(suspicion->kind)));
    }
  }
  return "";
}

bool TellsOfItsClock(Suspicion::Kind kind) {
  return kind == Suspicion::Kind::kRealFarAboveCpu ||
         kind == Suspicion::Kind::kRealBelowCpu ||
         kind == Suspicion::Kind::kCoarseCpuClock;
}

bool IsTime(std::string_view metric_name) {
  return metric_name == "real_time" || metric_name == "cpu_time";
}

// Adds the ratios of the two sides' values, place by place; false when their
// numbers differ.
bool AddRatios(const PairValues& values, std::vector<double>& ratios) {
  const std::vector<double>& baseline = values.baseline.values;
  const std::vector<double>& contender = values.contender.values;
  if (baseline.size() != contender.size()) return false;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    ratios.push_back(contender[i] / baseline[i]);
  }
  return true;
}

// Whether some of the numbers differ. One number alone tells nothing.
bool Vary(const std::vector<double>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(),
                     [&](double number) { return number != numbers.front(); });
}

bool HasManualTime(std::string_view benchmark) {
  return benchmark.find("/manual_time") != std::string_view::npos;
}

using Texts = std::set<std::string>;

// What the side's files say, without those that say nothing.
template <typename Get>
Texts TextsOf(std::span<const ResultFile> files, const Get& get) {
  Texts texts;
  for (const ResultFile& file : files) {
    const std::string text = get(file);
    if (!text.empty()) texts.insert(text);
  }
  return texts;
}

// "WHAT: A against B" when both sides say something and it differs; else empty.
template <typename Get>
std::string Difference(std::span<const ResultFile> baseline,
                       std::span<const ResultFile> contender,
                       std::string_view what, const Get& get) {
  const Texts left = TextsOf(baseline, get);
  const Texts right = TextsOf(contender, get);
  if (left.empty() || right.empty() || left == right) return "";
  return absl::StrFormat("%s: %s against %s", what, absl::StrJoin(left, ", "),
                         absl::StrJoin(right, ", "));
}

std::string HostOf(const ResultFile& file) { return file.context.host_name; }
std::string CpusOf(const ResultFile& file) {
  const std::optional<std::int64_t>& cpus = file.context.num_cpus;
  return cpus.has_value() ? absl::StrCat(*cpus) : "";
}
std::string VersionOf(const ResultFile& file) {
  const ResultContext& context = file.context;
  const bool is_old = context.library_version.empty() &&
                      ThreadTimeOf(context) == ThreadTime::kWallOverThreads;
  return is_old ? "before 1.8.4" : context.library_version;
}
std::string BuildTypeOf(const ResultFile& file) {
  return file.context.library_build_type;
}
std::string AslrOf(const ResultFile& file) {
  if (!file.context.aslr_enabled.has_value()) return "";
  return *file.context.aslr_enabled ? "on" : "off";
}

// The lowest and the highest clock that the side's files say; nothing when none
// does.
std::optional<std::pair<std::int64_t, std::int64_t>> ClocksOf(
    std::span<const ResultFile> files) {
  std::vector<std::int64_t> clocks;
  for (const ResultFile& file : files) {
    const std::int64_t mhz = file.context.mhz_per_cpu.value_or(0);
    if (mhz > 0) clocks.push_back(mhz);
  }
  if (clocks.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(clocks.begin(), clocks.end());
  return std::pair(*low, *high);
}

// What is odd about the two sides' clocks: they do not overlap, nor nearly.
std::string ClockDifference(std::span<const ResultFile> baseline,
                            std::span<const ResultFile> contender) {
  const auto left = ClocksOf(baseline);
  const auto right = ClocksOf(contender);
  if (!left.has_value() || !right.has_value()) return "";
  const auto far_above = [](std::int64_t high, std::int64_t low) {
    return static_cast<double>(high) > kSameClock * static_cast<double>(low);
  };
  if (!far_above(left->first, right->second) &&
      !far_above(right->first, left->second)) {
    return "";
  }
  return absl::StrFormat("different CPU clocks: %d MHz against %d MHz",
                         left->first, right->first);
}

void AddIfAny(std::vector<std::string>& warnings, std::string text) {
  if (!text.empty()) warnings.push_back(std::move(text));
}

// "A, B, C and 4 more".
std::string ListText(std::vector<std::string> names) {
  constexpr std::size_t kMostNames = 3;
  if (names.size() <= kMostNames) return absl::StrJoin(names, ", ");
  const std::size_t more = names.size() - kMostNames;
  names.resize(kMostNames);
  return absl::StrFormat("%s and %d more", absl::StrJoin(names, ", "), more);
}

// One warning for each thing that is said of whole files, with all of them.
void AddFileWarnings(std::span<const ResultFile> baseline,
                     std::span<const ResultFile> contender,
                     std::vector<std::string>& warnings) {
  std::map<std::string, std::vector<std::string>> files_of_text;
  std::vector<std::string> order;
  const auto add = [&](const ResultFile& file, const std::string& text) {
    std::vector<std::string>& names = files_of_text[text];
    if (names.empty()) order.push_back(text);
    names.push_back(file.source_name);
  };
  for (const std::span<const ResultFile> files : {baseline, contender}) {
    for (const ResultFile& file : files) {
      if (!file.complete) add(file, "incomplete: its run did not end");
      for (const std::string& warning : file.warnings) add(file, warning);
      for (const Suspicion& suspicion : file.suspicions) {
        if (suspicion.benchmark.empty()) add(file, suspicion.text);
      }
    }
  }
  for (const std::string& text : order) {
    warnings.push_back(absl::StrCat(ListText(files_of_text[text]), ": ", text));
  }
}

// Whether a time carries more than 32 significant bits, which no two
// measurements share by chance; those of coarse clocks carry fewer.
bool HasManyBits(const std::optional<double>& time_ns) {
  if (!time_ns.has_value() || !std::isfinite(*time_ns)) return false;
  int exponent = 0;
  const double bits = std::ldexp(std::frexp(*time_ns, &exponent), 32);
  return bits != std::floor(bits);
}

// The benchmarks of which several repetitions are there, all equal: clocks that
// count what they are told, as simulators' do.
std::set<std::string_view> ExactBenchmarks(const ResultFile& file) {
  std::map<std::string_view, std::vector<const Measurement*>> rows;
  for (const Measurement& row : file.measurements) {
    rows[row.name].push_back(&row);
  }
  std::set<std::string_view> exact;
  for (const auto& entry : rows) {
    const std::vector<const Measurement*>& all = entry.second;
    const bool equal =
        std::all_of(all.begin(), all.end(), [&](const Measurement* row) {
          return row->real_time_ns == all.front()->real_time_ns &&
                 row->cpu_time_ns == all.front()->cpu_time_ns;
        });
    if (all.size() > 1 && equal) exact.insert(entry.first);
  }
  return exact;
}

// Whether two files agree in every row to the last digit, and there are digits
// that no two measurements share.
bool HoldSameNumbers(const ResultFile& first, const ResultFile& second) {
  const auto same = [](const Measurement& a, const Measurement& b) {
    return a.name == b.name && a.real_time_ns == b.real_time_ns &&
           a.cpu_time_ns == b.cpu_time_ns;
  };
  if (!std::equal(first.measurements.begin(), first.measurements.end(),
                  second.measurements.begin(), second.measurements.end(),
                  same)) {
    return false;
  }
  const std::set<std::string_view> exact = ExactBenchmarks(first);
  return std::any_of(
      first.measurements.begin(), first.measurements.end(),
      [&exact](const Measurement& row) {
        if (exact.contains(row.name)) return false;
        return HasManyBits(row.cpu_time_ns) ||
               (!HasManualTime(row.name) && HasManyBits(row.real_time_ns));
      });
}

// Whether two files say that they are of different runs.
bool HaveOtherDates(const ResultFile& first, const ResultFile& second) {
  return !first.context.date.empty() && !second.context.date.empty() &&
         first.context.date != second.context.date;
}

// Whether both sides hold the same values, in whatever order, though they vary.
bool AreSameNumbers(const PairValues& values, std::string_view benchmark) {
  const bool alone = values.baseline.values.size() == 1;
  if (alone ? HasManualTime(benchmark) : !Vary(values.baseline.values)) {
    return false;
  }
  std::vector<double> baseline = values.baseline.values;
  std::vector<double> contender = values.contender.values;
  if (baseline.size() != contender.size()) return false;
  std::sort(baseline.begin(), baseline.end());
  std::sort(contender.begin(), contender.end());
  return baseline == contender;
}

}  // namespace

std::string SuspicionOf(const BenchmarkPair& pair, const PairValues& values,
                        const Metric& metric) {
  std::string suspicion =
      FileSuspicion(pair.baseline, "baseline", values, metric);
  if (suspicion.empty()) {
    suspicion = FileSuspicion(pair.contender, "contender", values, metric);
  }
  if (suspicion.empty() && IsTime(metric.name) &&
      AreSameNumbers(values, pair.name)) {
    suspicion = "both sides hold the same numbers to the last digit";
  }
  return suspicion;
}

bool TakesNoTime(const BenchmarkPair& pair, const Metric& metric) {
  const auto shows = [&metric](const BenchmarkSide& side) {
    return std::any_of(side.suspicions.begin(), side.suspicions.end(),
                       [&metric](const Suspicion* suspicion) {
                         return suspicion->kind == Suspicion::Kind::kNoOp &&
                                Doubts(*suspicion, metric.name,
                                       /*by_repetition=*/false);
                       });
  };
  return shows(pair.baseline) && shows(pair.contender);
}

std::vector<std::string> NotesOnOtherClock(const BenchmarkPair& pair,
                                           const Metric& metric) {
  std::vector<std::string> notes;
  if (!IsTime(metric.name)) return notes;
  std::set<Suspicion::Kind> said;
  for (const BenchmarkSide* side : {&pair.baseline, &pair.contender}) {
    for (const Suspicion* suspicion : side->suspicions) {
      if (TellsOfItsClock(suspicion->kind) &&
          !Doubts(*suspicion, metric.name, /*by_repetition=*/false) &&
          said.insert(suspicion->kind).second) {
        notes.push_back(suspicion->text);
      }
    }
  }
  return notes;
}

bool HasCoarseCpuClock(const BenchmarkPair& pair) {
  for (const BenchmarkSide* side : {&pair.baseline, &pair.contender}) {
    for (const Suspicion* suspicion : side->suspicions) {
      if (suspicion->kind == Suspicion::Kind::kCoarseCpuClock) return true;
    }
  }
  return false;
}

bool IsScaledCopy(std::span<const PairValues* const> pairs) {
  std::vector<double> ratios;
  for (const PairValues* values : pairs) {
    if (!AddRatios(*values, ratios)) return false;
  }
  if (ratios.size() < kFewestRatios) return false;
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  return *high - *low <= kSameRatio * *high && *high != 1.0;
}

bool CanTellCopies(const PairValues& values, const Metric& metric) {
  const std::vector<double>& baseline = values.baseline.values;
  return Vary(baseline) || (IsTime(metric.name) && baseline.size() == 1);
}

std::string RepeatedRun(std::span<const ResultFile> files) {
  for (std::size_t i = 1; i < files.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const bool one_visit =
          !files[i].visit_id.empty() && files[i].visit_id == files[k].visit_id;
      if (one_visit || HaveOtherDates(files[k], files[i]) ||
          !HoldSameNumbers(files[k], files[i])) {
        continue;
      }
      return absl::StrFormat(
          "%s and %s hold the same numbers: one run given twice",
          files[k].source_name, files[i].source_name);
    }
  }
  return "";
}

ContextFindings CompareContexts(std::span<const ResultFile> baseline,
                                std::span<const ResultFile> contender) {
  ContextFindings findings;
  std::vector<std::string> other;
  AddIfAny(other, Difference(baseline, contender, "different hosts", HostOf));
  AddIfAny(other, Difference(baseline, contender, "different numbers of CPUs",
                             CpusOf));
  AddIfAny(other,
           Difference(baseline, contender, "different CPUs", CpuModelText));
  AddIfAny(other,
           Difference(baseline, contender, "different CPU caches", CachesText));
  AddIfAny(other, ClockDifference(baseline, contender));
  findings.mismatch = absl::StrJoin(other, "; ");
  std::vector<std::string>& warnings = findings.warnings;
  AddIfAny(warnings,
           Difference(baseline, contender,
                      "different Google Benchmark versions", VersionOf));
  AddIfAny(warnings, Difference(baseline, contender,
                                "different builds of the benchmark library",
                                BuildTypeOf));
  AddIfAny(warnings, Difference(baseline, contender,
                                "address space randomisation differs", AslrOf));
  AddFileWarnings(baseline, contender, warnings);
  std::vector<const ResultContext*> contexts;
  for (const std::span<const ResultFile> files : {baseline, contender}) {
    for (const ResultFile& file : files) contexts.push_back(&file.context);
  }
  findings.threads = CompareThreads(contexts);
  return findings;
}

}  // namespace autotune
