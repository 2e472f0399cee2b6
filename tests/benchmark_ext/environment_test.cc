#include "benchmark_ext/environment.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "tests/support/temporary_folder.h"

namespace autotune {
namespace {

// A machine made of files in a folder of its own.
class EnvironmentTest : public testing::Test {
 protected:
  EnvironmentTest() {
    source_.root = folder_.path();
    source_.variable = [this](const char* name) { return variables_[name]; };
  }

  void File(const std::string& path, const std::string& text) {
    const std::filesystem::path file = folder_.path() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  // The fact as text; "absent" when there is none.
  std::string Get(const std::string& name) const {
    for (const Fact& fact : ReadEnvironment(source_)) {
      if (fact.name != name) continue;
      if (const auto* text = std::get_if<std::string>(&fact.value)) {
        return *text;
      }
      if (const auto* number = std::get_if<std::int64_t>(&fact.value)) {
        return std::to_string(*number);
      }
      if (const auto* real = std::get_if<double>(&fact.value)) {
        return std::to_string(*real);
      }
      return std::get<bool>(fact.value) ? "true" : "false";
    }
    return "absent";
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> variables_;
  EnvironmentSource source_;
};

TEST_F(EnvironmentTest, WhatIsNotKnownIsAbsent) {
  EXPECT_TRUE(ReadEnvironment(source_).empty());
}

TEST_F(EnvironmentTest, NamesTheProcessorAndItsMicrocode) {
  File("/proc/cpuinfo",
       "processor\t: 0\nmodel name\t: Foo 9: fast\nmicrocode\t: 0x1\n\n"
       "processor\t: 1\nmodel name\t: Foo 9: fast\nmicrocode\t: 0x1\n");
  EXPECT_EQ(Get("cpu_model"), "Foo 9: fast");
  EXPECT_EQ(Get("microcode"), "0x1");
}

TEST_F(EnvironmentTest, NamesEveryKindOfProcessorThereIs) {
  File("/proc/cpuinfo", "model name : Little\nmodel name : Big\n");
  EXPECT_EQ(Get("cpu_model"), "Big, Little");
}

TEST_F(EnvironmentTest, CountsProcessorsAndCores) {
  const std::string cpu = "/sys/devices/system/cpu/";
  File(cpu + "online", "0-1,3\n");
  const char* const cores[][3] = {
      {"0", "0", "0"}, {"1", "0", "0"}, {"3", "0", "1"}};
  for (const auto& [number, package, core] : cores) {
    const std::string topology = cpu + "cpu" + number + "/topology/";
    File(topology + "physical_package_id", package);
    File(topology + "core_id", core);
  }
  File(cpu + "smt/active", "1\n");
  source_.cpus_allowed = 2;
  EXPECT_EQ(Get("cpus_online"), "3");
  EXPECT_EQ(Get("cpus_allowed"), "2");
  EXPECT_EQ(Get("cores"), "2");
  EXPECT_EQ(Get("smt"), "true");
}

TEST_F(EnvironmentTest, DoesNotCountCoresItCannotSeeAll) {
  const std::string cpu = "/sys/devices/system/cpu/";
  File(cpu + "online", "0-1");
  File(cpu + "cpu0/topology/physical_package_id", "0");
  File(cpu + "cpu0/topology/core_id", "0");
  EXPECT_EQ(Get("cores"), "absent");
  File(cpu + "online", "1-0");
  EXPECT_EQ(Get("cpus_online"), "absent");
  File(cpu + "online", "0-99999999");
  EXPECT_EQ(Get("cpus_online"), "absent");
  File(cpu + "online", "zero");
  EXPECT_EQ(Get("cpus_online"), "absent");
}

TEST_F(EnvironmentTest, NamesEveryGovernorInUse) {
  const std::string cpu = "/sys/devices/system/cpu/";
  File(cpu + "online", "0-2");
  File(cpu + "cpu0/cpufreq/scaling_governor", "powersave\n");
  File(cpu + "cpu1/cpufreq/scaling_governor", "performance\n");
  File(cpu + "cpu2/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(Get("governor"), "performance, powersave");
}

TEST_F(EnvironmentTest, ReadsEitherTurboSwitchInItsOwnSense) {
  const std::string cpu = "/sys/devices/system/cpu/";
  File(cpu + "cpufreq/boost", "1\n");
  EXPECT_EQ(Get("turbo"), "true");
  File(cpu + "cpufreq/boost", "0\n");
  EXPECT_EQ(Get("turbo"), "false");
  File(cpu + "intel_pstate/no_turbo", "0\n");
  EXPECT_EQ(Get("turbo"), "true");
  File(cpu + "intel_pstate/no_turbo", "1\n");
  EXPECT_EQ(Get("turbo"), "false");
  File(cpu + "intel_pstate/no_turbo", "?\n");
  EXPECT_EQ(Get("turbo"), "absent");
}

TEST_F(EnvironmentTest, SmtIsAbsentWhereTheKernelCannotSay) {
  File("/sys/devices/system/cpu/smt/active", "notsupported\n");
  EXPECT_EQ(Get("smt"), "absent");
}

TEST_F(EnvironmentTest, NamesTheKernel) {
  File("/proc/sys/kernel/ostype", "Linux\n");
  File("/proc/sys/kernel/osrelease", "6.1.0-13-amd64\n");
  File("/proc/sys/kernel/version", "#1 SMP Debian 6.1.55-1\n");
  EXPECT_EQ(Get("kernel"), "Linux 6.1.0-13-amd64");
  EXPECT_EQ(Get("kernel_version"), "#1 SMP Debian 6.1.55-1");
}

TEST_F(EnvironmentTest, AslrIsOffForTheMachineOrForTheProcess) {
  File("/proc/sys/kernel/randomize_va_space", "2\n");
  EXPECT_EQ(Get("aslr"), "absent");
  File("/proc/self/personality", "00000000\n");
  EXPECT_EQ(Get("aslr"), "true");
  File("/proc/self/personality", "00040000\n");
  EXPECT_EQ(Get("aslr"), "false");
  File("/proc/self/personality", "00000000\n");
  File("/proc/sys/kernel/randomize_va_space", "0\n");
  EXPECT_EQ(Get("aslr"), "false");
}

TEST_F(EnvironmentTest, AHypervisorIsNamedOnlyWhereTheProcessorShowsOne) {
  source_.hypervisor_signature = "KVMKVMKVM";
  File("/sys/class/dmi/id/product_name", "c5.large\n");
  File("/proc/cpuinfo", "flags\t\t: fpu sse hypervisory\n");
  EXPECT_EQ(Get("hypervisor"), "absent");
  EXPECT_EQ(Get("machine"), "absent");
  File("/proc/cpuinfo", "flags\t\t: fpu sse hypervisor\n");
  EXPECT_EQ(Get("hypervisor"), "KVMKVMKVM");
  EXPECT_EQ(Get("machine"), "c5.large");
  source_.hypervisor_signature = "";
  EXPECT_EQ(Get("hypervisor"), "unnamed");
}

TEST_F(EnvironmentTest, NamesTheKindOfContainer) {
  File("/run/systemd/container", "lxc\n");
  EXPECT_EQ(Get("container"), "lxc");
  variables_["container"] = "systemd-nspawn";
  EXPECT_EQ(Get("container"), "systemd-nspawn");
  File("/run/.containerenv", "");
  EXPECT_EQ(Get("container"), "podman");
  File("/.dockerenv", "");
  EXPECT_EQ(Get("container"), "docker");
  variables_["KUBERNETES_SERVICE_HOST"] = "10.0.0.1";
  EXPECT_EQ(Get("container"), "kubernetes");
}

TEST_F(EnvironmentTest, TheCpuQuotaIsTheLeastOnTheWayUp) {
  File("/proc/self/cgroup", "1:name=x:/y\n0::/a/b\n");
  File("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(Get("cpu_quota"), "absent");
  File("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(Get("cpu_quota"), "1.500000");
  File("/sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");
  EXPECT_EQ(Get("cpu_quota"), "1.500000");
  File("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(Get("cpu_quota"), "0.500000");
  File("/proc/self/cgroup", "0::/\n");
  EXPECT_EQ(Get("cpu_quota"), "0.500000");
  File("/sys/fs/cgroup/cpu.max", "50000 0\n");
  EXPECT_EQ(Get("cpu_quota"), "absent");
  File("/proc/self/cgroup", "0::relative\n");
  EXPECT_EQ(Get("cpu_quota"), "absent");
}

TEST_F(EnvironmentTest, ReadsTheLoadWhateverTheLocale) {
  File("/proc/loadavg", "0.52 10.05 3 2/321 999\n");
  EXPECT_EQ(Get("load_1min"), "0.520000");
  EXPECT_EQ(Get("load_5min"), "10.050000");
  EXPECT_EQ(Get("load_15min"), "3.000000");
  File("/proc/loadavg", "0,52 x -1 2/321 999\n");
  EXPECT_EQ(Get("load_1min"), "absent");
  EXPECT_EQ(Get("load_5min"), "absent");
  EXPECT_EQ(Get("load_15min"), "absent");
}

TEST_F(EnvironmentTest, NamesTheBatchSystemItsJobAndNode) {
  variables_["SLURMD_NODENAME"] = "node7";
  EXPECT_EQ(Get("scheduler"), "absent");
  EXPECT_EQ(Get("scheduler_node"), "absent");
  variables_["SLURM_JOB_ID"] = "4711";
  EXPECT_EQ(Get("scheduler"), "slurm");
  EXPECT_EQ(Get("scheduler_job"), "4711");
  EXPECT_EQ(Get("scheduler_node"), "node7");
  variables_.clear();
  variables_["PBS_JOBID"] = "12.host";
  EXPECT_EQ(Get("scheduler"), "pbs");
  EXPECT_EQ(Get("scheduler_node"), "absent");
}

TEST(ThisMachineTest, EveryFactHasAnotherName) {
  std::set<std::string> names;
  for (const Fact& fact : ReadEnvironment(EnvironmentSource::ThisMachine())) {
    EXPECT_TRUE(names.insert(fact.name).second) << fact.name;
  }
#if defined(__linux__)
  EXPECT_EQ(names.count("kernel"), 1u);
  EXPECT_EQ(names.count("cpus_allowed"), 1u);
#endif
}

}  // namespace
}  // namespace autotune
