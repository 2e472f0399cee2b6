#include <cstdint>
#include <string>

#include "benchmark/benchmark.h"
#include "benchmark_ext/answer.h"
#include "wordcount/tokenizer.h"
#include "wordcount/word_counter.h"

namespace {

// About `size` bytes of text: sentences of words of 1 to 12 letters, the same
// ones for the same seed.
std::string MakeText(std::size_t size, std::uint64_t seed) {
  std::string text;
  auto state = static_cast<std::uint32_t>(12345 * seed);
  const auto next = [&state](std::uint32_t limit) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % limit;
  };
  while (text.size() < size) {
    const std::uint32_t words = 4 + next(9);
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint32_t letters = 1 + next(12);
      for (std::uint32_t i = 0; i < letters; ++i) {
        const char letter = static_cast<char>('a' + next(26));
        text +=
            w == 0 && i == 0 ? static_cast<char>(letter - 'a' + 'A') : letter;
      }
      text += w + 1 == words ? ". " : next(12) == 0 ? ", " : " ";
    }
  }
  return text;
}

void BM_Tokenize(benchmark::State& state) {
  const std::string text =
      MakeText(static_cast<std::size_t>(state.range(0)), autotune::Seed(state));
  for (auto _ : state) {
    benchmark::DoNotOptimize(wordcount::Tokenize(text));
  }
  autotune::Answer(state, wordcount::Tokenize(text));
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(text.size()));
}
BENCHMARK(BM_Tokenize)->Arg(16 << 10);

void BM_CountWords(benchmark::State& state) {
  const std::string text =
      MakeText(static_cast<std::size_t>(state.range(0)), autotune::Seed(state));
  std::size_t words = 0;
  for (auto _ : state) {
    wordcount::WordCounter counter;
    counter.Add(text);
    benchmark::DoNotOptimize(words = counter.distinct_words());
  }
  autotune::Answer(state, words);
}
BENCHMARK(BM_CountWords)->Arg(16 << 10);

}  // namespace
