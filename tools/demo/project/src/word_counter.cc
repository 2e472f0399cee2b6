#include "wordcount/word_counter.h"

#include <algorithm>

#include "wordcount/tokenizer.h"

namespace wordcount {

void WordCounter::Add(std::string_view text) {
  for (const std::string& word : Tokenize(text)) ++counts_[word];
}

std::size_t WordCounter::Count(const std::string& word) const {
  const auto found = counts_.find(word);
  return found == counts_.end() ? 0 : found->second;
}

std::vector<std::pair<std::string, std::size_t>> WordCounter::MostFrequent(
    std::size_t limit) const {
  std::vector<std::pair<std::string, std::size_t>> words(counts_.begin(),
                                                         counts_.end());
  std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) {
    if (a.second != b.second) return a.second > b.second;
    return a.first < b.first;
  });
  if (words.size() > limit) words.resize(limit);
  return words;
}

}  // namespace wordcount
