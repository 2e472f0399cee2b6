#include "tools/measure/turns.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/status_macros.h"

namespace autotune {
namespace {

// How often a duet is looked at.
constexpr absl::Duration kDuetLook = absl::Milliseconds(5);
constexpr absl::Duration kAloneLook = absl::Milliseconds(25);
// How often threads and memory are: not at every turn, as reading them takes as
// long as a tenth of a short one.
constexpr absl::Duration kWatchEvery = absl::Milliseconds(20);

struct LiveVisit {
  const VisitRequest* request = nullptr;
  std::unique_ptr<RunningProcess> process;
  ProcessWatch watch;
  bool ended = false;
  absl::Duration end;
  absl::Duration looked = -absl::InfiniteDuration();

  absl::Status Continue() const {
    return Annotate(process->Continue(), request->side);
  }

  // Waits for the end, at most `wait`, and looks at the process.
  absl::Status Poll(absl::Duration wait, Clock& clock) {
    if (ended) return absl::OkStatus();
    auto polled = process->PollEnded(wait);
    if (!polled.ok()) return Annotate(polled.status(), request->side);
    ended = *polled;
    if (ended) {
      end = clock.Monotonic();
    } else if (clock.Monotonic() - looked >= kWatchEvery) {
      watch.Look(*process);
      looked = clock.Monotonic();
    }
    return absl::OkStatus();
  }
};

using LivePair = std::array<LiveVisit, 2>;

absl::StatusOr<LivePair> StartBoth(const std::array<VisitRequest, 2>& requests,
                                   ProcessRunner& processes) {
  LivePair live;
  for (std::size_t i = 0; i < live.size(); ++i) {
    live[i].request = &requests[i];
    auto process = processes.Start(VisitProcess(requests[i]));
    if (!process.ok()) return Annotate(process.status(), requests[i].side);
    live[i].process = *std::move(process);
  }
  return live;
}

absl::Status TakeTurns(LivePair& live, absl::Duration turn, Clock& clock,
                       std::int64_t& turns) {
  std::size_t running = 0;
  while (true) {
    ++turns;
    LiveVisit& visit = live[running];
    RETURN_IF_ERROR(visit.Continue());
    RETURN_IF_ERROR(visit.Poll(turn, clock));
    if (visit.ended) break;
    RETURN_IF_ERROR(visit.process->Stop());
    running = 1 - running;
  }
  return live[1 - running].Continue();
}

absl::Status ShareCpu(LivePair& live, Clock& clock) {
  for (LiveVisit& visit : live) RETURN_IF_ERROR(visit.Continue());
  while (!live[0].ended && !live[1].ended) {
    RETURN_IF_ERROR(live[0].Poll(kDuetLook, clock));
    RETURN_IF_ERROR(live[1].Poll(absl::ZeroDuration(), clock));
  }
  return absl::OkStatus();
}

absl::Status RunOutTheRest(LivePair& live, Clock& clock) {
  for (LiveVisit& visit : live) {
    while (!visit.ended) RETURN_IF_ERROR(visit.Poll(kAloneLook, clock));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TogetherResult> RunOnOneCpu(
    const std::array<VisitRequest, 2>& requests, absl::Duration turn,
    MeasureSeams seams) {
  const absl::Duration start = seams.clock.Monotonic();
  ASSIGN_OR_RETURN(LivePair live, StartBoth(requests, seams.processes));
  TogetherResult result;
  RETURN_IF_ERROR(turn > absl::ZeroDuration()
                      ? TakeTurns(live, turn, seams.clock, result.turns)
                      : ShareCpu(live, seams.clock));
  RETURN_IF_ERROR(RunOutTheRest(live, seams.clock));
  const absl::Duration first = std::min(live[0].end, live[1].end) - start;
  const absl::Duration last = std::max(live[0].end, live[1].end) - start;
  if (last > absl::ZeroDuration()) {
    result.overlap = absl::FDivDuration(first, last);
  }
  for (std::size_t i = 0; i < live.size(); ++i) {
    ASSIGN_OR_RETURN(ProcessResult process, live[i].process->Wait());
    ASSIGN_OR_RETURN(
        result.visits[i],
        ReadVisit(requests[i], std::move(process), live[i].watch, seams.files));
  }
  return result;
}

}  // namespace autotune
