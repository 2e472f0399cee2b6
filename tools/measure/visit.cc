#include "tools/measure/visit.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/statistics/descriptive.h"

namespace autotune {
namespace {

constexpr std::string_view kFilterMark = "{filter}";
// The name under which shells leave what they ran last: it tells nothing.
constexpr std::string_view kPaddingVariable = "_";
constexpr char kSeenRun[] = "/project/run";
constexpr absl::Duration kLookEvery = absl::Milliseconds(25);
constexpr std::size_t kLongestLastWords = 200;
constexpr char kNothingUrl[] = "autotune/no-benchmark-selected";

std::string Text(std::string_view text) { return std::string(text); }

// The last line that says something, shortened.
std::string LastWords(const ProcessResult& process) {
  for (const std::string* stream :
       {&process.standard_error, &process.standard_output}) {
    const std::vector<std::string> lines =
        absl::StrSplit(*stream, '\n', absl::SkipWhitespace());
    if (lines.empty()) continue;
    return std::string(absl::StripAsciiWhitespace(lines.back()))
        .substr(0, kLongestLastWords);
  }
  return "nothing";
}

absl::Status CannotJudge(const VisitRequest& request,
                         const std::string& problem) {
  return absl::AbortedError(
      absl::StrCat(request.side, ": ", problem, ": ",
                   CommandText(VisitProcess(request).argv)));
}

absl::Status CheckEnd(const VisitRequest& request,
                      const ProcessResult& process) {
  const std::string said = absl::StrCat(" (it said: ", LastWords(process), ")");
  if (process.timed_out) {
    return CannotJudge(
        request,
        absl::StrCat("killed after ", absl::FormatDuration(request.timeout),
                     said, "; allow it longer, or fewer benchmarks"));
  }
  if (process.signal.has_value()) {
    return CannotJudge(
        request, absl::StrCat("killed by signal ", *process.signal, said));
  }
  if (process.exit_code != 0) {
    return CannotJudge(request,
                       absl::StrCat("exit code ", process.exit_code, said));
  }
  return absl::OkStatus();
}

// The library's own words when a filter matches nothing; it exits 0 then.
bool MatchedNothing(const ProcessResult& process) {
  return absl::StrContains(process.standard_error, "Failed to match any") ||
         absl::StrContains(process.standard_output, "Failed to match any");
}

absl::StatusOr<std::string> ReadResults(const VisitRequest& request,
                                        const ProcessResult& process,
                                        FileSystem& files) {
  auto text = files.ReadFile(request.result_path);
  if (text.ok() && !text->empty()) return text;
  if (MatchedNothing(process)) {
    absl::Status nothing = CannotJudge(
        request, absl::StrCat("no benchmark matches \"", request.filter, "\""));
    nothing.SetPayload(kNothingUrl, absl::Cord());
    return nothing;
  }
  if (text.ok() || absl::IsNotFound(text.status())) {
    return CannotJudge(
        request, absl::StrCat("wrote no results; it must be a Google "
                              "Benchmark that takes --benchmark_out (it said: ",
                              LastWords(process), ")"));
  }
  return Annotate(text.status(), request.side);
}

bool HoldsFilterMark(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const std::string& argument) {
                       return argument.find(kFilterMark) != std::string::npos;
                     });
}

const UnusableRow* FindUnusable(const ResultFile& results,
                                std::string_view name) {
  for (const UnusableRow& row : results.unusable) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// Rows that cannot be numbers, as when the library gave up its iteration search
// at one iteration: the visit is spoiled, the benchmark is not broken.
bool WasNotMeasured(const ResultFile& results, std::string_view name) {
  const UnusableRow* row = FindUnusable(results, name);
  return row != nullptr && row->kind == UnusableRow::Kind::kNotMeasured;
}

absl::Status MissingNumber(std::string_view side, std::string_view benchmark,
                           std::string_view metric) {
  return absl::AbortedError(absl::StrCat(
      Text(side), ": \"", Text(benchmark), "\": the results hold no ",
      Text(metric), ": choose a metric that this benchmark reports"));
}

double WeightedMean(const VisitBenchmark& benchmark) {
  double total = 0.0;
  double iterations = 0.0;
  for (std::size_t i = 0; i < benchmark.values.size(); ++i) {
    const auto weight = static_cast<double>(benchmark.iterations[i]);
    total += benchmark.values[i] * weight;
    iterations += weight;
  }
  return total / iterations;
}

double SummaryValue(const VisitBenchmark& benchmark, Summary summary) {
  if (summary == Summary::kMean &&
      benchmark.iterations.size() == benchmark.values.size()) {
    return WeightedMean(benchmark);
  }
  return Median(benchmark.values);
}

// The published median (else mean) of a benchmark that reports aggregates only.
const Aggregate* PublishedCentre(const ResultFile& results,
                                 std::string_view name) {
  const Aggregate* centre = nullptr;
  for (const Aggregate& aggregate : results.aggregates) {
    if (aggregate.row.name != name) continue;
    if (aggregate.aggregate_name == "median") return &aggregate;
    if (aggregate.aggregate_name == "mean") centre = &aggregate;
  }
  return centre;
}

std::vector<const Measurement*> RowsOf(const ResultFile& results,
                                       std::string_view name) {
  std::vector<const Measurement*> rows;
  for (const Measurement& row : results.measurements) {
    if (row.name == name) rows.push_back(&row);
  }
  return rows;
}

absl::StatusOr<VisitBenchmark> FromAggregate(const ResultFile& results,
                                             std::string_view side,
                                             const std::string& name,
                                             std::string_view metric) {
  const Aggregate* centre = PublishedCentre(results, name);
  if (centre == nullptr) {
    return absl::AbortedError(
        absl::StrCat(Text(side), ": \"", name,
                     "\": missing from the results, though the pilot saw it"));
  }
  const std::optional<double> value = MetricValue(centre->row, metric);
  if (!value.has_value()) return MissingNumber(side, name, metric);
  VisitBenchmark benchmark;
  benchmark.name = name;
  benchmark.values = {*value};
  benchmark.value = *value;
  return benchmark;
}

absl::Status CheckRows(const FinishedVisit& visit, std::string_view side,
                       const ExpectedBenchmark& expected) {
  const UnusableRow* row = FindUnusable(visit.results, expected.name);
  if (row != nullptr && row->kind != UnusableRow::Kind::kNotMeasured) {
    return absl::AbortedError(
        absl::StrCat(Text(side), ": \"", expected.name, "\" ",
                     Text(UnusableKindName(row->kind)),
                     row->reason.empty() ? "" : ": ", row->reason));
  }
  const std::size_t rows = RowsOf(visit.results, expected.name).size();
  const auto wanted =
      static_cast<std::size_t>(expected.rows.value_or(visit.repetitions));
  // None at all: the benchmark may publish aggregates only.
  if (rows != 0 && rows != wanted) {
    return absl::AbortedError(
        absl::StrCat(Text(side), ": \"", expected.name, "\": expected ", wanted,
                     " repetitions in the results, got ", rows));
  }
  return absl::OkStatus();
}

absl::StatusOr<VisitBenchmark> SummarizeBenchmark(const ResultFile& results,
                                                  std::string_view side,
                                                  const std::string& name,
                                                  std::string_view metric,
                                                  Summary summary) {
  const std::vector<const Measurement*> rows = RowsOf(results, name);
  if (rows.empty()) return FromAggregate(results, side, name, metric);
  VisitBenchmark benchmark;
  benchmark.name = name;
  for (const Measurement* row : rows) {
    const std::optional<double> value = MetricValue(*row, metric);
    if (!value.has_value()) return MissingNumber(side, name, metric);
    benchmark.values.push_back(*value);
    benchmark.iterations.push_back(row->iterations);
  }
  benchmark.value = SummaryValue(benchmark, summary);
  return benchmark;
}

// CPU time inside the measured iterations, as far as cpu_time counts it.
double CountedCpuSeconds(const ResultFile& results) {
  double nanoseconds = 0.0;
  for (const Measurement& row : results.measurements) {
    nanoseconds +=
        row.cpu_time_ns.value_or(0.0) * static_cast<double>(row.iterations);
  }
  return nanoseconds * 1e-9;
}

VisitEvidence ProcessFacts(const FinishedVisit& visit) {
  VisitEvidence evidence;
  const ResourceUsage& usage = visit.process.usage;
  evidence.wall_seconds = absl::ToDoubleSeconds(visit.process.wall);
  evidence.user_cpu_seconds = absl::ToDoubleSeconds(usage.user_cpu);
  evidence.system_cpu_seconds = absl::ToDoubleSeconds(usage.system_cpu);
  evidence.excess_cpu_seconds = evidence.user_cpu_seconds +
                                evidence.system_cpu_seconds -
                                CountedCpuSeconds(visit.results);
  evidence.peak_rss_bytes = visit.peak_rss_bytes;
  evidence.voluntary_switches = usage.voluntary_switches;
  evidence.involuntary_switches = usage.involuntary_switches;
  evidence.threads = visit.threads;
  evidence.visit_id = visit.results.visit_id;
  return evidence;
}

// `filter`, which is on common names, as the side's program understands it: its
// own names of what was renamed are added. A filter too long to look into gets
// all of them; what is not asked for is passed over later.
std::string OwnFilter(const SideCommand& command, const std::string& filter) {
  if (command.common_names.empty()) return filter;
  const absl::StatusOr<NamePattern> pattern = NamePattern::Create(filter);
  std::vector<std::string> names;
  for (const auto& [own, common] : command.common_names) {
    if (!pattern.ok() || pattern->Matches(common)) names.push_back(own);
  }
  return names.empty() ? filter : absl::StrCat(filter, "|", ExactFilter(names));
}

void UseCommonNames(const SideCommand& command, ResultFile& results) {
  const auto rename = [&command](std::string& name) {
    const auto found = command.common_names.find(name);
    if (found != command.common_names.end()) name = found->second;
  };
  for (Measurement& row : results.measurements) rename(row.name);
  for (Aggregate& aggregate : results.aggregates) rename(aggregate.row.name);
  for (UnusableRow& row : results.unusable) rename(row.name);
}

std::int64_t PeakRssBytes(const ResourceUsage& usage,
                          const ProcessWatch& watch) {
  return usage.peak_rss_exact
             ? usage.peak_rss_bytes
             : watch.peak_rss_bytes().value_or(usage.peak_rss_bytes);
}

}  // namespace

std::string SeenPath(const ProcessSpec& spec, const std::string& path) {
  return spec.sandbox.has_value() ? InsidePath(*spec.sandbox, path) : path;
}

ProcessSpec VisitProcess(const VisitRequest& request) {
  ProcessSpec spec;
  const std::string filter = OwnFilter(*request.command, request.filter);
  spec.sandbox = request.command->sandbox;
  if (spec.sandbox.has_value()) {
    const std::string& results = request.result_path;
    spec.sandbox->mounts.push_back(
        {results.substr(0, results.rfind('/')), kSeenRun, true});
  }
  spec.argv = {SeenPath(spec, request.program)};
  const std::vector<std::string>& arguments = request.command->arguments;
  for (const std::string& argument : arguments) {
    spec.argv.push_back(
        absl::StrReplaceAll(argument, {{kFilterMark.data(), filter}}));
  }
  if (!HoldsFilterMark(arguments)) {
    spec.argv.push_back(absl::StrCat("--benchmark_filter=", filter));
  }
  spec.argv.push_back(absl::StrCat(
      "--benchmark_min_time=", ShortestText(request.size.min_time_seconds)));
  spec.argv.push_back(
      absl::StrCat("--benchmark_repetitions=", request.size.repetitions));
  spec.argv.push_back("--benchmark_out_format=json");
  spec.argv.push_back(
      absl::StrCat("--benchmark_out=", SeenPath(spec, request.result_path)));
  spec.working_directory = SeenPath(spec, request.command->working_directory);
  spec.environment = request.command->environment;
  spec.environment[Text(kPaddingVariable)] =
      std::string(static_cast<std::size_t>(request.padding_bytes), 'x');
  spec.environment["BENCHMARK_INPUT_SEED"] = absl::StrCat(request.input_seed);
  spec.unset_environment_prefixes = {"BENCHMARK_", "AUTOTUNE_"};
  spec.cpu = request.cpu;
  spec.timeout = request.timeout;
  spec.output_limit_bytes = std::size_t{1} << 16;
  spec.start_stopped = request.start_stopped;
  spec.ends_descendants = true;
  return spec;
}

std::string NameAsPattern(std::string_view name) {
  constexpr std::string_view kSpecial = "\\^$.[]|()?*+{}";
  std::string pattern;
  for (const char c : name) {
    if (kSpecial.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::string ExactFilter(const std::vector<std::string>& names) {
  std::string filter = "^(";
  for (const std::string& name : names) {
    if (filter.size() > 2) filter += '|';
    filter += NameAsPattern(name);
  }
  return filter + ")$";
}

void ProcessWatch::Look(const RunningProcess& process) {
  const auto raise = [](std::optional<std::int64_t>& most, std::int64_t seen) {
    if (seen > 0) most = std::max(most.value_or(seen), seen);
  };
  raise(threads_, process.Threads());
  raise(peak_rss_bytes_, process.PeakRssBytes());
}

absl::StatusOr<FinishedVisit> RunVisit(const VisitRequest& request,
                                       ProcessRunner& processes,
                                       FileSystem& files) {
  RETURN_IF_ERROR(files.RemoveAll(request.result_path));
  auto process = processes.Start(VisitProcess(request));
  if (!process.ok()) return Annotate(process.status(), request.side);
  ProcessWatch watch;
  bool ended = false;
  while (!ended) {
    ASSIGN_OR_RETURN(ended, (*process)->PollEnded(kLookEvery));
    if (!ended) watch.Look(**process);
  }
  ASSIGN_OR_RETURN(ProcessResult result, (*process)->Wait());
  return ReadVisit(request, std::move(result), watch, files);
}

bool SelectedNothing(const absl::Status& status) {
  return status.GetPayload(kNothingUrl).has_value();
}

absl::StatusOr<FinishedVisit> ReadVisit(const VisitRequest& request,
                                        ProcessResult process,
                                        const ProcessWatch& watch,
                                        FileSystem& files) {
  RETURN_IF_ERROR(CheckEnd(request, process));
  ASSIGN_OR_RETURN(const std::string text,
                   ReadResults(request, process, files));
  auto results = ParseResultFile(text, "results");
  if (!results.ok()) {
    return CannotJudge(request, std::string(results.status().message()));
  }
  FinishedVisit visit;
  visit.results = *std::move(results);
  UseCommonNames(*request.command, visit.results);
  visit.repetitions = request.size.repetitions;
  visit.threads = watch.threads();
  visit.peak_rss_bytes = PeakRssBytes(process.usage, watch);
  visit.process = std::move(process);
  return visit;
}

absl::StatusOr<VisitEvidence> SummarizeVisit(
    const FinishedVisit& visit, std::string_view side,
    const std::vector<ExpectedBenchmark>& expected, const Metric& metric,
    Summary summary) {
  VisitEvidence evidence = ProcessFacts(visit);
  for (const ExpectedBenchmark& one : expected) {
    if (WasNotMeasured(visit.results, one.name)) {
      evidence.benchmarks.emplace_back().name = one.name;
      continue;
    }
    RETURN_IF_ERROR(CheckRows(visit, side, one));
    ASSIGN_OR_RETURN(VisitBenchmark benchmark,
                     SummarizeBenchmark(visit.results, side, one.name,
                                        metric.name, summary));
    evidence.benchmarks.push_back(std::move(benchmark));
    for (const std::string& counter : one.counters) {
      ASSIGN_OR_RETURN(VisitBenchmark entry,
                       SummarizeBenchmark(visit.results, side, one.name,
                                          counter, Summary::kMedian));
      entry.name = CounterEntryName(one.name, counter);
      evidence.benchmarks.push_back(std::move(entry));
    }
  }
  return evidence;
}

}  // namespace autotune
