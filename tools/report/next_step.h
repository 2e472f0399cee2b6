#ifndef AUTOTUNE_TOOLS_REPORT_NEXT_STEP_H_
#define AUTOTUNE_TOOLS_REPORT_NEXT_STEP_H_

#include <string>
#include <vector>

#include "tools/report/json_writer.h"

namespace autotune {

// A command the user can type. Its first word may be "...": what they typed
// before.
struct Command {
  std::string program;               // "bench_compare", "autotune", "git"
  std::vector<std::string> words;    // verb, options and arguments
  std::vector<std::string> leading;  // options before the verb: -C DIR

  // As a shell reads it: words that need quotes have them.
  std::string Text() const;
};

// The command `autotune WORDS...`.
Command Autotune(std::vector<std::string> words);

// What the user can do about an outcome: a command and why.
struct NextStep {
  Command command;
  std::string why;
};

// "next": [{"command": ..., "why": ...}]
void WriteNext(const std::vector<NextStep>& steps, JsonWriter& json);
// A line each: "next: COMMAND   # WHY".
std::string NextText(const std::vector<NextStep>& steps);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_NEXT_STEP_H_
