#ifndef WORDCOUNT_TOKENIZER_H_
#define WORDCOUNT_TOKENIZER_H_

#include <string>
#include <string_view>
#include <vector>

namespace wordcount {

// The words of `text` in order, in lower case. A word is a longest run of ASCII
// letters, digits and apostrophes that are not at its edge ("don't" is one
// word, "'quoted'" is the word "quoted"); every other byte separates words.
std::vector<std::string> Tokenize(std::string_view text);

}  // namespace wordcount

#endif  // WORDCOUNT_TOKENIZER_H_
