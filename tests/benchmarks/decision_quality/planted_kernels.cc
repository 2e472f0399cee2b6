// Seven kernels whose work is known exactly: each is an endless stream of units
// of one kind, and an iteration takes the next KnobValue() units of it. Copies
// with other knobs share machine code, data and layout; only where the stream
// is cut into iterations differs, so an iteration of 1,980 units does exactly
// 1 % less of the same work than one of 2,000.
//
//   planted_kernels --benchmark_...
//     a Google Benchmark program
//   planted_kernels --steps KERNEL N
//     N iterations without the library; prints the units done
//   planted_kernels --interleave KERNEL A B N
//     N times a batch of A and one of B units in random order; prints either's
//     CPU time in ns
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/benchmarks/decision_quality/knob.h"

namespace autotune {
namespace {

// A dependent load a unit, from a table of `kBytes` (a power of two) that is
// built once a process.
template <std::uint32_t kBytes>
class LookupStream {
 public:
  [[gnu::noinline]] std::uint64_t Advance(std::uint32_t units) {
    for (std::uint32_t i = 0; i < units; ++i) {
      at_ = table_[(at_ * 2654435761U + ++count_) % kSize];
    }
    return at_;
  }

 private:
  static constexpr std::uint32_t kSize = kBytes / sizeof(std::uint32_t);

  // Multiplying by an odd number permutes the numbers below a power of two.
  static const std::uint32_t* Table() {
    static const std::vector<std::uint32_t> table = [] {
      std::vector<std::uint32_t> numbers(kSize);
      for (std::uint32_t i = 0; i < kSize; ++i) numbers[i] = i * 0x9E3779B1U;
      return numbers;
    }();
    return table.data();
  }

  const std::uint32_t* table_ = Table();
  std::uint32_t at_ = 1;
  std::uint32_t count_ = 0;
};

using FarLookup = LookupStream<(16U << 20)>;    // beyond second-level caches
using NearLookup = LookupStream<(256U << 10)>;  // in most of them
using EdgeLookup = LookupStream<(1U << 20)>;    // in few

// A record of a random text a unit: decimal, negative, hexadecimal or a word.
class ParseStream {
 public:
  ParseStream() {
    std::mt19937 random(2);
    for (int i = 0; i < kRecords; ++i) text_ += Record(random) + '\n';
  }
  [[gnu::noinline]] std::uint64_t Advance(std::uint32_t units) {
    for (std::uint32_t i = 0; i < units; ++i) {
      if (at_ == text_.size()) at_ = 0;
      sum_ += ParseRecord();
    }
    return sum_;
  }

 private:
  static constexpr int kRecords = 10'007;

  static std::string Record(std::mt19937& random) {
    std::array<char, 32> buffer = {};
    const unsigned value = static_cast<unsigned>(random() >> (random() % 28));
    constexpr std::array<const char*, 4> kForms = {"%u", "-%u", "0x%x",
                                                   "word%u"};
    std::snprintf(buffer.data(), buffer.size(), kForms[random() % 4], value);
    return buffer.data();
  }
  std::uint64_t ParseRecord() {
    if (text_[at_] == 'w') return ParseWord();
    const bool negative = text_[at_] == '-';
    if (negative) ++at_;
    std::uint64_t base = 10;
    if (text_[at_] == '0' && text_[at_ + 1] == 'x') {
      base = 16;
      at_ += 2;
    }
    std::uint64_t value = 0;
    for (char c = text_[at_++]; c != '\n'; c = text_[at_++]) {
      const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
      value = value * base + static_cast<std::uint64_t>(digit);
    }
    return negative ? -value : value;
  }
  std::uint64_t ParseWord() {
    std::uint64_t hash = 0;
    for (char c = text_[at_++]; c != '\n'; c = text_[at_++]) {
      hash = hash * 31 + static_cast<unsigned char>(c);
    }
    return hash;
  }

  std::string text_;
  std::size_t at_ = 0;
  std::uint64_t sum_ = 0;
};

// A square root and a division that wait for the previous unit's.
class FloatStream {
 public:
  [[gnu::noinline]] std::uint64_t Advance(std::uint32_t units) {
    double x = x_;
    for (std::uint32_t i = 0; i < units; ++i) x = std::sqrt(x * x + 1.0) / 1.7;
    x_ = x;
    return static_cast<std::uint64_t>(x * 1e6);
  }

 private:
  double x_ = 0.5;
};

// Frees the oldest of 509 blocks and allocates another, of 16 to 215 bytes.
class AllocationStream {
 public:
  [[gnu::noinline]] std::uint64_t Advance(std::uint32_t units) {
    for (std::uint32_t i = 0; i < units; ++i) {
      count_ = count_ + 1 == kPeriod ? 0 : count_ + 1;
      std::unique_ptr<char[]>& block = blocks_[count_ % blocks_.size()];
      block.reset(new char[16 + count_ * 37 % 200]);
      benchmark::DoNotOptimize(block[0] = static_cast<char>(count_));
    }
    return count_;
  }

 private:
  static constexpr std::uint32_t kPeriod = 509 * 200;
  std::array<std::unique_ptr<char[]>, 509> blocks_;
  std::uint32_t count_ = 0;
};

// One snprintf of a decimal and a hexadecimal number a unit.
class FormatStream {
 public:
  [[gnu::noinline]] std::uint64_t Advance(std::uint32_t units) {
    std::array<char, 64> buffer = {};
    std::uint64_t length = 0;
    for (std::uint32_t i = 0; i < units; ++i) {
      count_ = (count_ + 7919) % kPeriod;
      length += static_cast<std::uint64_t>(std::snprintf(
          buffer.data(), buffer.size(), "%u:%x;", count_ * 40503, count_));
    }
    return length;
  }

 private:
  static constexpr std::uint32_t kPeriod = 65'537;
  std::uint32_t count_ = 1;
};

template <typename Stream>
void BM_Planted(benchmark::State& state) {
  Stream stream;
  const std::uint32_t units = KnobValue();
  for (auto _ : state) benchmark::DoNotOptimize(stream.Advance(units));
}
BENCHMARK_TEMPLATE(BM_Planted, FarLookup)->Name("BM_Lookup");
BENCHMARK_TEMPLATE(BM_Planted, ParseStream)->Name("BM_Parse");
BENCHMARK_TEMPLATE(BM_Planted, FloatStream)->Name("BM_Float");
BENCHMARK_TEMPLATE(BM_Planted, AllocationStream)->Name("BM_Allocate");
BENCHMARK_TEMPLATE(BM_Planted, FormatStream)->Name("BM_Format");
BENCHMARK_TEMPLATE(BM_Planted, NearLookup)->Name("BM_LookupInL2");
BENCHMARK_TEMPLATE(BM_Planted, EdgeLookup)->Name("BM_LookupOverL2");

// What the two extra commands do with the kernel that they name.
struct Steps {
  std::uint32_t baseline_units;
  std::uint32_t contender_units;  // 0: only the baseline's
  std::uint32_t count;
};

std::int64_t ThreadNanoseconds() {
  std::timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec;
}

// CPU time of a batch of steps: so many that reading the clock weighs nothing.
template <typename Stream>
std::int64_t TimeOf(Stream& stream, std::uint32_t units) {
  constexpr int kBatch = 16;
  const std::int64_t start = ThreadNanoseconds();
  for (int i = 0; i < kBatch; ++i) {
    benchmark::DoNotOptimize(stream.Advance(units));
  }
  return ThreadNanoseconds() - start;
}

// Prints the CPU time of either kind of batch in total. Which comes first is
// random: what follows an interruption finds colder caches.
template <typename Stream>
void Interleave(const Steps& steps) {
  Stream stream;
  std::mt19937 random(std::random_device{}());
  std::array<std::int64_t, 2> total = {};
  const std::array<std::uint32_t, 2> units = {steps.baseline_units,
                                              steps.contender_units};
  for (std::uint32_t i = 0; i < steps.count; ++i) {
    const std::size_t first = random() % 2;
    total[first] += TimeOf(stream, units[first]);
    total[1 - first] += TimeOf(stream, units[1 - first]);
  }
  std::printf("%lld %lld\n", static_cast<long long>(total[0]),
              static_cast<long long>(total[1]));
}

template <typename Stream>
void Take(const Steps& steps) {
  if (steps.contender_units != 0) return Interleave<Stream>(steps);
  Stream stream;
  for (std::uint32_t i = 0; i < steps.count; ++i) {
    benchmark::DoNotOptimize(stream.Advance(steps.baseline_units));
  }
  std::printf("%llu\n", 1ULL * steps.baseline_units * steps.count);
}

int TakeSteps(std::string_view kernel, const Steps& steps) {
  if (kernel == "BM_Lookup") {
    Take<FarLookup>(steps);
  } else if (kernel == "BM_LookupInL2") {
    Take<NearLookup>(steps);
  } else if (kernel == "BM_LookupOverL2") {
    Take<EdgeLookup>(steps);
  } else if (kernel == "BM_Parse") {
    Take<ParseStream>(steps);
  } else if (kernel == "BM_Float") {
    Take<FloatStream>(steps);
  } else if (kernel == "BM_Allocate") {
    Take<AllocationStream>(steps);
  } else if (kernel == "BM_Format") {
    Take<FormatStream>(steps);
  } else {
    std::fprintf(stderr, "no such kernel\n");
    return 64;
  }
  return 0;
}

std::uint32_t Number(const char* text) {
  return static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

int RunBenchmarks(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace autotune

int main(int argc, char** argv) {
  using autotune::Number;
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "--steps" && argc == 4) {
    return autotune::TakeSteps(argv[2],
                               {autotune::KnobValue(), 0, Number(argv[3])});
  }
  if (command == "--interleave" && argc == 6) {
    return autotune::TakeSteps(
        argv[2], {Number(argv[3]), Number(argv[4]), Number(argv[5])});
  }
  return autotune::RunBenchmarks(argc, argv);
}
