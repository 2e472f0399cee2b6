#include "tools/program/program.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "tools/program/command_line.h"
#include "tools/program/help_text.h"
#include "tools/program/verb_choice.h"
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

void AddVerbs(std::vector<Verb> verbs, Program& program) {
  std::move(verbs.begin(), verbs.end(), std::back_inserter(program.verbs));
}

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
