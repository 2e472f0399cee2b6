#include "tools/bench_compare/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/did_you_mean.h"
#include "tools/report/error_report.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr char kProgram[] = "bench_compare";

// All spellings of all options, with their dashes.
std::vector<std::string> FlagNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
    for (const std::string& name : option->get_snames()) {
      names.push_back("-" + name);
    }
  }
  return names;
}

// "  -q, --quiet PLACEHOLDER", then the description in a column of its own, or
// on the next line when the names are too long for it.
std::string OptionLine(const CLI::Option& option) {
  constexpr std::size_t kDescriptionColumn = 34;
  std::string names;
  for (const std::string& name : option.get_snames()) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", "-", name);
  }
  for (const std::string& name : option.get_lnames()) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", "--", name);
  }
  const bool takes_value = option.get_expected_max() > 0;
  std::string line = absl::StrCat("  ", names, takes_value ? " " : "",
                                  takes_value ? option.get_type_name() : "");
  if (line.size() + 2 > kDescriptionColumn) {
    absl::StrAppend(&line, "\n", std::string(kDescriptionColumn, ' '));
  } else {
    line.resize(kDescriptionColumn, ' ');
  }
  return absl::StrCat(line, option.get_description(), "\n");
}

}  // namespace

absl::Status UsageError(std::string_view message, std::string_view hint) {
  return WithHint(
      absl::OutOfRangeError(absl::string_view(message.data(), message.size())),
      hint);
}

CommandLine::CommandLine(std::string_view usage, std::string_view description,
                         std::string_view example)
    : app_(std::make_unique<CLI::App>(std::string(description))),
      usage_(usage),
      example_(example) {
  app_->set_help_flag("-h,--help", "print this help");
}

CommandLine::~CommandLine() = default;

void CommandLine::AddFlag(const std::string& names, bool& value,
                          const std::string& description) {
  app_->add_flag(names, value, description)->group(group_);
}

void CommandLine::AddText(const std::string& names,
                          const std::string& placeholder,
                          std::optional<std::string>& value,
                          const std::string& description) {
  app_->add_option(names, value, description)
      ->type_name(placeholder)
      ->group(group_);
}

void CommandLine::AddTexts(const std::string& names,
                           const std::string& placeholder,
                           std::vector<std::string>& values,
                           const std::string& description) {
  app_->add_option(names, values, description)
      ->allow_extra_args(false)
      ->type_name(placeholder)
      ->group(group_);
}

void CommandLine::AddPositionals(const std::string& name,
                                 std::vector<std::string>& values,
                                 const std::string& description) {
  app_->add_option(name, values, description)->type_name("")->group("Files");
}

void CommandLine::StartGroup(std::string_view heading) {
  group_ = std::string(heading);
}

absl::Status CommandLine::UnknownArgument(const std::string& argument) const {
  const std::string name = argument.substr(0, argument.find('='));
  const std::string message = absl::StrCat("unexpected argument ", argument);
  const std::optional<std::string> closest =
      ClosestName(name, FlagNames(*app_));
  if (name.starts_with('-') && closest.has_value()) {
    return UsageError(absl::StrCat("unknown flag ", name),
                      absl::StrCat("did you mean ", *closest, "?"));
  }
  return UsageError(
      name.starts_with('-') ? absl::StrCat("unknown flag ", name) : message,
      "see --help");
}

absl::Status CommandLine::Parse(const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  app_->allow_extras();
  try {
    app_->parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    help_ = true;
    return absl::OkStatus();
  } catch (const CLI::ParseError& error) {
    return UsageError(error.what(), "see --help");
  }
  const std::vector<std::string> extras = app_->remaining();
  if (!extras.empty()) return UnknownArgument(extras.front());
  return absl::OkStatus();
}

std::string CommandLine::HelpText() const {
  std::string text = absl::StrCat(app_->get_description(),
                                  "\n\nUsage: ", kProgram, " ", usage_, "\n");
  std::string group;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_positional()) continue;
    if (option->get_group() != group) {
      group = option->get_group();
      absl::StrAppend(&text, "\n", group, ":\n");
    }
    absl::StrAppend(&text, OptionLine(*option));
  }
  return absl::StrCat(text, "\nExample:\n  ", example_, "\n");
}

void AddCommonFlags(CommandLine& line, CommonFlags& flags) {
  line.StartGroup("Output");
  line.AddFlag("--json", flags.json, "one JSON object on stdout");
  line.AddFlag("-q,--quiet", flags.quiet,
               "only the decision on stdout, no progress");
  line.AddText("--color", "auto|always|never", flags.color,
               "colour the table (auto)");
}

absl::Status ApplyColor(const CommonFlags& flags, Terminal& terminal) {
  const std::string color = flags.color.value_or("auto");
  if (color == "always") {
    terminal.color = true;
  } else if (color == "never") {
    terminal.color = false;
  } else if (color != "auto") {
    return UsageError(
        absl::StrCat("--color: expected auto, always or never, got ", color));
  }
  return absl::OkStatus();
}

bool WantsJson(const std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return std::find(arguments.begin(), end, "--json") != end ||
         std::find(arguments.begin(), end, "--format=json") != end;
}

ExitCode Fail(const absl::Status& status, bool json, Terminal& terminal) {
  const ExitCode code = ExitCodeFor(status);
  if (json) {
    terminal.out << ErrorJson(status, code);
  } else {
    terminal.err << ErrorText(kProgram, status);
  }
  return code;
}

}  // namespace autotune
