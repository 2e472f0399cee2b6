#include "tools/bench_compare/gate_settings.h"

#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "comparator/policy/field.h"
#include "comparator/policy/toml_node.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "tools/report/error_report.h"

namespace autotune {
namespace {

constexpr std::string_view kArgv =
    "an array of strings such as [\"make\", \"-j4\"]";

bool IsPositive(double value) { return std::isfinite(value) && value > 0; }
bool IsNotNegative(double value) { return value >= 0; }

// It becomes the name of a file.
bool IsProgramName(std::string_view text) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  return !text.empty() && text.front() != '.' && text.size() <= 100 &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

constexpr GateFieldOf<GateSettings> kGateFields[] = {
    {{.key = "configure", .form = ValueForm::kArgv, .expected = kArgv},
     &GateSettings::configure},
    {{.key = "build", .form = ValueForm::kArgv, .expected = kArgv},
     &GateSettings::build},
    {{.key = "build_timeout",
      .form = ValueForm::kDuration,
      .expected = "a duration such as 30m",
      .in_range = &IsPositive},
     &GateSettings::build_timeout_seconds},
    {{.key = "expected",
      .form = ValueForm::kTexts,
      .expected = "exact names of benchmarks"},
     &GateSettings::expected},
    {{.key = "self_checks",
      .form = ValueForm::kCount,
      .expected = "a whole number of at least 0",
      .in_range = &IsNotNegative},
     &GateSettings::self_checks},
};

constexpr GateFieldOf<GateProgram> kProgramFields[] = {
    {{.key = "name",
      .form = ValueForm::kText,
      .expected = "a name of letters, digits, _, - and .",
      .is_valid = &IsProgramName,
      .required = true},
     &GateProgram::name},
    {{.key = "command",
      .form = ValueForm::kArgv,
      .expected = "an array of strings such as [\"{build}/bench\"]",
      .required = true},
     &GateProgram::command},
    {{.key = "filter",
      .form = ValueForm::kPattern,
      .expected = "a regular expression on benchmark names"},
     &GateProgram::filter},
};

constexpr GateFieldOf<GateRename> kRenameFields[] = {
    {{.key = "from",
      .form = ValueForm::kPattern,
      .expected = "a regular expression on benchmark names",
      .required = true},
     &GateRename::from},
    {{.key = "to",
      .form = ValueForm::kText,
      .expected = "what stands instead; \\1 is the first group",
      .required = true},
     &GateRename::to},
};

absl::Status ReadPrograms(const TomlTable& top, GateSettings& settings) {
  ASSIGN_OR_RETURN(const std::vector<TomlTable> tables, top.Tables("program"));
  std::set<std::string> names;
  for (const TomlTable& table : tables) {
    GateProgram program;
    RETURN_IF_ERROR(ReadFields(GateProgramFields(), table, program));
    if (!names.insert(program.name).second) {
      return table.Error(
          "name", absl::StrCat("expected another name than ",
                               Quoted(program.name), ", which stands above"));
    }
    settings.programs.push_back(std::move(program));
  }
  return absl::OkStatus();
}

absl::Status ReadRenames(const TomlTable& top, GateSettings& settings) {
  ASSIGN_OR_RETURN(const std::vector<TomlTable> tables, top.Tables("rename"));
  for (const TomlTable& table : tables) {
    GateRename rename;
    RETURN_IF_ERROR(ReadFields(GateRenameFields(), table, rename));
    absl::StatusOr<NamePattern> pattern = NamePattern::Create(rename.from);
    if (!pattern.ok()) {
      return table.Error("from", std::string(pattern.status().message()));
    }
    settings.renames.push_back({*std::move(pattern), rename.to});
  }
  return absl::OkStatus();
}

}  // namespace

std::span<const GateFieldOf<GateSettings>> GateFields() { return kGateFields; }
std::span<const GateFieldOf<GateProgram>> GateProgramFields() {
  return kProgramFields;
}
std::span<const GateFieldOf<GateRename>> GateRenameFields() {
  return kRenameFields;
}

absl::StatusOr<GateSettings> ReadGateSettings(const PolicyFile& file) {
  if (file.source.empty()) {
    return WithHint(
        absl::FailedPreconditionError(
            "there is no .bench_compare.toml here or above, up to the top of "
            "the work tree: it says what to build and which programs to run"),
        "docs/ci.md has one to copy");
  }
  const TomlTable top(file.document, file.source, "");
  GateSettings settings;
  ASSIGN_OR_RETURN(const std::optional<TomlTable> gate, top.Table("gate"));
  if (gate.has_value()) {
    RETURN_IF_ERROR(ReadFields(GateFields(), *gate, settings));
  }
  RETURN_IF_ERROR(ReadPrograms(top, settings));
  RETURN_IF_ERROR(ReadRenames(top, settings));
  if (!settings.programs.empty()) return settings;
  return top.Error("program",
                   "expected a [[program]] table for each benchmark program, "
                   "got none");
}

}  // namespace autotune
