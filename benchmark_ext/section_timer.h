#ifndef AUTOTUNE_BENCHMARK_EXT_SECTION_TIMER_H_
#define AUTOTUNE_BENCHMARK_EXT_SECTION_TIMER_H_

#include <benchmark/benchmark.h>

#include <cstddef>

#if !defined(AUTOTUNE_DISABLE_SECTIONS)
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif
#endif

namespace autotune {
#if defined(AUTOTUNE_DISABLE_SECTIONS)
inline namespace sections_off {

// Stands in when AUTOTUNE_DISABLE_SECTIONS is defined: nothing is left of it.
class [[maybe_unused]] SectionTimer {
 public:
  template <std::size_t kSize>
  SectionTimer(benchmark::State& /*state*/, const char (&/*name*/)[kSize]) {}
  template <std::size_t kSize>
  void Next(const char (&/*name*/)[kSize]) {}
};

}  // namespace sections_off
#else
namespace internal {

using Ticks = std::uint64_t;

// How SectionTimer tells time. `uses_cycle_counter` where the processor says
// that its counter runs at one rate whatever the clock speed and sleep state;
// otherwise ticks are nanoseconds of the monotonic clock.
struct TickClock {
  bool uses_cycle_counter = false;
  double seconds_per_tick = 1e-9;
};

// Set before main; the cycle counter's rate is measured against the clock,
// which takes about two milliseconds.
extern const TickClock tick_clock;

inline Ticks Now() {
#if defined(__x86_64__)
  if (tick_clock.uses_cycle_counter) return __rdtsc();
#endif
  return static_cast<Ticks>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

// One named part of the benchmark a thread is running.
struct Section {
  const char* name;  // inside the counter's own name, so it lives as long
  std::size_t name_size;
  double* seconds;  // values of the two counters in State::counters
  double* calls;
  int running;  // timers of this name alive: only the outermost adds time
};

// The sections of the one benchmark State a thread is running. Plain data, so
// that reaching it costs no more than its address.
struct ThreadSections {
  static constexpr int kMaxSections = 32;

  benchmark::State* state;
  const void* first_counter;  // the first of ours in the state's map
  const void* last_counter;   // and the last
  double* rest_seconds;
  Ticks latest_end;
  int alive;  // timers alive
  int count;
  Section sections[kMaxSections];
};

inline thread_local ThreadSections thread_sections{};

inline bool IsOurs(const std::string& counter) {
  // A constant size: one comparison of eight bytes.
  return counter.size() > 8 && std::memcmp(counter.data(), "section/", 8) == 0;
}

// Belongs() for a state that has counters of the user before ours, at the cost
// of a step for each that sorts after ours.
bool BelongsAmongOthers(const ThreadSections& sections,
                        const benchmark::State& state);

// Whether `sections` belongs to `state`, not to an earlier one at the same
// address: then the state's own counters, which are alive, hold a counter only
// SectionTimer makes, at the address remembered.
inline bool Belongs(const ThreadSections& sections,
                    const benchmark::State& state) {
  if (sections.state != &state) return false;
  // Nothing can have replaced the state while a timer of it is alive.
  if (sections.alive > 0) return true;
  const auto first = state.counters.begin();
  if (first == state.counters.end()) return false;
  if (IsOurs(first->first)) return &*first == sections.first_counter;
  return BelongsAmongOthers(sections, state);
}

// Starts the sections of a new state.
void Begin(ThreadSections& sections, benchmark::State& state);

// Makes the counters of a section not seen yet in this state; null when there
// are kMaxSections already.
Section* AddSection(ThreadSections& sections, benchmark::State& state,
                    const char* name, std::size_t name_size);

// The section called `name`. Inline with a size that the compiler knows, so
// that comparing a short name is comparing a number.
template <std::size_t kSize>
[[gnu::always_inline]] inline Section* FindSection(ThreadSections& sections,
                                                   benchmark::State& state,
                                                   const char (&name)[kSize]) {
  Section* const end = sections.sections + sections.count;
  for (Section* section = sections.sections; section != end; ++section) {
    if (section->name_size == kSize - 1 &&
        std::memcmp(section->name, name, kSize - 1) == 0) {
      return section;
    }
  }
  return AddSection(sections, state, name, kSize - 1);
}

// Wall time between two readings of the clock. Signed: counters of two
// processors may differ by a few ticks.
inline double SecondsBetween(Ticks start, Ticks end) {
  return static_cast<double>(static_cast<std::int64_t>(end - start)) *
         tick_clock.seconds_per_tick;
}

// A timer of `section` starts, or one ends that started at `start`.
inline void Start(ThreadSections& sections, Section& section, Ticks now) {
  ++section.running;
  if (sections.alive++ == 0 && sections.latest_end != 0) {
    *sections.rest_seconds += SecondsBetween(sections.latest_end, now);
  }
}
inline void Stop(ThreadSections& sections, Section& section, Ticks start,
                 Ticks now) {
  *section.calls += 1;
  if (--section.running == 0) *section.seconds += SecondsBetween(start, now);
  if (--sections.alive == 0) sections.latest_end = now;
}

}  // namespace internal

inline namespace sections_on {

// Times a part of a benchmark's iteration, from here to the end of the scope:
//
//   for (auto _ : state) {
//     autotune::SectionTimer timer(state, "parse");
//     Parse(text);
//   }
//
// Published as counters of the benchmark, all per iteration:
//   section/NAME        seconds in scopes of that name; a scope inside another
//                       of the same name (recursion) counts once
//   section/NAME/calls  scopes
//   section/(rest)      seconds between outermost scopes
// Scopes of different names may nest: the outer time includes the inner one.
// Wall time, also while the benchmark's own timing is paused. With ->Threads(N)
// each thread times itself and the library averages over all iterations.
//
// `name` is a string literal. Only on the thread the benchmark function runs
// on, and State::counters must not be cleared or replaced while a timer is
// alive. At most 32 names a benchmark; timers of further names do nothing.
// Define AUTOTUNE_DISABLE_SECTIONS and nothing is left of it.
class SectionTimer {
 public:
  template <std::size_t kSize>
  [[gnu::always_inline]] SectionTimer(benchmark::State& state,
                                      const char (&name)[kSize]) {
    internal::ThreadSections& sections = internal::thread_sections;
    if (!internal::Belongs(sections, state)) internal::Begin(sections, state);
    section_ = internal::FindSection(sections, state, name);
    if (section_ == nullptr) return;
    start_ = internal::Now();
    internal::Start(sections, *section_, start_);
  }

  [[gnu::always_inline]] ~SectionTimer() {
    if (section_ == nullptr) return;
    const internal::Ticks end = internal::Now();
    internal::Stop(internal::thread_sections, *section_, start_, end);
  }

  // Ends this section and starts `name` at the same moment, by one reading of
  // the clock instead of two. What was nested in the section has ended before.
  template <std::size_t kSize>
  [[gnu::always_inline]] void Next(const char (&name)[kSize]) {
    const internal::Ticks now = internal::Now();
    internal::ThreadSections& sections = internal::thread_sections;
    if (section_ != nullptr) {
      internal::Stop(sections, *section_, start_, now);
    }
    section_ = internal::FindSection(sections, *sections.state, name);
    start_ = now;
    if (section_ != nullptr) internal::Start(sections, *section_, now);
  }

  SectionTimer(const SectionTimer&) = delete;
  SectionTimer& operator=(const SectionTimer&) = delete;

 private:
  internal::Section* section_;
  internal::Ticks start_ = 0;
};

}  // namespace sections_on
#endif
}  // namespace autotune

#endif  // AUTOTUNE_BENCHMARK_EXT_SECTION_TIMER_H_
