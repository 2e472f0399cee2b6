#include "tools/program/verb_choice.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/did_you_mean.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"

namespace autotune {
namespace {

using Words = std::vector<std::string>;

// A verb's name of several words stands in as many arguments. Where it ends in
// one of its flags, that may be anywhere after them.
bool StandsAt(const Verb& verb, const Words& words, std::size_t at) {
  const Words name = absl::StrSplit(verb.name, ' ');
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
  if (words.size() - at < name.size() ||
      !std::equal(name.begin(), name.end(), begin)) {
    return false;
  }
  const auto end = std::find(begin, words.end(), "--");
  return verb.flag.empty() ||
         std::any_of(begin, end, [&verb](const std::string& word) {
           return word.substr(0, word.find('=')) == verb.flag;
         });
}

// Takes the longest verb that stands at `at` out of `words`; null: none does.
const Verb* TakeVerb(const Program& program, std::size_t at, Words& words) {
  const Verb* found = nullptr;
  Words longest;
  for (const Verb& verb : program.verbs) {
    const Words name = absl::StrSplit(verb.name, ' ');
    if (!StandsAt(verb, words, at) || name.size() < longest.size()) continue;
    found = &verb;
    longest = name;
  }
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
  words.erase(begin, begin + static_cast<std::ptrdiff_t>(longest.size()));
  return found;
}

// The verb that `word` may mean: status for "statsu", task set for "task".
std::optional<std::string> MeantVerb(const Program& program,
                                     const std::string& word) {
  Words names;
  for (const Verb& verb : program.verbs) {
    if (verb.summary.empty()) continue;
    if (verb.name.starts_with(word + " ")) return verb.name;
    names.push_back(verb.name);
  }
  return ClosestName(word, names);
}

// A word that is no verb begins the default one, which takes files, unless it
// looks like a verb and like no file.
absl::StatusOr<const Verb*> VerbWithout(const Program& program,
                                        const std::string& word,
                                        const ProgramWorld& world) {
  const std::optional<std::string> meant = MeantVerb(program, word);
  const Verb* const unnamed = FindVerb(program, program.default_verb);
  const bool file = word.find_first_of("./") != std::string::npos ||
                    word.starts_with('-') || world.files.Exists(word);
  if (unnamed != nullptr && (file || !meant.has_value())) return unnamed;
  if (word.starts_with('-')) return nullptr;
  return UsageError(absl::StrCat("unknown verb ", word),
                    meant.has_value()
                        ? absl::StrCat("did you mean ", *meant, "?")
                        : absl::StrCat(program.name, " --help lists them"));
}

}  // namespace

const Verb* FindVerb(const Program& program, const std::string& name) {
  for (const Verb& verb : program.verbs) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

std::size_t PlaceOfVerb(const Program& program,
                        const std::vector<std::string>& words) {
  CommandLine line;
  CommonFlags flags;
  DeclareCommon(program, line, flags);
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t equals = words[at].find('=');
    const Argument* const flag = line.Find(words[at].substr(0, equals));
    if (flag == nullptr) break;
    const bool whole =
        equals != std::string::npos || flag->takes == Argument::Takes::kNothing;
    at += whole ? 1 : 2;
  }
  return std::min(at, words.size());
}

absl::StatusOr<const Verb*> ChooseVerb(const Program& program,
                                       const ProgramWorld& world,
                                       std::vector<std::string>& words) {
  const std::size_t at = PlaceOfVerb(program, words);
  const Verb* const named = TakeVerb(program, at, words);
  if (named != nullptr || at == words.size()) return named;
  return VerbWithout(program, words[at], world);
}

}  // namespace autotune
