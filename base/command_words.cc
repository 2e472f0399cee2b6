#include "base/command_words.h"

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace autotune {
namespace {

constexpr std::string_view kShellCharacters = ";|&<>`";

// Reads one command, character by character.
class WordReader {
 public:
  absl::Status Take(char c) {
    if (escaped_) return Keep(c);
    if (quote_ != '\0') return TakeQuoted(c);
    if (c == '\'' || c == '"') return Open(c);
    if (c == '\\') {
      escaped_ = true;
      return absl::OkStatus();
    }
    if (c == ' ' || c == '\t' || c == '\n') return EndWord();
    if (kShellCharacters.find(c) != std::string_view::npos) {
      return absl::OutOfRangeError(
          absl::StrCat("'", std::string(1, c),
                       "' outside quotes: commands run without a shell; put "
                       "what needs one into a script"));
    }
    return Keep(c);
  }

  absl::StatusOr<std::vector<std::string>> Finish() {
    if (quote_ != '\0' || escaped_) {
      return absl::OutOfRangeError("a quote is not closed");
    }
    EndWord().IgnoreError();
    if (words_.empty()) return absl::OutOfRangeError("expected a command");
    return std::move(words_);
  }

 private:
  absl::Status Keep(char c) {
    word_.push_back(c);
    inside_ = true;
    escaped_ = false;
    return absl::OkStatus();
  }
  absl::Status Open(char c) {
    quote_ = c;
    inside_ = true;
    return absl::OkStatus();
  }
  absl::Status TakeQuoted(char c) {
    if (c == quote_) {
      quote_ = '\0';
    } else if (c == '\\' && quote_ == '"') {
      escaped_ = true;
    } else {
      return Keep(c);
    }
    return absl::OkStatus();
  }
  absl::Status EndWord() {
    if (inside_) words_.push_back(std::move(word_));
    word_.clear();
    inside_ = false;
    return absl::OkStatus();
  }

  std::vector<std::string> words_;
  std::string word_;
  bool inside_ = false;
  bool escaped_ = false;
  char quote_ = '\0';
};

}  // namespace

absl::StatusOr<std::vector<std::string>> CommandWords(std::string_view text) {
  WordReader reader;
  for (char c : text) {
    if (absl::Status taken = reader.Take(c); !taken.ok()) return taken;
  }
  return reader.Finish();
}

}  // namespace autotune
