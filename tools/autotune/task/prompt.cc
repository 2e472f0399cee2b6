#include "tools/autotune/task/prompt.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/number_text.h"
#include "tools/autotune/task/attempt.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

constexpr char kHypothesisHeading[] = "## Hypothesis";

// Every line quoted, so that no text can start a heading of the prompt.
std::string Quoted(std::string_view text) {
  std::string quoted;
  for (absl::string_view line :
       absl::StrSplit(absl::string_view(text.data(), text.size()), '\n')) {
    absl::StrAppend(&quoted, line.empty() ? ">" : "> ", line, "\n");
  }
  return quoted;
}

std::string PatternList(const std::vector<std::string>& patterns) {
  if (patterns.empty()) return "nothing";
  return "`" + absl::StrJoin(patterns, "`, `") + "`";
}

std::string MetricText(const Policy& policy) {
  if (policy.metric == "auto") {
    return "CPU time (wall-clock time where the benchmark itself asks for it)";
  }
  const bool higher = policy.direction == Direction::kHigherIsBetter;
  return absl::StrCat("`", policy.metric, "`",
                      higher ? ", higher is better" : "");
}

std::string GuardText(const Policy& policy) {
  std::string text;
  for (const Guard& guard : policy.guards) {
    const std::string& name =
        guard.metric.empty() ? guard.benchmark_pattern : guard.metric;
    absl::StrAppend(&text, "- `", name, "` must not get worse by more than ",
                    FixedText(guard.margin * 100.0, 2), " %.\n");
  }
  return text;
}

std::string TargetText(const TaskState& state) {
  const TaskSettings& settings = state.settings;
  return absl::StrCat("- Target: the benchmarks that match `", settings.target,
                      "`, by ", MetricText(settings.policy),
                      ".\n- The change is kept when the target is "
                      "proven better; an improvement below ",
                      FixedText(settings.policy.min_effect * 100.0, 2),
                      " % is not worth having.\n", GuardText(settings.policy));
}

std::string CommandLine(std::string_view label,
                        const std::vector<std::string>& argv) {
  if (argv.empty()) return "";
  return absl::StrCat("- ", std::string(label), ": `", CommandText(argv),
                      "`\n");
}

std::string CommandsText(const TaskSettings& settings) {
  return absl::StrCat(CommandLine("configure", settings.configure),
                      CommandLine("build", settings.build),
                      CommandLine("test", settings.test),
                      CommandLine("benchmark", settings.benchmark));
}

std::string RulesText(const TaskState& state, std::string_view approach) {
  return absl::StrCat(
      "- You may edit ", PatternList(state.settings.scope_edit),
      " and add notes below `", state.task.File(approach),
      "/`; notes are kept even when the code is not.\n- Sealed, whatever the "
      "line above says: ",
      PatternList(state.settings.scope_sealed),
      ". A change to anything else ends the attempt without being run.\n"
      "- Behaviour must not change: the tests decide.\n"
      "- Commit your work on this branch; do not merge, rebase or push.\n");
}

std::string EndText(std::string_view approach) {
  const std::string name(approach);
  return absl::StrCat("- `autotune check ", name,
                      "` checks the scope, builds and tests.\n"
                      "- `autotune decide ",
                      name,
                      "` measures against the working branch and records.\n"
                      "- `autotune decide ",
                      name,
                      " --crash REASON` records an approach that cannot be "
                      "made to work.\n");
}

}  // namespace

std::string PromptText(const TaskState& state, std::string_view approach,
                       std::string_view hypothesis, std::string_view details) {
  std::string text = absl::StrCat(
      "# ", std::string(approach), "\n\n", kHypothesisHeading, "\n\n",
      Quoted(hypothesis), "\n## Goal\n\n", TargetText(state), "\n## Rules\n\n",
      RulesText(state, approach),
      "\n## Commands\n\n`{build}` is a fresh folder "
      "outside the tree.\n\n",
      CommandsText(state.settings), "\n## When done\n\n", EndText(approach));
  if (!details.empty()) {
    absl::StrAppend(&text, "\n## Details\n\n", std::string(details), "\n");
  }
  return text;
}

std::string HypothesisOf(std::string_view prompt) {
  std::string hypothesis;
  bool inside = false;
  for (absl::string_view line :
       absl::StrSplit(absl::string_view(prompt.data(), prompt.size()), '\n')) {
    if (line == kHypothesisHeading) {
      inside = true;
      continue;
    }
    if (!inside || line.empty()) continue;
    if (line[0] != '>') break;
    absl::StrAppend(&hypothesis, line.substr(1), " ");
  }
  return OneLine(hypothesis, 200);
}

}  // namespace autotune
