#ifndef AUTOTUNE_TOOLS_MEASURE_LAUNCHER_H_
#define AUTOTUNE_TOOLS_MEASURE_LAUNCHER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace autotune {

// How a command gets to a host: an argument list in which placeholders stand.
// It is run without a shell.
struct Launcher {
  std::vector<std::string> words;
};

// What stands for the placeholders in one launch.
struct Launch {
  std::string host;                  // {host}
  std::vector<std::string> command;  // {command}, {quoted}
  std::string out;                   // {out}: where its record will be
  int timeout_seconds = 0;           // {timeout}: when it must have ended
};

// The launchers that have a name, for messages and help.
std::vector<std::string> LauncherPresets();

// One of the presets by its name:
//   slurm     a job step of its own, alone on the node (srun)
//   ssh       OpenSSH, which never asks
//   parallel  GNU parallel, over ssh; the host ":" is this machine
// or else a template, split into words without a shell (CommandWords):
//   {command}  a word by itself: every word of the command
//   {quoted}   the command as one word, quoted for the shell of a launcher
//              that has one there, as ssh and parallel do
//   {host} {out} {timeout}  anywhere inside words; {timeout} in seconds
// OutOfRange (usage) "expected ..., got ..." for a template without {host},
// without just one of {command} and {quoted}, with another {word}, or with ssh
// and {command}: ssh joins the words, so that those with blanks fall apart.
absl::StatusOr<Launcher> ParseLauncher(std::string_view text);

// The argument list of one launch.
std::vector<std::string> LaunchWords(const Launcher& launcher,
                                     const Launch& launch);

// The hosts of "a,b,c". OutOfRange (usage) for a name that is empty, there
// twice, or has other characters than letters, digits and ._-@: (a launcher may
// take others for options or have a meaning of its own for them).
absl::StatusOr<std::vector<std::string>> ParseHosts(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_LAUNCHER_H_
