#include "reporter/benchmark_facts.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "reporter/json_writer.h"

namespace autotune::internal {
namespace {

void WriteText(std::string_view key, const std::string& value,
               JsonWriter& out) {
  if (value.empty()) return;
  out.Key(key);
  out.String(value);
}

void WriteName(const benchmark::BenchmarkName& name, JsonWriter& out) {
  WriteText("name", name.str(), out);
  WriteText("base_name", name.function_name, out);
  WriteText("arguments", name.args, out);
  WriteText("time_type", name.time_type, out);
  out.Key("clock");
  out.String(ClockThatCounts(name.time_type));
}

void WriteConfig(const RunsConfig& config, JsonWriter& out) {
  out.Key("requested");
  out.BeginObject();
  if (config.has_explicit_iterations) {
    out.Key("iterations");
    out.Integer(config.iterations);
  } else {
    out.Key("min_time_seconds");
    out.Number(config.min_time_seconds);
  }
  out.EndObject();
}

bool Has(benchmark::Counter::Flags flags, benchmark::Counter::Flags flag) {
  return (static_cast<unsigned>(flags) & static_cast<unsigned>(flag)) != 0;
}

// The flags as the library's documentation calls them, in its order.
void WriteFlags(const benchmark::Counter& counter, JsonWriter& out) {
  using benchmark::Counter;
  out.BeginArray();
  const std::pair<Counter::Flags, const char*> kNames[] = {
      {Counter::kIsRate, "is_rate"},
      {Counter::kAvgThreads, "avg_threads"},
      {Counter::kIsIterationInvariant, "is_iteration_invariant"},
      {Counter::kAvgIterations, "avg_iterations"},
      {Counter::kInvert, "invert"},
  };
  for (const auto& [flag, name] : kNames) {
    if (Has(counter.flags, flag)) out.String(name);
  }
  if (counter.oneK == Counter::kIs1024) out.String("is_1024");
  out.EndArray();
}

void WriteCounters(const benchmark::UserCounters& counters,
                   const std::vector<std::string>& keys, JsonWriter& out) {
  if (counters.empty()) return;
  out.Key("counters");
  out.BeginObject();
  std::size_t index = 0;
  for (const auto& [name, counter] : counters) {
    out.Key(keys[index++]);
    WriteFlags(counter, out);
  }
  out.EndObject();
}

}  // namespace

const char* ClockThatCounts(const std::string& time_type) {
  if (time_type.find("manual_time") != std::string::npos) return "manual";
  if (time_type.find("real_time") != std::string::npos) return "real";
  if (time_type.find("process_time") != std::string::npos) {
    return "process_cpu";
  }
  return "cpu";
}

std::string BenchmarkFactsJson(const benchmark::BenchmarkReporter::Run& run,
                               const std::vector<std::string>& counter_keys,
                               const std::optional<RunsConfig>& config,
                               const std::optional<ResourceUse>& before,
                               const std::optional<ResourceUse>& after,
                               const ProcessState& state) {
  JsonWriter out = JsonWriter::OneLine();
  out.BeginObject();
  WriteName(run.run_name, out);
  if (config.has_value()) WriteConfig(*config, out);
  WriteCounters(run.counters, counter_keys, out);
  if (before.has_value() && after.has_value()) {
    out.Key("since_previous_report");
    out.BeginObject();
    WriteDifference(*before, *after, out);
    out.EndObject();
  }
  WriteState(state, out);
  out.EndObject();
  return out.text();
}

}  // namespace autotune::internal
