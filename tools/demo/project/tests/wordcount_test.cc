#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "wordcount/tokenizer.h"
#include "wordcount/word_counter.h"

namespace wordcount {
namespace {

using Words = std::vector<std::string>;

TEST(TokenizerTest, SplitsAtEverythingThatIsNoWordCharacter) {
  EXPECT_EQ(Tokenize("one two,three\nfour"),
            (Words{"one", "two", "three", "four"}));
}

TEST(TokenizerTest, LowersLetters) {
  EXPECT_EQ(Tokenize("The QUICK fox"), (Words{"the", "quick", "fox"}));
}

TEST(TokenizerTest, KeepsApostrophesInsideWordsOnly) {
  EXPECT_EQ(Tokenize("don't 'quote' '''"), (Words{"don't", "quote"}));
}

TEST(TokenizerTest, KeepsDigits) {
  EXPECT_EQ(Tokenize("r2d2 42"), (Words{"r2d2", "42"}));
}

TEST(TokenizerTest, TakesOtherBytesAsSeparators) {
  EXPECT_EQ(Tokenize("a\xC3\xA4"
                     "b"),
            (Words{"a", "b"}));
}

TEST(TokenizerTest, EmptyTextHasNoWords) {
  EXPECT_TRUE(Tokenize("").empty());
  EXPECT_TRUE(Tokenize(" .,!").empty());
}

TEST(WordCounterTest, CountsEachWord) {
  WordCounter counter;
  counter.Add("the cat and the hat");
  counter.Add("The end");
  EXPECT_EQ(counter.Count("the"), 3u);
  EXPECT_EQ(counter.Count("hat"), 1u);
  EXPECT_EQ(counter.Count("dog"), 0u);
  EXPECT_EQ(counter.distinct_words(), 5u);
}

TEST(WordCounterTest, OrdersByCountThenAlphabet) {
  WordCounter counter;
  counter.Add("b a c b a b d");
  const std::vector<std::pair<std::string, std::size_t>> expected = {
      {"b", 3}, {"a", 2}, {"c", 1}};
  EXPECT_EQ(counter.MostFrequent(3), expected);
}

}  // namespace
}  // namespace wordcount
