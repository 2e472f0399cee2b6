#include "tools/program/program.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/did_you_mean.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "tools/program/command_line.h"
#include "tools/program/help_text.h"
#include "tools/report/error_report.h"
#include "tools/system/exit_code.h"

namespace autotune {
namespace {

using Words = std::vector<std::string>;

// Whether `flag` stands among our words, whatever is wrong with the others.
bool Has(const Words& words, std::string_view flag) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, flag) != end;
}

// Where a verb's name would stand: behind common flags and their values.
std::size_t PlaceOfVerb(const Program& program, const Words& words) {
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

// A verb's name of several words stands in as many arguments.
bool StandsAt(const Words& name, const Words& words, std::size_t at) {
  return words.size() - at >= name.size() &&
         std::equal(name.begin(), name.end(),
                    words.begin() + static_cast<std::ptrdiff_t>(at));
}

const Verb* FindVerb(const Program& program, const std::string& name) {
  for (const Verb& verb : program.verbs) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

// Takes the longest verb that stands at `at` out of `words`; null: none does.
const Verb* TakeVerb(const Program& program, std::size_t at, Words& words) {
  const Verb* found = nullptr;
  Words longest;
  for (const Verb& verb : program.verbs) {
    const Words name = absl::StrSplit(verb.name, ' ');
    if (!StandsAt(name, words, at) || name.size() < longest.size()) continue;
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

absl::StatusOr<const Verb*> ChooseVerb(const Program& program,
                                       const ProgramWorld& world,
                                       Words& words) {
  const std::size_t at = PlaceOfVerb(program, words);
  const Verb* const named = TakeVerb(program, at, words);
  if (named != nullptr || at == words.size()) return named;
  return VerbWithout(program, words[at], world);
}

absl::StatusOr<ExitCode> Run(const Program& program, Words words,
                             const ProgramWorld& world, Terminal& terminal) {
  ASSIGN_OR_RETURN(const Verb* const verb, ChooseVerb(program, world, words));
  CommandLine line;
  CommonFlags common;
  const Action action = verb == nullptr ? nullptr : verb->declare(line);
  DeclareCommon(program, line, common);
  const std::string command =
      verb == nullptr ? program.name : CommandOf(program, *verb);
  RETURN_IF_ERROR(line.Parse(words, command));
  if (common.version) {
    terminal.out << program.name << ' ' << kVersion << '\n';
    return kExitKeep;
  }
  if (verb == nullptr) {
    (common.help ? terminal.out : terminal.err) << ProgramHelp(program);
    return common.help ? kExitKeep : kExitUsage;
  }
  if (common.help) {
    terminal.out << VerbHelp(program, *verb, line);
    return kExitKeep;
  }
  if (common.color == "always") terminal.color = true;
  if (common.color == "never") terminal.color = false;
  return action({world, terminal, common, verb->name});
}

}  // namespace

void DeclareCommon(const Program& program, CommandLine& line,
                   CommonFlags& flags) {
  line.StartGroup("Common options");
  line.AddFlag("--json", flags.json, "one JSON object on stdout");
  line.AddFlag("-q,--quiet", flags.quiet, "no progress and no notes");
  line.AddChoice("--color", {"auto", "always", "never"}, flags.color,
                 "colour the answer (auto)");
  if (program.on_repository) {
    line.AddFlag("--dry-run", flags.dry_run, "change nothing");
    line.AddText("--task", "TASK", flags.task,
                 "the task, when the branch does not tell");
    line.AddText("-C", "DIR", flags.directory, "run as if started there");
  }
  line.AddFlag("-h,--help", flags.help, "print this help");
  line.AddFlag("--version", flags.version, "print the version");
}

int RunProgram(const Program& program,
               const std::vector<std::string>& arguments,
               const ProgramWorld& world, Terminal& terminal) {
  Words words = arguments;
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  const absl::StatusOr<ExitCode> code = Run(program, words, world, terminal);
  if (code.ok()) return *code;
  const bool json = Has(words, "--json") || Has(words, "--format=json");
  return Fail(program.name, code.status(), json, terminal);
}

ExitCode Fail(std::string_view program, const absl::Status& status, bool json,
              Terminal& terminal) {
  const ExitCode code = ExitCodeFor(status);
  if (json) {
    terminal.out << ErrorJson(status, code);
  } else {
    terminal.err << terminal.Shown(ErrorText(program, status));
  }
  return code;
}

}  // namespace autotune
