// What a shell may put at the cursor. The scripts of the shells hold no verb
// and no option: they pass the words on and show what is answered here, from
// the tables that the program itself runs by.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/program/shell_verbs.h"
#include "tools/program/verb_choice.h"

namespace autotune {
namespace {

using Words = std::vector<std::string>;

// The placeholders of the tables say what kind of value they stand for. Of
// these the shell knows the values best.
constexpr std::array<std::string_view, 8> kFiles = {
    "FILE", "FILE...", "BINARY", "EVIDENCE", "BASELINE.json CONTENDER.json",
    "BASE", "OURS",    "THEIRS"};
constexpr std::string_view kFolder = "DIR";

// One answer, made candidate by candidate.
class Answer {
 public:
  explicit Answer(std::string prefix) : prefix_(std::move(prefix)) {}

  // Every candidate from here on stands behind `joined` ("--color=").
  void Join(const std::string& joined) { joined_ = joined; }

  void Offer(const std::string& word, const std::string& what) {
    const std::string whole = joined_ + word;
    if (!absl::StartsWith(whole, prefix_) || absl::StrContains(whole, '\n') ||
        absl::StrContains(whole, '\t') ||
        std::find(seen_.begin(), seen_.end(), whole) != seen_.end()) {
      return;
    }
    seen_.push_back(whole);
    absl::StrAppend(&lines_, whole, "\t", what, "\n");
  }

  void LeaveToShell(const std::string& what) { shell_ = what; }

  const std::string& prefix() const { return prefix_; }
  bool empty() const { return lines_.empty() && shell_ == "words"; }
  std::string Text() const { return absl::StrCat(shell_, "\n", lines_); }

 private:
  std::string prefix_;
  std::string joined_;
  std::string shell_ = "words";
  std::string lines_;
  Words seen_;
};

// The next word of every verb whose name begins with the words from `at` on.
void OfferVerbs(const Program& program, const Words& words, Answer& answer) {
  const std::size_t at = PlaceOfVerb(program, words);
  const Words begun(words.begin() + static_cast<std::ptrdiff_t>(at),
                    words.end());
  for (const Verb& verb : program.verbs) {
    const Words name = absl::StrSplit(verb.name, ' ');
    if (verb.summary.empty() || name.size() <= begun.size() ||
        !std::equal(begun.begin(), begun.end(), name.begin())) {
      continue;
    }
    answer.Offer(name[begun.size()], verb.summary);
  }
}

// "keep|discard" are the values themselves, "RECIPE|COMMAND" their kinds.
Words Choices(const Argument& argument) {
  if (!argument.choices.empty()) return argument.choices;
  const bool kinds =
      std::any_of(argument.placeholder.begin(), argument.placeholder.end(),
                  [](char letter) { return absl::ascii_isupper(letter); });
  if (kinds || !absl::StrContains(argument.placeholder, '|')) return {};
  return absl::StrSplit(argument.placeholder, '|');
}

void OfferValues(const Program& program, const Argument& argument,
                 CommandLine& line, const Invocation& invocation,
                 Answer& answer) {
  for (const std::string& choice : Choices(argument)) answer.Offer(choice, "");
  const std::string& kind = argument.placeholder;
  if (program.candidates != nullptr) {
    for (const std::string& word : program.candidates(kind, line, invocation)) {
      answer.Offer(word, "");
    }
  }
  if (std::find(kFiles.begin(), kFiles.end(), kind) != kFiles.end()) {
    answer.LeaveToShell("files");
  }
  if (kind == kFolder) answer.LeaveToShell("folders");
}

void OfferFlags(const CommandLine& line, Answer& answer) {
  for (const Argument& argument : line.arguments()) {
    if (argument.names.empty() || (argument.given && !argument.repeats)) {
      continue;
    }
    answer.Offer(argument.names.back(), argument.description);
  }
}

// The word at the cursor as a value, alone or behind "--name=", or as a flag.
void OfferArguments(const Program& program, CommandLine& line,
                    const Invocation& invocation, Answer& answer) {
  const std::string& prefix = answer.prefix();
  Argument* awaited = line.awaited();
  const std::size_t equals = prefix.find('=');
  if (line.flag_may_follow() && absl::StartsWith(prefix, "-")) {
    awaited = nullptr;
    if (equals != std::string::npos) {
      awaited = line.Find(prefix.substr(0, equals));
      answer.Join(prefix.substr(0, equals + 1));
    }
  }
  if (awaited != nullptr) {
    OfferValues(program, *awaited, line, invocation, answer);
  }
  // Flags where one is begun, and where there is nothing else to say.
  if (line.flag_may_follow() && equals == std::string::npos &&
      (absl::StartsWith(prefix, "-") || answer.empty())) {
    OfferFlags(line, answer);
  }
}

}  // namespace

std::string Complete(const Program& program, const Words& words,
                     const ProgramWorld& world, Terminal& terminal) {
  Words before = words;
  Answer answer(before.empty() ? "" : before.back());
  if (!before.empty()) before.pop_back();
  if (!before.empty() && before.front() == "help") before.erase(before.begin());
  OfferVerbs(program, before, answer);
  const absl::StatusOr<const Verb*> chosen = ChooseVerb(program, world, before);
  if (!chosen.ok()) return answer.Text();
  const Verb* const verb =
      *chosen != nullptr ? *chosen : FindVerb(program, program.default_verb);
  CommandLine line;
  CommonFlags common;
  if (verb != nullptr) verb->declare(line);
  DeclareCommon(program, line, common);
  // What is wrong with these words is said once they are run.
  line.Parse(before, program.name).IgnoreError();
  OfferArguments(program, line,
                 {world, terminal, common,
                  verb == nullptr ? std::string_view() : verb->name},
                 answer);
  return answer.Text();
}

}  // namespace autotune
