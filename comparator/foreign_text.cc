#include "comparator/foreign_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

namespace autotune {
namespace {

constexpr std::string_view kWriteJson =
    "write JSON with --benchmark_out=FILE --benchmark_out_format=json";

// A kind of text: what `is` says and all `marks` it contains.
struct Mark {
  std::string_view is;
  std::string_view way_out;
  std::array<std::string_view, 3> marks;
};

// Of JSON by other programs.
constexpr std::string_view kConvert =
    "only results of Google Benchmark can be compared";
constexpr std::array<Mark, 10> kForeignJson = {{
    {"the JSON of pytest-benchmark",
     kConvert,
     {"\"machine_info\"", "\"stats\"", "\"pytest"}},
    {"the JSON of pytest-benchmark",
     kConvert,
     {"\"machine_info\"", "\"commit_info\"", "\"benchmarks\""}},
    {"the JSON of hyperfine",
     kConvert,
     {"\"results\"", "\"command\"", "\"mean\""}},
    {"the JSON of JMH", kConvert, {"\"jmhVersion\"", "\"primaryMetric\"", ""}},
    {"the JSON of criterion",
     kConvert,
     {"\"confidence_interval\"", "\"point_estimate\"", ""}},
    {"the JSON of cargo-criterion",
     kConvert,
     {"\"reason\"", "\"benchmark-complete\"", ""}},
    {"the JSON of criterion", kConvert, {"[\"criter", "", ""}},
    {"the JSON of CodSpeed", kConvert, {"\"instrument\"", "\"creator\"", ""}},
    {"evidence of a measuring run",
     "recompute it with `bench_compare verify FILE`",
     {"\"schema_version\"", "\"rounds\"", ""}},
    {"a report of bench_compare",
     "give the result files it was made from",
     {"\"schema_version\"", "\"decision\"", ""}},
}};

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view FirstLine(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string Is(std::string_view what, std::string_view way_out) {
  return absl::StrCat("this looks like ", std::string(what), "; ",
                      std::string(way_out));
}

std::string DescribeForeignJson(std::string_view text) {
  for (const Mark& mark : kForeignJson) {
    const bool all = std::all_of(
        mark.marks.begin(), mark.marks.end(),
        [text](std::string_view part) { return Contains(text, part); });
    if (all) return Is(mark.is, mark.way_out);
  }
  return "";
}

std::string DescribeBinary(std::string_view text) {
  if (text.starts_with("\x7f"
                       "ELF")) {
    return Is("a program",
              "measure programs with `bench_compare run --baseline BIN "
              "--contender BIN`");
  }
  if (text.starts_with("\x1f\x8b") || text.starts_with("PK\x03\x04") ||
      text.starts_with("BZh") ||
      text.starts_with("\xfd"
                       "7zXZ") ||
      text.starts_with("\x28\xb5\x2f\xfd")) {
    return Is("a compressed file", "unpack it first");
  }
  if (text.find('\0') != std::string_view::npos) {
    return Is("binary data", kWriteJson);
  }
  return "";
}

// The list of names: every line one word.
bool IsListOfNames(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = FirstLine(text);
    if (line.empty() || Contains(line, " ") || Contains(line, "\t")) {
      return false;
    }
    const std::size_t next = text.find_first_not_of("\r\n", line.size());
    if (next == std::string_view::npos) break;
    text.remove_prefix(next);
  }
  return true;
}

// A line of the JSON that Google Benchmark starts its output with.
bool HoldsResultJson(std::string_view text) {
  return Contains(text, "\"benchmarks\": [") &&
         (Contains(text, "\n{") || Contains(text, "{\n"));
}

std::string DescribePlainText(std::string_view text) {
  if (Contains(text, "name,iterations,real_time,cpu_time,time_unit")) {
    return Is("the CSV of --benchmark_format=csv", kWriteJson);
  }
  if (HoldsResultJson(text)) {
    return absl::StrCat("there is text before the JSON; ",
                        std::string(kWriteJson),
                        " instead of redirecting the program's output");
  }
  if (Contains(text, "Benchmark") && Contains(text, "Time") &&
      Contains(text, "CPU") && Contains(text, "Iterations")) {
    return Is("what --benchmark_format=console prints", kWriteJson);
  }
  if (IsListOfNames(text)) {
    return Is("the list that --benchmark_list_tests prints",
              "run the benchmarks without that flag");
  }
  return "";
}

}  // namespace

std::string DescribeForeignText(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) {
    return "the file is empty, as --benchmark_out leaves it when no benchmark "
           "matches --benchmark_filter or with --benchmark_list_tests; check "
           "the filter and measure again";
  }
  std::string binary = DescribeBinary(text);
  if (!binary.empty()) return binary;
  text.remove_prefix(start);
  if (text[0] == '<') return Is("HTML or XML", kWriteJson);
  if (text[0] == '{' || text[0] == '[') return DescribeForeignJson(text);
  return DescribePlainText(text);
}

}  // namespace autotune
