#include "comparator/side_suspicion.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "comparator/benchmark_pairs.h"
#include "comparator/measurement.h"
#include "comparator/result_file.h"
#include "comparator/suspicion.h"
#include "comparator/visit_values.h"

namespace autotune {
namespace {

// "One ratio everywhere": to the last digits of a double.
constexpr double kSameRatio = 1e-12;
// Fewer equal ratios may be chance.
constexpr std::size_t kFewestRatios = 3;
// First release whose threaded real time is a mean over threads.
constexpr int kThreadTimeMajor = 1;
constexpr int kThreadTimeMinor = 9;

std::string FileSuspicion(const BenchmarkSide& side, std::string_view name) {
  for (const Suspicion* suspicion : side.suspicions) {
    if (KeepsOutOfOverall(suspicion->kind)) {
      return absl::StrFormat("%s: %s", name, suspicion->text);
    }
  }
  return "";
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

using Texts = std::set<std::string>;

// What the side's files say, without those that say nothing.
template <typename Get>
Texts TextsOf(std::span<const ResultFile> files, const Get& get) {
  Texts texts;
  for (const ResultFile& file : files) {
    const std::string text = get(file.context);
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

std::string HostOf(const ResultContext& context) { return context.host_name; }
std::string CpusOf(const ResultContext& context) {
  return context.num_cpus.has_value() ? absl::StrCat(*context.num_cpus) : "";
}
std::string VersionOf(const ResultContext& context) {
  return context.library_version;
}
std::string BuildTypeOf(const ResultContext& context) {
  return context.library_build_type;
}
std::string AslrOf(const ResultContext& context) {
  if (!context.aslr_enabled.has_value()) return "";
  return *context.aslr_enabled ? "on" : "off";
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

// One warning for each thing that whole files are suspected of.
void AddFileSuspicions(std::span<const ResultFile> baseline,
                       std::span<const ResultFile> contender,
                       std::vector<std::string>& warnings) {
  std::map<std::string, std::vector<std::string>> files_of_text;
  std::vector<std::string> order;
  for (const std::span<const ResultFile> files : {baseline, contender}) {
    for (const ResultFile& file : files) {
      for (const Suspicion& suspicion : file.suspicions) {
        if (!suspicion.benchmark.empty()) continue;
        std::vector<std::string>& names = files_of_text[suspicion.text];
        if (names.empty()) order.push_back(suspicion.text);
        names.push_back(file.source_name);
      }
    }
  }
  for (const std::string& text : order) {
    warnings.push_back(absl::StrCat(ListText(files_of_text[text]), ": ", text));
  }
}

// Whether a version such as "v1.9.0-12-gabcdef" is at least 1.9; nothing when
// it is none.
std::optional<bool> HasMeanThreadTime(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  int major = 0;
  int minor = 0;
  const char* const end = version.data() + version.size();
  const auto [point, error] = std::from_chars(version.data(), end, major);
  if (error != std::errc() || point == end || *point != '.') {
    return std::nullopt;
  }
  if (std::from_chars(point + 1, end, minor).ec != std::errc()) {
    return std::nullopt;
  }
  return std::pair(major, minor) >=
         std::pair(kThreadTimeMajor, kThreadTimeMinor);
}

std::set<bool> ThreadTimeMeanings(std::span<const ResultFile> files) {
  std::set<bool> meanings;
  for (const ResultFile& file : files) {
    const std::optional<bool> mean =
        HasMeanThreadTime(file.context.library_version);
    if (mean.has_value()) meanings.insert(*mean);
  }
  return meanings;
}

}  // namespace

std::string SuspicionOf(const BenchmarkPair& pair, const PairValues& values,
                        const Metric& metric) {
  std::string suspicion = FileSuspicion(pair.baseline, "baseline");
  if (suspicion.empty()) suspicion = FileSuspicion(pair.contender, "contender");
  const bool same =
      IsTime(metric.name) && values.baseline.values == values.contender.values;
  if (suspicion.empty() && same) {
    suspicion = "both sides hold the same numbers to the last digit";
  }
  return suspicion;
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

ContextFindings CompareContexts(std::span<const ResultFile> baseline,
                                std::span<const ResultFile> contender) {
  ContextFindings findings;
  findings.mismatch =
      Difference(baseline, contender, "different hosts", HostOf);
  if (findings.mismatch.empty()) {
    findings.mismatch =
        Difference(baseline, contender, "different numbers of CPUs", CpusOf);
  }
  std::vector<std::string>& warnings = findings.warnings;
  AddIfAny(warnings,
           Difference(baseline, contender,
                      "different Google Benchmark versions", VersionOf));
  AddIfAny(warnings, Difference(baseline, contender,
                                "different builds of the benchmark library",
                                BuildTypeOf));
  AddIfAny(warnings, Difference(baseline, contender,
                                "address space randomisation differs", AslrOf));
  AddFileSuspicions(baseline, contender, warnings);
  std::set<bool> meanings = ThreadTimeMeanings(baseline);
  meanings.merge(ThreadTimeMeanings(contender));
  findings.threaded_real_time_differs = meanings.size() > 1;
  return findings;
}

}  // namespace autotune
