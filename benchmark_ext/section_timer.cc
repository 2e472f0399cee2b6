#include "benchmark_ext/section_timer.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <chrono>
#include <string>

namespace autotune::internal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kPrefix[] = "section/";
constexpr char kRest[] = "section/(rest)";

#if defined(__x86_64__)
// Bit 8 of EDX in leaf 0x80000007: the counter runs at a constant rate in all
// P-, C- and T-states. Source: AMD64 Architecture Programmer's Manual, vol. 3,
// appendix E.4.7; Intel SDM vol. 3, 18.17.
bool HasInvariantCounter() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
}

// The clock and the counter at one moment.
struct Moment {
  Clock::time_point time;
  Ticks ticks;
};

// Of several readings the one whose counter was read quickest around the clock:
// an interruption in between would shift one against the other.
Moment ReadMoment() {
  Moment best{};
  Ticks best_width = ~Ticks{0};
  for (int i = 0; i < 8; ++i) {
    const Ticks before = __rdtsc();
    const Clock::time_point time = Clock::now();
    const Ticks width = __rdtsc() - before;
    if (width < best_width) {
      best_width = width;
      best = {time, before + width / 2};
    }
  }
  return best;
}

// Two moments 2 ms apart: each is good to some ten nanoseconds, so the rate is
// good to about 1e-5.
double SecondsPerCycle() {
  const Moment start = ReadMoment();
  while (Clock::now() - start.time < std::chrono::milliseconds(2)) {
  }
  const Moment end = ReadMoment();
  const std::chrono::duration<double> seconds = end.time - start.time;
  return seconds.count() / static_cast<double>(end.ticks - start.ticks);
}
#endif

TickClock ChooseClock() {
  TickClock clock;
#if defined(__x86_64__)
  if (HasInvariantCounter()) {
    clock.uses_cycle_counter = true;
    clock.seconds_per_tick = SecondsPerCycle();
  }
#endif
  return clock;
}

// A counter averaged over the iterations of all threads, zero when it is new.
benchmark::UserCounters::value_type& AddCounter(benchmark::State& state,
                                                const std::string& name) {
  const benchmark::Counter zero(0, benchmark::Counter::kAvgIterations);
  return *state.counters.emplace(name, zero).first;
}

void RememberEnds(ThreadSections& sections, const benchmark::State& state) {
  sections.first_counter = nullptr;
  for (const auto& counter : state.counters) {
    if (!IsOurs(counter.first)) continue;
    if (sections.first_counter == nullptr) sections.first_counter = &counter;
    sections.last_counter = &counter;
  }
}

}  // namespace

const TickClock tick_clock = ChooseClock();

bool BelongsAmongOthers(const ThreadSections& sections,
                        const benchmark::State& state) {
  for (auto it = state.counters.rbegin(); it != state.counters.rend(); ++it) {
    if (IsOurs(it->first)) return &*it == sections.last_counter;
    if (it->first[0] < kPrefix[0]) return false;
  }
  return false;
}

void Begin(ThreadSections& sections, benchmark::State& state) {
  sections = {};
  sections.state = &state;
  sections.rest_seconds = &AddCounter(state, kRest).second.value;
  RememberEnds(sections, state);
}

Section* AddSection(ThreadSections& sections, benchmark::State& state,
                    const char* name, std::size_t name_size) {
  if (sections.count == ThreadSections::kMaxSections) return nullptr;
  auto& seconds = AddCounter(state, kPrefix + std::string(name, name_size));
  auto& calls = AddCounter(state, seconds.first + "/calls");
  Section& section = sections.sections[sections.count++];
  section = {seconds.first.c_str() + std::strlen(kPrefix), name_size,
             &seconds.second.value, &calls.second.value, 0};
  RememberEnds(sections, state);
  return &section;
}

}  // namespace autotune::internal
