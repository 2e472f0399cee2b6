#include "tools/measure/fingerprint.h"

#include <sched.h>
#include <sys/utsname.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/number_text.h"

namespace autotune {
namespace {

using Facts = std::map<std::string, std::string>;

// The file's text without surrounding space; empty when it cannot be read.
std::string ReadFact(FileSystem& files, const std::string& path) {
  const auto text = files.ReadFile(path);
  if (!text.ok()) return "";
  return std::string(absl::StripAsciiWhitespace(*text));
}

void Put(Facts& facts, const std::string& key, const std::string& value) {
  if (!value.empty()) facts[key] = value;
}

// The value of the first "key : value" line of /proc/cpuinfo.
std::string CpuInfo(const std::string& text, const std::string& key) {
  for (const auto line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (parts.size() == 2 && absl::StripAsciiWhitespace(parts[0]) == key) {
      return std::string(absl::StripAsciiWhitespace(parts[1]));
    }
  }
  return "";
}

std::string Turbo(FileSystem& files) {
  const std::string off =
      ReadFact(files, "/sys/devices/system/cpu/intel_pstate/no_turbo");
  if (!off.empty()) return off == "1" ? "off" : "on";
  const std::string boost =
      ReadFact(files, "/sys/devices/system/cpu/cpufreq/boost");
  if (boost.empty()) return "";
  return boost == "1" ? "on" : "off";
}

// "L1d 32K, L1i 32K, L2 1024K, L3 36608K" of the first CPU.
std::string Caches(FileSystem& files) {
  std::string text;
  for (int index = 0; index < 8; ++index) {
    const std::string folder =
        absl::StrCat("/sys/devices/system/cpu/cpu0/cache/index", index, "/");
    const std::string size = ReadFact(files, folder + "size");
    if (size.empty()) break;
    const std::string type = ReadFact(files, folder + "type");
    absl::StrAppend(&text, text.empty() ? "" : ", ", "L",
                    ReadFact(files, folder + "level"),
                    type == "Data"          ? "d"
                    : type == "Instruction" ? "i"
                                            : "",
                    " ", size);
  }
  return text;
}

// The node and job of the scheduler that started us: two nodes on one machine
// share its host name.
void PutScheduler(FileSystem& files, Facts& facts) {
  const std::string environment = ReadFact(files, "/proc/self/environ");
  for (const auto entry : absl::StrSplit(environment, '\0')) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(entry, absl::MaxSplits('=', 1));
    if (parts.first == "SLURMD_NODENAME") Put(facts, "node", parts.second);
    if (parts.first == "SLURM_JOB_ID") Put(facts, "job", parts.second);
  }
}

std::string Hypervisor(FileSystem& files, const std::string& cpuinfo) {
  const std::string vendor = ReadFact(files, "/sys/class/dmi/id/sys_vendor");
  const std::string flags = absl::StrCat(" ", CpuInfo(cpuinfo, "flags"), " ");
  if (!absl::StrContains(flags, " hypervisor ")) return "none";
  return vendor.empty() ? "yes" : vendor;
}

int UsableCpus() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 0;
  return CPU_COUNT(&cpus);
}

double NumberOf(const Facts& facts, const std::string& key) {
  const auto found = facts.find(key);
  if (found == facts.end()) return 0.0;
  return ParseFiniteDouble(found->second).value_or(0.0);
}

std::string FactOf(const Facts& facts, const std::string& key) {
  const auto found = facts.find(key);
  return found == facts.end() ? "" : found->second;
}

// Ticks of /proc/stat in which each CPU did something, steal included.
std::map<int, double> BusyTicks(FileSystem& files) {
  std::map<int, double> busy;
  const auto text = files.ReadFile("/proc/stat");
  if (!text.ok()) return busy;
  for (const auto line : absl::StrSplit(*text, '\n')) {
    const std::vector<std::string> fields =
        absl::StrSplit(line, ' ', absl::SkipEmpty());
    int cpu = 0;
    if (fields.size() < 9 || !absl::StartsWith(fields[0], "cpu") ||
        !absl::SimpleAtoi(fields[0].substr(3), &cpu)) {
      continue;
    }
    for (const std::size_t field : {1U, 2U, 3U, 6U, 7U, 8U}) {
      busy[cpu] += ParseFiniteDouble(fields[field]).value_or(0.0);
    }
  }
  return busy;
}

}  // namespace

Facts MachineFingerprint(FileSystem& files) {
  Facts facts;
  const std::string cpuinfo = ReadFact(files, "/proc/cpuinfo");
  Put(facts, "cpu_model", CpuInfo(cpuinfo, "model name"));
  Put(facts, "microcode", CpuInfo(cpuinfo, "microcode"));
  Put(facts, "caches", Caches(files));
  Put(facts, "hypervisor", Hypervisor(files, cpuinfo));
  Put(facts, "governor",
      ReadFact(files, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  Put(facts, "turbo", Turbo(files));
  Put(facts, "aslr", ReadFact(files, "/proc/sys/kernel/randomize_va_space"));
  const std::string load = ReadFact(files, "/proc/loadavg");
  Put(facts, "load_1m", load.substr(0, load.find(' ')));
  if (const int cpus = UsableCpus(); cpus > 0) {
    facts["cpus"] = absl::StrCat(cpus);
  }
  utsname names = {};
  if (uname(&names) == 0) {
    Put(facts, "kernel", names.release);
    Put(facts, "host", names.nodename);
  }
  PutScheduler(files, facts);
  return facts;
}

Facts BuildFingerprint(const Identity& identity, const Pilot& pilot) {
  Facts facts;
  Put(facts, "baseline_compiler", identity.baseline.compiler);
  Put(facts, "contender_compiler", identity.contender.compiler);
  for (const auto& [side, context] :
       {std::pair<std::string, const ResultContext&>("baseline",
                                                     pilot.baseline.context),
        {"contender", pilot.contender.context}}) {
    Put(facts, side + "_library_version", context.library_version);
    Put(facts, side + "_library_build_type", context.library_build_type);
    for (const auto& [key, value] : context.custom) {
      Put(facts, absl::StrCat(side, "_", key), value);
    }
  }
  return facts;
}

std::vector<std::string> FingerprintWarnings(const Facts& machine,
                                             const Facts& build) {
  std::vector<std::string> warnings;
  if (FactOf(machine, "governor") == "powersave") {
    warnings.push_back(
        "the CPU governor is powersave: clock speeds will vary; set "
        "performance (cpupower frequency-set -g performance)");
  }
  const double load = NumberOf(machine, "load_1m");
  const double cpus = NumberOf(machine, "cpus");
  if (cpus > 0.0 && load > cpus) {
    warnings.push_back(absl::StrCat(
        "the machine is loaded (load ", FixedText(load, 1), " on ",
        FixedText(cpus, 0), " CPUs): decisions stay sound but take longer"));
  }
  if (FactOf(build, "baseline_compiler") !=
      FactOf(build, "contender_compiler")) {
    warnings.push_back(
        "the two programs were built by different compilers: the difference "
        "measured includes theirs");
  }
  if (FactOf(build, "baseline_library_version") !=
      FactOf(build, "contender_library_version")) {
    warnings.push_back(
        "the two programs use different versions of Google Benchmark: with "
        "threads their times mean different things");
  }
  return warnings;
}

QuietCpu::QuietCpu(FileSystem& files)
    : files_(files), busy_before_(BusyTicks(files)) {}

std::optional<int> QuietCpu::Choose() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return std::nullopt;
  std::optional<int> quietest;
  double least = 0.0;
  for (const auto& [cpu, busy] : BusyTicks(files_)) {
    if (cpu >= CPU_SETSIZE || CPU_ISSET(cpu, &usable) == 0) continue;
    const double worked = busy - busy_before_[cpu];
    if (quietest.has_value() && worked > least) continue;
    quietest = cpu;
    least = worked;
  }
  return quietest;
}

}  // namespace autotune
