#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERB_TABLE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERB_TABLE_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/verb_result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace autotune {

// A verb of the command line and what it runs once its options are parsed.
struct Verb {
  CLI::App* command = nullptr;
  std::function<absl::StatusOr<VerbResult>(const Session&)> run;
};

// Adds every verb with its options to `program`, in the order of --help. The
// verbs own what their options are parsed into.
std::vector<Verb> AddVerbs(CLI::App& program);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERB_TABLE_H_
