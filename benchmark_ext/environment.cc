#include "benchmark_ext/environment.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "reporter/file_io.h"

namespace autotune {
namespace {

using internal::ReadTextFile;

constexpr char kCpuFolder[] = "/sys/devices/system/cpu/";

std::string Trimmed(std::string_view text) {
  const auto is_space = [](char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
  };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

// A whole non-negative decimal number below 10^15, else nothing.
std::optional<std::int64_t> AsNumber(std::string_view text) {
  if (text.empty() || text.size() > 15) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

// A decimal number such as "0.52", whatever the locale; nothing for others.
std::optional<double> AsDecimal(const std::string& text) {
  const std::size_t point = text.find('.');
  const std::optional<std::int64_t> whole = AsNumber(text.substr(0, point));
  if (!whole.has_value()) return std::nullopt;
  if (point == std::string::npos) return static_cast<double>(*whole);
  const std::string digits = text.substr(point + 1);
  const std::optional<std::int64_t> fraction = AsNumber(digits);
  if (!fraction.has_value()) return std::nullopt;
  double scale = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) scale *= 10;
  return static_cast<double>(*whole) + static_cast<double>(*fraction) / scale;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
    end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
  }
  return parts;
}

// "0-2,5" as {0, 1, 2, 5}; empty when it is anything else or has more than
// 65536 members.
std::vector<std::int64_t> CpuList(const std::string& text) {
  std::vector<std::int64_t> cpus;
  for (const std::string& part : Split(text, ',')) {
    const std::size_t dash = part.find('-');
    const std::optional<std::int64_t> first = AsNumber(part.substr(0, dash));
    const std::optional<std::int64_t> last =
        dash == std::string::npos ? first : AsNumber(part.substr(dash + 1));
    if (!first.has_value() || !last.has_value() || *last < *first ||
        *last > 65536) {
      return {};
    }
    for (std::int64_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

std::string Joined(const std::set<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

// Collects facts from one source.
class Reader {
 public:
  explicit Reader(const EnvironmentSource& source) : source_(source) {}

  Facts Read() {
    const std::string cpuinfo = Text("/proc/cpuinfo").value_or("");
    Processor(cpuinfo);
    Topology();
    Frequency();
    Kernel();
    Hypervisor(cpuinfo);
    Container();
    Load();
    Scheduler();
    return std::move(facts_);
  }

 private:
  std::optional<std::string> Text(const std::string& path) const {
    return ReadTextFile(source_.root + path);
  }

  // The one line of a small file; nothing when it is missing or empty.
  std::optional<std::string> Line(const std::string& path) const {
    const std::optional<std::string> text = Text(path);
    if (!text.has_value()) return std::nullopt;
    std::string line = Trimmed(*text);
    if (line.empty()) return std::nullopt;
    return line;
  }

  bool Exists(const std::string& path) const {
    struct stat status;
    return stat((source_.root + path).c_str(), &status) == 0;
  }

  template <typename Value>
  void Add(const char* name, Value value) {
    facts_.push_back({name, std::move(value)});
  }
  void AddText(const char* name, const std::string& value) {
    if (!value.empty()) Add(name, value);
  }
  // A switch: "1" and "0" are known, anything else is not.
  void AddSwitch(const char* name, const std::string& path, bool one_means) {
    const std::optional<std::string> line = Line(path);
    if (line == "1") Add(name, one_means);
    if (line == "0") Add(name, !one_means);
  }

  // The different values of "KEY : VALUE" lines of /proc/cpuinfo.
  static std::string CpuInfo(const std::string& cpuinfo, std::string_view key) {
    std::set<std::string> values;
    for (const std::string& line : Split(cpuinfo, '\n')) {
      const std::size_t colon = line.find(':');
      if (colon == std::string::npos) continue;
      if (Trimmed(line.substr(0, colon)) != key) continue;
      const std::string value = Trimmed(line.substr(colon + 1));
      if (!value.empty()) values.insert(value);
    }
    return Joined(values);
  }

  void Processor(const std::string& cpuinfo) {
    AddText("cpu_model", CpuInfo(cpuinfo, "model name"));
    AddText("microcode", CpuInfo(cpuinfo, "microcode"));
  }

  void Topology() {
    const std::vector<std::int64_t> cpus =
        CpuList(Line(std::string(kCpuFolder) + "online").value_or(""));
    if (!cpus.empty()) {
      Add("cpus_online", static_cast<std::int64_t>(cpus.size()));
    }
    if (source_.cpus_allowed > 0) {
      Add("cpus_allowed", static_cast<std::int64_t>(source_.cpus_allowed));
    }
    Cores(cpus);
    AddSwitch("smt", std::string(kCpuFolder) + "smt/active", true);
    Governor(cpus);
  }

  static std::string Cpu(std::int64_t cpu) {
    return kCpuFolder + ("cpu" + std::to_string(cpu)) + "/";
  }

  void Cores(const std::vector<std::int64_t>& cpus) {
    std::set<std::pair<std::string, std::string>> cores;
    for (const std::int64_t cpu : cpus) {
      const std::string topology = Cpu(cpu) + "topology/";
      const auto package = Line(topology + "physical_package_id");
      const auto core = Line(topology + "core_id");
      if (!package.has_value() || !core.has_value()) return;
      cores.emplace(*package, *core);
    }
    if (cores.empty()) return;
    Add("cores", static_cast<std::int64_t>(cores.size()));
  }

  void Governor(const std::vector<std::int64_t>& cpus) {
    std::set<std::string> governors;
    for (const std::int64_t cpu : cpus) {
      const auto governor = Line(Cpu(cpu) + "cpufreq/scaling_governor");
      if (governor.has_value()) governors.insert(*governor);
    }
    AddText("governor", Joined(governors));
  }

  // Two drivers, two switches of opposite sense.
  void Frequency() {
    const std::string intel = std::string(kCpuFolder) + "intel_pstate/no_turbo";
    if (Exists(intel)) {
      AddSwitch("turbo", intel, false);
    } else {
      AddSwitch("turbo", std::string(kCpuFolder) + "cpufreq/boost", true);
    }
  }

  void Kernel() {
    const std::optional<std::string> type = Line("/proc/sys/kernel/ostype");
    const std::optional<std::string> release =
        Line("/proc/sys/kernel/osrelease");
    if (type.has_value() && release.has_value()) {
      Add("kernel", *type + " " + *release);
    }
    AddText("kernel_version", Line("/proc/sys/kernel/version").value_or(""));
    Aslr();
  }

  // Off for the machine, or off for this process (the personality flag
  // ADDR_NO_RANDOMIZE; source: personality(2)).
  void Aslr() {
    constexpr unsigned long kNoRandomize = 0x0040000;
    const std::optional<std::string> machine =
        Line("/proc/sys/kernel/randomize_va_space");
    const std::optional<std::string> process = Line("/proc/self/personality");
    if (machine == "0") {
      Add("aslr", false);
    } else if (machine.has_value() && process.has_value()) {
      Add("aslr",
          (std::strtoul(process->c_str(), nullptr, 16) & kNoRandomize) == 0);
    }
  }

  // Absence proves nothing: a hypervisor may hide.
  void Hypervisor(const std::string& cpuinfo) {
    const std::string flags = " " + CpuInfo(cpuinfo, "flags") + " ";
    if (flags.find(" hypervisor ") == std::string::npos) return;
    Add("hypervisor", source_.hypervisor_signature.empty()
                          ? std::string("unnamed")
                          : source_.hypervisor_signature);
    AddText("machine", Line("/sys/class/dmi/id/product_name").value_or(""));
  }

  void Container() {
    AddText("container", ContainerKind());
    const std::optional<double> quota = CpuQuota();
    if (quota.has_value()) Add("cpu_quota", *quota);
  }

  std::string ContainerKind() const {
    if (!source_.variable("KUBERNETES_SERVICE_HOST").empty()) {
      return "kubernetes";
    }
    if (Exists("/.dockerenv")) return "docker";
    if (Exists("/run/.containerenv")) return "podman";
    const std::string said = source_.variable("container");
    if (!said.empty()) return said;
    return Line("/run/systemd/container").value_or("");
  }

  // CPUs' worth of time the process's control group (version 2) may use, the
  // least on the way up to the root; nothing when there is no limit.
  std::optional<double> CpuQuota() const {
    std::string group = ControlGroup();
    if (group.empty()) return std::nullopt;
    if (group == "/") group.clear();
    std::optional<double> least = QuotaOf(group);
    while (!group.empty()) {
      group.resize(std::min(group.rfind('/'), group.size()));
      const std::optional<double> quota = QuotaOf(group);
      if (quota.has_value()) least = std::min(*quota, least.value_or(*quota));
    }
    return least;
  }

  // "/user.slice/x" from the line "0::/user.slice/x"; empty for version 1 and
  // for anything that is no absolute path.
  std::string ControlGroup() const {
    const std::string groups = Text("/proc/self/cgroup").value_or("");
    for (const std::string& line : Split(groups, '\n')) {
      if (line.compare(0, 4, "0::/") == 0) return line.substr(3);
    }
    return {};
  }

  // "QUOTA PERIOD" in microseconds, QUOTA "max" when there is none.
  std::optional<double> QuotaOf(const std::string& group) const {
    const std::string line =
        Line("/sys/fs/cgroup" + group + "/cpu.max").value_or("");
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) return std::nullopt;
    const auto quota = AsNumber(line.substr(0, space));
    const auto period = AsNumber(line.substr(space + 1));
    if (!quota.has_value() || period.value_or(0) <= 0) return std::nullopt;
    return static_cast<double>(*quota) / static_cast<double>(*period);
  }

  void Load() {
    const std::vector<std::string> parts =
        Split(Line("/proc/loadavg").value_or(""), ' ');
    if (parts.size() < 3) return;
    const char* const names[] = {"load_1min", "load_5min", "load_15min"};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::optional<double> load = AsDecimal(parts[i]);
      if (load.has_value()) Add(names[i], *load);
    }
  }

  // Who put the job where: the batch system's own words.
  void Scheduler() {
    struct System {
      const char* name;
      const char* job;
      const char* node;
    };
    constexpr System kSystems[] = {
        {"slurm", "SLURM_JOB_ID", "SLURMD_NODENAME"},
        {"pbs", "PBS_JOBID", ""},  // has no variable for the node
        {"lsf", "LSB_JOBID", "LSB_HOSTS"},
    };
    for (const System& system : kSystems) {
      const std::string job = source_.variable(system.job);
      if (job.empty()) continue;
      Add("scheduler", std::string(system.name));
      Add("scheduler_job", job);
      AddText("scheduler_node", source_.variable(system.node));
      return;
    }
  }

  const EnvironmentSource& source_;
  Facts facts_;
};

// Leaf 0x40000000 is reserved for hypervisors: twelve characters of name. Only
// asked where the processor says that there is one.
std::string HypervisorSignature() {
  std::string name;
#if defined(__x86_64__) || defined(__i386__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kHypervisorBit = 1U << 31;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kHypervisorBit) == 0) {
    return name;
  }
  __cpuid(0x40000000, a, b, c, d);
  for (const unsigned part : {b, c, d}) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char letter = static_cast<char>((part >> shift) & 0xFFU);
      if (letter >= ' ' && letter <= '~') name += letter;
    }
  }
#endif
  return name;
}

int CpusAllowed() {
#if defined(__linux__)
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) return CPU_COUNT(&cpus);
#endif
  return 0;
}

}  // namespace

EnvironmentSource EnvironmentSource::ThisMachine() {
  EnvironmentSource source;
  source.variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  source.hypervisor_signature = HypervisorSignature();
  source.cpus_allowed = CpusAllowed();
  return source;
}

Facts ReadEnvironment(const EnvironmentSource& source) {
  return Reader(source).Read();
}

}  // namespace autotune
