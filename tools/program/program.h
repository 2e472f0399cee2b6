#ifndef AUTOTUNE_TOOLS_PROGRAM_PROGRAM_H_
#define AUTOTUNE_TOOLS_PROGRAM_PROGRAM_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/program/command_line.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/exit_code.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"
#include "tools/system/terminal.h"

namespace autotune {

// The world as one run of a program sees it; tests pass fakes.
struct ProgramWorld {
  FileSystem& files;
  ProcessRunner& processes;
  Clock& clock;
  Entropy& entropy;
  std::map<std::string, std::string> environment;
  // Where the user stands, absolute; empty when that folder is gone.
  std::string directory = {};
  // Asked between steps: true after Ctrl-C.
  std::function<bool()> interrupted = [] { return false; };
};

// Flags of every verb. The last three are those of a program on repositories.
struct CommonFlags {
  bool json = false;
  bool quiet = false;
  std::optional<std::string> color;
  bool help = false;
  bool version = false;
  bool dry_run = false;
  std::string task;
  std::string directory;  // -C as given
};

// What a verb runs with once its command line is read.
struct Invocation {
  const ProgramWorld& world;
  Terminal& terminal;
  const CommonFlags& common;
  std::string_view verb;  // its name
};

// Runs a verb and prints its answer; an error is printed by RunProgram.
using Action = std::function<absl::StatusOr<ExitCode>(const Invocation&)>;

// One verb of a program.
struct Verb {
  std::string name;  // "gate run"
  // One line of the program's --help, without a dot; empty: a hidden verb.
  std::string summary;
  std::string example;  // whole commands, one a line
  // Declares what it takes on the line, and returns what runs afterwards.
  std::function<Action(CommandLine&)> declare;
  // More than the summary for the verb's own --help; may be empty.
  std::string description = {};
  // A flag of it that tells it from a verb of the same name that stands before
  // it: "--base-ref". Empty: there is none.
  std::string flag = {};
};

// What may stand for a value of the kind that `placeholder` ("APPROACH") names
// on `line`, which holds the words before it. Empty when nothing is known.
using Candidates = std::function<std::vector<std::string>(
    const std::string& placeholder, CommandLine& line,
    const Invocation& invocation)>;

// A program: its verbs and what its --help says around them.
struct Program {
  std::string name;
  std::string description;
  std::string exit_codes;
  std::string example;
  std::vector<Verb> verbs;        // in the order of --help
  std::string default_verb = {};  // what runs when none is named; may be empty
  bool on_repository = false;     // has -C, --task and --dry-run
  Candidates candidates = {};     // what shells complete; may be empty
};

// Adds verbs behind those that the program has.
void AddVerbs(std::vector<Verb> verbs, Program& program);

// Adds the flags of every verb to what one of them takes.
void DeclareCommon(const Program& program, CommandLine& line,
                   CommonFlags& flags);

// Runs `PROGRAM ARGUMENTS` (without the program's name) and returns the exit
// code: results go to `terminal.out`, everything else to `terminal.err`.
// Nothing else of the process is touched, so that tests run it in-process.
int RunProgram(const Program& program,
               const std::vector<std::string>& arguments,
               const ProgramWorld& world, Terminal& terminal);

// Prints the error and its hint on terminal.err, or with `json` the object
// {schema_version, ok: false, error: {code, message, hint}} on terminal.out.
// Returns the exit code.
ExitCode Fail(std::string_view program, const absl::Status& status, bool json,
              Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_PROGRAM_PROGRAM_H_
