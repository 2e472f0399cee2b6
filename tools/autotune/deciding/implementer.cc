// Programs that implement an attempt: what is known of each is data
// (recipes/*.toml); this file runs them and reads what they cost.

#include "tools/autotune/deciding/implementer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "base/annotate.h"
#include "base/command_words.h"
#include "base/did_you_mean.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/autotune/task/data_folder.h"
#include "tools/ledger/toml_scanner.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

constexpr char kPrompt[] = "{prompt}";
constexpr char kPromptFile[] = "{prompt_file}";
constexpr std::string_view kSuffix = ".toml";
// What is kept of each stream; an agent may print without end.
constexpr std::size_t kOutputBytes = std::size_t{1} << 20;
constexpr absl::Duration kGrace = absl::Seconds(10);
// Set inside agents, which then refuse to start again or use the outer one's
// session.
constexpr const char* kAgentVariables[] = {"CLAUDECODE",
                                           "CLAUDE_CODE_ENTRYPOINT"};

bool Holds(const std::vector<std::string>& words, const char* mark) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return absl::StrContains(word, mark);
  });
}

// The strings of an array as it stands in the file, `["a", "b"]`.
absl::StatusOr<std::vector<std::string>> Strings(const std::string& text) {
  // JSON is what TOML's arrays of basic strings are.
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_array()) {
    return absl::InvalidArgumentError("expected an array of strings");
  }
  std::vector<std::string> values;
  for (const auto& value : json) {
    if (!value.is_string()) {
      return absl::InvalidArgumentError("expected an array of strings");
    }
    values.push_back(value.get<std::string>());
  }
  return values;
}

absl::Status SetKey(const std::string& key, const ScannedValue& value,
                    ImplementerRecipe& recipe) {
  const std::string& text = value.text;
  const auto list = [&](std::vector<std::string>& values) -> absl::Status {
    ASSIGN_OR_RETURN(values, Strings(text));
    return absl::OkStatus();
  };
  if (key == "command") return list(recipe.command);
  if (key == "unset") return list(recipe.unset);
  if (key == "traps") return list(recipe.traps);
  if (key == "cost.tokens") return list(recipe.tokens);
  if (key == "cost.usd") {
    recipe.usd = text;
    return absl::OkStatus();
  }
  if (key == "tried") {
    recipe.tried = value.number != 0.0;
    return absl::OkStatus();
  }
  if (key == "cost.each_line_adds") {
    recipe.each_line_adds = value.number != 0.0;
    return absl::OkStatus();
  }
  if (key == "schema_version" && value.number == 1.0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "unknown key; expected schema_version = 1, command, unset, traps, tried, "
      "cost.usd, cost.tokens or cost.each_line_adds");
}

std::string RecipesFolder(const Session& session) {
  return JoinPath(DataFolder(session), "recipes");
}

// Adds up the numbers at `names` of `json`, "*" being every name there.
void AddNumbersAt(const nlohmann::json& json,
                  absl::Span<const std::string> names,
                  std::optional<double>& sum) {
  if (names.empty()) {
    if (json.is_number()) sum = sum.value_or(0.0) + json.get<double>();
    return;
  }
  if (!json.is_object()) return;
  for (const auto& [name, value] : json.items()) {
    if (names.front() != "*" && names.front() != name) continue;
    AddNumbersAt(value, names.subspan(1), sum);
  }
}

// The objects of an output that is one JSON value or lines of them.
std::vector<nlohmann::json> Objects(const std::string& output) {
  auto whole = nlohmann::json::parse(output, nullptr, false);
  if (!whole.is_discarded()) return {std::move(whole)};
  std::vector<nlohmann::json> objects;
  for (absl::string_view line : absl::StrSplit(output, '\n')) {
    auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object()) objects.push_back(std::move(json));
  }
  return objects;
}

// The number at `path`: the last that is told, for most agents print sums as
// they go, or what all lines add up to.
std::optional<double> CostAt(const std::vector<nlohmann::json>& objects,
                             const std::string& path, bool each_line_adds) {
  if (path.empty()) return std::nullopt;
  const std::vector<std::string> names = absl::StrSplit(path, '.');
  std::optional<double> cost;
  for (auto object = objects.rbegin(); object != objects.rend(); ++object) {
    AddNumbersAt(*object, names, cost);
    if (cost.has_value() && !each_line_adds) break;
  }
  return cost;
}

void ReadCost(const ImplementerRecipe& recipe, const std::string& output,
              ImplementerEnd& end) {
  if (recipe.usd.empty() && recipe.tokens.empty()) return;
  const std::vector<nlohmann::json> objects = Objects(output);
  end.usd = CostAt(objects, recipe.usd, recipe.each_line_adds);
  for (const std::string& path : recipe.tokens) {
    if (const auto number = CostAt(objects, path, recipe.each_line_adds)) {
      end.tokens = end.tokens.value_or(0) + static_cast<std::int64_t>(*number);
    }
  }
}

}  // namespace

absl::StatusOr<ImplementerRecipe> ParseRecipe(std::string_view text,
                                              const std::string& source) {
  ImplementerRecipe recipe;
  TomlPath table;
  for (const ScannedItem& item : ScanToml(text)) {
    if (item.kind == ScannedItem::Kind::kTable) {
      table = item.path;
      continue;
    }
    TomlPath path = table;
    path.insert(path.end(), item.path.begin(), item.path.end());
    const std::string key = absl::StrJoin(path, ".");
    const std::string place = absl::StrCat(source, ":", item.line, ": ", key);
    if (item.kind != ScannedItem::Kind::kValue) {
      return absl::InvalidArgumentError(absl::StrCat(place, item.note));
    }
    RETURN_IF_ERROR(Annotate(SetKey(key, item.value, recipe), place));
  }
  if (recipe.command.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(source, ": command is missing"));
  }
  return recipe;
}

std::vector<std::string> RecipeNames(const Session& session) {
  std::vector<std::string> names;
  const auto files = session.seams.files.ListDirectory(RecipesFolder(session));
  if (!files.ok()) return names;
  for (const std::string& file : *files) {
    if (absl::EndsWith(file, ".toml")) {
      names.push_back(file.substr(0, file.size() - kSuffix.size()));
    }
  }
  return names;
}

absl::StatusOr<ImplementerRecipe> FindRecipe(const Session& session,
                                             const std::string& text) {
  const std::vector<std::string> names = RecipeNames(session);
  if (std::find(names.begin(), names.end(), text) != names.end()) {
    const std::string path =
        JoinPath(RecipesFolder(session), absl::StrCat(text, ".toml"));
    ASSIGN_OR_RETURN(const std::string contents,
                     session.seams.files.ReadFile(path));
    ASSIGN_OR_RETURN(ImplementerRecipe recipe, ParseRecipe(contents, path));
    recipe.name = text;
    return recipe;
  }
  ImplementerRecipe recipe;
  ASSIGN_OR_RETURN(recipe.command, CommandWords(text));
  recipe.name = recipe.command.front();
  const bool one_word = recipe.command.size() == 1;
  if (one_word && !absl::StrContains(recipe.name, "/")) {
    const auto closest = ClosestName(text, names);
    return WithHint(
        absl::NotFoundError(absl::StrCat(
            "no recipe is called \"", text, "\"",
            closest.has_value() ? absl::StrCat("; did you mean ", *closest, "?")
                                : "")),
        absl::StrCat("recipes: ", absl::StrJoin(names, ", "),
                     "; a command of its own is given with its path"));
  }
  return recipe;
}

absl::StatusOr<RunningImplementer> RunningImplementer::Start(
    const Session& session, const ImplementerRecipe& recipe,
    const std::string& worktree, const std::string& prompt_file,
    const std::string& prompt) {
  ProcessSpec spec;
  for (const std::string& word : recipe.command) {
    spec.argv.push_back(absl::StrReplaceAll(
        word, {{kPromptFile, prompt_file}, {kPrompt, prompt}}));
  }
  if (!Holds(recipe.command, kPrompt) && !Holds(recipe.command, kPromptFile)) {
    spec.standard_input = prompt;
  }
  spec.working_directory = worktree;
  spec.unset_environment.assign(std::begin(kAgentVariables),
                                std::end(kAgentVariables));
  spec.unset_environment.insert(spec.unset_environment.end(),
                                recipe.unset.begin(), recipe.unset.end());
  spec.unset_environment_prefixes = {"GIT_"};
  spec.output_limit_bytes = kOutputBytes;
  // A coding agent starts servers, and some start them as daemons.
  spec.ends_descendants = true;
  RunningImplementer running;
  running.recipe_ = recipe;
  auto process = session.seams.processes.Start(spec);
  if (!process.ok()) {
    return Annotate(process.status(),
                    absl::StrCat("implementer ", recipe.name));
  }
  running.process_ = *std::move(process);
  return running;
}

absl::StatusOr<bool> RunningImplementer::PollEnded(absl::Duration wait) {
  return process_->PollEnded(wait);
}

void RunningImplementer::Stop() {
  // It may want to save what it has: asked first, then made to.
  process_->Terminate().IgnoreError();
  const auto ended = process_->PollEnded(kGrace);
  if (!ended.ok() || !*ended) process_->Kill().IgnoreError();
}

absl::StatusOr<ImplementerEnd> RunningImplementer::Finish(
    const Session& session, const std::string& output_path) {
  ASSIGN_OR_RETURN(const ProcessResult result, process_->Wait());
  FileSystem& files = session.seams.files;
  RETURN_IF_ERROR(
      files.WriteFile(output_path + ".out", result.standard_output));
  RETURN_IF_ERROR(files.WriteFile(output_path + ".err", result.standard_error));
  ImplementerEnd end;
  end.exit_code = result.exit_code;
  end.seconds = absl::ToDoubleSeconds(result.wall);
  ReadCost(recipe_, result.standard_output, end);
  return end;
}

}  // namespace autotune
