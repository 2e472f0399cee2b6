#include "tools/ledger/task_settings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/did_you_mean.h"
#include "base/status_macros.h"
#include "comparator/name_pattern.h"
#include "comparator/policy.h"
#include "tools/ledger/metric_file.h"
#include "tools/ledger/policy_text.h"
#include "tools/ledger/toml_text.h"

// toml++ 3.2 asserts of hostile text ("[=]"), and tells clang to assume, what
// is not so; without that it goes on to an error of its own.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace autotune {
namespace {

constexpr std::array<std::string_view, 6> kOurTables = {
    "task", "commands", "target", "end_to_end", "holdout", "scope"};
constexpr std::string_view kExpectedArgv =
    "an array of strings such as [\"make\", \"-j4\"]";
constexpr std::size_t kLongestQuoted = 60;

std::string Quoted(const std::string& text) {
  return TomlString(std::string_view(text).substr(0, kLongestQuoted));
}

// What a node holds, for "got ...".
std::string Got(const toml::node& node) {
  if (const auto* text = node.as_string()) return Quoted(text->get());
  if (const auto* value = node.as_integer()) return absl::StrCat(value->get());
  if (const auto* value = node.as_boolean()) {
    return value->get() ? "true" : "false";
  }
  if (node.is_floating_point()) return "a number";
  if (node.is_array()) return "an array";
  return node.is_table() ? "a table" : "a date or time";
}

// A table of task.toml being read: every error names its line and key.
class TaskTable {
 public:
  TaskTable(const toml::table& table, std::string_view source, std::string name)
      : table_(table), source_(source), name_(std::move(name)) {}

  absl::Status CheckKeys(const std::vector<std::string>& known) const {
    for (auto&& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::optional<std::string> closest = ClosestName(name, known);
      const std::string guess =
          closest.has_value() ? absl::StrCat("did you mean ", *closest, "?")
                              : "known are " + absl::StrJoin(known, ", ");
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s:%d: %s.%s: unknown key; %s", source_, key.source().begin.line,
          name_, Printable(name), guess));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Text(std::string_view key,
                                   std::string_view expected) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return Missing(key, expected);
    const auto* text = node->as_string();
    if (text == nullptr) return Unexpected(*node, key, expected);
    return text->get();
  }

  absl::StatusOr<std::string> Pattern(std::string_view key) const {
    ASSIGN_OR_RETURN(std::string text,
                     Text(key, "a regular expression on benchmark names"));
    if (text.empty()) {
      return Unexpected(*table_.get(key), key,
                        "a regular expression on benchmark names");
    }
    const absl::Status status = NamePattern::Create(text).status();
    if (!status.ok()) return Error(*table_.get(key), key, status.message());
    return text;
  }

  // An array of strings; empty when the key is absent.
  absl::StatusOr<std::vector<std::string>> Texts(
      std::string_view key, std::string_view expected) const {
    std::vector<std::string> texts;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return texts;
    const toml::array* array = node->as_array();
    if (array == nullptr) return Unexpected(*node, key, expected);
    for (const toml::node& element : *array) {
      const auto* text = element.as_string();
      if (text == nullptr) return Unexpected(element, key, expected);
      texts.push_back(text->get());
    }
    return texts;
  }

  // A command: at least a program's name.
  absl::StatusOr<std::vector<std::string>> Argv(std::string_view key) const {
    ASSIGN_OR_RETURN(std::vector<std::string> argv, Texts(key, kExpectedArgv));
    if (argv.empty()) return Missing(key, kExpectedArgv);
    if (argv.front().empty()) {
      return Error(*table_.get(key), key, "expected a program, got \"\"");
    }
    return argv;
  }

  absl::Status ReadDuration(std::string_view key, double& seconds) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return absl::OkStatus();
    const auto* text = node->as_string();
    const std::optional<double> read =
        text == nullptr ? std::nullopt : ParseDurationSeconds(text->get());
    if (!read.has_value()) {
      return Unexpected(*node, key, "a duration such as \"30m\"");
    }
    seconds = *read;
    return absl::OkStatus();
  }

  absl::Status Check(std::string_view key, bool good,
                     std::string_view expected) const {
    return good ? absl::OkStatus()
                : Unexpected(*table_.get(key), key, expected);
  }

  absl::Status Missing(std::string_view key, std::string_view expected) const {
    const toml::node* node = table_.get(key);
    return Error(
        node == nullptr ? table_ : *node, key,
        absl::StrFormat("%s; expected %s",
                        node == nullptr ? "missing" : "empty", expected));
  }

 private:
  static std::string Printable(const std::string& name) {
    const std::string quoted = Quoted(name);
    return quoted.substr(1, quoted.size() - 2);
  }

  absl::Status Unexpected(const toml::node& node, std::string_view key,
                          std::string_view expected) const {
    return Error(node, key,
                 absl::StrFormat("expected %s, got %s", expected, Got(node)));
  }

  template <typename Message>
  absl::Status Error(const toml::node& node, std::string_view key,
                     const Message& message) const {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s:%d: %s.%s: %s", source_, node.source().begin.line,
                        name_, key, message));
  }

  const toml::table& table_;
  std::string_view source_;
  std::string name_;
};

class TaskReader {
 public:
  TaskReader(const toml::table& document, std::string_view source)
      : document_(document), source_(source) {}

  absl::StatusOr<TaskSettings> Read() {
    RETURN_IF_ERROR(ReadTask());
    RETURN_IF_ERROR(ReadCommands());
    RETURN_IF_ERROR(ReadBenchmarks());
    RETURN_IF_ERROR(ReadHoldouts());
    RETURN_IF_ERROR(ReadScope());
    return std::move(settings_);
  }

 private:
  absl::StatusOr<const toml::table*> Table(const std::string& name) const {
    const toml::node* node = document_.get(name);
    if (node != nullptr && node->is_table()) return node->as_table();
    const toml::node& place = node == nullptr ? document_ : *node;
    return absl::InvalidArgumentError(
        absl::StrFormat("%s:%d: %s: expected a [%s] table, got %s", source_,
                        place.source().begin.line, name, name,
                        node == nullptr ? "nothing" : Got(*node)));
  }

  absl::Status ReadTask() {
    ASSIGN_OR_RETURN(const toml::table* table, Table("task"));
    const TaskTable task(*table, source_, "task");
    RETURN_IF_ERROR(task.CheckKeys({"name", "base", "start_branch"}));
    constexpr std::string_view kName = "a name of a-z, 0-9 and single dashes";
    ASSIGN_OR_RETURN(settings_.name, task.Text("name", kName));
    RETURN_IF_ERROR(task.Check("name", IsSlug(settings_.name), kName));
    constexpr std::string_view kBase = "a full commit name";
    ASSIGN_OR_RETURN(settings_.base, task.Text("base", kBase));
    RETURN_IF_ERROR(task.Check("base", IsFullSha(settings_.base), kBase));
    ASSIGN_OR_RETURN(settings_.start_branch,
                     task.Text("start_branch", "a branch's name, or \"\""));
    return absl::OkStatus();
  }

  absl::Status ReadCommands() {
    ASSIGN_OR_RETURN(const toml::table* table, Table("commands"));
    const TaskTable commands(*table, source_, "commands");
    RETURN_IF_ERROR(
        commands.CheckKeys({"configure", "build", "test", "benchmark",
                            "build_timeout", "test_timeout"}));
    ASSIGN_OR_RETURN(settings_.configure,
                     commands.Texts("configure", kExpectedArgv));
    ASSIGN_OR_RETURN(settings_.build, commands.Argv("build"));
    ASSIGN_OR_RETURN(settings_.test, commands.Texts("test", kExpectedArgv));
    ASSIGN_OR_RETURN(settings_.benchmark, commands.Argv("benchmark"));
    RETURN_IF_ERROR(commands.ReadDuration("build_timeout",
                                          settings_.build_timeout_seconds));
    return commands.ReadDuration("test_timeout",
                                 settings_.test_timeout_seconds);
  }

  absl::StatusOr<std::string> Benchmarks(const toml::table& table,
                                         const std::string& name) const {
    const TaskTable reader(table, source_, name);
    RETURN_IF_ERROR(reader.CheckKeys({"benchmarks"}));
    return reader.Pattern("benchmarks");
  }

  absl::Status ReadBenchmarks() {
    ASSIGN_OR_RETURN(const toml::table* target, Table("target"));
    ASSIGN_OR_RETURN(settings_.target, Benchmarks(*target, "target"));
    if (document_.get("end_to_end") == nullptr) return absl::OkStatus();
    ASSIGN_OR_RETURN(const toml::table* whole, Table("end_to_end"));
    ASSIGN_OR_RETURN(settings_.end_to_end, Benchmarks(*whole, "end_to_end"));
    return absl::OkStatus();
  }

  absl::Status ReadHoldouts() {
    const toml::node* node = document_.get("holdout");
    if (node == nullptr) return absl::OkStatus();
    const toml::array* array = node->as_array();
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
      const toml::table* table = array->get(i)->as_table();
      if (table == nullptr) break;
      ASSIGN_OR_RETURN(std::string pattern,
                       Benchmarks(*table, absl::StrFormat("holdout[%d]", i)));
      settings_.holdouts.push_back(std::move(pattern));
    }
    if (array != nullptr && settings_.holdouts.size() == array->size()) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        absl::StrFormat("%s:%d: holdout: expected [[holdout]] tables, got %s",
                        source_, node->source().begin.line, Got(*node)));
  }

  absl::Status ReadScope() {
    ASSIGN_OR_RETURN(const toml::table* table, Table("scope"));
    const TaskTable scope(*table, source_, "scope");
    RETURN_IF_ERROR(scope.CheckKeys({"edit", "sealed"}));
    constexpr std::string_view kPatterns =
        "path patterns such as [\"src/**\"], from the top of the repository";
    ASSIGN_OR_RETURN(settings_.scope_edit, scope.Texts("edit", kPatterns));
    if (settings_.scope_edit.empty()) return scope.Missing("edit", kPatterns);
    RETURN_IF_ERROR(
        scope.Check("edit", ArePatterns(settings_.scope_edit), kPatterns));
    ASSIGN_OR_RETURN(settings_.scope_sealed, scope.Texts("sealed", kPatterns));
    return scope.Check("sealed", ArePatterns(settings_.scope_sealed),
                       kPatterns);
  }

  // Whether each could match a path of the repository.
  static bool ArePatterns(const std::vector<std::string>& patterns) {
    return std::none_of(
        patterns.begin(), patterns.end(), [](const std::string& pattern) {
          return pattern.empty() || pattern.front() == '/' || pattern == ".." ||
                 pattern.starts_with("../") ||
                 pattern.find("/../") != std::string::npos;
        });
  }

  const toml::table& document_;
  std::string_view source_;
  TaskSettings settings_;
};

void AppendPair(const char* key, const std::string& value, std::string& text) {
  absl::StrAppend(&text, key, " = ", value, "\n");
}

void AppendCommands(const TaskSettings& settings, std::string& text) {
  text +=
      "\n[commands]\n"
      "# Programs with their arguments, run in a fresh copy of the tree without"
      " a shell.\n"
      "# {build} is a fresh folder outside it; {filter} the benchmarks to "
      "run.\n";
  if (!settings.configure.empty()) {
    AppendPair("configure", TomlStringArray(settings.configure), text);
  }
  AppendPair("build", TomlStringArray(settings.build), text);
  if (!settings.test.empty()) {
    AppendPair("test", TomlStringArray(settings.test), text);
  }
  AppendPair("benchmark", TomlStringArray(settings.benchmark), text);
  AppendPair("build_timeout",
             TomlString(DurationText(settings.build_timeout_seconds)), text);
  AppendPair("test_timeout",
             TomlString(DurationText(settings.test_timeout_seconds)), text);
}

void AppendBenchmarks(const TaskSettings& settings, std::string& text) {
  text +=
      "\n[target]\n# What has to get faster: a regular expression on benchmark "
      "names.\n";
  AppendPair("benchmarks", TomlString(settings.target), text);
  if (settings.end_to_end.has_value()) {
    text +=
        "\n[end_to_end]\n# Measured on every would-be keep, shown beside the "
        "target.\n";
    AppendPair("benchmarks", TomlString(*settings.end_to_end), text);
  }
  for (const std::string& holdout : settings.holdouts) {
    text +=
        "\n[[holdout]]\n# Shown in no prompt; proven worse, the attempt is "
        "discarded.\n";
    AppendPair("benchmarks", TomlString(holdout), text);
  }
}

}  // namespace

absl::StatusOr<TaskSettings> ParseTaskSettings(std::string_view text,
                                               std::string_view source_name) {
  // Also finds syntax errors and unknown tables.
  ASSIGN_OR_RETURN(Policy policy, ParsePolicy(text, source_name, kOurTables));
  const toml::parse_result document = toml::parse(text);
  if (!document) {
    return absl::InternalError("task.toml: read once but not twice");
  }
  ASSIGN_OR_RETURN(TaskSettings settings,
                   TaskReader(document.table(), source_name).Read());
  settings.policy = std::move(policy);
  return settings;
}

std::string FormatTaskSettings(const TaskSettings& settings) {
  std::string text = "schema_version = 1\n\n[task]\n";
  AppendPair("name", TomlString(settings.name), text);
  AppendPair("base", TomlString(settings.base), text);
  AppendPair("start_branch", TomlString(settings.start_branch), text);
  AppendCommands(settings, text);
  AppendBenchmarks(settings, text);
  text += "\n[scope]\n# What an attempt may change; sealed wins over edit.\n";
  AppendPair("edit", TomlStringArray(settings.scope_edit), text);
  AppendPair("sealed", TomlStringArray(settings.scope_sealed), text);
  return absl::StrCat(text, "\n", FormatPolicy(settings.policy));
}

}  // namespace autotune
