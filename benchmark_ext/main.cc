#include "benchmark_ext/main.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <vector>

#include "benchmark_ext/environment.h"
#include "benchmark_ext/out_flags.h"
#include "reporter/visit_reporter.h"

namespace autotune {
namespace {

// The library uses a file reporter only with --benchmark_out, and opens what
// that names: it is given this, after the user's own flags.
constexpr char kNullDevice[] = "/dev/null";
char null_device_flag[] = "--benchmark_out=/dev/null";

// What this process writes, over all calls of RunSpecifiedBenchmarks. The
// destructor, run by exit(), removes a spare file left by an unfinished run.
struct Session {
  std::string result_path;  // empty: no file of ours
  Facts build;
  std::unique_ptr<VisitReporter> reporter;
};

Session& TheSession() {
  static Session session;
  return session;
}

std::string EnvironmentVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void OpenResults(Session& session) {
  VisitOptions options;
  options.result_path = session.result_path;
  options.visit_id = EnvironmentVariable("AUTOTUNE_VISIT_ID");
  options.environment = ReadEnvironment(EnvironmentSource::ThisMachine());
  options.environment.insert(options.environment.end(), session.build.begin(),
                             session.build.end());
  auto reporter = std::make_unique<VisitReporter>(std::move(options));
  std::string error;
  if (!reporter->Open(&error)) {
    std::cerr << "invalid file name: '" << session.result_path << "': " << error
              << std::endl;
    std::exit(1);
  }
  session.reporter = std::move(reporter);
}

// The default display reporter. Up to 1.9.5 it is one object for the whole
// process, which the library would delete at the end of its first run.
compat::DisplayHandle& DefaultDisplay() {
  static compat::DisplayHandle display;
  display = benchmark::CreateDefaultDisplayReporter();
  return display;
}

}  // namespace

void Initialize(int* argc, char** argv, const Facts& build,
                compat::ThisLayout /*layout*/) {
  if (argc == nullptr || argv == nullptr) {
    benchmark::Initialize(argc, argv);
    return;
  }
  Session& session = TheSession();
  session.build = build;
  session.result_path =
      internal::OurResultPath(*argc, argv, std::getenv("BENCHMARK_OUT"),
                              std::getenv("BENCHMARK_OUT_FORMAT"));
  if (access(kNullDevice, W_OK) != 0) session.result_path.clear();
  std::vector<char*> arguments(argv, argv + *argc);
  if (!session.result_path.empty()) arguments.push_back(null_device_flag);
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  // The library took out what it knows; ours is among that.
  for (int i = 0; i < count; ++i) argv[i] = arguments[i];
  // As the library leaves it, for programs that read up to the null pointer.
  if (count < *argc) argv[count] = nullptr;
  *argc = count;
}

std::size_t RunSpecifiedBenchmarks(benchmark::BenchmarkReporter* display) {
  return autotune::RunSpecifiedBenchmarks(display,
                                          benchmark::GetBenchmarkFilter());
}

std::size_t RunSpecifiedBenchmarks(benchmark::BenchmarkReporter* display,
                                   const std::string& spec) {
  if (display == nullptr) display = compat::Pointer(DefaultDisplay());
  Session& session = TheSession();
  if (session.result_path.empty()) {
    return benchmark::RunSpecifiedBenchmarks(display, nullptr, spec);
  }
  if (session.reporter == nullptr) OpenResults(session);
  VisitReporter* file = session.reporter.get();
  const std::size_t matched =
      benchmark::RunSpecifiedBenchmarks(display, file, spec);
  // The library finalizes nothing when no benchmark runs.
  if (!file->complete()) file->Finalize();
  return matched;
}

int ExitCode() {
  const Session& session = TheSession();
  const bool lacks =
      session.reporter != nullptr && !session.reporter->error().empty();
  return lacks ? 1 : 0;
}

int BenchmarkMain(int argc, char** argv, const Facts& build,
                  compat::ThisLayout layout) {
  char default_name[] = "benchmark";
  char* default_argv[] = {default_name, nullptr};
  if (argv == nullptr) {
    argc = 1;
    argv = default_argv;
  }
  Initialize(&argc, argv, build, layout);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return ExitCode();
}

}  // namespace autotune
