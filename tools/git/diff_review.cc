#include "tools/git/diff_review.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "tools/git/repository.h"

namespace autotune {
namespace {

constexpr std::array<std::string_view, 19> kCodeEndings = {
    ".c",   ".cc",  ".cpp", ".cxx", ".c++", ".h",   ".hh",
    ".hpp", ".hxx", ".h++", ".inl", ".inc", ".ipp", ".tcc",
    ".cu",  ".cuh", ".m",   ".mm",  ".def"};
constexpr std::array<std::string_view, 8> kBuildEndings = {
    ".cmake", ".mk", ".ld", ".s", ".S", ".asm", ".bzl", ".sh"};
constexpr std::array<std::string_view, 5> kBuildNames = {
    "CMakeLists.txt", "Makefile", "meson.build", "BUILD", "BUILD.bazel"};

template <std::size_t kSize>
bool EndsWithAny(std::string_view text,
                 const std::array<std::string_view, kSize>& endings) {
  return std::any_of(
      endings.begin(), endings.end(),
      [text](std::string_view ending) { return text.ends_with(ending); });
}

bool IsCodeFile(std::string_view path) {
  return EndsWithAny(path, kCodeEndings);
}

bool IsReviewed(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return IsCodeFile(path) || EndsWithAny(path, kBuildEndings) ||
         std::find(kBuildNames.begin(), kBuildNames.end(), name) !=
             kBuildNames.end();
}

// A word, or text with other characters in it, and what its use means.
struct Sign {
  std::string_view text;
  std::string_view what;
  bool in_strings = false;  // a path or variable: means something there too
};

constexpr std::string_view kClock = "reads a clock";
constexpr std::string_view kEnvironment = "looks at the environment";
constexpr std::string_view kState = "keeps state across calls";
constexpr std::string_view kEarly = "runs before main";
constexpr std::string_view kOptimiser = "steers the optimiser";
constexpr std::string_view kReplaced = "replaces code at run time";
constexpr std::string_view kThread = "starts a thread or process";
constexpr std::string_view kWaits = "waits or sends a signal";
constexpr std::string_view kBenchmark = "knows that it is being measured";
constexpr std::string_view kStore = "keeps data outside the process";
constexpr std::string_view kChance = "touches random numbers";
constexpr std::string_view kAssembly = "is assembly";

constexpr Sign kSigns[] = {
    {"clock", kClock},
    {"clock_gettime", kClock},
    {"clock_getres", kClock},
    {"clock_settime", kClock},
    {"gettimeofday", kClock},
    {"settimeofday", kClock},
    {"timespec_get", kClock},
    {"getrusage", kClock},
    {"steady_clock", kClock},
    {"system_clock", kClock},
    {"high_resolution_clock", kClock},
    {"chrono", kClock},
    {"rdtsc", kClock},
    {"rdtscp", kClock},
    {"__rdtsc", kClock},
    {"__rdtscp", kClock},
    {"__builtin_ia32_rdtsc", kClock},
    {"cntvct_el0", kClock},
    {"getenv", kEnvironment},
    {"secure_getenv", kEnvironment},
    {"setenv", kEnvironment},
    {"putenv", kEnvironment},
    {"environ", kEnvironment},
    {"BENCHMARK_", kBenchmark, true},
    {"static", kState},
    {"thread_local", kState},
    {"__thread", kState},
    {"call_once", kState},
    {"once_flag", kState},
    {"mutable", kState},
    {"constructor", kEarly},
    {"init_array", kEarly},
    {".init_array", kEarly},
    {"init_priority", kEarly},
    {"__libc_start_main", kEarly},
    {"GCC optimize", kOptimiser},
    {"GCC target", kOptimiser},
    {"clang optimize", kOptimiser},
    {"pragma optimize", kOptimiser},
    {"optimize", kOptimiser},
    {"optnone", kOptimiser},
    {"fast-math", kOptimiser},
    {"Ofast", kOptimiser},
    {"FP_CONTRACT", kOptimiser},
    {"target_clones", kOptimiser},
    {"-march=", kOptimiser},
    {"-mtune=", kOptimiser},
    {"add_compile_options", kOptimiser},
    {"LD_PRELOAD", kReplaced, true},
    {"LD_AUDIT", kReplaced, true},
    {"LD_LIBRARY_PATH", kReplaced, true},
    {"RTLD_NEXT", kReplaced},
    {"dlopen", kReplaced},
    {"dlsym", kReplaced},
    {"mprotect", kReplaced},
    {"ifunc", kReplaced},
    {"--wrap", kReplaced},
    {"weak", kReplaced},
    {"alias", kReplaced},
    {"thread", kThread},
    {"jthread", kThread},
    {"pthread_create", kThread},
    {"async", kThread},
    {"execution", kThread},
    {"omp", kThread},
    {"fork", kThread},
    {"vfork", kThread},
    {"clone", kThread},
    {"popen", kThread},
    {"posix_spawn", kThread},
    {"execve", kThread},
    {"system", kThread},
    {"sleep", kWaits},
    {"usleep", kWaits},
    {"nanosleep", kWaits},
    {"clock_nanosleep", kWaits},
    {"sleep_for", kWaits},
    {"sleep_until", kWaits},
    {"sched_yield", kWaits},
    {"raise", kWaits},
    {"kill", kWaits},
    {"ptrace", kWaits},
    {"sigaction", kWaits},
    {"SIGSTOP", kWaits},
    {"benchmark", kBenchmark},
    {"DoNotOptimize", kBenchmark},
    {"ClobberMemory", kBenchmark},
    {"SetIterationTime", kBenchmark},
    {"PauseTiming", kBenchmark},
    {"/proc/self", kBenchmark, true},
    {"program_invocation_name", kBenchmark},
    {"argv", kBenchmark},
    {"fopen", kStore},
    {"ofstream", kStore},
    {"fstream", kStore},
    {"mmap", kStore},
    {"shm_open", kStore},
    {"/dev/shm", kStore, true},
    {"/tmp", kStore, true},
    {"srand", kChance},
    {"seed", kChance},
    {"asm", kAssembly},
    {"__asm__", kAssembly},
};

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

// Whether `text` is somewhere in `line`; a sign that starts (or ends) with a
// word character must start (or end) a word there, but for a final '_'.
bool Holds(std::string_view line, std::string_view text) {
  for (std::size_t at = line.find(text); at != std::string_view::npos;
       at = line.find(text, at + 1)) {
    const std::size_t end = at + text.size();
    const bool starts = !IsWordCharacter(text.front()) || at == 0 ||
                        !IsWordCharacter(line[at - 1]);
    const bool ends = !IsWordCharacter(text.back()) || text.back() == '_' ||
                      end == line.size() || !IsWordCharacter(line[end]);
    if (starts && ends) return true;
  }
  return false;
}

// Where the string or character literal ends whose quote is at `begin`: behind
// the closing quote; npos when the line does not close it.
std::size_t LiteralEnd(std::string_view line, std::size_t begin) {
  for (std::size_t at = begin + 1; at < line.size(); ++at) {
    if (line[at] == '\\') {
      ++at;
    } else if (line[at] == line[begin]) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

// A line of C or C++ taken apart.
struct CodeLine {
  std::string code;     // without comments, literals left as ""
  std::string strings;  // what the literals hold
};

// Nothing is left out of a line that cannot be read by itself: with a raw
// string, or a literal that it does not close.
CodeLine ReadCode(std::string_view line) {
  const CodeLine unread = {std::string(line), std::string(line)};
  if (line.find("R\"") != std::string_view::npos) return unread;
  CodeLine read;
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view rest = line.substr(at);
    const bool separates = at > 0 && IsWordCharacter(line[at - 1]);  // 1'000
    if (rest.starts_with("//")) break;
    if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      if (end == std::string_view::npos) break;
      at += end + 2;
      read.code += ' ';
    } else if (rest[0] == '"' || (rest[0] == '\'' && !separates)) {
      const std::size_t end = LiteralEnd(line, at);
      if (end == std::string_view::npos) return unread;
      read.code += "\"\"";
      read.strings.append(line.substr(at + 1, end - at - 2)) += '\n';
      at = end;
    } else {
      read.code += line[at++];
    }
  }
  return read;
}

// The same of a build file, whose flags are strings: without comments.
CodeLine ReadBuildLine(std::string_view line) {
  const std::string kept(line.substr(0, line.find('#')));
  return {kept, kept};
}

CodeLine ReadLine(std::string_view path, std::string_view line) {
  return IsCodeFile(path) ? ReadCode(line) : ReadBuildLine(line);
}

// `static constexpr` is known before the program runs.
bool IsConstant(std::string_view line, const Sign& sign) {
  return sign.text == "static" && Holds(line, "constexpr");
}

bool Shows(const CodeLine& line, const Sign& sign) {
  if (IsConstant(line.code, sign)) return false;
  return Holds(line.code, sign.text) ||
         (sign.in_strings && Holds(line.strings, sign.text));
}

// The number of the first added line of "@@ -1,2 +3,4 @@ ..."; nothing for any
// other line.
std::optional<int> HunkStart(std::string_view line) {
  if (!line.starts_with("@@ ")) return std::nullopt;
  const std::size_t plus = line.find('+');
  if (plus == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(plus + 1);
  const std::string_view digits = rest.substr(0, rest.find_first_of(", "));
  int number = 0;
  const bool read = absl::SimpleAtoi(
      absl::string_view(digits.data(), digits.size()), &number);
  return read ? std::optional(number) : std::nullopt;
}

// Calls `visit` with each line of `text` without its newline.
template <typename Visit>
void ForEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool IsPlainFile(std::string_view mode) { return mode.starts_with("100"); }

std::vector<AddedLine> AllLines(std::string_view path, std::string_view text) {
  std::vector<AddedLine> lines;
  ForEachLine(text, [&](std::string_view line) {
    const int number = static_cast<int>(lines.size()) + 1;
    lines.push_back({std::string(path), number, std::string(line)});
  });
  return lines;
}

// Blob against blob, so that no path or attribute plays a part.
absl::StatusOr<std::vector<AddedLine>> LinesOf(const Repository& repository,
                                               const TreeChange& change) {
  if (!IsPlainFile(change.old_mode)) {
    ASSIGN_OR_RETURN(const std::string text,
                     repository.Git({"cat-file", "blob", change.new_object}));
    return AllLines(change.path, text);
  }
  std::vector<std::string> arguments = {
      "diff",       "--no-ext-diff", "--no-textconv",
      "--no-color", "-U0",           "--inter-hunk-context=0"};
  if (IsCodeFile(change.path)) arguments.push_back("--text");
  arguments.insert(arguments.end(), {change.old_object, change.new_object});
  ASSIGN_OR_RETURN(const std::string diff, repository.Git(arguments));
  return ParseAddedLines(change.path, diff);
}

}  // namespace

std::vector<AddedLine> ParseAddedLines(std::string_view path,
                                       std::string_view diff) {
  std::vector<AddedLine> added;
  int next = 0;                           // 0: before the first hunk
  std::vector<std::string_view> removed;  // of the hunk, from `stands_for` on
  std::size_t stands_for = 0;
  ForEachLine(diff, [&](std::string_view line) {
    if (const std::optional<int> start = HunkStart(line)) {
      next = *start;
      removed.clear();
      stands_for = 0;
    } else if (next > 0 && line.starts_with('-')) {
      removed.push_back(line.substr(1));
    } else if (next > 0 && line.starts_with('+')) {
      const std::string_view replaced =
          stands_for < removed.size() ? removed[stands_for++] : "";
      added.push_back({std::string(path), next++, std::string(line.substr(1)),
                       std::string(replaced)});
    } else if (line.starts_with(' ')) {
      ++next;
    }
  });
  return added;
}

absl::StatusOr<std::vector<AddedLine>> AddedLines(const Repository& repository,
                                                  const std::string& from,
                                                  const std::string& to) {
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(from, to));
  std::vector<AddedLine> all;
  for (const TreeChange& change : changes) {
    if (!IsPlainFile(change.new_mode)) continue;
    if (change.old_object == change.new_object) continue;
    ASSIGN_OR_RETURN(std::vector<AddedLine> added, LinesOf(repository, change));
    all.insert(all.end(), std::make_move_iterator(added.begin()),
               std::make_move_iterator(added.end()));
  }
  return all;
}

std::vector<SuspiciousAddition> FindSuspiciousAdditions(
    const std::vector<AddedLine>& lines) {
  std::vector<SuspiciousAddition> found;
  for (const AddedLine& line : lines) {
    if (!IsReviewed(line.path)) continue;
    const CodeLine now = ReadLine(line.path, line.text);
    const CodeLine before = ReadLine(line.path, line.replaced);
    for (const Sign& sign : kSigns) {
      if (!Shows(now, sign) || Shows(before, sign)) continue;
      const bool told = !found.empty() &&
                        found.back().added.path == line.path &&
                        found.back().added.line == line.line &&
                        found.back().what == sign.what;
      if (!told) found.push_back({line, std::string(sign.what)});
    }
  }
  return found;
}

}  // namespace autotune
