#include "wordcount/tokenizer.h"

#include <cctype>

namespace wordcount {
namespace {

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '\'';
}

char ToLower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::string TrimApostrophes(const std::string& word) {
  std::size_t begin = 0;
  std::size_t end = word.size();
  while (begin < end && word[begin] == '\'') ++begin;
  while (end > begin && word[end - 1] == '\'') --end;
  return word.substr(begin, end - begin);
}

}  // namespace

std::vector<std::string> Tokenize(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : text) {
    if (IsWordCharacter(c)) {
      word.push_back(ToLower(c));
      continue;
    }
    word = TrimApostrophes(word);
    if (!word.empty()) words.push_back(word);
    word.clear();
  }
  word = TrimApostrophes(word);
  if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace wordcount
