#include "tools/measure/round.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/measure/answers.h"
#include "tools/measure/turns.h"

namespace autotune {
namespace {

constexpr std::uint64_t kPaddingMask = 4095;
constexpr absl::Duration kSettle = absl::Milliseconds(2);
constexpr std::size_t kWashBytes = std::size_t{4} << 20;
constexpr std::size_t kCacheLine = 64;

std::string BaseName(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

// One of the round's two places: start order and file copy.
struct Slot {
  bool is_baseline = false;
  int copy = 0;
  std::int64_t padding_bytes = 0;
};

std::array<Slot, 2> SlotsOf(const RoundCoin& coin) {
  const int other_copy = 1 - coin.baseline_copy;
  std::array<Slot, 2> slots;
  slots[0].is_baseline = coin.baseline_first;
  slots[1].is_baseline = !coin.baseline_first;
  for (Slot& slot : slots) {
    slot.copy = slot.is_baseline ? coin.baseline_copy : other_copy;
  }
  slots[0].padding_bytes = coin.padding_bytes_first;
  slots[1].padding_bytes = coin.padding_bytes_second;
  return slots;
}

// Lets what the last visit left behind fade: a pause for its exit, and a walk
// through memory that takes its data out of the nearer caches.
void WashOut(Clock& clock) {
  clock.SleepFor(kSettle);
  static std::vector<char> memory(kWashBytes);
  for (std::size_t i = 0; i < memory.size(); i += kCacheLine) ++memory[i];
}

struct SlotVisit {
  FinishedVisit visit;
  double start_seconds = 0.0;
};

struct BothVisits {
  std::array<SlotVisit, 2> slots;
  double overlap = 1.0;
  std::int64_t turns = 0;
};

absl::StatusOr<BothVisits> RunOneAfterTheOther(
    const RoundSetup& setup, const std::array<VisitRequest, 2>& requests,
    MeasureSeams seams) {
  BothVisits both;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    WashOut(seams.clock);
    both.slots[i].start_seconds =
        absl::ToDoubleSeconds(seams.clock.Monotonic() - setup.run_started);
    ASSIGN_OR_RETURN(both.slots[i].visit,
                     RunVisit(requests[i], seams.processes, seams.files));
  }
  return both;
}

absl::StatusOr<BothVisits> RunTogether(
    const RoundSetup& setup, const std::array<VisitRequest, 2>& requests,
    MeasureSeams seams) {
  BothVisits both;
  const double start =
      absl::ToDoubleSeconds(seams.clock.Monotonic() - setup.run_started);
  const absl::Duration turn =
      setup.mode == MeasureMode::kTurns ? setup.turn : absl::ZeroDuration();
  ASSIGN_OR_RETURN(TogetherResult result, RunOnOneCpu(requests, turn, seams));
  both.overlap = result.overlap;
  both.turns = result.turns;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    both.slots[i].start_seconds = start;
    both.slots[i].visit = std::move(result.visits[i]);
  }
  return both;
}

absl::StatusOr<VisitEvidence> Summarize(const RoundSetup& setup,
                                        const VisitRequest& request,
                                        const Slot& slot,
                                        const SlotVisit& finished,
                                        FileSystem& files) {
  ASSIGN_OR_RETURN(
      VisitEvidence evidence,
      SummarizeVisit(finished.visit, request.side, setup.expected, setup.metric,
                     SummaryFor(setup.mode, setup.metric)));
  evidence.file_copy = slot.copy;
  evidence.start_seconds = finished.start_seconds;
  ASSIGN_OR_RETURN(const FileInfo info, files.Info(request.program));
  evidence.program_bytes = static_cast<std::int64_t>(info.size);
  return evidence;
}

double CpuSeconds(const VisitEvidence& visit) {
  return visit.user_cpu_seconds + visit.system_cpu_seconds;
}

// What the longer visit used after the end of the other was no turn's.
std::optional<double> GivenTurnSeconds(const BothVisits& both,
                                       const RoundEvidence& round) {
  const double shared =
      both.overlap * (CpuSeconds(round.baseline) + CpuSeconds(round.contender));
  if (both.turns == 0 || !(shared > 0.0)) return std::nullopt;
  return shared / static_cast<double>(both.turns);
}

}  // namespace

absl::StatusOr<RoundCoin> DrawCoin(Entropy& entropy) {
  ASSIGN_OR_RETURN(const std::uint64_t bits, entropy.Bits());
  RoundCoin coin;
  coin.baseline_first = (bits & 1U) != 0;
  coin.baseline_copy = static_cast<int>((bits >> 1U) & 1U);
  coin.padding_bytes_first =
      static_cast<std::int64_t>((bits >> 2U) & kPaddingMask);
  coin.padding_bytes_second =
      static_cast<std::int64_t>((bits >> 14U) & kPaddingMask);
  coin.input_seed = bits >> 26U;
  return coin;
}

Summary SummaryFor(MeasureMode mode, const Metric& metric) {
  return IsOneCpuMode(mode) && metric.name == "cpu_time" ? Summary::kMean
                                                         : Summary::kMedian;
}

absl::StatusOr<VisitRequest> PlaceVisit(const RoundSetup& setup,
                                        bool is_baseline, int copy,
                                        FileSystem& files) {
  VisitRequest request;
  request.command = is_baseline ? &setup.baseline : &setup.contender;
  request.side = is_baseline ? "baseline" : "contender";
  const std::string folder = JoinPath(setup.folder, absl::StrCat("copy", copy));
  RETURN_IF_ERROR(files.MakeDirectories(folder));
  request.program = request.command->program;
  if (!setup.in_place) {
    request.program = JoinPath(folder, BaseName(request.command->program));
    const std::string& kept =
        is_baseline ? setup.kept_baseline : setup.kept_contender;
    RETURN_IF_ERROR(files.CopyFile(
        kept.empty() ? request.command->program : kept, request.program));
  }
  request.result_path = JoinPath(folder, "results.json");
  RETURN_IF_ERROR(files.RemoveAll(request.result_path));
  request.filter = setup.filter;
  request.size = setup.size;
  request.cpu = setup.cpu;
  request.timeout = setup.visit_timeout;
  return request;
}

absl::StatusOr<RoundEvidence> RunRound(const RoundSetup& setup,
                                       const RoundCoin& coin,
                                       MeasureSeams seams) {
  const std::array<Slot, 2> slots = SlotsOf(coin);
  std::array<VisitRequest, 2> requests;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    ASSIGN_OR_RETURN(requests[i], PlaceVisit(setup, slots[i].is_baseline,
                                             slots[i].copy, seams.files));
    requests[i].padding_bytes = slots[i].padding_bytes;
    requests[i].input_seed = coin.input_seed;
    if (!IsOneCpuMode(setup.mode)) continue;
    requests[i].start_stopped = true;
    requests[i].timeout = 2 * setup.visit_timeout;
  }
  ASSIGN_OR_RETURN(const BothVisits both,
                   IsOneCpuMode(setup.mode)
                       ? RunTogether(setup, requests, seams)
                       : RunOneAfterTheOther(setup, requests, seams));
  const std::size_t baseline = slots[0].is_baseline ? 0 : 1;
  RETURN_IF_ERROR(CompareAnswers(both.slots[baseline].visit.results,
                                 both.slots[1 - baseline].visit.results));
  RoundEvidence round;
  round.baseline_first = coin.baseline_first;
  round.baseline_copy = coin.baseline_copy;
  round.padding_bytes_first = coin.padding_bytes_first;
  round.padding_bytes_second = coin.padding_bytes_second;
  round.mode = setup.mode;
  if (setup.mode == MeasureMode::kTurns) {
    round.turn_seconds = absl::ToDoubleSeconds(setup.turn);
  }
  round.overlap = both.overlap;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    VisitEvidence& side =
        slots[i].is_baseline ? round.baseline : round.contender;
    ASSIGN_OR_RETURN(side, Summarize(setup, requests[i], slots[i],
                                     both.slots[i], seams.files));
  }
  round.given_turn_seconds = GivenTurnSeconds(both, round);
  return round;
}

}  // namespace autotune
