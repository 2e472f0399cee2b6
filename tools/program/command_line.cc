// Parsing is our own and not a library's: both programs refuse a flag without
// its value, keep an empty one and take values that begin with a dash, and what
// was declared is walked again for help, manual pages and completion.
#include "tools/program/command_line.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/did_you_mean.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/report/error_report.h"

namespace autotune {
namespace {

// Flags of benchmark programs and what does the same here, where there is such
// a thing.
constexpr std::pair<std::string_view, std::string_view> kLibraryFlags[] = {
    {"--benchmark_filter", "--filter"},
    {"--benchmark_repetitions", "--rounds"},
    {"--benchmark_min_time", "--budget"},
    {"--benchmark_format", "--format"},
    {"--benchmark_out_format", "--format"},
    {"--benchmark_out", "--report"},
    {"--benchmark_color", "--color"},
};

// "a, b or c".
std::string Alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    absl::StrAppend(&text, i == 0 ? "" : last ? " or " : ", ", words[i]);
  }
  return text;
}

// A flag's name is a dash and more: "-" alone is standard input, "-5" a number.
bool IsFlag(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '.' &&
         (word[1] < '0' || word[1] > '9');
}

std::string NameOf(const std::string& word) {
  return word.substr(0, word.find('='));
}

std::string TitleOf(const Argument& argument) {
  return argument.names.empty() ? argument.placeholder : argument.names.back();
}

absl::Status CheckChoice(const Argument& argument, const std::string& value) {
  if (argument.choices.empty()) return absl::OkStatus();
  for (const std::string& choice : argument.choices) {
    if (value == choice) return absl::OkStatus();
  }
  return UsageError(absl::StrCat(
      TitleOf(argument), ": expected ", Alternatives(argument.choices),
      ", got \"", value, "\"", DidYouMean(value, argument.choices)));
}

// Sets `value`, a whole number in [smallest, largest].
absl::Status ParseWhole(const std::string& title, const std::string& text,
                        std::int64_t smallest, std::int64_t largest,
                        std::int64_t& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && value >= smallest &&
      value <= largest) {
    return absl::OkStatus();
  }
  return UsageError(absl::StrCat(
      title, ": expected a whole number ",
      largest == INT64_MAX ? absl::StrCat("of at least ", smallest)
                           : absl::StrCat("from ", smallest, " to ", largest),
      ", got \"", text, "\""));
}

}  // namespace

absl::Status UsageError(std::string_view message, std::string_view hint) {
  return WithHint(
      absl::OutOfRangeError(absl::string_view(message.data(), message.size())),
      hint);
}

Argument& CommandLine::Add(const std::string& names,
                           const std::string& placeholder,
                           const std::string& description,
                           Argument::Takes takes) {
  Argument& argument = arguments_.emplace_back();
  argument.names = absl::StrSplit(names, ',', absl::SkipEmpty());
  argument.placeholder = placeholder;
  argument.description = description;
  argument.group = names.empty() ? "Arguments" : group_;
  argument.takes = takes;
  return argument;
}

template <typename Store>
Argument& CommandLine::AddValue(const std::string& names,
                                const std::string& placeholder,
                                const std::string& description, Store store) {
  Argument& option =
      Add(names, placeholder, description, Argument::Takes::kOneValue);
  option.set = [store](const std::string& text) {
    store(text);
    return absl::OkStatus();
  };
  return option;
}

Argument& CommandLine::AddFlag(const std::string& names, bool& value,
                               const std::string& description, bool set_to) {
  Argument& flag = Add(names, "", description, Argument::Takes::kNothing);
  flag.repeats = true;
  flag.set = [&value, set_to](const std::string&) {
    value = set_to;
    return absl::OkStatus();
  };
  return flag;
}

Argument& CommandLine::AddFlag(const std::string& names,
                               std::optional<std::string>& value,
                               const std::string& description,
                               const std::string& set_to) {
  Argument& flag = Add(names, "", description, Argument::Takes::kNothing);
  flag.repeats = true;
  flag.set = [&value, set_to](const std::string&) {
    value = set_to;
    return absl::OkStatus();
  };
  return flag;
}

Argument& CommandLine::AddText(const std::string& names,
                               const std::string& placeholder,
                               std::string& value,
                               const std::string& description) {
  return AddValue(names, placeholder, description,
                  [&value](const std::string& text) { value = text; });
}

Argument& CommandLine::AddText(const std::string& names,
                               const std::string& placeholder,
                               std::optional<std::string>& value,
                               const std::string& description) {
  return AddValue(names, placeholder, description,
                  [&value](const std::string& text) { value = text; });
}

Argument& CommandLine::AddTexts(const std::string& names,
                                const std::string& placeholder,
                                std::vector<std::string>& values,
                                const std::string& description) {
  Argument& option =
      AddValue(names, placeholder, description,
               [&values](const std::string& text) { values.push_back(text); });
  option.repeats = true;
  return option;
}

Argument& CommandLine::AddLists(const std::string& names,
                                const std::string& placeholder,
                                std::vector<std::string>& values,
                                const std::string& description) {
  Argument& option = AddTexts(names, placeholder, values, description);
  option.takes = Argument::Takes::kValues;
  return option;
}

Argument& CommandLine::AddChoice(const std::string& names,
                                 const std::vector<std::string>& choices,
                                 std::optional<std::string>& value,
                                 const std::string& description) {
  Argument& option =
      AddText(names, absl::StrJoin(choices, "|"), value, description);
  option.choices = choices;
  return option;
}

Argument& CommandLine::AddNumber(const std::string& names,
                                 const std::string& placeholder,
                                 std::int64_t& value, std::int64_t smallest,
                                 std::int64_t largest,
                                 const std::string& description) {
  Argument& option =
      Add(names, placeholder, description, Argument::Takes::kOneValue);
  option.set = [&value, smallest, largest,
                title = TitleOf(option)](const std::string& text) {
    return ParseWhole(title, text, smallest, largest, value);
  };
  return option;
}

Argument& CommandLine::AddNumber(const std::string& names,
                                 const std::string& placeholder,
                                 std::optional<std::int64_t>& value,
                                 std::int64_t smallest, std::int64_t largest,
                                 const std::string& description) {
  Argument& option =
      Add(names, placeholder, description, Argument::Takes::kOneValue);
  option.set = [&value, smallest, largest,
                title = TitleOf(option)](const std::string& text) {
    return ParseWhole(title, text, smallest, largest, value.emplace());
  };
  return option;
}

Argument& CommandLine::AddAmount(const std::string& names,
                                 const std::string& placeholder,
                                 std::optional<double>& value,
                                 const std::string& description) {
  Argument& option =
      Add(names, placeholder, description, Argument::Takes::kOneValue);
  option.set = [&value, title = TitleOf(option)](const std::string& text) {
    value = ParseFiniteDouble(text);
    if (value.has_value() && *value > 0.0) return absl::OkStatus();
    return UsageError(
        absl::StrCat(title, ": expected a number above 0, got \"", text, "\""));
  };
  return option;
}

Argument& CommandLine::AddWord(const std::string& placeholder,
                               std::string& value,
                               const std::string& description) {
  Argument& word = AddText("", placeholder, value, description);
  word.required = true;
  return word;
}

Argument& CommandLine::AddWords(const std::string& placeholder,
                                std::vector<std::string>& values,
                                const std::string& description) {
  Argument& words = AddLists("", placeholder, values, description);
  words.required = true;
  return words;
}

Argument* CommandLine::Find(std::string_view name) {
  for (Argument& argument : arguments_) {
    for (const std::string& known : argument.names) {
      if (known == name) return &argument;
    }
  }
  return nullptr;
}

// One pass over the words.
class CommandLine::Parser {
 public:
  Parser(CommandLine& line, const std::vector<std::string>& words,
         const std::string& command)
      : line_(line),
        words_(words),
        hint_(absl::StrCat(command, " --help lists what it takes")) {}

  absl::Status Run() {
    while (next_ < words_.size()) {
      const std::string& word = words_[next_++];
      open_option_ = nullptr;
      if (word == "--" && !only_words_) {
        only_words_ = true;
        if (line_.rest_ != nullptr) TakeRest();
      } else if (IsFlag(word) && !only_words_) {
        Keep(TakeOption(word));
      } else {
        Keep(TakeWord(word));
      }
    }
    FindAwaited();
    for (const Argument& argument : line_.arguments_) {
      if (!argument.required || argument.given) continue;
      Keep(UsageError(
          absl::StrCat("expected ",
                       argument.names.empty() ? "" : argument.names.back(),
                       argument.names.empty() ? "" : " ", argument.placeholder,
                       ": ", argument.description),
          hint_));
    }
    return asks_ ? absl::OkStatus() : first_error_;
  }

 private:
  void Keep(const absl::Status& status) {
    if (first_error_.ok()) first_error_ = status;
  }

  // An option that still wants its value, else one that takes all words up to
  // the next flag, else the first word that is missing.
  void FindAwaited() {
    line_.flag_may_follow_ = !only_words_ && !value_missing_;
    if (open_option_ == nullptr && !(only_words_ && line_.rest_ != nullptr)) {
      open_option_ = OpenWord();
    }
    line_.awaited_ =
        open_option_ == nullptr ? -1 : open_option_ - line_.arguments_.data();
  }

  // The argument that a word without a flag is for; null: there is none left.
  Argument* OpenWord() {
    for (Argument& argument : line_.arguments_) {
      const bool full =
          argument.given && argument.takes == Argument::Takes::kOneValue;
      if (argument.names.empty() && !full) return &argument;
    }
    return nullptr;
  }

  void TakeRest() {
    line_.rest_->assign(words_.begin() + static_cast<std::ptrdiff_t>(next_),
                        words_.end());
    next_ = words_.size();
  }

  static absl::Status Set(Argument& argument, const std::string& value) {
    if (argument.given && !argument.repeats) {
      return UsageError(absl::StrCat(TitleOf(argument), " is given twice"));
    }
    argument.given = true;
    argument.value = value;
    RETURN_IF_ERROR(CheckChoice(argument, value));
    return argument.set(value);
  }

  absl::Status TakeOption(const std::string& word) {
    const std::string name = NameOf(word);
    Argument* const option = line_.Find(name);
    if (option == nullptr) return Unknown(name);
    asks_ = asks_ || name == "--help" || name == "-h" || name == "--version";
    const bool joined = name.size() < word.size();
    if (option->takes == Argument::Takes::kNothing) {
      if (!joined) return Set(*option, "");
      return UsageError(absl::StrCat(name, " takes no value, got \"",
                                     word.substr(name.size() + 1), "\""));
    }
    if (joined) return Set(*option, word.substr(name.size() + 1));
    value_missing_ = next_ == words_.size();
    if (value_missing_) open_option_ = option;
    RETURN_IF_ERROR(CheckValueFollows(*option, name));
    RETURN_IF_ERROR(Set(*option, words_[next_++]));
    if (option->takes != Argument::Takes::kValues) return absl::OkStatus();
    while (next_ < words_.size() && !IsFlag(words_[next_])) {
      RETURN_IF_ERROR(Set(*option, words_[next_++]));
    }
    open_option_ = option;
    return absl::OkStatus();
  }

  // A forgotten value must not eat the flag behind it.
  absl::Status CheckValueFollows(const Argument& option,
                                 const std::string& name) const {
    if (next_ == words_.size() || words_[next_] == "--") {
      return UsageError(
          absl::StrCat(name, ": expected a value, ", option.placeholder),
          hint_);
    }
    const std::string& value = words_[next_];
    if (line_.Find(NameOf(value)) == nullptr) return absl::OkStatus();
    return UsageError(
        absl::StrCat(name, ": expected a value, ", option.placeholder,
                     ", got the flag ", value),
        absl::StrCat("if that is the value: ", name, "=", value));
  }

  absl::Status TakeWord(const std::string& word) {
    Argument* const argument = OpenWord();
    if (argument != nullptr) return Set(*argument, word);
    return UsageError(absl::StrCat("unexpected argument ", word), hint_);
  }

  // What a flag of Google Benchmark's own would be here.
  std::string HintOfLibraryFlag(std::string name) const {
    std::replace(name.begin() + 2, name.end(), '-', '_');
    for (const auto& [theirs, ours] : kLibraryFlags) {
      if (name == theirs && line_.Find(ours) != nullptr) {
        return absl::StrCat("that is Google Benchmark's flag; did you mean ",
                            std::string(ours), "?");
      }
    }
    return line_.has_rest() ? "that is Google Benchmark's flag: those for the "
                              "programs go after --"
                            : "that is Google Benchmark's flag: give it to the "
                              "program that writes the files";
  }

  absl::Status Unknown(const std::string& name) const {
    if (name.starts_with("--benchmark")) {
      return UsageError(absl::StrCat("unknown flag ", name),
                        HintOfLibraryFlag(name));
    }
    const auto closest = ClosestName(name, FlagNames(line_));
    return UsageError(absl::StrCat("unknown flag ", name),
                      closest.has_value()
                          ? absl::StrCat("did you mean ", *closest, "?")
                          : hint_);
  }

  CommandLine& line_;
  const std::vector<std::string>& words_;
  const std::string hint_;
  std::size_t next_ = 0;
  Argument* open_option_ = nullptr;
  bool value_missing_ = false;
  bool only_words_ = false;
  bool asks_ = false;
  absl::Status first_error_;
};

absl::Status CommandLine::Parse(const std::vector<std::string>& arguments,
                                const std::string& command) {
  for (Argument& argument : arguments_) argument.given = false;
  return Parser(*this, arguments, command).Run();
}

std::vector<std::string> FlagNames(const CommandLine& line) {
  std::vector<std::string> names;
  for (const Argument& argument : line.arguments()) {
    names.insert(names.end(), argument.names.begin(), argument.names.end());
  }
  return names;
}

}  // namespace autotune
