#include "tools/measure/fingerprint.h"

#include <sched.h>

#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// Files of a machine made up for the test.
class MadeUpFiles : public FileSystem {
 public:
  std::map<std::string, std::string> texts;

  absl::StatusOr<std::string> ReadFile(const std::string& path) override {
    const auto found = texts.find(path);
    if (found == texts.end()) return absl::NotFoundError(path);
    return found->second;
  }
  absl::Status WriteFile(const std::string&, std::string_view) override {
    return Refused();
  }
  absl::Status AppendFile(const std::string&, std::string_view) override {
    return Refused();
  }
  absl::Status CopyFile(const std::string&, const std::string&) override {
    return Refused();
  }
  absl::Status MakeDirectories(const std::string&) override {
    return Refused();
  }
  absl::StatusOr<std::string> MakeTemporaryDirectory(
      const std::string&, const std::string&) override {
    return Refused();
  }
  absl::Status RemoveAll(const std::string&) override { return Refused(); }
  absl::Status Rename(const std::string&, const std::string&) override {
    return Refused();
  }
  absl::StatusOr<std::vector<std::string>> ListDirectory(
      const std::string&) override {
    return Refused();
  }
  absl::StatusOr<FileInfo> Info(const std::string&) override {
    return Refused();
  }
  absl::StatusOr<std::string> ReadLink(const std::string&) override {
    return Refused();
  }
  absl::Status MakeLink(const std::string&, const std::string&) override {
    return Refused();
  }
  absl::Status Sync(const std::string&) override { return Refused(); }
  std::string RealPath(const std::string& path) override { return path; }

 private:
  static absl::Status Refused() { return absl::PermissionDeniedError("no"); }
};

TEST(MachineFingerprintTest, ReadsWhatTheMachineSays) {
  MadeUpFiles files;
  files.texts = {
      {"/proc/cpuinfo",
       "processor\t: 0\nmodel name\t: Fast CPU\nmicrocode\t: 0x1f\nflags\t\t: "
       "fpu hypervisor\n"},
      {"/sys/class/dmi/id/sys_vendor", "QEMU\n"},
      {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"},
      {"/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"},
      {"/proc/sys/kernel/randomize_va_space", "2\n"},
      {"/proc/self/environ",
       std::string("A=1\0SLURMD_NODENAME=n7\0SLURM_JOB_ID=42\0", 38)},
      {"/sys/devices/system/cpu/cpu0/cache/index0/level", "1\n"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n"},
      {"/sys/devices/system/cpu/cpu0/cache/index1/level", "2\n"},
      {"/sys/devices/system/cpu/cpu0/cache/index1/type", "Unified\n"},
      {"/sys/devices/system/cpu/cpu0/cache/index1/size", "1024K\n"},
      {"/proc/loadavg", "0.50 1.00 2.00 1/100 4711\n"}};
  std::map<std::string, std::string> facts = MachineFingerprint(files);
  EXPECT_EQ(facts["microcode"], "0x1f");
  EXPECT_EQ(facts["caches"], "L1d 32K, L2 1024K");
  EXPECT_EQ(facts["node"], "n7");
  EXPECT_EQ(facts["job"], "42");
  EXPECT_EQ(facts["cpu_model"], "Fast CPU");
  EXPECT_EQ(facts["hypervisor"], "QEMU");
  EXPECT_EQ(facts["governor"], "powersave");
  EXPECT_EQ(facts["turbo"], "off");
  EXPECT_EQ(facts["aslr"], "2");
  EXPECT_EQ(facts["load_1m"], "0.50");
  EXPECT_FALSE(facts["kernel"].empty());
  EXPECT_FALSE(facts["cpus"].empty());
}

TEST(MachineFingerprintTest, LeavesOutWhatItDoesNotSay) {
  MadeUpFiles files;
  files.texts = {{"/sys/devices/system/cpu/cpufreq/boost", "1\n"}};
  std::map<std::string, std::string> facts = MachineFingerprint(files);
  EXPECT_EQ(facts.count("governor"), 0U);
  EXPECT_EQ(facts.count("cpu_model"), 0U);
  EXPECT_EQ(facts["turbo"], "on");
  EXPECT_EQ(facts["hypervisor"], "none");
}

TEST(BuildFingerprintTest, NamesCompilersAndLibraries) {
  Identity identity;
  identity.baseline.compiler = "GCC 12";
  Pilot pilot;
  pilot.contender.context.library_version = "v1.9.0";
  pilot.contender.context.custom = {{"flags", "-O2"}};
  EXPECT_THAT(BuildFingerprint(identity, pilot),
              ElementsAre(Pair("baseline_compiler", "GCC 12"),
                          Pair("contender_flags", "-O2"),
                          Pair("contender_library_version", "v1.9.0")));
}

TEST(FingerprintWarningsTest, AQuietMachineHasNone) {
  EXPECT_THAT(FingerprintWarnings({{"load_1m", "2.00"}, {"cpus", "2"}}, {}),
              IsEmpty());
}

TEST(FingerprintWarningsTest, SaysWhatHurtsAndWhatToDo) {
  EXPECT_THAT(
      FingerprintWarnings(
          {{"governor", "powersave"}, {"load_1m", "2.01"}, {"cpus", "2"}},
          {{"baseline_compiler", "a"}, {"baseline_library_version", "1"}}),
      ElementsAre("the CPU governor is powersave: clock speeds will vary; set "
                  "performance (cpupower frequency-set -g performance)",
                  "the machine is loaded (load 2.0 on 2 CPUs): decisions stay "
                  "sound but take longer",
                  "the two programs were built by different compilers: the "
                  "difference measured includes theirs",
                  "the two programs use different versions of Google "
                  "Benchmark: with threads their times mean different "
                  "things"));
}

// The two highest CPUs that this process may use, or -1.
std::vector<int> HighestCpus() {
  cpu_set_t usable;
  sched_getaffinity(0, sizeof usable, &usable);
  std::vector<int> cpus;
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && cpus.size() < 2; --cpu) {
    if (CPU_ISSET(cpu, &usable) != 0) cpus.push_back(cpu);
  }
  return cpus;
}

std::string StatLine(int cpu, int busy) {
  return "cpu" + std::to_string(cpu) + " " + std::to_string(busy) +
         " 0 0 5000 0 0 0 0 0 0\n";
}

TEST(QuietCpuTest, ChoosesTheOneThatWorkedLeast) {
  const std::vector<int> cpus = HighestCpus();
  if (cpus.size() < 2) return;  // nothing to choose from
  MadeUpFiles files;
  files.texts["/proc/stat"] = StatLine(cpus[0], 10) + StatLine(cpus[1], 900);
  QuietCpu quiet(files);
  files.texts["/proc/stat"] = StatLine(cpus[0], 50) + StatLine(cpus[1], 930);
  EXPECT_EQ(quiet.Choose(), cpus[1]);
}

TEST(QuietCpuTest, ChoosesTheHighestAmongEqualsAndNothingWithoutStat) {
  const std::vector<int> cpus = HighestCpus();
  MadeUpFiles files;
  EXPECT_EQ(QuietCpu(files).Choose(), std::nullopt);
  for (auto cpu = cpus.rbegin(); cpu != cpus.rend(); ++cpu) {
    files.texts["/proc/stat"] += StatLine(*cpu, 5);
  }
  QuietCpu quiet(files);
  EXPECT_EQ(quiet.Choose(), cpus[0]);
}

}  // namespace
}  // namespace autotune
