// Looks like a Google Benchmark whose code pays for every turn: it counts how
// often it is continued and reports
//   cpu_time = MEASURED_NS * exp(MEASURED_LOSS * times continued)
// after 120 ms on the clock, however busy the machine. What it reports is all
// that is made up: processes, signals and times are real.
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

volatile std::sig_atomic_t times_continued = 0;

void CountContinue(int /*signal*/) { times_continued = times_continued + 1; }

double Number(const char* name, double usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtod(text, nullptr);
}

std::string Flag(int argc, char** argv, const std::string& name) {
  const std::string flag = "--" + name + "=";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind(flag, 0) == 0) return argument.substr(flag.size());
  }
  return "";
}

void SpinFor(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

void PrintRows(std::FILE* out, double nanoseconds, double min_time,
               int repetitions) {
  const double iterations = std::ceil(1.4e9 * min_time / nanoseconds);
  std::fputs("{\"context\": {\"num_cpus\": 1},\n \"benchmarks\": [\n", out);
  for (int i = 0; i < repetitions; ++i) {
    std::fprintf(out,
                 "%s  {\"name\": \"BM_Work\", \"run_name\": \"BM_Work\", "
                 "\"run_type\": \"iteration\", \"repetitions\": %d, "
                 "\"repetition_index\": %d, \"threads\": 1, "
                 "\"iterations\": %.0f, \"real_time\": %.17g, "
                 "\"cpu_time\": %.17g, \"time_unit\": \"ns\"}",
                 i == 0 ? "" : ",\n", repetitions, i, iterations, nanoseconds,
                 nanoseconds);
  }
  std::fputs("\n ]\n}\n", out);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGCONT, CountContinue);
  SpinFor(std::chrono::milliseconds(120));
  const double nanoseconds =
      Number("MEASURED_NS", 100.0) *
      std::exp(Number("MEASURED_LOSS", 0.0) * times_continued);
  std::FILE* out = std::fopen(Flag(argc, argv, "benchmark_out").c_str(), "w");
  if (out == nullptr) return 1;
  const int repetitions =
      std::atoi(Flag(argc, argv, "benchmark_repetitions").c_str());
  const double min_time =
      std::atof(Flag(argc, argv, "benchmark_min_time").c_str());
  PrintRows(out, nanoseconds, min_time, repetitions);
  return std::fclose(out) == 0 ? 0 : 1;
}
