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

  const benchmark::State* state;
  const void* last_counter;  // the last of ours in the state's map
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

// Whether `sections` belongs to `state`, not to an earlier one at the same
// address: then the state's own counters, which are alive, hold a counter only
// SectionTimer makes, at the address remembered. Counters of the user that sort
// after ours cost a step each.
inline bool Belongs(const ThreadSections& sections,
                    const benchmark::State& state) {
  if (sections.state != &state) return false;
  // Nothing can have replaced the state while a timer of it is alive.
  if (sections.alive > 0) return true;
  for (auto it = state.counters.rbegin(); it != state.counters.rend(); ++it) {
    if (IsOurs(it->first)) return &*it == sections.last_counter;
    if (it->first[0] < 's') return false;
  }
  return false;
}

// Starts the sections of a new state.
void Begin(ThreadSections& sections, benchmark::State& state);

// Makes the counters of a section not seen yet in this state; null when there
// are kMaxSections already.
Section* AddSection(ThreadSections& sections, benchmark::State& state,
                    const char* name, std::size_t name_size);

inline Section* FindSection(ThreadSections& sections, benchmark::State& state,
                            const char* name, std::size_t name_size) {
  for (int i = 0; i < sections.count; ++i) {
    Section& section = sections.sections[i];
    if (section.name_size == name_size &&
        std::memcmp(section.name, name, name_size) == 0) {
      return &section;
    }
  }
  return AddSection(sections, state, name, name_size);
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
// on. At most 32 names a benchmark; timers of further names do nothing. Define
// AUTOTUNE_DISABLE_SECTIONS and nothing is left of it.
class SectionTimer {
 public:
  template <std::size_t kSize>
  SectionTimer(benchmark::State& state, const char (&name)[kSize]) {
    internal::ThreadSections& sections = internal::thread_sections;
    if (!internal::Belongs(sections, state)) internal::Begin(sections, state);
    section_ = internal::FindSection(sections, state, name, kSize - 1);
    if (section_ == nullptr) return;
    ++section_->running;
    const bool is_outermost = sections.alive++ == 0;
    start_ = internal::Now();
    if (is_outermost && sections.latest_end != 0) {
      *sections.rest_seconds += Seconds(sections.latest_end, start_);
    }
  }

  ~SectionTimer() {
    if (section_ == nullptr) return;
    const internal::Ticks end = internal::Now();
    internal::ThreadSections& sections = internal::thread_sections;
    *section_->calls += 1;
    if (--section_->running == 0) *section_->seconds += Seconds(start_, end);
    if (--sections.alive == 0) sections.latest_end = end;
  }

  SectionTimer(const SectionTimer&) = delete;
  SectionTimer& operator=(const SectionTimer&) = delete;

 private:
  static double Seconds(internal::Ticks start, internal::Ticks end) {
    // Signed: counters of two processors may differ by a few ticks.
    return static_cast<double>(static_cast<std::int64_t>(end - start)) *
           internal::tick_clock.seconds_per_tick;
  }

  internal::Section* section_;
  internal::Ticks start_ = 0;
};

}  // namespace sections_on
#endif
}  // namespace autotune

#endif  // AUTOTUNE_BENCHMARK_EXT_SECTION_TIMER_H_
