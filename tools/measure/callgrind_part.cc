// Reads what callgrind dumps: a call graph with costs.
//
// A file is lines. "fn=(7) name" makes function 7 the current one (its name
// stands at the first mention only); a cost line "LINE COST" adds to it. A call
// is three lines: "cfn=(8)" names the callee, "calls=COUNT LINE" follows, and
// the cost line after that is what the callee used with all it called.
// Source: the format's description in valgrind's manual, chapter "Callgrind
// Format Specification".
//
// The dump begins when the library enters State::StartKeepRunning and ends when
// it enters FinishKeepRunning. Whoever called the benchmark's function holds
// inclusive costs but did nothing, so the callers are found by walking the
// graph upwards and left out; so is what StartKeepRunning itself did, which is
// the same for every program linked to one library.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "tools/measure/instruction_count.h"

namespace autotune {
namespace {

constexpr std::string_view kFormat = "# callgrind format";
constexpr std::string_view kStart = "benchmark::State::StartKeepRunning()";
constexpr std::string_view kTakesState = "(benchmark::State&";
constexpr std::string_view kLibrary = "benchmark::";

// One function of the graph: its own cost and that of its calls, by callee.
struct Node {
  std::int64_t exclusive = 0;
  std::map<std::string, std::int64_t> calls;
};

using Graph = std::map<std::string, Node>;

class PartReader {
 public:
  absl::StatusOr<Graph> Read(std::string_view text) {
    if (!text.starts_with(kFormat)) {
      return Wrong(absl::StrCat("expected \"", std::string(kFormat), "\""));
    }
    for (absl::string_view line :
         absl::StrSplit(absl::string_view(text.data(), text.size()), '\n')) {
      RETURN_IF_ERROR(Take({line.data(), line.size()}));
      ++line_;
    }
    return std::move(graph_);
  }

 private:
  absl::Status Wrong(const std::string& problem) const {
    return absl::InvalidArgumentError(
        absl::StrCat("callgrind's output:", line_, ": ", problem));
  }

  absl::Status Take(std::string_view line) {
    if (line.empty()) return absl::OkStatus();
    const char first = line.front();
    if ((first >= '0' && first <= '9') || first == '+' || first == '-' ||
        first == '*') {
      return TakeCost(line);
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      return TakeHeader(line);
    }
    const std::string_view key = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    if (key == "calls") {
      in_call_ = true;
      return absl::OkStatus();
    }
    if (key != "fn" && key != "cfn") return absl::OkStatus();
    ASSIGN_OR_RETURN(std::string name, NameOf(value));
    (key == "fn" ? function_ : callee_) = std::move(name);
    return absl::OkStatus();
  }

  // "positions: instr line": how many numbers stand before a cost.
  absl::Status TakeHeader(std::string_view line) {
    constexpr std::string_view kPositions = "positions: ";
    if (line.starts_with(kPositions)) {
      positions_ =
          1 + std::count(line.begin() + kPositions.size(), line.end(), ' ');
    }
    return absl::OkStatus();
  }

  // "(7) name" at the first mention, "(7)" later.
  absl::StatusOr<std::string> NameOf(std::string_view value) {
    const std::size_t close = value.find(')');
    if (!value.starts_with('(') || close == std::string_view::npos) {
      return std::string(value);
    }
    const std::string id(value.substr(0, close + 1));
    if (value.size() > close + 2) {
      names_[id] = std::string(value.substr(close + 2));
    }
    const auto found = names_.find(id);
    if (found == names_.end()) {
      return Wrong(absl::StrCat("function ", id, " has no name"));
    }
    return found->second;
  }

  absl::Status TakeCost(std::string_view line) {
    const std::vector<std::string> numbers = absl::StrSplit(
        absl::string_view(line.data(), line.size()), ' ', absl::SkipEmpty());
    std::int64_t cost = 0;
    const auto at = static_cast<std::size_t>(positions_);
    if (numbers.size() > at && !absl::SimpleAtoi(numbers[at], &cost)) {
      return Wrong(absl::StrCat("expected a count, got \"", numbers[at], "\""));
    }
    if (in_call_) {
      graph_[function_].calls[callee_] += cost;
      graph_[callee_];
      in_call_ = false;
    } else {
      graph_[function_].exclusive += cost;
    }
    return absl::OkStatus();
  }

  Graph graph_;
  std::map<std::string, std::string> names_;
  std::string function_;
  std::string callee_;
  std::int64_t positions_ = 1;
  bool in_call_ = false;
  int line_ = 1;
};

std::int64_t Inclusive(const Node& node) {
  std::int64_t cost = node.exclusive;
  for (const auto& [callee, called] : node.calls) cost += called;
  return cost;
}

// What can be reached from `start`, itself included, over `edges`.
std::set<std::string> Reachable(
    const std::set<std::string>& start,
    const std::map<std::string, std::set<std::string>>& edges) {
  std::set<std::string> seen = start;
  std::vector<std::string> open(start.begin(), start.end());
  while (!open.empty()) {
    const auto found = edges.find(open.back());
    open.pop_back();
    if (found == edges.end()) continue;
    for (const std::string& next : found->second) {
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return seen;
}

// The functions that hold benchmarks: those of the user that take a State, else
// those of the library that do (it inlined them).
std::set<std::string> BenchmarkFunctions(const Graph& graph) {
  std::set<std::string> users;
  std::set<std::string> all;
  for (const auto& [name, node] : graph) {
    if (name.find(kTakesState) == std::string::npos) continue;
    all.insert(name);
    if (HoldsBenchmark(name)) users.insert(name);
  }
  return users.empty() ? all : users;
}

// The functions that count: below the benchmark's, and not only below the
// library's start of the loop.
std::set<std::string> CountedFunctions(const Graph& graph) {
  std::map<std::string, std::set<std::string>> callers;
  std::map<std::string, std::set<std::string>> callees;
  for (const auto& [name, node] : graph) {
    for (const auto& [callee, cost] : node.calls) {
      callers[callee].insert(name);
      if (callee != kStart) callees[name].insert(callee);
    }
  }
  const std::set<std::string> roots = BenchmarkFunctions(graph);
  std::set<std::string> counted = Reachable(roots, callees);
  for (const std::string& caller : Reachable(roots, callers)) {
    if (!roots.contains(caller)) counted.erase(caller);
  }
  return counted;
}

}  // namespace

bool HoldsBenchmark(std::string_view function) {
  return function.find(kTakesState) != std::string_view::npos &&
         !function.starts_with(kLibrary);
}

absl::StatusOr<InstructionCount> ParseCallgrindPart(std::string_view text) {
  ASSIGN_OR_RETURN(const Graph graph, PartReader().Read(text));
  InstructionCount count;
  for (const std::string& name : CountedFunctions(graph)) {
    const Node& node = graph.at(name);
    std::int64_t inclusive = Inclusive(node);
    const auto started = node.calls.find(std::string(kStart));
    if (started != node.calls.end()) inclusive -= started->second;
    count.functions.push_back({name, node.exclusive, inclusive});
    count.instructions += node.exclusive;
  }
  std::stable_sort(count.functions.begin(), count.functions.end(),
                   [](const FunctionCount& a, const FunctionCount& b) {
                     return a.exclusive > b.exclusive;
                   });
  // A recursive function's calls of itself are counted at each depth.
  for (FunctionCount& function : count.functions) {
    function.inclusive = std::min(function.inclusive, count.instructions);
  }
  return count;
}

}  // namespace autotune
