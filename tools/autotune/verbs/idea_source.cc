#include "tools/autotune/verbs/idea_source.h"

#include <sstream>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/command_words.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/verbs/next.h"
#include "tools/ledger/slug.h"

namespace autotune {
namespace {

using Json = nlohmann::json;

constexpr absl::Duration kPlannerTimeout = absl::Minutes(30);

std::string TextOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>()
                                                   : "";
}

// One object of a planner or of a list of ideas.
absl::StatusOr<Idea> ParseIdea(std::string_view text,
                               const std::string& source) {
  const Json json = Json::parse(text, nullptr, false);
  Idea idea;
  if (json.is_object()) {
    idea.approach = TextOf(json, "approach");
    idea.hypothesis = TextOf(json, "hypothesis");
    idea.details = TextOf(json, "details");
    if (json.contains("targets")) idea.targets = TextOf(json, "targets");
    if (json.contains("expect")) idea.expect = TextOf(json, "expect");
  }
  if (idea.approach.empty() || idea.hypothesis.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        source,
        ": expected an object with \"approach\" and \"hypothesis\", got ",
        OneLine(text, 80)));
  }
  ASSIGN_OR_RETURN(idea.approach, Slug(idea.approach));
  return idea;
}

// What `next --json` prints.
std::string NextJson(const VerbResult& result) {
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{out, err};
  PrintResult(result, "next", /*json=*/true, terminal);
  return out.str();
}

}  // namespace

absl::StatusOr<std::optional<Idea>> IdeaSource::Next() {
  if (planner_.has_value()) return AskPlanner();
  ASSIGN_OR_RETURN(const std::string text,
                   context_.session.seams.files.ReadFile(*file_));
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  while (next_line_ < lines.size()) {
    const std::string& line = lines[next_line_++];
    const auto stripped = absl::StripAsciiWhitespace(line);
    if (stripped.empty() || stripped.front() == '#') continue;
    ASSIGN_OR_RETURN(Idea idea,
                     ParseIdea(line, absl::StrCat(*file_, ":", next_line_)));
    ASSIGN_OR_RETURN(const bool decided, IsDecided(idea.approach));
    if (!decided) return std::optional<Idea>(std::move(idea));
  }
  used_up_ = true;
  return std::optional<Idea>();
}

absl::StatusOr<bool> IdeaSource::IsDecided(const std::string& approach) {
  ASSIGN_OR_RETURN(const TaskState state,
                   LoadTask(context_.repository, context_.task));
  ASSIGN_OR_RETURN(
      const auto history,
      ReadHistory(context_.repository, state.settings.base, state.tip));
  const auto entry = FindEntry(history, approach);
  return entry.has_value() && !entry->ledger.empty();
}

// An answer that is nothing ends the loop: the planner has no more ideas.
absl::StatusOr<std::optional<Idea>> IdeaSource::AskPlanner() {
  ASSIGN_OR_RETURN(const VerbResult next, autotune::Next(context_));
  ProcessSpec spec;
  ASSIGN_OR_RETURN(spec.argv, CommandWords(*planner_));
  spec.standard_input = NextJson(next);
  spec.working_directory = context_.repository.top_level();
  spec.unset_environment_prefixes = {"GIT_"};
  spec.unset_environment = {"CLAUDECODE"};
  spec.timeout = kPlannerTimeout;
  ASSIGN_OR_RETURN(const ProcessResult result,
                   context_.session.seams.processes.Run(spec));
  const std::string answer(absl::StripAsciiWhitespace(result.standard_output));
  if (answer.empty()) {
    used_up_ = true;
    return std::optional<Idea>();
  }
  ASSIGN_OR_RETURN(Idea idea, ParseIdea(answer, "planner"));
  return std::optional<Idea>(std::move(idea));
}

}  // namespace autotune
