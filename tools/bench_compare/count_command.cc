// Exact counts beside time: what a benchmark's iterations execute, by
// callgrind. Counts explain a change; they decide nothing, since fewer
// instructions may take longer.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/bench_compare/commands.h"
#include "tools/measure/instruction_count.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/program/verb_result.h"
#include "tools/report/text_table.h"

namespace autotune {
namespace {

// Two counts of one program that are closer are the same but for the addresses
// a hash or a search happened to see.
constexpr double kSame = 1e-6;
constexpr std::size_t kFunctionsShown = 12;
constexpr std::size_t kNameWidth = 70;

struct CountFlags {
  std::optional<std::string> baseline;
  std::optional<std::string> contender;
  std::string filter = ".";
  std::optional<std::string> working_directory;
  std::vector<std::string> benchmark_arguments;
};

// One function on both sides, instructions an iteration.
struct FunctionChange {
  std::string name;
  double baseline_exclusive = 0.0;
  double contender_exclusive = 0.0;
  double baseline_inclusive = 0.0;
  double contender_inclusive = 0.0;

  double exclusive() const { return contender_exclusive - baseline_exclusive; }
};

// One benchmark on both sides.
struct CountChange {
  std::string benchmark;
  double baseline = 0.0;  // instructions an iteration
  double contender = 0.0;
  double spread = 0.0;  // the larger difference of two counts of one side
  std::vector<FunctionChange> functions;  // the largest change first
};

using Counts = std::vector<InstructionCount>;

double PerIteration(const InstructionCount& count) {
  return static_cast<double>(count.instructions) /
         static_cast<double>(count.iterations);
}

const InstructionCount* Find(const Counts& counts, const std::string& name) {
  for (const InstructionCount& count : counts) {
    if (count.benchmark == name) return &count;
  }
  return nullptr;
}

// How far two counts of one program are apart, as a fraction.
double Spread(const InstructionCount& first, const Counts& again) {
  const InstructionCount* const second = Find(again, first.benchmark);
  if (second == nullptr || first.instructions == 0) return 1.0;
  return std::abs(PerIteration(*second) / PerIteration(first) - 1.0);
}

void AddFunctions(const InstructionCount& count, bool contender,
                  std::map<std::string, FunctionChange>& functions) {
  const auto iterations = static_cast<double>(count.iterations);
  for (const FunctionCount& function : count.functions) {
    FunctionChange& change = functions[function.name];
    change.name = function.name;
    (contender ? change.contender_exclusive : change.baseline_exclusive) +=
        static_cast<double>(function.exclusive) / iterations;
    (contender ? change.contender_inclusive : change.baseline_inclusive) +=
        static_cast<double>(function.inclusive) / iterations;
  }
}

std::vector<FunctionChange> FunctionChanges(const InstructionCount& baseline,
                                            const InstructionCount& contender) {
  std::map<std::string, FunctionChange> functions;
  AddFunctions(baseline, false, functions);
  AddFunctions(contender, true, functions);
  std::vector<FunctionChange> changes;
  for (auto& [name, change] : functions) changes.push_back(std::move(change));
  std::stable_sort(changes.begin(), changes.end(),
                   [](const FunctionChange& a, const FunctionChange& b) {
                     return std::abs(a.exclusive()) > std::abs(b.exclusive());
                   });
  return changes;
}

absl::StatusOr<Counts> CountSide(const CountFlags& flags,
                                 const std::string& side,
                                 const std::string& program,
                                 const ProgramWorld& world) {
  SideCommand command;
  command.program = program;
  command.arguments = flags.benchmark_arguments;
  command.working_directory = flags.working_directory.value_or("");
  CountRequest request;
  request.command = &command;
  request.side = side;
  request.filter = flags.filter;
  return CountInstructions(
      request, {world.processes, world.files, world.clock, world.entropy});
}

absl::StatusOr<std::vector<CountChange>> CountBoth(const CountFlags& flags,
                                                   const ProgramWorld& world) {
  Counts sides[2][2];
  for (int again = 0; again < 2; ++again) {
    ASSIGN_OR_RETURN(sides[0][again],
                     CountSide(flags, "baseline", *flags.baseline, world));
    ASSIGN_OR_RETURN(sides[1][again],
                     CountSide(flags, "contender", *flags.contender, world));
  }
  std::vector<CountChange> changes;
  for (const InstructionCount& baseline : sides[0][0]) {
    const InstructionCount* const contender =
        Find(sides[1][0], baseline.benchmark);
    if (contender == nullptr) {
      return absl::AbortedError(absl::StrCat("contender: \"",
                                             baseline.benchmark,
                                             "\" is missing: it cannot be "
                                             "compared"));
    }
    CountChange& change = changes.emplace_back();
    change.benchmark = baseline.benchmark;
    change.baseline = PerIteration(baseline);
    change.contender = PerIteration(*contender);
    change.spread = std::max(Spread(baseline, sides[0][1]),
                             Spread(*contender, sides[1][1]));
    change.functions = FunctionChanges(baseline, *contender);
  }
  return changes;
}

std::string CountText(double instructions) {
  return FixedText(instructions, 0);
}

std::string ChangeText(double baseline, double contender) {
  if (baseline == contender) return "equal";
  if (baseline == 0.0) return "new";
  return SignedPercentText(contender / baseline - 1.0);
}

std::string Shortened(const std::string& name) {
  const std::string text = PrintableText(name);
  return text.size() <= kNameWidth ? text
                                   : text.substr(0, kNameWidth - 3) + "...";
}

void AddBenchmarkRow(const CountChange& change, TextTable& table) {
  table.AddRow({{PrintableText(change.benchmark)},
                {CountText(change.baseline)},
                {CountText(change.contender)},
                {ChangeText(change.baseline, change.contender)}});
}

void AddFunctionRows(const CountChange& change, TextTable& table) {
  std::size_t shown = 0;
  for (const FunctionChange& function : change.functions) {
    if (function.exclusive() == 0.0 || shown == kFunctionsShown) break;
    ++shown;
    table.AddRow({{"  " + Shortened(function.name)},
                  {CountText(function.baseline_exclusive)},
                  {CountText(function.contender_exclusive)},
                  {absl::StrCat(function.exclusive() > 0.0 ? "+" : "",
                                CountText(function.exclusive()))}});
  }
}

std::string SpreadText(const std::vector<CountChange>& changes) {
  double spread = 0.0;
  for (const CountChange& change : changes) {
    spread = std::max(spread, change.spread);
  }
  if (spread == 0.0) return "counted twice, equal to the digit";
  if (spread <= kSame) return "counted twice, equal within 1e-6";
  return absl::StrCat("counted twice, up to ", FixedText(100.0 * spread, 4),
                      " % apart: the program does not do the same each time");
}

void AddJson(const std::vector<CountChange>& changes, bool functions,
             JsonWriter& json) {
  json.BeginArray("benchmarks");
  for (const CountChange& change : changes) {
    json.BeginObject();
    json.Text("name", change.benchmark);
    json.Number("baseline", change.baseline);
    json.Number("contender", change.contender);
    json.Number("spread", change.spread);
    if (functions) {
      json.BeginArray("functions");
      for (const FunctionChange& function : change.functions) {
        json.BeginObject();
        json.Text("name", function.name);
        json.Number("baseline_exclusive", function.baseline_exclusive);
        json.Number("contender_exclusive", function.contender_exclusive);
        json.Number("baseline_inclusive", function.baseline_inclusive);
        json.Number("contender_inclusive", function.contender_inclusive);
        json.EndObject();
      }
      json.EndArray();
    }
    json.EndObject();
  }
  json.EndArray();
}

absl::StatusOr<ExitCode> Count(const CountFlags& flags, bool functions,
                               const Invocation& invocation) {
  ASSIGN_OR_RETURN(const std::vector<CountChange> changes,
                   CountBoth(flags, invocation.world));
  TextTable table;
  table.AddRow({{functions ? "benchmark, function" : "benchmark"},
                {"baseline"},
                {"contender"},
                {"change"}});
  for (const CountChange& change : changes) {
    AddBenchmarkRow(change, table);
    if (functions) AddFunctionRows(change, table);
  }
  VerbResult result;
  result.lines = {table.Render(false)};
  result.lines.back().pop_back();
  result.lines.push_back(
      absl::StrCat("instructions an iteration, ", SpreadText(changes)));
  AddJson(changes, functions, result.fields);
  PrintResult(result, invocation.verb, invocation.common.json,
              invocation.terminal);
  return kExitKeep;
}

Action DeclareCounting(CommandLine& line, bool functions) {
  auto flags = std::make_shared<CountFlags>();
  line.StartGroup("What to count");
  line.AddText("--baseline", "BINARY", flags->baseline,
               "Google Benchmark program before the change")
      .required = true;
  line.AddText("--contender", "BINARY", flags->contender,
               "Google Benchmark program after the change")
      .required = true;
  line.AddText("--filter", "REGEX", flags->filter,
               "benchmarks to count, as --benchmark_filter (.)");
  line.AddText("--cwd", "DIR", flags->working_directory,
               "folder to run the programs in");
  line.AddRest(flags->benchmark_arguments);
  return [flags, functions](const Invocation& invocation) {
    return Count(*flags, functions, invocation);
  };
}

}  // namespace

Action DeclareCount(CommandLine& line) { return DeclareCounting(line, false); }

Action DeclareExplain(CommandLine& line) { return DeclareCounting(line, true); }

}  // namespace autotune
