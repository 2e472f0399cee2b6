#ifndef AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_IMPLEMENTER_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_IMPLEMENTER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tools/autotune/task/session.h"
#include "tools/system/process_runner.h"

namespace autotune {

// How to run a program that makes a change when it is given a prompt: an agent,
// or a script. Read from a recipe, recipes/NAME.toml, or typed as a command.
struct ImplementerRecipe {
  std::string name;
  // argv; "{prompt}" and "{prompt_file}" in a word are replaced. Without either
  // the prompt is given on standard input.
  std::vector<std::string> command;
  std::vector<std::string> unset;  // variables it must not see
  // Where its standard output, JSON or lines of JSON, tells what it cost: names
  // joined by dots, "*" for every name of an object, whose numbers are summed.
  // Empty: it does not tell.
  std::string usd;
  std::vector<std::string> tokens;  // summed
  bool each_line_adds = false;      // else the last line that tells has the sum
  std::vector<std::string> traps;   // what is known to go wrong, for people
  bool tried = false;               // whether its maintainers ran it
};

// One run that ended. Neither its words nor its exit code prove anything: what
// it changed does.
struct ImplementerEnd {
  int exit_code = 0;
  bool timed_out = false;
  double seconds = 0.0;
  std::optional<double> usd;
  std::optional<std::int64_t> tokens;
};

// The recipe `text` names: a file of the recipes' folder, else a command typed
// on one line. NotFound when a bare word is neither a recipe nor looks like a
// command with a path; InvalidArgument for a recipe that cannot be read.
absl::StatusOr<ImplementerRecipe> FindRecipe(const Session& session,
                                             const std::string& text);

// Names of the recipes that are here, sorted.
std::vector<std::string> RecipeNames(const Session& session);

// The text of a recipe. InvalidArgument "SOURCE: KEY: ...".
absl::StatusOr<ImplementerRecipe> ParseRecipe(std::string_view text,
                                              const std::string& source);

// A run that goes on.
class RunningImplementer {
 public:
  // Starts it in `worktree`: a process group of its own, the agents' and git's
  // variables unset, standard input closed behind the prompt. What it leaves
  // running is ended with it.
  static absl::StatusOr<RunningImplementer> Start(
      const Session& session, const ImplementerRecipe& recipe,
      const std::string& worktree, const std::string& prompt_file,
      const std::string& prompt);

  // Whether it ended, waiting at most `wait`.
  absl::StatusOr<bool> PollEnded(absl::Duration wait);
  // Asks it to end, then ends it.
  void Stop();
  // How it ended; its last words go to `output_path` (.out and .err).
  absl::StatusOr<ImplementerEnd> Finish(const Session& session,
                                        const std::string& output_path);

 private:
  ImplementerRecipe recipe_;
  std::unique_ptr<RunningProcess> process_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_IMPLEMENTER_H_
