#include "tools/ledger/task_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "comparator/policy/field.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"
#include "comparator/policy/toml_node.h"
#include "tools/ledger/metric_file.h"
#include "tools/ledger/toml_text.h"

namespace autotune {
namespace {

constexpr std::array<std::string_view, 6> kOurTables = {
    "task", "commands", "target", "end_to_end", "holdout", "scope"};

using TaskField =
    Field<TaskSettings, double, std::string, std::optional<std::string>,
          std::vector<std::string>, SandboxUse>;

bool IsPositive(double value) { return std::isfinite(value) && value > 0; }
bool IsAnyText(std::string_view) { return true; }
bool IsNothingOrWords(std::string_view text) {
  return text.empty() ||
         text.find_first_not_of(" \t\r\n") != std::string_view::npos;
}
bool IsAbsolutePath(std::string_view text) {
  return text.starts_with('/') && text.find('\0') == std::string_view::npos;
}
bool IsSlugText(std::string_view text) { return IsSlug(std::string(text)); }
bool IsShaText(std::string_view text) { return IsFullSha(std::string(text)); }

// Whether `pattern` could match a path of the repository.
bool IsPathPattern(std::string_view pattern) {
  return !pattern.empty() && pattern.front() != '/' && pattern != ".." &&
         !pattern.starts_with("../") &&
         pattern.find("/../") == std::string_view::npos;
}

constexpr std::string_view kArgv =
    "an array of strings such as [\"make\", \"-j4\"]";
constexpr std::string_view kDuration = "a duration such as 30m";
constexpr std::string_view kBenchmarks =
    "a regular expression on benchmark names";
constexpr std::string_view kPaths =
    "path patterns such as [\"src/**\"], from the top of the repository";

constexpr std::string_view kPlaces = "absolute paths such as [\"/data/words\"]";

constexpr TaskField kTaskFields[] = {
    {{.key = "name",
      .form = ValueForm::kText,
      .expected = "a name of a-z, 0-9 and single dashes",
      .is_valid = &IsSlugText,
      .required = true},
     &TaskSettings::name},
    {{.key = "base",
      .form = ValueForm::kText,
      .expected = "a full commit name",
      .is_valid = &IsShaText,
      .required = true},
     &TaskSettings::base},
    {{.key = "start_branch",
      .form = ValueForm::kText,
      .expected = "a branch's name, or \"\"",
      .is_valid = &IsAnyText,
      .required = true},
     &TaskSettings::start_branch},
};

constexpr TaskField kCommandFields[] = {
    {{.key = "configure",
      .form = ValueForm::kArgv,
      .expected = kArgv,
      .flag = "--configure"},
     &TaskSettings::configure},
    {{.key = "build",
      .form = ValueForm::kArgv,
      .expected = kArgv,
      .required = true,
      .flag = "--build"},
     &TaskSettings::build},
    {{.key = "test",
      .form = ValueForm::kArgv,
      .expected = kArgv,
      .flag = "--test"},
     &TaskSettings::test},
    {{.key = "no_tests",
      .form = ValueForm::kText,
      .expected = "the reason why there is no test",
      .is_valid = &IsNothingOrWords,
      .flag = "--no-tests"},
     &TaskSettings::no_tests},
    {{.key = "benchmark",
      .form = ValueForm::kArgv,
      .expected = kArgv,
      .required = true,
      .flag = "--benchmark"},
     &TaskSettings::benchmark},
    {{.key = "build_timeout",
      .form = ValueForm::kDuration,
      .expected = kDuration,
      .in_range = &IsPositive},
     &TaskSettings::build_timeout_seconds},
    {{.key = "test_timeout",
      .form = ValueForm::kDuration,
      .expected = kDuration,
      .in_range = &IsPositive},
     &TaskSettings::test_timeout_seconds},
    {{.key = "sandbox", .words = &NamesOf<SandboxUse>, .flag = "--sandbox"},
     &TaskSettings::sandbox},
    {{.key = "readable",
      .form = ValueForm::kTexts,
      .expected = kPlaces,
      .is_valid = &IsAbsolutePath,
      .flag = "--readable"},
     &TaskSettings::readable},
};

constexpr TaskField kTargetFields[] = {
    {{.key = "benchmarks",
      .form = ValueForm::kPattern,
      .expected = kBenchmarks,
      .required = true,
      .flag = "--target"},
     &TaskSettings::target},
};

constexpr TaskField kEndToEndFields[] = {
    {{.key = "benchmarks",
      .form = ValueForm::kPattern,
      .expected = kBenchmarks,
      .required = true,
      .flag = "--end-to-end"},
     &TaskSettings::end_to_end},
};

constexpr FieldSpec kHoldoutSpec = {.key = "benchmarks",
                                    .form = ValueForm::kPattern,
                                    .expected = kBenchmarks,
                                    .required = true,
                                    .flag = "--holdout"};

constexpr TaskField kScopeFields[] = {
    {{.key = "edit",
      .form = ValueForm::kTexts,
      .expected = kPaths,
      .is_valid = &IsPathPattern,
      .required = true,
      .flag = "--edit"},
     &TaskSettings::scope_edit},
    {{.key = "sealed",
      .form = ValueForm::kTexts,
      .expected = kPaths,
      .is_valid = &IsPathPattern,
      .flag = "--seal"},
     &TaskSettings::scope_sealed},
};

// A table of task.toml that is there once.
struct TaskTable {
  std::string_view name;
  std::span<const TaskField> fields;
  bool required = true;
};

constexpr TaskTable kTables[] = {{"task", kTaskFields},
                                 {"commands", kCommandFields},
                                 {"target", kTargetFields},
                                 {"end_to_end", kEndToEndFields, false},
                                 {"scope", kScopeFields}};

absl::Status ReadTable(const TaskTable& wanted, const TomlTable& top,
                       TaskSettings& settings) {
  const std::string name(wanted.name);
  ASSIGN_OR_RETURN(const std::optional<TomlTable> table, top.Table(name));
  if (table.has_value()) return ReadFields(wanted.fields, *table, settings);
  if (!wanted.required) return absl::OkStatus();
  return top.Error(name,
                   absl::StrFormat("expected a [%s] table, got nothing", name));
}

absl::Status CheckTestOrReason(const TomlTable& top,
                               const TaskSettings& settings) {
  if (settings.test.empty() || settings.no_tests.empty()) {
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::optional<TomlTable> table, top.Table("commands"));
  return table->Error("no_tests",
                      "expected nothing beside commands.test, which tests");
}

absl::Status ReadHoldouts(const TomlTable& top, TaskSettings& settings) {
  ASSIGN_OR_RETURN(const std::vector<TomlTable> tables, top.Tables("holdout"));
  for (const TomlTable& table : tables) {
    RETURN_IF_ERROR(table.CheckKeys({std::string(kHoldoutSpec.key)}));
    ASSIGN_OR_RETURN(const std::optional<FieldValue> value,
                     ReadField(kHoldoutSpec, table));
    settings.holdouts.push_back(std::get<std::string>(*value));
  }
  return absl::OkStatus();
}

// Collects the texts of one file.
class TextCollector {
 public:
  void Add(const std::string& table, const FieldSpec& spec,
           const std::optional<FieldValue>& value,
           std::string_view option = "") {
    if (!value.has_value() || IsAbsent(spec, *value)) return;
    option = option.empty() ? spec.flag : option;
    texts_.push_back({table, spec.key, TomlValue(spec, *value),
                      option.empty() ? "--settings" : option});
  }

  void AddTable(const std::string& table, const auto& fields,
                const auto& object, std::string_view option = "") {
    for (const auto& field : fields) {
      Add(table, field, ValueIn(field, object), option);
    }
  }

  void AddList(const std::string& list, const auto& fields, const auto& entries,
               std::string_view option = "") {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      AddTable(EntryName(list, i), fields, entries[i], option);
    }
  }

  static std::string EntryName(const std::string& list, std::size_t index) {
    return absl::StrCat(list, ".", index + 1);
  }

  std::vector<SettingText> Take() { return std::move(texts_); }

 private:
  std::vector<SettingText> texts_;
};

// What a reader of the file may not know of a table.
std::string_view CommentOn(std::string_view table) {
  struct Comment {
    std::string_view table;
    std::string_view text;
  };
  static constexpr Comment kComments[] = {
      {"commands",
       "# Programs with their arguments, run in a fresh copy of the tree "
       "without a shell.\n"
       "# {build} is a fresh folder outside it; {filter} the benchmarks to "
       "run.\n"},
      {"target",
       "# What has to get faster: a regular expression on benchmark names.\n"},
      {"end_to_end",
       "# Measured on every would-be keep, shown beside the target.\n"},
      {"holdout",
       "# Shown in no prompt; proven worse, the attempt is discarded.\n"},
      {"scope", "# What an attempt may change; sealed wins over edit.\n"},
      {"policy",
       "# When a change is kept; fractions, or per cent in quotes.\n"}};
  for (const Comment& comment : kComments) {
    if (comment.table == table) return comment.text;
  }
  return "";
}

std::string Heading(const std::string& table) {
  const std::size_t dot = table.find('.');
  const std::string name = table.substr(0, dot);
  const std::string brackets = dot == std::string::npos ? "[]" : "[[]]";
  const std::size_t half = brackets.size() / 2;
  return absl::StrCat("\n", brackets.substr(0, half), name,
                      brackets.substr(half), "\n",
                      std::string(CommentOn(name)));
}

}  // namespace

absl::StatusOr<TaskSettings> ParseTaskSettings(std::string_view text,
                                               std::string_view source_name) {
  ASSIGN_OR_RETURN(const TomlNode document, ParseToml(text, source_name));
  const TomlTable top(document, source_name, "");
  TaskSettings settings;
  ASSIGN_OR_RETURN(settings.policy, ReadPolicy(top, kOurTables));
  RETURN_IF_ERROR(CheckTomlUses(top, PolicyVerb::kTask, settings.policy));
  for (const TaskTable& table : kTables) {
    RETURN_IF_ERROR(ReadTable(table, top, settings));
  }
  RETURN_IF_ERROR(CheckTestOrReason(top, settings));
  RETURN_IF_ERROR(ReadHoldouts(top, settings));
  return settings;
}

std::vector<SettingText> SettingTexts(const TaskSettings& settings) {
  TextCollector texts;
  for (const TaskTable& table : kTables) {
    texts.AddTable(std::string(table.name), table.fields, settings);
  }
  for (std::size_t i = 0; i < settings.holdouts.size(); ++i) {
    texts.Add(TextCollector::EntryName("holdout", i), kHoldoutSpec,
              settings.holdouts[i]);
  }
  const Policy& policy = settings.policy;
  for (const auto& field : PolicyFields()) {
    // The reader refuses what a policy of this kind does not use.
    if (!TakesPart(field, PolicyVerb::kTask, policy)) continue;
    texts.Add("policy", field, ValueIn(field, policy));
  }
  texts.AddList("guard", GuardFields(), policy.guards, kGuardFlag.flag);
  texts.AddList("margin", MarginFields(), policy.margins);
  texts.AddList("waiver", WaiverFields(), policy.waivers);
  return texts.Take();
}

std::string FormatTaskSettings(const TaskSettings& settings) {
  std::string text = "schema_version = 1\n";
  std::string table;
  for (const SettingText& setting : SettingTexts(settings)) {
    if (setting.table != table) {
      table = setting.table;
      text += Heading(table);
    }
    absl::StrAppendFormat(&text, "%s = %s\n", setting.key, setting.value);
  }
  return text;
}

const FieldSpec* FindSetting(std::string_view table, std::string_view key) {
  const auto find = [key](const auto& fields) -> const FieldSpec* {
    for (const auto& field : fields) {
      if (field.key == key) return &field;
    }
    return nullptr;
  };
  if (table == "policy") return find(PolicyFields());
  for (const TaskTable& wanted : kTables) {
    if (wanted.name == table) return find(wanted.fields);
  }
  return nullptr;
}

std::string TomlValue(const FieldSpec& spec, const FieldValue& value) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    return TomlStringArray(*texts);
  }
  const double* number = std::get_if<double>(&value);
  const bool plain = number != nullptr && spec.form != ValueForm::kDuration &&
                     (spec.form != ValueForm::kFraction || *number < 1.0);
  if (plain) return TomlFloat(*number);
  const std::string text = FieldText(spec, value);
  const bool bare =
      spec.form == ValueForm::kCount || spec.form == ValueForm::kDate;
  return bare ? text : TomlString(text);
}

}  // namespace autotune
