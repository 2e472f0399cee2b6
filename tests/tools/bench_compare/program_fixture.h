#ifndef AUTOTUNE_TESTS_TOOLS_BENCH_COMPARE_PROGRAM_FIXTURE_H_
#define AUTOTUNE_TESTS_TOOLS_BENCH_COMPARE_PROGRAM_FIXTURE_H_

#include <cstddef>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "gtest/gtest.h"
#include "tests/support/fake_clock.h"
#include "tests/support/memory_file_system.h"
#include "tools/bench_compare/commands.h"
#include "tools/program/program.h"
#include "tools/system/entropy.h"
#include "tools/system/process_runner.h"
#include "tools/system/terminal.h"

namespace autotune {

// What one run of the program did.
struct ProgramOutput {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// Runs bench_compare in-process over files in memory.
class ProgramFixture : public testing::Test {
 protected:
  ProgramOutput Run(const std::vector<std::string>& arguments) {
    std::ostringstream out;
    std::ostringstream err;
    Terminal terminal{.out = out, .err = err};
    const ProgramWorld world = {files_, *processes_, clock_, *entropy_,
                                environment_};
    const int code =
        RunProgram(BenchCompareProgram(), arguments, world, terminal);
    return {code, out.str(), err.str()};
  }

  // A file as Google Benchmark 1.7.1 writes it: one row a time.
  static std::string ResultText(
      const std::vector<std::pair<std::string, std::vector<double>>>&
          benchmarks) {
    std::string rows;
    for (const auto& [name, times] : benchmarks) {
      for (std::size_t i = 0; i < times.size(); ++i) {
        if (!rows.empty()) rows += ",\n";
        rows += RowText(name, i, times.size(), times[i]);
      }
    }
    return "{\n  \"context\": {\n    \"date\": "
           "\"2024-01-01T00:00:00+00:00\",\n    \"host_name\": \"ada\",\n    "
           "\"executable\": \"./bench\",\n    \"num_cpus\": 2,\n    "
           "\"mhz_per_cpu\": 2000,\n    \"cpu_scaling_enabled\": false,\n    "
           "\"load_avg\": [0.1,0.1,0.1],\n    \"library_build_type\": "
           "\"release\"\n  },\n  \"benchmarks\": [\n" +
           rows + "\n  ]\n}\n";
  }

  // Adds PREFIX0.json, ... with one time of each benchmark a file, and returns
  // the flags that name them all.
  std::vector<std::string> AddVisits(const std::string& flag,
                                     const std::string& prefix,
                                     const std::vector<std::string>& names,
                                     const std::vector<double>& times) {
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < times.size(); ++i) {
      std::vector<std::pair<std::string, std::vector<double>>> benchmarks;
      for (std::size_t k = 0; k < names.size(); ++k) {
        benchmarks.push_back({names[k], {times[(i + k) % times.size()]}});
      }
      const std::string path = prefix + std::to_string(i) + ".json";
      files_.Add(path, ResultText(benchmarks));
      arguments.push_back(flag);
      arguments.push_back(path);
    }
    return arguments;
  }

  MemoryFileSystem files_;
  FakeClock clock_;
  std::map<std::string, std::string> environment_;

 private:
  static std::string RowText(const std::string& name, std::size_t index,
                             std::size_t repetitions, double time) {
    const std::string text = ShortestText(time);
    return "    {\n      \"name\": \"" + name + "\",\n      \"run_name\": \"" +
           name +
           "\",\n      \"run_type\": \"iteration\",\n      \"repetitions\": " +
           std::to_string(repetitions) +
           ",\n      \"repetition_index\": " + std::to_string(index) +
           ",\n      \"threads\": 1,\n      \"iterations\": 1000000,\n      "
           "\"real_time\": " +
           text + ",\n      \"cpu_time\": " + text +
           ",\n      \"time_unit\": \"ns\"\n    }";
  }

  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
  std::unique_ptr<Entropy> entropy_ = MakeSeededEntropy(1);
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_TOOLS_BENCH_COMPARE_PROGRAM_FIXTURE_H_
