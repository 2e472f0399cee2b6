#include "tools/autotune/command_line.h"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/did_you_mean.h"
#include "base/version.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/verb_result.h"
#include "tools/autotune/verb_table.h"

namespace autotune {
namespace {

// Options every verb takes.
struct GlobalOptions {
  bool json = false;
  bool quiet = false;
  bool dry_run = false;
  std::string task;
  std::string color = "auto";
  std::string directory;
};

void AddGlobalOptions(CLI::App& program, GlobalOptions& options) {
  program.add_flag("--json", options.json, "one JSON object on stdout");
  program.add_flag("--quiet", options.quiet, "no progress and no notes");
  program.add_flag("--dry-run", options.dry_run, "change nothing");
  program.add_option("--task", options.task,
                     "the task, when it is not clear from the branch");
  program.add_option("--color", options.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  program.add_option("-C", options.directory, "run as if started there");
  program.set_version_flag("--version", std::string("autotune ") + kVersion);
  program.set_help_all_flag("--help-all", "the options of every verb");
}

void CollectOptions(const CLI::App& command, bool with_value,
                    std::vector<std::string>& names) {
  for (const CLI::Option* option : command.get_options()) {
    if (with_value && option->get_items_expected_max() == 0) continue;
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
}

// "--option value" as "--option=value" for options of one value, so that a
// value may start with a dash.
std::vector<std::string> WithJoinedValues(
    const std::vector<std::string>& arguments, const CLI::App& program) {
  std::vector<std::string> names;
  CollectOptions(program, true, names);
  for (const CLI::App* command : program.get_subcommands({})) {
    CollectOptions(*command, true, names);
  }
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool ours =
        std::find(names.begin(), names.end(), arguments[i]) != names.end();
    if (arguments[i] == "--") {
      joined.insert(joined.end(), arguments.begin() + i, arguments.end());
      break;
    }
    if (ours && i + 1 < arguments.size() && !arguments[i + 1].empty()) {
      joined.push_back(arguments[i] + "=" + arguments[i + 1]);
      ++i;
    } else {
      joined.push_back(arguments[i]);
    }
  }
  return joined;
}

absl::Status Unexpected(const CLI::App& program, const CLI::App* verb,
                        const std::string& word) {
  std::vector<std::string> known;
  const bool flag = absl::StartsWith(word, "-");
  if (verb == nullptr && !flag) {
    for (const CLI::App* command : program.get_subcommands({})) {
      known.push_back(command->get_name());
    }
  } else {
    CollectOptions(program, false, known);
    if (verb != nullptr) CollectOptions(*verb, false, known);
  }
  const std::string name = word.substr(0, word.find('='));
  const auto closest = ClosestName(name, known);
  const std::string where = verb == nullptr ? "" : verb->get_name() + ": ";
  return WithHint(
      absl::OutOfRangeError(absl::StrCat(
          where, flag ? "unknown option " : "unexpected word ", "\"", name,
          "\"",
          closest.has_value() ? absl::StrCat("; did you mean ", *closest, "?")
                              : "")),
      absl::StrCat("autotune ", verb == nullptr ? "" : verb->get_name() + " ",
                   "--help lists what it takes"));
}

const Verb* ParsedVerb(const std::vector<Verb>& verbs) {
  for (const Verb& verb : verbs) {
    if (verb.command->parsed()) return &verb;
  }
  return nullptr;
}

// What parsing ended with: a verb to run, text to print (help, version), or an
// error.
struct Parsed {
  const Verb* verb = nullptr;
  std::string text;
};

absl::StatusOr<Parsed> Parse(CLI::App& program, const std::vector<Verb>& verbs,
                             const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed = WithJoinedValues(arguments, program);
  std::reverse(reversed.begin(), reversed.end());
  Parsed parsed;
  try {
    program.parse(std::move(reversed));
  } catch (const CLI::Success& success) {
    std::ostringstream out;
    std::ostringstream err;
    program.exit(success, out, err);
    parsed.text = out.str();
    return parsed;
  } catch (const CLI::ParseError& error) {
    const Verb* verb = ParsedVerb(verbs);
    return WithHint(
        absl::OutOfRangeError(absl::StrCat(
            verb == nullptr ? "" : verb->command->get_name() + ": ",
            error.what())),
        absl::StrCat("autotune ",
                     verb == nullptr ? "" : verb->command->get_name() + " ",
                     "--help lists what it takes"));
  }
  parsed.verb = ParsedVerb(verbs);
  std::vector<std::string> extra = program.remaining(true);
  // The mark before positional texts that start with a dash.
  std::erase(extra, "--");
  if (!extra.empty()) {
    return Unexpected(program,
                      parsed.verb == nullptr ? nullptr : parsed.verb->command,
                      extra.front());
  }
  if (parsed.verb == nullptr) parsed.text = program.help();
  return parsed;
}

// The shell stands in a folder that was removed under it.
absl::Status NoDirectory() {
  return WithHint(absl::FailedPreconditionError(
                      "the current folder is gone, as after an attempt's "
                      "worktree was removed"),
                  "cd to the repository, or name it with -C DIR");
}

int RunVerb(const Verb& verb, const GlobalOptions& options,
            const AutotuneWorld& world, Terminal& terminal) {
  Session session{terminal, world.seams, world.directory, world.environment};
  if (!options.directory.empty()) {
    session.directory = JoinPath(world.directory, options.directory);
    session.given_directory = options.directory;
  }
  session.task = options.task;
  session.quiet = options.quiet;
  session.dry_run = options.dry_run;
  session.interrupted = world.interrupted;
  if (options.color != "auto") terminal.color = options.color == "always";
  const std::string name = verb.command->get_name();
  const absl::StatusOr<VerbResult> result =
      session.directory.empty() ? NoDirectory() : verb.run(session);
  if (!result.ok()) {
    return PrintError(result.status(), options.json, terminal);
  }
  PrintResult(*result, name, options.json, terminal);
  return result->exit_code;
}

}  // namespace

int RunAutotune(const std::vector<std::string>& arguments,
                const AutotuneWorld& world, Terminal& terminal) {
  CLI::App program(
      "Measures each attempt at a speed-up so that noise cannot fool it, keeps "
      "what is proven faster, and lets git history keep every attempt.",
      "autotune");
  GlobalOptions options;
  AddGlobalOptions(program, options);
  program.allow_extras();
  const std::vector<Verb> verbs = AddVerbs(program);
  const absl::StatusOr<Parsed> parsed = Parse(program, verbs, arguments);
  const bool json = std::find(arguments.begin(), arguments.end(), "--json") !=
                    arguments.end();
  if (!parsed.ok()) return PrintError(parsed.status(), json, terminal);
  if (parsed->verb == nullptr) {
    const bool asked = !arguments.empty();
    (asked ? terminal.out : terminal.err) << parsed->text;
    return asked ? kExitKeep : kExitUsage;
  }
  return RunVerb(*parsed->verb, options, world, terminal);
}

}  // namespace autotune
