#include "tools/program/help_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"

namespace autotune {
namespace {

constexpr std::size_t kDescriptionColumn = 34;

// "  NAME", then the description in a column of its own, or on the next line
// when the name is too long for it.
std::string Row(const std::string& name, const std::string& description) {
  std::string row = absl::StrCat("  ", name);
  if (row.size() + 2 > kDescriptionColumn) {
    absl::StrAppend(&row, "\n", std::string(kDescriptionColumn, ' '));
  } else {
    row.resize(kDescriptionColumn, ' ');
  }
  return absl::StrCat(row, description, "\n");
}

std::string ArgumentRow(const Argument& argument) {
  return Row(TitleOf(argument), argument.description);
}

std::string ArgumentRows(const CommandLine& line) {
  std::string text;
  for (const auto& [heading, arguments] : GroupsOf(line)) {
    absl::StrAppend(&text, "\n", heading, ":\n");
    for (const Argument* argument : arguments) text += ArgumentRow(*argument);
  }
  return text;
}

std::string Example(const std::string& commands) {
  return absl::StrCat("\nExample:\n  ", commands, "\n");
}

}  // namespace

std::vector<ArgumentGroup> GroupsOf(const CommandLine& line) {
  std::vector<ArgumentGroup> groups;
  for (const Argument& argument : line.arguments()) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const ArgumentGroup& known) {
                                return known.heading == argument.group;
                              });
    if (group == groups.end()) {
      group = groups.insert(group, ArgumentGroup{argument.group, {}});
    }
    group->arguments.push_back(&argument);
  }
  return groups;
}

std::string UsageOf(const CommandLine& line) {
  std::vector<std::string> parts;
  std::vector<std::string> words;
  for (const Argument& argument : line.arguments()) {
    if (argument.names.empty()) {
      words.push_back(argument.required
                          ? argument.placeholder
                          : absl::StrCat("[", argument.placeholder, "]"));
    } else if (argument.required) {
      parts.push_back(
          absl::StrCat(argument.names.back(), " ", argument.placeholder));
    }
  }
  parts.push_back("[OPTIONS]");
  parts.insert(parts.end(), words.begin(), words.end());
  if (line.has_rest()) parts.push_back("[-- ARGUMENT...]");
  return absl::StrJoin(parts, " ");
}

std::string TitleOf(const Argument& argument) {
  std::string title = absl::StrJoin(argument.names, ", ");
  if (!argument.placeholder.empty()) {
    absl::StrAppend(&title, title.empty() ? "" : " ", argument.placeholder);
  }
  return title;
}

std::string CommandOf(const Program& program, const Verb& verb) {
  return absl::StrCat(program.name, " ", verb.name);
}

std::string ProgramHelp(const Program& program) {
  std::string verbs;
  std::string usage;
  for (const Verb& verb : program.verbs) {
    if (verb.summary.empty()) continue;
    verbs += Row(
        verb.flag.empty() ? verb.name : absl::StrCat(verb.name, " ", verb.flag),
        verb.summary);
    if (verb.name != program.default_verb) continue;
    CommandLine line;
    verb.declare(line);
    usage = absl::StrCat("  ", program.name, " ", UsageOf(line), "\n");
  }
  CommandLine common;
  CommonFlags flags;
  DeclareCommon(program, common, flags);
  return absl::StrCat(program.description, "\n\nUsage:\n", usage, "  ",
                      program.name, " VERB [OPTIONS]\n  ", program.name,
                      " VERB --help\n\nVerbs:\n", verbs, ArgumentRows(common),
                      "\nExit codes: ", program.exit_codes, "\n",
                      Example(program.example));
}

std::string VerbHelp(const Program& program, const Verb& verb,
                     const CommandLine& line) {
  const std::string description =
      verb.description.empty() ? verb.summary : verb.description;
  return absl::StrCat(description, "\n\nUsage: ", CommandOf(program, verb), " ",
                      UsageOf(line), "\n", ArgumentRows(line),
                      Example(verb.example));
}

}  // namespace autotune
