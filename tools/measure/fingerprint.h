#ifndef AUTOTUNE_TOOLS_MEASURE_FINGERPRINT_H_
#define AUTOTUNE_TOOLS_MEASURE_FINGERPRINT_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/measure/identity.h"
#include "tools/measure/pilot.h"
#include "tools/system/file_system.h"

namespace autotune {

// What the machine is and how it is set: "cpu_model", "microcode", "caches",
// "cpus", "governor", "turbo", "aslr", "load_1m", "hypervisor", "kernel",
// "host", and under Slurm "node" and "job". Keys whose value the system does
// not tell are absent.
std::map<std::string, std::string> MachineFingerprint(FileSystem& files);

// What is known of the builds: compilers, library version and build type.
std::map<std::string, std::string> BuildFingerprint(const Identity& identity,
                                                    const Pilot& pilot);

// One line for each thing that hurts measuring on this machine or in these
// builds, with what to do about it.
std::vector<std::string> FingerprintWarnings(
    const std::map<std::string, std::string>& machine,
    const std::map<std::string, std::string>& build);

// The CPU for one-CPU modes: of those that this process may use, the one with
// the least work in /proc/stat between two looks; the highest number among
// equals (interrupts gather on the low ones).
class QuietCpu {
 public:
  explicit QuietCpu(FileSystem& files);
  std::optional<int> Choose();

 private:
  FileSystem& files_;
  std::map<int, double> busy_before_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_FINGERPRINT_H_
