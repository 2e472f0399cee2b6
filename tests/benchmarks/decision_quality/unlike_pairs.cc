// Pairs of ways to do the same work that really differ: in algorithm, layout,
// footprint, branches or allocator. KnobValue() picks the first (0) or the
// second (1) way of every pair, so two copies of this program are what a user's
// two builds are. True ratios: truth.json, from long alternate runs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <list>
#include <memory_resource>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/benchmarks/decision_quality/knob.h"

namespace autotune {
namespace {

std::vector<std::uint32_t> RandomNumbers(std::size_t count) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t& number : numbers) {
    number = static_cast<std::uint32_t>(random());
  }
  return numbers;
}

// Every class below is one way: its constructor is the set-up, Step() what an
// iteration does. Both ways of a pair give the same answers.

constexpr std::size_t kKeys = 4096;

// Algorithm: a chained table of the library against open addressing.
class ChainedTable {
 public:
  ChainedTable() {
    for (const std::uint32_t key : keys_) table_[key] = key;
  }
  std::uint64_t Step() {
    std::uint64_t sum = 0;
    for (const std::uint32_t key : keys_) sum += table_.find(key)->second;
    return sum;
  }

 private:
  std::vector<std::uint32_t> keys_ = RandomNumbers(kKeys);
  std::unordered_map<std::uint32_t, std::uint32_t> table_;
};

struct MultiplyHash {
  std::uint32_t operator()(std::uint32_t key) const {
    return (key * 2654435761U) >> 7;
  }
};
// A finalizer that mixes every bit: three more steps than needed here.
struct MixingHash {
  std::uint32_t operator()(std::uint32_t key) const {
    key ^= key >> 16;
    key *= 0x85ebca6bU;
    key ^= key >> 13;
    key *= 0xc2b2ae35U;
    return key ^ (key >> 16);
  }
};

// Linear probing in slots of `kSlotBytes`.
template <std::size_t kSlotBytes, typename Hash = MultiplyHash,
          std::size_t kCount = kKeys>
class OpenTable {
 public:
  OpenTable() : slots_(4 * kCount) {
    for (const std::uint32_t key : keys_) {
      Slot& slot = slots_[Find(key)];
      slot.key = key;
      slot.value = key;
    }
  }
  std::uint64_t Step() {
    std::uint64_t sum = 0;
    for (const std::uint32_t key : keys_) sum += slots_[Find(key)].value;
    return sum;
  }

 private:
  struct Slot {
    std::uint32_t key = 0;
    std::uint32_t value = 0;
    std::array<char, kSlotBytes - 8> padding = {};
  };
  std::size_t Find(std::uint32_t key) const {
    std::size_t at = Hash()(key) % slots_.size();
    while (slots_[at].key != key && slots_[at].key != 0) {
      at = (at + 1) % slots_.size();
    }
    return at;
  }
  std::vector<std::uint32_t> keys_ = RandomNumbers(kCount);
  std::vector<Slot> slots_;
};

// Allocator: a list's nodes from malloc or from a buffer that is reused.
class HeapList {
 public:
  std::uint64_t Step() {
    std::list<std::uint32_t> list;
    for (std::uint32_t i = 0; i < 500; ++i) list.push_back(i);
    std::uint64_t sum = 0;
    for (const std::uint32_t value : list) sum += value;
    return sum;
  }
};
class ArenaList {
 public:
  std::uint64_t Step() {
    std::pmr::monotonic_buffer_resource arena(buffer_.data(), buffer_.size());
    std::pmr::list<std::uint32_t> list(&arena);
    for (std::uint32_t i = 0; i < 500; ++i) list.push_back(i);
    std::uint64_t sum = 0;
    for (const std::uint32_t value : list) sum += value;
    return sum;
  }

 private:
  std::vector<char> buffer_ = std::vector<char>(65'536);
};

// Branches: numbers above a limit that no predictor can guess.
template <bool kBranchless>
class Filter {
 public:
  std::uint64_t Step() {
    std::uint64_t sum = 0;
    for (const std::uint32_t number : numbers_) {
      if constexpr (kBranchless) {
        std::uint64_t term = number & -std::uint32_t{number > kLimit};
        benchmark::DoNotOptimize(term);
        sum += term;
      } else if (number > kLimit) {
        sum += number;
        // Without it the compiler makes this branchless as well.
        benchmark::DoNotOptimize(sum);
      }
    }
    return sum;
  }

 private:
  static constexpr std::uint32_t kLimit = 1U << 31;
  std::vector<std::uint32_t> numbers_ = RandomNumbers(16'000);
};

// Layout: one field of records that lie whole, or each field on its own.
class RecordsWhole {
 public:
  std::uint64_t Step() {
    std::uint64_t sum = 0;
    for (Record& record : records_) sum += record.price ^ (sum >> 3);
    return sum;
  }

 private:
  struct Record {
    std::uint64_t price = 3;
    std::array<std::uint64_t, 7> others = {};
  };
  std::vector<Record> records_ = std::vector<Record>(4000);
};
class RecordsByField {
 public:
  std::uint64_t Step() {
    std::uint64_t sum = 0;
    for (const std::uint64_t price : prices_) sum += price ^ (sum >> 3);
    return sum;
  }

 private:
  std::vector<std::uint64_t> prices_ = std::vector<std::uint64_t>(4000, 3);
};

// Footprint: dependent loads from `kBytes`.
template <std::size_t kBytes>
class Walk {
 public:
  std::uint64_t Step() {
    for (std::uint32_t i = 0; i < 2000; ++i) {
      at_ = table_[(at_ * 2654435761U + ++count_) % table_.size()];
    }
    return at_;
  }

 private:
  std::vector<std::uint32_t> table_ = RandomNumbers(kBytes / 4);
  std::uint32_t at_ = 1;
  std::uint32_t count_ = 0;
};

// Search: a branch at every level or a conditional move.
template <bool kBranchless>
class Search {
 public:
  Search() { std::sort(sorted_.begin(), sorted_.end()); }
  std::uint64_t Step() {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 1000; ++i) sum += Find(wanted_[i]);
    return sum;
  }

 private:
  std::uint64_t Find(std::uint32_t wanted) const {
    if constexpr (!kBranchless) {
      return static_cast<std::uint64_t>(
          std::lower_bound(sorted_.begin(), sorted_.end(), wanted) -
          sorted_.begin());
    }
    const std::uint32_t* first = sorted_.data();
    for (std::size_t half = sorted_.size() / 2; half > 0; half /= 2) {
      first += half * std::size_t{first[half - 1] < wanted};
    }
    return static_cast<std::uint64_t>(first - sorted_.data()) +
           std::uint64_t{*first < wanted};
  }
  std::vector<std::uint32_t> wanted_ = RandomNumbers(kKeys);
  std::vector<std::uint32_t> sorted_ = RandomNumbers(kKeys);
};

// Formatting: a string for every number or one buffer.
class StringNumbers {
 public:
  std::uint64_t Step() {
    std::uint64_t length = 0;
    for (const std::uint32_t number : numbers_) {
      std::string text = std::to_string(number);
      benchmark::DoNotOptimize(text.data());
      length += text.size();
    }
    return length;
  }

 private:
  std::vector<std::uint32_t> numbers_ = RandomNumbers(1'000);
};
class ConvertNumbers {
 public:
  std::uint64_t Step() {
    std::uint64_t length = 0;
    for (const std::uint32_t number : numbers_) {
      char* const end = buffer_.data() + buffer_.size();
      length += static_cast<std::uint64_t>(
          std::to_chars(buffer_.data(), end, number).ptr - buffer_.data());
      benchmark::DoNotOptimize(buffer_.data());
    }
    return length;
  }

 private:
  std::vector<std::uint32_t> numbers_ = RandomNumbers(1'000);
  std::array<char, 16> buffer_ = {};
};

// Sorting groups of 24: insertion or the library's introsort.
template <bool kLibrary>
class SortGroups {
 public:
  std::uint64_t Step() {
    std::vector<std::uint32_t> numbers = numbers_;
    for (auto group = numbers.begin(); group != numbers.end(); group += 24) {
      if constexpr (kLibrary) {
        std::sort(group, group + 24);
      } else {
        InsertionSort(group);
      }
    }
    return numbers[17];
  }

 private:
  static void InsertionSort(std::vector<std::uint32_t>::iterator group) {
    for (int i = 1; i < 24; ++i) {
      const std::uint32_t moved = group[i];
      int at = i;
      for (; at > 0 && group[at - 1] > moved; --at) group[at] = group[at - 1];
      group[at] = moved;
    }
  }
  std::vector<std::uint32_t> numbers_ = RandomNumbers(1'920);
};

// Building text: growing as needed or reserved at once.
template <bool kReserve>
class JoinWords {
 public:
  std::uint64_t Step() {
    std::uint64_t length = 0;
    for (int line = 0; line < 40; ++line) {
      std::string text;
      if constexpr (kReserve) text.reserve(600);
      for (int word = 0; word < 50; ++word) text += "lorem ipsum";
      length += text.size();
      benchmark::DoNotOptimize(text.data());
    }
    return length;
  }
};

// Checksum: a byte or four at a time.
template <std::size_t kUnroll>
class Checksum {
 public:
  std::uint64_t Step() {
    std::uint32_t hash = 2166136261U;
    for (std::size_t i = 0; i < bytes_.size(); i += kUnroll) {
      for (std::size_t j = 0; j < kUnroll; ++j) {
        hash = (hash ^ bytes_[i + j]) * 16777619U;
      }
      benchmark::DoNotOptimize(hash);
    }
    return hash;
  }

 private:
  std::vector<unsigned char> bytes_ = std::vector<unsigned char>(8000, 5);
};

template <typename Way>
[[gnu::noinline]] void RunWay(benchmark::State& state) {
  Way way;
  for (auto _ : state) benchmark::DoNotOptimize(way.Step());
}

template <typename First, typename Second>
void BM_Pair(benchmark::State& state) {
  if (KnobValue() == 0) {
    RunWay<First>(state);
  } else {
    RunWay<Second>(state);
  }
}

template <typename First, typename Second>
void Register(const char* name) {
  benchmark::RegisterBenchmark(name, &BM_Pair<First, Second>);
}

void RegisterPairs() {
  Register<ChainedTable, OpenTable<16>>("BM_TableAlgorithm");
  Register<OpenTable<8>, OpenTable<16>>("BM_SlotSize8To16");
  Register<OpenTable<16>, OpenTable<64>>("BM_SlotSize16To64");
  Register<OpenTable<16>, OpenTable<16, MixingHash>>("BM_HashFunction");
  Register<HeapList, ArenaList>("BM_ListAllocator");
  Register<Filter<false>, Filter<true>>("BM_Branches");
  Register<RecordsWhole, RecordsByField>("BM_RecordLayout");
  Register<Walk<(320U << 10)>, Walk<(1U << 20)>>("BM_FootprintOverL2");
  Register<Search<false>, Search<true>>("BM_Search");
  Register<StringNumbers, ConvertNumbers>("BM_NumberFormat");
  Register<SortGroups<false>, SortGroups<true>>("BM_SortSmallGroups");
  Register<JoinWords<false>, JoinWords<true>>("BM_TextReserve");
  Register<Checksum<1>, Checksum<4>>("BM_ChecksumUnroll");
}

}  // namespace
}  // namespace autotune

int main(int argc, char** argv) {
  autotune::RegisterPairs();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
