// Runs a benchmark program under callgrind.
//
// --benchmark_min_time=0 makes every version of the library stop after one
// iteration. callgrind sets its counters to zero when the library enters the
// loop and dumps a part when it leaves it, so a run leaves one part for each
// benchmark, in order. A program that enters more loops than it reports rows
// (a memory manager asks for another run) is run once for each benchmark, and
// the first part counts.

#include "tools/measure/instruction_count.h"

#include <cstdlib>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/measure/visit.h"
#include "tools/system/private_folder.h"
#include "tools/system/program_path.h"

namespace autotune {
namespace {

constexpr VisitSize kOneIteration = {.min_time_seconds = 0.0, .repetitions = 1};
// "desc: Trigger: --dump-before=...": a part of ours, not the one at the end.
constexpr std::string_view kOurTrigger = "desc: Trigger: --dump-before=";

absl::StatusOr<std::string> FindValgrind() {
  absl::StatusOr<std::string> found = FindProgram("valgrind");
  if (found.ok()) return found;
  return absl::FailedPreconditionError(
      "instructions are counted by valgrind, which is not installed: install "
      "the package valgrind");
}

class Counter {
 public:
  Counter(const CountRequest& request, MeasureSeams seams, std::string valgrind,
          std::string folder)
      : request_(request),
        seams_(seams),
        valgrind_(std::move(valgrind)),
        folder_(std::move(folder)) {}

  absl::StatusOr<std::vector<InstructionCount>> CountAll() {
    ASSIGN_OR_RETURN(const std::vector<Measurement> rows,
                     RunOnce(request_.filter));
    RETURN_IF_ERROR(CheckThreads(rows));
    ASSIGN_OR_RETURN(std::vector<InstructionCount> counts, ReadParts());
    if (counts.size() == rows.size()) {
      for (std::size_t i = 0; i < rows.size(); ++i) Name(rows[i], counts[i]);
      return counts;
    }
    return CountEach(rows);
  }

 private:
  absl::StatusOr<std::vector<InstructionCount>> CountEach(
      const std::vector<Measurement>& rows) {
    std::vector<InstructionCount> counts;
    for (const Measurement& row : rows) {
      RETURN_IF_ERROR(RunOnce(ExactFilter({row.name})).status());
      ASSIGN_OR_RETURN(std::vector<InstructionCount> parts, ReadParts());
      if (parts.empty()) return NoSymbols();
      Name(row, parts.front());
      counts.push_back(std::move(parts.front()));
    }
    return counts;
  }

  static void Name(const Measurement& row, InstructionCount& count) {
    count.benchmark = row.name;
    count.iterations = std::max<std::int64_t>(row.iterations, 1);
  }

  std::string PartPrefix() const { return JoinPath(folder_, "parts"); }

  // One run of the program under callgrind; its rows.
  absl::StatusOr<std::vector<Measurement>> RunOnce(const std::string& filter) {
    for (int part = 1; seams_.files.Exists(PartPath(part)); ++part) {
      RETURN_IF_ERROR(seams_.files.RemoveAll(PartPath(part)));
    }
    VisitRequest visit;
    visit.command = request_.command;
    visit.side = request_.side;
    visit.program = request_.command->program;
    visit.filter = filter;
    visit.size = kOneIteration;
    visit.result_path = JoinPath(folder_, "results.json");
    visit.timeout = request_.timeout;
    ProcessSpec spec = VisitProcess(visit);
    const std::vector<std::string> tool = {
        valgrind_,
        "--tool=callgrind",
        "--quiet",
        absl::StrCat("--callgrind-out-file=", SeenPath(spec, PartPrefix())),
        "--zero-before=benchmark::State::StartKeepRunning()",
        "--dump-before=benchmark::State::FinishKeepRunning()"};
    // Or the first call of each library function would look its name up inside
    // the loop: 1,700 instructions that are no part of the benchmark.
    spec.environment["LD_BIND_NOW"] = "1";
    spec.argv.insert(spec.argv.begin(), tool.begin(), tool.end());
    RETURN_IF_ERROR(seams_.files.RemoveAll(visit.result_path));
    ASSIGN_OR_RETURN(ProcessResult process, seams_.processes.Run(spec));
    ASSIGN_OR_RETURN(
        const FinishedVisit finished,
        ReadVisit(visit, std::move(process), ProcessWatch(), seams_.files));
    return finished.results.measurements;
  }

  std::string PartPath(int part) const {
    return absl::StrCat(PartPrefix(), ".", part);
  }

  absl::StatusOr<std::vector<InstructionCount>> ReadParts() {
    std::vector<InstructionCount> counts;
    for (int part = 1; seams_.files.Exists(PartPath(part)); ++part) {
      ASSIGN_OR_RETURN(const std::string text,
                       seams_.files.ReadFile(PartPath(part)));
      if (text.find(kOurTrigger) == std::string::npos) continue;
      ASSIGN_OR_RETURN(InstructionCount count, ParseCallgrindPart(text));
      counts.push_back(std::move(count));
    }
    return counts;
  }

  absl::Status NoSymbols() const {
    return absl::FailedPreconditionError(absl::StrCat(
        request_.side, ": ", request_.command->program,
        ": callgrind did not see the library's loop: the program holds no "
        "symbols; build it without -s and do not strip it"));
  }

  absl::Status CheckThreads(const std::vector<Measurement>& rows) const {
    for (const Measurement& row : rows) {
      if (row.threads <= 1) continue;
      return absl::UnimplementedError(absl::StrCat(
          request_.side, ": \"", row.name, "\" runs ", row.threads,
          " threads: instructions are counted of one only; leave it out by "
          "the filter"));
    }
    return absl::OkStatus();
  }

  const CountRequest& request_;
  MeasureSeams seams_;
  std::string valgrind_;
  std::string folder_;
};

}  // namespace

absl::StatusOr<std::vector<InstructionCount>> CountInstructions(
    const CountRequest& request, MeasureSeams seams) {
  ASSIGN_OR_RETURN(std::string valgrind, FindValgrind());
  ASSIGN_OR_RETURN(const PrivateFolder folder,
                   PrivateFolder::Make(seams.files));
  return Counter(request, seams, std::move(valgrind), folder.path()).CountAll();
}

}  // namespace autotune
