#include "comparator/results/foreign_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "comparator/results/json_scanner.h"

namespace autotune {
namespace {

constexpr std::string_view kWriteJson =
    "write JSON with --benchmark_out=FILE --benchmark_out_format=json";
constexpr std::string_view kOnlyOurs =
    "only results of Google Benchmark can be read";

// A kind of text, known by the parts it all contains.
struct Kind {
  std::string_view name;
  std::string_view way_out;
  std::array<std::string_view, 3> parts;
};

constexpr std::array<Kind, 10> kJsonKinds = {{
    {"the JSON of pytest-benchmark",
     kOnlyOurs,
     {"\"machine_info\"", "\"commit_info\"", "\"benchmarks\""}},
    {"the JSON of hyperfine",
     kOnlyOurs,
     {"\"results\"", "\"command\"", "\"mean\""}},
    {"the JSON of JMH", kOnlyOurs, {"\"jmhVersion\"", "\"benchmark\"", ""}},
    {"the JSON of criterion",
     kOnlyOurs,
     {"\"confidence_interval\"", "\"point_estimate\"", ""}},
    {"the JSON of cargo-criterion",
     kOnlyOurs,
     {"\"reason\"", "\"benchmark-complete\"", ""}},
    {"the JSON of criterion", kOnlyOurs, {"[\"criter", "", ""}},
    {"the JSON of CodSpeed",
     kOnlyOurs,
     {"\"creator\"", "\"instrument\"", "\"benchmarks\""}},
    {"the JSON of BenchmarkDotNet",
     kOnlyOurs,
     {"\"BenchmarkDotNetVersion\"", "", ""}},
    {"evidence of a measuring run",
     "recompute it with `bench_compare verify FILE`",
     {"\"schema_version\"", "\"rounds\"", "\"policy\""}},
    {"a report of bench_compare",
     "give the result files it was made from",
     {"\"schema_version\"", "\"decision\"", "\"next\""}},
}};

constexpr std::array<Kind, 4> kTextKinds = {{
    {"the CSV of --benchmark_format=csv",
     kWriteJson,
     {"name,iterations,real_time,cpu_time,time_unit", "", ""}},
    {"what --benchmark_format=console prints",
     kWriteJson,
     {"\n---", "Time             CPU", "Iterations"}},
    {"the data file of github-action-benchmark",
     "give the result files it was made from",
     {"window.BENCHMARK_DATA", "", ""}},
    {"the output of go test -bench", kOnlyOurs, {"goos:", "ns/op", ""}},
}};

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string LooksLike(std::string_view what, std::string_view way_out) {
  return absl::StrFormat("this looks like %s; %s", what, way_out);
}

template <std::size_t kSize>
std::string DescribeByParts(const std::array<Kind, kSize>& kinds,
                            std::string_view text) {
  for (const Kind& kind : kinds) {
    const bool has_all = std::all_of(
        kind.parts.begin(), kind.parts.end(),
        [text](std::string_view part) { return Contains(text, part); });
    if (has_all) return LooksLike(kind.name, kind.way_out);
  }
  return "";
}

bool StartsWithAny(std::string_view text,
                   std::initializer_list<std::string_view> starts) {
  return std::any_of(
      starts.begin(), starts.end(),
      [text](std::string_view start) { return text.starts_with(start); });
}

std::string DescribeBinary(std::string_view text) {
  // ELF, Mach-O and Windows programs.
  if (StartsWithAny(text, {"\177ELF", "\xcf\xfa\xed\xfe", "MZ"})) {
    return LooksLike("a program",
                     "measure programs with `bench_compare run --baseline BIN "
                     "--contender BIN`");
  }
  // gzip, zip, bzip2, xz and zstd.
  if (StartsWithAny(text, {"\x1f\x8b", "PK\3\4", "BZh", "\3757zXZ",
                           "\x28\xb5\x2f\xfd"})) {
    return LooksLike("a compressed file", "unpack it first");
  }
  return Contains(text, std::string_view("\0", 1))
             ? LooksLike("binary data", kWriteJson)
             : "";
}

// Whether each line is one word: names, as --benchmark_list_tests prints them.
bool IsListOfNames(std::string_view text) {
  const std::size_t last = text.find_last_not_of("\r\n");
  return text.substr(0, last + 1).find_first_of(" \t{}\"") ==
         std::string_view::npos;
}

// JSON of Google Benchmark with other text before it.
std::string DescribeTextBeforeJson(std::string_view text) {
  const std::size_t brace = text.find('{');
  if (brace == std::string_view::npos || !Contains(text, "\"benchmarks\"") ||
      !Contains(text, "\"real_time\"")) {
    return "";
  }
  return absl::StrFormat(
      "text before the JSON, which starts in line %d; write the file with "
      "--benchmark_out=FILE instead of redirecting the program's output",
      PlaceAt(text, brace).line);
}

std::string DescribeJson(std::string_view text) {
  return Contains(text, "\"real_time\"") ? ""
                                         : DescribeByParts(kJsonKinds, text);
}

std::string DescribePlainText(std::string_view text) {
  std::string description = DescribeTextBeforeJson(text);
  if (description.empty()) description = DescribeByParts(kTextKinds, text);
  if (description.empty() && IsListOfNames(text)) {
    description = LooksLike("the list that --benchmark_list_tests prints",
                            "run the benchmarks without that flag");
  }
  return description;
}

}  // namespace

std::string DescribeForeignText(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) {
    return "the file is empty, as --benchmark_out leaves it when no benchmark "
           "matches --benchmark_filter, or with --benchmark_list_tests; check "
           "both and measure again";
  }
  std::string binary = DescribeBinary(text);
  if (!binary.empty()) return binary;
  switch (text[start]) {
    case '<':
      return LooksLike("HTML or XML", kWriteJson);
    case '{':
    case '[':
      return DescribeJson(text);
    default:
      return DescribePlainText(text);
  }
}

}  // namespace autotune
