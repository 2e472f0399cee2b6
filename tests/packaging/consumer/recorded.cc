// Stands for a benchmark program whose times never vary: writes a result file
// with the time of --time in the place --benchmark_out names.
#include <fstream>
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
  std::ofstream file(out);
  file << R"({"context": {"library_build_type": "release"}, "benchmarks": [)";
  for (int i = 0; i < 3; ++i) {
    file << (i == 0 ? "" : ",") << R"({"name": "BM_A", "run_name": "BM_A",)"
         << R"("run_type": "iteration", "repetitions": 3, "threads": 1,)"
         << R"("repetition_index": )" << i << R"(, "iterations": 1000000,)"
         << R"("real_time": )" << time << '.' << i << R"(, "cpu_time": )"
         << time << '.' << i << R"(, "time_unit": "ns"})";
  }
  file << "]}";
  return file.flush() ? 0 : 1;
}
