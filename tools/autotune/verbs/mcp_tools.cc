// What the tools are and take. Their parameters are what the verbs declare for
// the command line, so that the two cannot differ.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/did_you_mean.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/autotune/verbs/mcp.h"
#include "tools/program/command_line.h"

namespace autotune {
namespace {

using Json = nlohmann::ordered_json;

// One parameter of a tool, and the option or word of the verb behind it.
struct Parameter {
  std::string name;
  std::string option;  // "--no-profile"; empty: a word
  const Argument* argument;
};

// "--no-profile" is no_profile, APPROACH... is approach.
std::string ParameterName(const Argument& argument) {
  const std::string text =
      argument.names.empty() ? argument.placeholder : argument.names.back();
  return absl::AsciiStrToLower(
      absl::StrReplaceAll(text, {{"...", ""}, {"--", ""}, {"-", "_"}}));
}

const Verb& VerbOf(const Program& program, const McpTool& tool) {
  return *std::find_if(
      program.verbs.begin(), program.verbs.end(),
      [&](const Verb& verb) { return verb.name == tool.verb; });
}

// A verb's command line, which lives as long as what it was declared with.
struct DeclaredVerb {
  DeclaredVerb(const Program& program, const McpTool& tool) {
    action = VerbOf(program, tool).declare(line);
    CommandLine all;
    DeclareCommon(program, all, common);
    shared = all.arguments();
    for (const Argument& argument : line.arguments()) Add(argument);
    for (const Argument& argument : shared) {
      const std::string name = ParameterName(argument);
      if (name == "task" || name == "dry_run") Add(argument);
    }
  }

  void Add(const Argument& argument) {
    parameters.push_back({ParameterName(argument),
                          argument.names.empty() ? "" : argument.names.back(),
                          &argument});
  }

  const Parameter* Find(const std::string& name) const {
    for (const Parameter& parameter : parameters) {
      if (parameter.name == name) return &parameter;
    }
    return nullptr;
  }

  CommandLine line;
  CommonFlags common;
  Action action;
  std::vector<Argument> shared;
  std::vector<Parameter> parameters;
};

bool IsList(const Argument& argument) {
  return argument.repeats || argument.takes == Argument::Takes::kValues;
}

bool IsFlag(const Argument& argument) {
  return argument.takes == Argument::Takes::kNothing;
}

Json SchemaOf(const Argument& argument) {
  Json schema;
  if (IsFlag(argument)) {
    schema["type"] = "boolean";
  } else if (IsList(argument)) {
    schema["type"] = "array";
    schema["items"]["type"] = "string";
  } else {
    schema["type"] = "string";
    if (!argument.choices.empty()) schema["enum"] = argument.choices;
  }
  schema["description"] = argument.description;
  return schema;
}

absl::Status WrongType(const std::string& name, const char* expected,
                       const Json& value) {
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": expected ", expected, ", got ",
                   value.dump(-1, ' ', false, Json::error_handler_t::replace)
                       .substr(0, 80)));
}

absl::StatusOr<std::string> TextOf(const std::string& name, const Json& value) {
  if (!value.is_string()) return WrongType(name, "a string", value);
  std::string text = value.get<std::string>();
  if (text.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": expected a text without NUL, got one"));
  }
  return text;
}

absl::StatusOr<std::vector<std::string>> TextsOf(const Parameter& parameter,
                                                 const Json& value) {
  if (!IsList(*parameter.argument)) {
    ASSIGN_OR_RETURN(std::string text, TextOf(parameter.name, value));
    return std::vector<std::string>{std::move(text)};
  }
  if (!value.is_array()) {
    return WrongType(parameter.name, "an array of strings", value);
  }
  std::vector<std::string> texts;
  for (const Json& one : value) {
    ASSIGN_OR_RETURN(std::string text, TextOf(parameter.name, one));
    texts.push_back(std::move(text));
  }
  return texts;
}

// Adds what the parameter says to the options, or to the words behind them.
absl::Status AddParameter(const Parameter& parameter, const Json& value,
                          std::vector<std::string>& options,
                          std::vector<std::string>& words) {
  if (IsFlag(*parameter.argument)) {
    if (!value.is_boolean()) {
      return WrongType(parameter.name, "true or false", value);
    }
    if (value.get<bool>()) options.push_back(parameter.option);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                   TextsOf(parameter, value));
  for (const std::string& text : texts) {
    if (parameter.option.empty()) {
      words.push_back(text);
    } else {
      options.push_back(absl::StrCat(parameter.option, "=", text));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckNames(const DeclaredVerb& verb, const McpTool& tool,
                        const Json& arguments) {
  std::vector<std::string> names;
  for (const Parameter& parameter : verb.parameters) {
    names.push_back(parameter.name);
  }
  for (const auto& [name, value] : arguments.items()) {
    if (verb.Find(name) != nullptr) continue;
    const auto closest = ClosestName(name, names);
    return absl::InvalidArgumentError(absl::StrCat(
        std::string(tool.verb), " takes no argument \"", name.substr(0, 80),
        "\"",
        closest.has_value() ? absl::StrCat("; did you mean ", *closest, "?")
                            : ""));
  }
  return absl::OkStatus();
}

}  // namespace

const std::vector<McpTool>& McpTools() {
  static const auto& tools = *new std::vector<McpTool>{
      {.verb = "next",
       .title = "What to do next",
       .description =
           "The commands worth running now, best first, and where the task "
           "stands: phase, gain, near misses. Call it between attempts.",
       .read_only = true},
      {.verb = "start",
       .title = "Open an attempt",
       .description =
           "Opens one attempt with its own branch and worktree; answers with "
           "the folder to work in. One idea an attempt. The first needs a "
           "profile (`autotune profile`) or no_profile with a reason."},
      {.verb = "check",
       .title = "Check an attempt",
       .description =
           "Commits what was left in the attempt's worktree, then checks that "
           "it stays in scope, builds and passes the tests. Measures and "
           "records nothing."},
      {.verb = "decide",
       .title = "Measure and record an attempt",
       .description =
           "Measures the attempt against the tip until keep or discard is "
           "proven, merges it, reverts it unless it is a keep, records the row "
           "and removes the worktree. May take many minutes: the same call "
           "again waits for the decision that is running, or returns the "
           "recorded one. Never measure by yourself instead.",
       .destructive = true},
      {.verb = "status",
       .title = "Where the task stands",
       .description =
           "Target, phase, gain claimed and measured, open and decided "
           "attempts.",
       .read_only = true},
      {.verb = "log",
       .title = "Record a finding",
       .description =
           "Adds a finding to the task's log.md, above all why something did "
           "not work: later prompts hold it."},
  };
  return tools;
}

std::string McpToolDefinition(const Program& program, const McpTool& tool) {
  const DeclaredVerb verb(program, tool);
  Json schema = {{"type", "object"}, {"properties", Json::object()}};
  Json required = Json::array();
  for (const Parameter& parameter : verb.parameters) {
    schema["properties"][parameter.name] = SchemaOf(*parameter.argument);
    if (parameter.argument->required) required.push_back(parameter.name);
  }
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  Json definition;
  definition["name"] = std::string(tool.verb);
  definition["title"] = std::string(tool.title);
  definition["description"] = std::string(tool.description);
  definition["inputSchema"] = std::move(schema);
  definition["annotations"] = {{"title", std::string(tool.title)},
                               {"readOnlyHint", tool.read_only},
                               {"destructiveHint", tool.destructive},
                               {"idempotentHint", tool.idempotent},
                               {"openWorldHint", false}};
  return definition.dump();
}

absl::StatusOr<std::vector<std::string>> McpCommandLine(
    const Program& program, const McpTool& tool, const std::string& given) {
  const Json arguments = Json::parse(given);
  const DeclaredVerb verb(program, tool);
  RETURN_IF_ERROR(CheckNames(verb, tool, arguments));
  std::vector<std::string> line = {std::string(tool.verb)};
  std::vector<std::string> words;
  for (const Parameter& parameter : verb.parameters) {
    const auto value = arguments.find(parameter.name);
    if (value == arguments.end()) continue;
    RETURN_IF_ERROR(AddParameter(parameter, *value, line, words));
  }
  if (!words.empty()) line.emplace_back("--");
  line.insert(line.end(), words.begin(), words.end());
  return line;
}

}  // namespace autotune
