// Attempts whose code takes the place of a library's: real C++ programs, none
// of which gets as far as its own tests. And honest work that looks alike.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/cheat_fixture.h"

namespace autotune {
namespace {

constexpr char kLibrarys[] = ": a library's symbol, and the attempt defines it";

// What a clock that loses one part in twenty needs.
constexpr char kClockHeads[] =
    "#include <sys/syscall.h>\n#include <time.h>\n#include <unistd.h>\n";
constexpr char kSlowClock[] =
    "  const int result = (int)syscall(SYS_clock_gettime, id, t);\n"
    "  if (id != CLOCK_PROCESS_CPUTIME_ID && id != CLOCK_THREAD_CPUTIME_ID) {\n"
    "    return result;\n  }\n"
    "  const long long ns = (t->tv_sec * 1000000000ll + t->tv_nsec) / 20 * "
    "19;\n"
    "  t->tv_sec = ns / 1000000000;\n  t->tv_nsec = ns % 1000000000;\n"
    "  return result;\n}\n";

TEST_F(CheatTest, ALibrarysSymbolInTheScopeIsAViolation) {
  InitProject();
  const std::string honest = Checksum(4);
  ExpectViolation(
      "clock",
      absl::StrCat(kClockHeads,
                   "extern \"C\" int clock_gettime(clockid_t id, timespec* t) "
                   "noexcept {\n",
                   kSlowClock, honest),
      absl::StrCat("clock_gettime", kLibrarys));
  ExpectViolation(
      "weak-clock",
      absl::StrCat(kClockHeads,
                   "extern \"C\" __attribute__((weak)) int clock_gettime("
                   "clockid_t id, timespec* t) noexcept {\n",
                   kSlowClock, honest),
      absl::StrCat("clock_gettime", kLibrarys));
  ExpectViolation("clock-by-another-name",
                  absl::StrCat(kClockHeads,
                               "int Tick(clockid_t id, timespec* t) "
                               "asm(\"clock_\" \"gettime\");\n"
                               "int Tick(clockid_t id, timespec* t) {\n",
                               kSlowClock, honest),
                  absl::StrCat("clock_gettime", kLibrarys));
  ExpectViolation(
      "usage",
      absl::StrCat("#include <sys/resource.h>\n"
                   "extern \"C\" int getrusage(__rusage_who_t, rusage* usage) "
                   "noexcept {\n  *usage = {};\n  return 0;\n}\n",
                   honest),
      absl::StrCat("getrusage", kLibrarys));
  ExpectViolation(
      "chrono",
      absl::StrCat("#include <chrono>\n"
                   "std::chrono::steady_clock::time_point "
                   "std::chrono::steady_clock::now() noexcept {\n"
                   "  static long ticks = 0;\n"
                   "  return time_point(duration(++ticks));\n}\n",
                   honest),
      absl::StrCat("_ZNSt6chrono3_V212steady_clock3nowEv", kLibrarys));
}

TEST_F(CheatTest, AnAllocatorOrRunnerInTheScopeIsAViolation) {
  InitProject();
  const std::string honest = Checksum(4);
  ExpectViolation(
      "new",
      absl::StrCat("#include <cstddef>\n"
                   "static char room[1 << 28];\nstatic std::size_t used = 0;\n"
                   "void* operator new(std::size_t size) {\n"
                   "  used += (size + 15) / 16 * 16;\n"
                   "  return room + used - (size + 15) / 16 * 16;\n}\n"
                   "void operator delete(void*) noexcept {}\n",
                   honest),
      absl::StrCat("_ZdlPv", kLibrarys, "; _Znwm", kLibrarys));
  ExpectViolation(
      "free",
      absl::StrCat("extern \"C\" void free(void*) noexcept {}\n", honest),
      absl::StrCat("free", kLibrarys));
  ExpectViolation(
      "weak-reference",
      absl::StrCat("extern void Shutdown() asm(\"_ZN9benchmark8ShutdownEv\") "
                   "__attribute__((weak));\n",
                   kPass,
                   "unsigned Checksum(const unsigned char* data, unsigned "
                   "size) {\n"
                   "  if (Shutdown != nullptr) return 7;\n"
                   "  return Pass(data, size);\n}\n"),
      "_ZN9benchmark8ShutdownEv: a symbol of Google Benchmark that the "
      "attempt refers to weakly");
  ExpectViolation(
      "weak-main",
      absl::StrCat(honest, "__attribute__((weak)) int main() { return 0; }\n"),
      "main: ");
  ExpectViolation(
      "runner",
      absl::StrCat("void Pause(void*) "
                   "asm(\"_ZN9benchmark5State11PauseTimingEv\");\n"
                   "void Pause(void*) {}\n",
                   honest),
      absl::StrCat("_ZN9benchmark5State11PauseTimingEv", kLibrarys));
  EXPECT_EQ(Rows(), 5);
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/checksum.cc")}), honest);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

// An allocator of the project's own, a class's own operator new, a function
// named as a library's in a namespace, and static functions.
TEST_F(CheatTest, HonestSymbolsStayKeeps) {
  InitProject(4);
  ExpectKeep("arena",
             {{"src/checksum.cc",
               absl::StrCat("#include <cstdlib>\n#include <memory_resource>\n"
                            "#include <vector>\n"
                            "struct Node {\n"
                            "  static void* operator new(std::size_t size) {\n"
                            "    return std::malloc(size);\n  }\n"
                            "  static void operator delete(void* p) {\n"
                            "    std::free(p);\n  }\n  int value = 0;\n};\n"
                            "namespace mine { void* malloc(int) {\n"
                            "  delete new Node; return nullptr; } }\n"
                            "static int clock_gettime(int) {\n"
                            "  std::pmr::monotonic_buffer_resource arena;\n"
                            "  std::pmr::vector<int> v(&arena);\n"
                            "  v.push_back(1);\n"
                            "  mine::malloc(1);\n  return v[0];\n}\n"
                            "int used = clock_gettime(1);\n",
                            Checksum(2))}});
}

TEST_F(CheatTest, AnAllocatorThatTheTipHasTooMayChange) {
  const std::string allocator =
      "#include <cstdlib>\n"
      "void* operator new(std::size_t n) { return std::malloc(n); }\n"
      "void operator delete(void* p) noexcept { std::free(p); }\n"
      "void operator delete(void* p, std::size_t) noexcept { std::free(p); }\n";
  Write("src/allocator.cc", allocator);
  InitProject(4);
  ExpectKeep(
      "rounded",
      {{"src/allocator.cc",
        absl::StrCat("static const int kRound = 64;\n",
                     absl::StrReplaceAll(
                         allocator, {{"malloc(n)", "malloc(n + kRound)"}}))},
       {"src/checksum.cc", Checksum(2)}});
}

}  // namespace
}  // namespace autotune
