#ifndef WORDCOUNT_WORD_COUNTER_H_
#define WORDCOUNT_WORD_COUNTER_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wordcount {

// Counts how often each word occurs in the texts it is given.
class WordCounter {
 public:
  void Add(std::string_view text);

  std::size_t Count(const std::string& word) const;
  std::size_t distinct_words() const { return counts_.size(); }

  // The `limit` most frequent words, most frequent first, words of equal count
  // in alphabetical order.
  std::vector<std::pair<std::string, std::size_t>> MostFrequent(
      std::size_t limit) const;

 private:
  std::map<std::string, std::size_t> counts_;
};

}  // namespace wordcount

#endif  // WORDCOUNT_WORD_COUNTER_H_
