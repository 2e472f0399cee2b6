#ifndef AUTOTUNE_BENCHMARK_EXT_ANSWER_H_
#define AUTOTUNE_BENCHMARK_EXT_ANSWER_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace autotune {
namespace internal {

template <typename Value>
inline constexpr bool kIsPair = false;
template <typename First, typename Second>
inline constexpr bool kIsPair<std::pair<First, Second>> = true;

// FNV-1a over the bytes of values, each kind marked and each range ended by its
// length, so that no two lists of values are one text. The order of bytes is
// this machine's: both sides of a comparison run on it.
class AnswerDigest {
 public:
  template <typename Value>
  void Add(const Value& value) {
    if constexpr (std::is_floating_point_v<Value>) {
      AddNumber('f', Plain(static_cast<double>(value)));
    } else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>) {
      AddNumber('i', static_cast<std::int64_t>(value));
    } else if constexpr (std::is_convertible_v<const Value&,
                                               std::string_view>) {
      const std::string_view text = value;
      AddBytes(text.data(), text.size());
      AddNumber('s', static_cast<std::int64_t>(text.size()));
    } else if constexpr (kIsPair<Value>) {
      Add(value.first);
      Add(value.second);
    } else {
      std::int64_t size = 0;
      for (const auto& element : value) {
        Add(static_cast<const std::decay_t<decltype(element)>&>(element));
        ++size;
      }
      AddNumber('r', size);
    }
  }

  // 48 bits: exact in a double, also as the sum over 32 threads.
  double Value() const {
    return static_cast<double>((hash_ ^ (hash_ >> 48)) & 0xffffffffffff);
  }

 private:
  // One bit pattern for both zeros, and one for every NaN.
  static double Plain(double value) {
    if (value != value) return __builtin_nan("");
    return value == 0.0 ? 0.0 : value;
  }

  template <typename Number>
  void AddNumber(char kind, Number number) {
    AddBytes(&kind, 1);
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    AddBytes(bytes, sizeof number);
  }
  void AddBytes(const char* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      hash_ = (hash_ ^ static_cast<unsigned char>(bytes[i])) * 1099511628211U;
    }
  }

  std::uint64_t hash_ = 14695981039346656037U;
};

}  // namespace internal

// Publishes what the benchmark computed, as the counter "answer/NAME": a digest
// of `values` (integers, enums, floats bit for bit, texts, pairs, and ranges of
// all these), below 2^48. A comparison ends with "cannot judge" when the two
// sides do not publish the same: a faster wrong answer is never kept.
//
// To be called after the loop, where it costs no measured time; the answer must
// not depend on the number of iterations. Cannot fail.
template <typename... Values>
void NamedAnswer(benchmark::State& state, const std::string& name,
                 const Values&... values) {
  internal::AnswerDigest digest;
  (digest.Add(values), ...);
  state.counters["answer/" + name] =
      benchmark::Counter(digest.Value(), benchmark::Counter::kAvgThreads);
}

// The same as "answer/result".
template <typename... Values>
void Answer(benchmark::State& state, const Values&... values) {
  NamedAnswer(state, "result", values...);
}

// A number to make the benchmark's input from: another one in every round of a
// comparison, the same on both sides, so that an answer prepared for a known
// input is of no use. 1 when nothing compares. Below 2^38.
inline std::uint64_t Seed(const benchmark::State& /*state*/) {
  const char* text = std::getenv("BENCHMARK_INPUT_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

}  // namespace autotune

#endif  // AUTOTUNE_BENCHMARK_EXT_ANSWER_H_
