// Every kind of text that is refused, with its whole message.

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "comparator/results/result_file.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

// As Google Benchmark 1.7 writes it.
constexpr std::string_view kFile = R"({
  "context": {
    "date": "2026-01-02T03:04:05+00:00",
    "num_cpus": 8,
    "load_avg": [0.5,0.4],
    "library_build_type": "release"
  },
  "benchmarks": [
    {
      "name": "BM_A",
      "run_name": "BM_A",
      "run_type": "iteration",
      "repetitions": 2,
      "repetition_index": 0,
      "threads": 1,
      "iterations": 1000,
      "real_time": 2.5000000000000000e+02,
      "cpu_time": 2.0000000000000000e+02,
      "time_unit": "ns"
    },
    {
      "name": "BM_A",
      "run_name": "BM_A",
      "run_type": "iteration",
      "repetitions": 2,
      "repetition_index": 1,
      "threads": 1,
      "iterations": 1000,
      "real_time": 2.5000000000000001e+02,
      "cpu_time": 2.0000000000000001e+02,
      "time_unit": "ns"
    },
    {
      "name": "BM_B",
      "run_name": "BM_B",
      "run_type": "iteration",
      "repetitions": 2,
      "repetition_index": 0,
      "threads": 1,
      "iterations": 1000,
      "real_time": 2.5000000000000000e+02,
      "cpu_time": 2.0000000000000000e+02,
      "time_unit": "ns"
    }
  ]
}
)";

// kFile with the first occurrence of `old_text` replaced.
std::string With(std::string_view old_text, std::string_view new_text) {
  std::string file(kFile);
  const std::size_t place = file.find(old_text);
  EXPECT_NE(place, std::string::npos) << old_text;
  return file.replace(place, old_text.size(), new_text);
}

std::string Utf16LittleEndian(std::string_view text) {
  std::string bytes = "\xff\xfe";
  for (const char c : text) {
    bytes += c;
    bytes += '\0';
  }
  return bytes;
}

// The message that refuses `text`, or "accepted".
std::string Refusal(std::string_view text) {
  const absl::StatusOr<ResultFile> file = ParseResultFile(text, "new.json");
  if (file.ok()) return "accepted";
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(file.status().message());
}

TEST(ResultFileRefusalTest, TheFileItselfIsAccepted) {
  EXPECT_EQ(Refusal(kFile), "accepted");
}

TEST(ResultFileRefusalTest, AnEmptyFile) {
  for (const char* text : {"", "\n", "\xef\xbb\xbf\r\n"}) {
    EXPECT_EQ(Refusal(text),
              "new.json: the file is empty, as --benchmark_out leaves it when "
              "no benchmark matches --benchmark_filter, or with "
              "--benchmark_list_tests; check both and measure again");
  }
}

TEST(ResultFileRefusalTest, Csv) {
  constexpr std::string_view kMessage =
      "new.json: this looks like the CSV of --benchmark_format=csv; write JSON "
      "with --benchmark_out=FILE --benchmark_out_format=json";
  constexpr std::string_view kRows =
      "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,"
      "items_per_second,label,error_occurred,error_message\n"
      "\"BM_A\",1000,250,200,ns,,,,,\n";
  EXPECT_EQ(Refusal(kRows), kMessage);
  // With the preamble of a redirected console.
  EXPECT_EQ(Refusal("2026-01-02T03:04:05+00:00\nRunning ./bench\n"
                    "Run on (8 X 2400 MHz CPU s)\n" +
                    std::string(kRows)),
            kMessage);
}

TEST(ResultFileRefusalTest, ConsoleOutput) {
  EXPECT_EQ(
      Refusal("Running ./bench\nRun on (8 X 2400 MHz CPU s)\n"
              "-----------------------------------------------------\n"
              "Benchmark           Time             CPU   Iterations\n"
              "-----------------------------------------------------\n"
              "BM_A              250 ns          200 ns         1000\n"),
      "new.json: this looks like what --benchmark_format=console prints; write "
      "JSON with --benchmark_out=FILE --benchmark_out_format=json");
}

TEST(ResultFileRefusalTest, ListOfTests) {
  constexpr std::string_view kMessage =
      "new.json: this looks like the list that --benchmark_list_tests prints; "
      "run the benchmarks without that flag";
  EXPECT_EQ(Refusal("BM_A\n"), kMessage);
  EXPECT_EQ(Refusal("BM_A/64\nBM_A/512\r\nBM_Map<int>/threads:2"), kMessage);
  EXPECT_EQ(Refusal(R"({"benchmarks": [
    {
      "name": "BM_A"
    }
  ]})"),
            "new.json:2:5: benchmarks[0]: only a name: this looks like the "
            "list that --benchmark_list_tests writes; run the benchmarks "
            "without that flag");
}

TEST(ResultFileRefusalTest, Html) {
  EXPECT_EQ(Refusal("\n<!DOCTYPE html><html></html>"),
            "new.json: this looks like HTML or XML; write JSON with "
            "--benchmark_out=FILE --benchmark_out_format=json");
}

TEST(ResultFileRefusalTest, ProgramsAndOtherBinaryData) {
  constexpr std::string_view kProgram =
      "new.json: this looks like a program; measure programs with "
      "`bench_compare run --baseline BIN --contender BIN`";
  EXPECT_EQ(Refusal(std::string("\177ELF\2\1\1\0\0", 9)), kProgram);
  EXPECT_EQ(Refusal(std::string("MZ\x90\0\3\0", 6)), kProgram);
  EXPECT_EQ(Refusal("\x1f\x8b\x08zzzz"),
            "new.json: this looks like a compressed file; unpack it first");
  EXPECT_EQ(Refusal(std::string("\1\2\0\0\0\0", 6)),
            "new.json: this looks like binary data; write JSON with "
            "--benchmark_out=FILE --benchmark_out_format=json");
}

TEST(ResultFileRefusalTest, JsonOfOtherPrograms) {
  const auto message = [](const std::string& program) {
    return "new.json: this looks like the JSON of " + program +
           "; only results of Google Benchmark can be read";
  };
  EXPECT_EQ(Refusal(R"({"machine_info": {"node": "lab"},
    "commit_info": {"id": "0"}, "benchmarks": [{"group": null,
    "name": "test_a", "fullname": "t.py::test_a", "stats": {"min": 0.1,
    "iterations": 1, "rounds": 5}}], "version": "4.0.0"})"),
            message("pytest-benchmark"));
  EXPECT_EQ(Refusal(R"({"results": [{"command": "sleep 0.1", "mean": 0.101,
    "stddev": 0.001, "times": [0.1], "exit_codes": [0]}]})"),
            message("hyperfine"));
  EXPECT_EQ(Refusal(R"([{"jmhVersion": "1.36", "benchmark": "a.B.c",
    "mode": "avgt", "primaryMetric": {"score": 1.5}}])"),
            message("JMH"));
  EXPECT_EQ(Refusal(R"({"mean": {"confidence_interval": {
    "confidence_level": 0.95, "lower_bound": 1.0}, "point_estimate": 1.0}})"),
            message("criterion"));
  EXPECT_EQ(Refusal(R"(["criterion","1.5.9.0",[{"reportNumber": 0}]])"),
            message("criterion"));
  EXPECT_EQ(Refusal(R"({"reason":"benchmark-complete","id":"fib",
    "typical":{"estimate":1.0,"unit":"ns"}}
    {"reason":"group-complete"})"),
            message("cargo-criterion"));
  EXPECT_EQ(Refusal(R"({"creator": {"name": "codspeed-cpp"},
    "instrument": {"type": "walltime"}, "benchmarks": [{"name": "BM_A",
    "uri": "a.cc::BM_A", "stats": {"min_ns": 1.0}}]})"),
            message("CodSpeed"));
  EXPECT_EQ(Refusal(R"({"Title": "T", "HostEnvironmentInfo":
    {"BenchmarkDotNetVersion": "0.13"}, "Benchmarks": []})"),
            message("BenchmarkDotNet"));
}

TEST(ResultFileRefusalTest, TextOfOtherPrograms) {
  EXPECT_EQ(Refusal("window.BENCHMARK_DATA = {\n  \"entries\": {}\n}"),
            "new.json: this looks like the data file of "
            "github-action-benchmark; give the result files it was made from");
  EXPECT_EQ(Refusal("goos: linux\nBenchmarkA-8   100   12.5 ns/op\nPASS\n"),
            "new.json: this looks like the output of go test -bench; only "
            "results of Google Benchmark can be read");
  EXPECT_EQ(Refusal("A letter to you.\n"),
            "new.json:1:1: expected JSON, got \"A\", perhaps printed by the "
            "program; write the file with --benchmark_out=FILE "
            "--benchmark_out_format=json and leave it as it is");
}

TEST(ResultFileRefusalTest, OurOwnOtherFiles) {
  EXPECT_EQ(Refusal(R"({"schema_version": 1, "policy": {}, "rounds": []})"),
            "new.json: this looks like evidence of a measuring run; recompute "
            "it with `bench_compare verify FILE`");
  EXPECT_EQ(Refusal(R"({"schema_version": 1, "decision": "keep", "next": []})"),
            "new.json: this looks like a report of bench_compare; give the "
            "result files it was made from");
}

TEST(ResultFileRefusalTest, OtherJson) {
  EXPECT_EQ(Refusal("{}"),
            "new.json: no \"benchmarks\": this is JSON, but no result of "
            "Google Benchmark");
  EXPECT_EQ(Refusal("[1]"), "new.json:1:1: expected an object, got an array");
  EXPECT_EQ(Refusal(R"({"benchmarks": {}})"),
            "new.json:1:16: benchmarks: expected an array, got an object");
  EXPECT_EQ(Refusal(R"({"benchmarks": [7]})"),
            "new.json:1:17: benchmarks[0]: expected an object, got a number");
  EXPECT_EQ(Refusal(R"({"context": "lab", "benchmarks": []})"),
            "new.json:1:13: context: expected an object, got a string");
  EXPECT_EQ(Refusal("{\"benchmarks\": " + std::string(100, '[')),
            "new.json:1:17: benchmarks[0]: expected an object, got an array");
  EXPECT_EQ(Refusal("{\"x\": " + std::string(100, '[')),
            "new.json:1:70: x: lists nested more than 64 deep: no result of "
            "Google Benchmark");
}

TEST(ResultFileRefusalTest, TextBeforeTheJson) {
  EXPECT_EQ(Refusal("Running ./bench\nfast mode\n" + std::string(kFile)),
            "new.json: text before the JSON, which starts in line 3; write the "
            "file with --benchmark_out=FILE instead of redirecting the "
            "program's output");
}

TEST(ResultFileRefusalTest, TextAfterTheJson) {
  EXPECT_EQ(Refusal(std::string(kFile) + "done\n"),
            "new.json:47:1: text after the JSON; write the file with "
            "--benchmark_out=FILE instead of redirecting the program's output");
}

TEST(ResultFileRefusalTest, TextInsideTheJson) {
  EXPECT_EQ(Refusal(With("    },\n    {\n      \"name\": \"BM_B\"",
                         "    }hello\n,\n    {\n      \"name\": \"BM_B\"")),
            "new.json:32:6: benchmarks: expected JSON, got \"hello\", "
            "perhaps printed by the program; write the file with "
            "--benchmark_out=FILE --benchmark_out_format=json and leave it as "
            "it is");
}

TEST(ResultFileRefusalTest, TwoDocumentsInOneFile) {
  EXPECT_EQ(Refusal(std::string(kFile) + std::string(kFile)),
            "new.json:47:1: a second JSON document; give each as a file of its "
            "own");
}

TEST(ResultFileRefusalTest, TrailingAndMissingCommas) {
  EXPECT_EQ(Refusal(With("\"ns\"\n    }", "\"ns\",\n    }")),
            "new.json:19:24: benchmarks[0]: a comma with nothing "
            "after it; write the file with --benchmark_out=FILE "
            "--benchmark_out_format=json and leave it as it is");
  EXPECT_EQ(Refusal(With("    }\n  ]", "    },\n  ]")),
            "new.json:44:6: benchmarks: a comma with nothing after it; "
            "write the file with --benchmark_out=FILE "
            "--benchmark_out_format=json and leave it as it is");
  EXPECT_EQ(Refusal(With("\"threads\": 1,", "\"threads\": 1")),
            "new.json:16:7: benchmarks[0]: expected a comma; write "
            "the file with --benchmark_out=FILE --benchmark_out_format=json "
            "and leave it as it is");
}

TEST(ResultFileRefusalTest, DecimalCommas) {
  EXPECT_EQ(Refusal(With("2.5000000000000000e+02", "2,5000000000000000e+02")),
            "new.json:17:22: benchmarks[0]: real_time: expected a number, got "
            "2,5000000000000000e+02, written with a decimal comma: the "
            "benchmark program sets a locale; run it with LC_ALL=C");
}

TEST(ResultFileRefusalTest, GroupedDigits) {
  EXPECT_EQ(Refusal(With("\"iterations\": 1000", "\"iterations\": 1,000,000")),
            "new.json:16:23: benchmarks[0]: iterations: expected a number, got "
            "1,000,000, written with grouping commas: the benchmark program "
            "sets a locale; run it with LC_ALL=C");
  EXPECT_EQ(Refusal(With("\"iterations\": 1000", "\"iterations\": 1.000.000")),
            "new.json:16:21: benchmarks[0]: iterations: expected a number, got "
            "1.000.000; write the file with --benchmark_out=FILE "
            "--benchmark_out_format=json and leave it as it is");
  EXPECT_EQ(Refusal(With("\"iterations\": 1000", "\"iterations\": 1.000")),
            "new.json:16:21: benchmarks[0]: iterations: expected a whole "
            "number, got 1.000");
}

TEST(ResultFileRefusalTest, UnescapedTextOfOldVersions) {
  constexpr std::string_view kWayOut =
      "; Google Benchmark before 1.5.0 writes names and labels without "
      "escaping: rename it, or link 1.5.0 or newer";
  EXPECT_EQ(Refusal(With("\"BM_A\"", "\"BM_A<\"x\">\"")),
            "new.json:10:22: benchmarks[0]: name: a quote inside a string" +
                std::string(kWayOut));
  EXPECT_EQ(
      Refusal(With("\"BM_A\"", "\"BM\\pA\"")),
      "new.json:10:18: benchmarks[0]: name: \"\\p\" is no escape of JSON" +
          std::string(kWayOut));
  EXPECT_EQ(Refusal(With("\"BM_A\"", "\"BM\nA\"")),
            "new.json:10:18: benchmarks[0]: name: a line break inside a "
            "string" +
                std::string(kWayOut));
}

TEST(ResultFileRefusalTest, KeysThatAreThereTwice) {
  EXPECT_EQ(Refusal(With("\"time_unit\": \"ns\"",
                         "\"time_unit\": \"ns\", \"threads\": 3.0e+00")),
            "new.json:19:26: benchmarks[0]: key \"threads\" is there "
            "twice; a counter bears the name of another key: rename it");
  EXPECT_EQ(
      Refusal(With("\"num_cpus\": 8", "\"num_cpus\": 8, \"date\": \"x\"")),
      "new.json:4:20: context: key \"date\" is there twice; custom "
      "context bears the name of another key: rename it");
  EXPECT_EQ(Refusal(R"({"benchmarks": [], "benchmarks": []})"),
            "new.json:1:20: key \"benchmarks\" is there twice; "
            "write the file with --benchmark_out=FILE "
            "--benchmark_out_format=json and leave it as it is");
}

TEST(ResultFileRefusalTest, TextsOfTheFileAreHarmlessInMessages) {
  EXPECT_EQ(Refusal(R"({"a\n\u001b[2J": 1, "a\n\u001b[2J": 2})"),
            "new.json:1:21: key \"a\\x0a\\x1b[2J\" is there twice; write the "
            "file with --benchmark_out=FILE --benchmark_out_format=json and "
            "leave it as it is");
}

TEST(ResultFileRefusalTest, RowsThatAreNoneOfGoogleBenchmark) {
  EXPECT_EQ(Refusal(With("\"name\": \"BM_A\",\n", "")),
            "new.json:9:5: benchmarks[0]: name: missing");
  EXPECT_EQ(Refusal(With("\"iterations\": 1000,\n", "")),
            "new.json:9:5: benchmarks[0]: iterations: missing");
  std::string no_times = With("\"real_time\": 2.5000000000000000e+02,\n", "");
  no_times.erase(
      no_times.find("\"cpu_time\""),
      std::string_view("\"cpu_time\": 2.0000000000000000e+02,\n").size());
  EXPECT_EQ(Refusal(no_times),
            "new.json:9:5: benchmarks[0]: real_time and cpu_time: missing");
  EXPECT_EQ(Refusal(With("\"ns\"", "\"min\"")),
            "new.json:19:20: benchmarks[0]: time_unit: expected ns, us, ms or "
            "s, got \"min\"");
  EXPECT_EQ(Refusal(With("\"iteration\"", "\"warmup\"")),
            "new.json:12:19: benchmarks[0]: run_type: expected \"iteration\" "
            "or \"aggregate\", got \"warmup\"");
  EXPECT_EQ(Refusal(With("\"iterations\": 1000", "\"iterations\": 10.5")),
            "new.json:16:21: benchmarks[0]: iterations: expected a whole "
            "number, got 10.5");
  EXPECT_EQ(Refusal(With("\"iterations\": 1000", "\"iterations\": NaN")),
            "new.json:16:21: benchmarks[0]: iterations: expected a whole "
            "number, got NaN");
  EXPECT_EQ(Refusal(With("\"BM_A\"", "null")),
            "new.json:10:15: benchmarks[0]: name: expected a string, got null");
  EXPECT_EQ(Refusal(With("\"threads\": 1", "\"threads\": \"1\"")),
            "new.json:15:18: benchmarks[0]: threads: expected a number, got a "
            "string");
  EXPECT_EQ(Refusal(With("\"num_cpus\": 8", "\"num_cpus\": \"8\"")),
            "new.json:4:17: context: num_cpus: expected a number, got a "
            "string");
}

TEST(ResultFileRefusalTest, AFileThatEndsEarly) {
  const std::size_t second_name = kFile.find("\"BM_B\"");
  // In the row of BM_B: BM_A is complete.
  EXPECT_EQ(Refusal(kFile.substr(0, second_name)),
            "new.json:34: the file ends here, after 1 complete benchmark: its "
            "run was killed or the copy was cut; measure again, or use what is "
            "complete with --partial");
  // In the second row of BM_A.
  EXPECT_EQ(Refusal(kFile.substr(0, kFile.find("\"repetition_index\": 1"))),
            "new.json:26: the file ends here, after 0 complete benchmarks: its "
            "run was killed or the copy was cut; measure again");
  // In the context.
  EXPECT_EQ(Refusal(kFile.substr(0, 20)),
            "new.json:3: the file ends here, after 0 complete benchmarks: its "
            "run was killed or the copy was cut; measure again");
  // The end of the list alone, as when ReportContext refuses to go on.
  EXPECT_EQ(Refusal("\n  ]\n}\n"),
            "new.json:2:3: expected JSON, got \"]\", perhaps printed by the "
            "program; write the file with --benchmark_out=FILE "
            "--benchmark_out_format=json and leave it as it is");
}

TEST(ResultFileRefusalTest, DamagedEncodings) {
  const std::string utf16 = Utf16LittleEndian(kFile);
  EXPECT_EQ(Refusal(utf16), "accepted");
  EXPECT_EQ(Refusal(utf16.substr(0, utf16.size() - 1)),
            "new.json: UTF-16 with an odd number of bytes: the file is cut off "
            "or damaged");
  EXPECT_EQ(Refusal(std::string("\0\0\xfe\xff\0\0\0{", 8)),
            "new.json: UTF-32 text: save it as UTF-8");
}

TEST(ResultFileRefusalTest, PlacesInConvertedTextAreOfItsLines) {
  EXPECT_EQ(
      Refusal(Utf16LittleEndian(With("\"threads\": 1", "\"threads\": \"1\""))),
      "new.json:15:18: benchmarks[0]: threads: expected a number, got a "
      "string");
  std::string crlf = absl::StrReplaceAll(
      With("\"threads\": 1", "\"threads\": \"1\""), {{"\n", "\r\n"}});
  EXPECT_EQ(Refusal(crlf),
            "new.json:15:18: benchmarks[0]: threads: expected a number, got a "
            "string");
}

}  // namespace
}  // namespace autotune
