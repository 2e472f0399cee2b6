// Stands for a benchmark program whose times hardly vary: writes a result file
// with the time of --time in the place --benchmark_out names. The name of the
// file moves the time by less than 0.1 %, for equal numbers on both sides would
// look like one file compared with itself.
#include <fstream>
#include <iomanip>
#include <string>

int main(int argc, char** argv) {
  std::string out;
  std::string time = "1";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    if (name == "--benchmark_out") out = argument.substr(equals + 1);
    if (name == "--time") time = argument.substr(equals + 1);
  }
  unsigned mixed = 0;
  for (const char c : out) mixed = mixed * 31U + static_cast<unsigned char>(c);
  const double moved = std::stod(time) * (1.0 + (mixed % 1000U) * 1e-6);
  std::ofstream file(out);
  file << std::setprecision(12);
  file << R"({"context": {"library_build_type": "release"}, "benchmarks": [)";
  for (int i = 0; i < 3; ++i) {
    file << (i == 0 ? "" : ",") << R"({"name": "BM_A", "run_name": "BM_A",)"
         << R"("run_type": "iteration", "repetitions": 3, "threads": 1,)"
         << R"("repetition_index": )" << i << R"(, "iterations": 1000000,)"
         << R"("real_time": )" << moved + i * 1e-3 << R"(, "cpu_time": )"
         << moved + i * 1e-3 << R"(, "time_unit": "ns"})";
  }
  file << "]}";
  return file.flush() ? 0 : 1;
}
