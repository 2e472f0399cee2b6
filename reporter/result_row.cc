#include "reporter/result_row.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <locale>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "reporter/json_writer.h"
#include "reporter/library_compat.h"
#include "reporter/time_text.h"

namespace autotune::internal {
namespace {

using Context = benchmark::BenchmarkReporter::Context;
using Run = benchmark::BenchmarkReporter::Run;

// Every key the library gives a meaning in some row. A counter of such a name
// is always renamed, also in rows without the field, so that no reader takes
// it for the field and its name is the same in every row.
constexpr std::array<std::string_view, 23> kRowFields = {
    "name",
    "family_index",
    "per_family_instance_index",
    "run_name",
    "run_type",
    "repetitions",
    "repetition_index",
    "threads",
    "aggregate_name",
    "aggregate_unit",
    "error_occurred",
    "error_message",
    "skipped",
    "skip_message",
    "iterations",
    "real_time",
    "cpu_time",
    "time_unit",
    "cpu_coefficient",
    "real_coefficient",
    "big_o",
    "rms",
    "label",
};

// Numbers a memory manager adds: programs without one use these names for
// counters of their own, which is harmless.
constexpr std::array<std::string_view, 4> kMemoryFields = {
    "allocs_per_iter",
    "max_bytes_used",
    "total_allocated_bytes",
    "net_heap_growth",
};

template <std::size_t kSize>
bool Contains(const std::array<std::string_view, kSize>& names,
              std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const char* NonFiniteName(double value) {
  if (std::isnan(value)) return "NaN";
  return value < 0 ? "-Infinity" : "Infinity";
}

const char* BigOText(benchmark::BigO complexity) {
  switch (complexity) {
    case benchmark::oN:
      return "N";
    case benchmark::oNSquared:
      return "N^2";
    case benchmark::oNCubed:
      return "N^3";
    case benchmark::oLogN:
      return "lgN";
    case benchmark::oNLogN:
      return "NlgN";
    case benchmark::o1:
      return "(1)";
    default:
      return "f(N)";
  }
}

bool IsReserved(const std::string& key, bool has_memory) {
  return Contains(kRowFields, key) ||
         (has_memory && Contains(kMemoryFields, key));
}

// A different key for each counter, also where escaping makes names the same;
// none is a field's.
std::vector<std::string> KeysOf(const benchmark::UserCounters& counters,
                                bool has_memory) {
  std::vector<std::string> keys;
  std::set<std::string> written;
  for (const auto& [name, counter] : counters) {
    std::string key = name;
    while (IsReserved(key, has_memory) || written.count(JsonString(key)) > 0 ||
           (key != name && counters.count(key) > 0)) {
      key += "_counter";
    }
    written.insert(JsonString(key));
    keys.push_back(std::move(key));
  }
  return keys;
}

// Writes one row, field group by field group in the library's order.
class RowWriter {
 public:
  RowWriter(const std::vector<Run>& runs, std::size_t index, RowNotes& notes)
      : run_(runs[index]),
        memory_(compat::MemoryOf(runs, index)),
        notes_(notes),
        name_(run_.benchmark_name()),
        out_(2) {}

  std::string Write() {
    out_.BeginObject();
    Identity();
    Problem();
    Times();
    Counters();
    if (memory_.has_value()) Memory(*memory_);
    if (!run_.report_label.empty()) Text("label", run_.report_label);
    out_.EndObject();
    return out_.text();
  }

 private:
  bool IsAggregate() const { return run_.run_type == Run::RT_Aggregate; }

  void Identity() {
    Text("name", name_);
    Integer("family_index", run_.family_index);
    Integer("per_family_instance_index", run_.per_family_instance_index);
    Text("run_name", run_.run_name.str());
    Text("run_type", IsAggregate() ? "aggregate" : "iteration");
    Integer("repetitions", run_.repetitions);
    if (!IsAggregate()) Integer("repetition_index", run_.repetition_index);
    Integer("threads", run_.threads);
    if (IsAggregate()) Aggregate();
  }

  void Aggregate() {
    Text("aggregate_name", run_.aggregate_name);
    Text("aggregate_unit", IsPercentage() ? "percentage" : "time");
  }

  bool IsPercentage() const {
    return IsAggregate() && run_.aggregate_unit == benchmark::kPercentage;
  }

  void Problem() {
    const compat::RunProblem problem = compat::ProblemOf(run_);
    if (problem.kind == compat::RunProblem::Kind::kNone) return;
    const bool is_error = problem.kind == compat::RunProblem::Kind::kError;
    out_.Key(is_error ? "error_occurred" : "skipped");
    out_.Bool(true);
    Text(is_error ? "error_message" : "skip_message", problem.message);
  }

  void Times() {
    if (run_.report_big_o) {
      Double("cpu_coefficient", run_.GetAdjustedCPUTime());
      Double("real_coefficient", run_.GetAdjustedRealTime());
      Text("big_o", BigOText(run_.complexity));
    } else if (run_.report_rms) {
      Double("rms", run_.GetAdjustedCPUTime());
      return;
    } else {
      Integer("iterations", run_.iterations);
      Double("real_time", IsPercentage() ? run_.real_accumulated_time
                                         : run_.GetAdjustedRealTime());
      Double("cpu_time", IsPercentage() ? run_.cpu_accumulated_time
                                        : run_.GetAdjustedCPUTime());
    }
    Text("time_unit", benchmark::GetTimeUnitString(run_.time_unit));
  }

  void Counters() {
    const std::vector<std::string> keys =
        KeysOf(run_.counters, memory_.has_value());
    std::size_t index = 0;
    for (const auto& [name, counter] : run_.counters) {
      const std::string& key = keys[index++];
      if (key != name) notes_.renamed.push_back({name_, name, key});
      Double(key, counter.value);
    }
  }

  void Memory(const compat::MemoryFacts& memory) {
    Double("allocs_per_iter", memory.allocs_per_iter);
    if (!memory.max_bytes_used.has_value()) {
      notes_.lost.push_back({name_, "max_bytes_used"});
    }
    Integer("max_bytes_used", memory.max_bytes_used);
    Integer("total_allocated_bytes", memory.total_allocated_bytes);
    Integer("net_heap_growth", memory.net_heap_growth);
  }

  void Text(std::string_view key, std::string_view value) {
    out_.Key(key);
    out_.String(value);
  }

  void Integer(std::string_view key, std::optional<std::int64_t> value) {
    if (!value.has_value()) return;
    out_.Key(key);
    out_.Integer(*value);
  }

  void Double(std::string_view key, double value) {
    if (!std::isfinite(value)) {
      notes_.non_finite.push_back(
          {name_, std::string(key), NonFiniteName(value)});
    }
    out_.Key(key);
    out_.Raw(JsonScientific(value));
  }

  const Run& run_;
  const std::optional<compat::MemoryFacts> memory_;
  RowNotes& notes_;
  const std::string name_;
  JsonWriter out_;
};

// The library's own NDEBUG, which no header tells: its JSON reporter is asked
// for a context and the value read from its line. Strings in that text have
// their quotes escaped, so nothing else can look like this line.
std::optional<std::string> LibraryBuildType(const Context& context) {
  std::ostringstream text;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&text);
  reporter.ReportContext(context);
  const std::string all = text.str();
  constexpr std::string_view kKey = "\n    \"library_build_type\": \"";
  const std::size_t key = all.find(kKey);
  if (key == std::string::npos) return std::nullopt;
  const std::size_t start = key + kKey.size();
  return all.substr(start, all.find('"', start) - start);
}

// As a stream prints it by default: six significant digits.
std::string LoadText(double load) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << load;
  return std::isfinite(load) ? text.str() : "null";
}

class ContextWriter {
 public:
  explicit ContextWriter(RowNotes& notes) : notes_(notes), out_(1) {}

  std::string Write(const Context* context) {
    out_.BeginObject();
    Text("date", LocalTimeText(std::chrono::system_clock::now()));
    if (context != nullptr) Text("host_name", context->sys_info.name);
    if (Context::executable_name != nullptr) {
      Text("executable", Context::executable_name);
    }
    if (context != nullptr) {
      Cpu(context->cpu_info);
      Bool("aslr_enabled", compat::AslrOf(context->sys_info));
      Caches(context->cpu_info);
      Load(context->cpu_info);
      Library(*context);
    }
    Custom();
    out_.EndObject();
    return out_.text();
  }

 private:
  void Cpu(const benchmark::CPUInfo& cpu) {
    Integer("num_cpus", cpu.num_cpus);
    Integer("mhz_per_cpu", std::lround(cpu.cycles_per_second / 1e6));
    if (cpu.scaling != benchmark::CPUInfo::UNKNOWN) {
      Bool("cpu_scaling_enabled", cpu.scaling == benchmark::CPUInfo::ENABLED);
    }
  }

  void Caches(const benchmark::CPUInfo& cpu) {
    Key("caches");
    out_.BeginArray();
    for (const benchmark::CPUInfo::CacheInfo& cache : cpu.caches) {
      out_.BeginObject();
      Field("type", JsonString(cache.type));
      Field("level", std::to_string(cache.level));
      Field("size", std::to_string(cache.size));
      Field("num_sharing", std::to_string(cache.num_sharing));
      out_.EndObject();
    }
    out_.EndArray();
  }

  void Load(const benchmark::CPUInfo& cpu) {
    std::string loads;
    for (const double load : cpu.load_avg) {
      loads += (loads.empty() ? "" : ",") + LoadText(load);
    }
    Key("load_avg");
    out_.Raw("[" + loads + "]");
  }

  void Library(const Context& context) {
    const std::optional<std::string> version = compat::LibraryVersion();
    if (version.has_value()) Text("library_version", *version);
    const std::optional<std::string> build_type = LibraryBuildType(context);
    if (build_type.has_value()) Text("library_build_type", *build_type);
    if (version.has_value()) Integer("json_schema_version", 1);
  }

  // What --benchmark_context and AddCustomContext added.
  void Custom() {
    const std::map<std::string, std::string>* custom =
        benchmark::internal::GetGlobalContext();
    if (custom == nullptr) return;
    for (const auto& [name, value] : *custom) {
      std::string key = name;
      while (used_.count(JsonString(key)) > 0 ||
             (key != name && custom->count(key) > 0)) {
        key += "_context";
      }
      if (key != name) notes_.renamed.push_back({"context", name, key});
      Text(key, value);
    }
  }

  void Key(const std::string& key) {
    used_.insert(JsonString(key));
    out_.Key(key);
  }
  void Field(std::string_view key, std::string_view json) {
    out_.Key(key);
    out_.Raw(json);
  }
  void Text(const std::string& key, std::string_view value) {
    Key(key);
    out_.String(value);
  }
  void Integer(const std::string& key, std::int64_t value) {
    Key(key);
    out_.Integer(value);
  }
  void Bool(const std::string& key, std::optional<bool> value) {
    if (!value.has_value()) return;
    Key(key);
    out_.Bool(*value);
  }

  RowNotes& notes_;
  std::set<std::string> used_;
  JsonWriter out_;
};

}  // namespace

std::string RowJson(const std::vector<Run>& runs, std::size_t index,
                    RowNotes& notes) {
  return RowWriter(runs, index, notes).Write();
}

std::vector<std::string> CounterKeys(const std::vector<Run>& runs,
                                     std::size_t index) {
  return KeysOf(runs[index].counters,
                compat::MemoryOf(runs, index).has_value());
}

std::string ContextJson(const Context* context, RowNotes& notes) {
  return ContextWriter(notes).Write(context);
}

}  // namespace autotune::internal
