#include "comparator/policy/policy_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "comparator/policy/field.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/toml_node.h"
#include "comparator/statistics/metric.h"

namespace autotune {
namespace {

bool IsNotNegative(double value) { return std::isfinite(value) && value >= 0; }
bool IsPositive(double value) { return std::isfinite(value) && value > 0; }
bool IsAboveOne(double value) { return std::isfinite(value) && value > 1; }
bool IsAtLeastOne(double value) { return value >= 1; }

constexpr std::string_view kFraction =
    "a fraction in (0, 1) such as 0.01 or 1%";
constexpr std::string_view kProbability =
    "a probability in (0, 1) such as 0.05 or 5%";
constexpr std::string_view kMargin = "a fraction above 0 such as 0.02 or 2%";
constexpr std::string_view kCount = "a whole number of at least 1";
constexpr std::string_view kPattern = "a regular expression";

constexpr unsigned kTune = kRecordedTune | kRunTune | kTaskTune;
constexpr unsigned kGate = kRecordedGate | kRunGate | kTaskGate;
constexpr unsigned kAlways = kTune | kGate;
constexpr unsigned kTasks = kTaskTune | kTaskGate;
constexpr unsigned kMeasured = kRunTune | kRunGate | kTasks;
constexpr unsigned kCompared =
    kRecordedTune | kRecordedGate | kRunTune | kRunGate;

constexpr PolicyFieldOf<Policy> kPolicyFields[] = {
    {{.key = "kind",
      .form = ValueForm::kWord,
      .words = &NamesOf<PolicyKind>,
      .flag = "--policy-kind",
      .help = "decide on a change, or only refuse losses",
      .uses = kAlways},
     &Policy::kind},
    {{.key = "metric",
      .form = ValueForm::kText,
      .expected = "auto, real_time, cpu_time or a counter's name",
      .flag = "--metric",
      .placeholder = "NAME[:lower|:higher]",
      .help = "what to judge by: a time or a counter",
      .uses = kAlways},
     &Policy::metric},
    {{.key = "direction",
      .form = ValueForm::kWord,
      .words = &NamesOf<Direction>,
      .flag = "--metric",
      .uses = kAlways},
     &Policy::direction},
    {{.key = "min_effect",
      .form = ValueForm::kFraction,
      .expected = kFraction,
      .in_range = &IsOpenFraction,
      .flag = "--min-effect",
      .placeholder = "FRACTION",
      .help = "smallest improvement worth having",
      .uses = kAlways},
     &Policy::min_effect},
    {{.key = "floor",
      .form = ValueForm::kFraction,
      .expected = "a fraction of at least 0 such as 0.001",
      .in_range = &IsNotNegative,
      .flag = "--floor",
      .placeholder = "FRACTION",
      .help = "log-improvement that a keep must exceed",
      .uses = kAlways},
     &Policy::floor},
    {{.key = "alpha",
      .form = ValueForm::kFraction,
      .expected = kProbability,
      .in_range = &IsOpenFraction,
      .flag = "--alpha",
      .placeholder = "P",
      .help = "bound on the probability of a false keep",
      .uses = kAlways},
     &Policy::alpha},
    {{.key = "beta",
      .form = ValueForm::kFraction,
      .expected = kProbability,
      .in_range = &IsOpenFraction,
      .flag = "--beta",
      .placeholder = "P",
      .help = "bound on the probability of a false discard",
      .uses = kAlways},
     &Policy::beta},
    {{.key = "error_control",
      .form = ValueForm::kWord,
      .words = &NamesOf<ErrorControl>,
      .flag = "--error-control",
      .help = "what the errors of a task's decisions are bounded over",
      .uses = kTasks},
     &Policy::error_control},
    {{.key = "fdr",
      .form = ValueForm::kFraction,
      .expected = kProbability,
      .in_range = &IsOpenFraction,
      .flag = "--fdr",
      .placeholder = "P",
      .help = "bound on the share of false keeps among a task's keeps",
      .uses = kTasks},
     &Policy::fdr},
    {{.key = "horizon",
      .form = ValueForm::kCount,
      .expected = kCount,
      .in_range = &IsAtLeastOne,
      .flag = "--horizon",
      .placeholder = "N",
      .help = "measured decisions that a task plans for",
      .uses = kTasks},
     &Policy::horizon},
    {{.key = "targets",
      .form = ValueForm::kWord,
      .words = &NamesOf<TargetRule>,
      .flag = "--targets",
      .help = "how several targets make one decision",
      .uses = kTune},
     &Policy::targets},
    {{.key = "added",
      .form = ValueForm::kWord,
      .words = &NamesOf<AddedRule>,
      .flag = "--allow-added",
      .help = "list benchmarks that only the contender has",
      .flag_value = "list",
      .uses = kCompared},
     &Policy::added},
    {{.key = "mode",
      .form = ValueForm::kWord,
      .words = &NamesOf<MeasureMode>,
      .flag = "--mode",
      .help = "how the two sides share the machine",
      .uses = kMeasured},
     &Policy::mode},
    {{.key = "budget",
      .json_key = "budget_seconds",
      .form = ValueForm::kDuration,
      .expected = "a duration such as 120s or 2m",
      .in_range = &IsPositive,
      .flag = "--budget",
      .placeholder = "DURATION",
      .help = "longest time to measure one decision",
      .uses = kMeasured},
     &Policy::budget_seconds},
    {{.key = "max_rounds",
      .form = ValueForm::kCount,
      .expected = kCount,
      .in_range = &IsAtLeastOne,
      .flag = "--max-rounds",
      .placeholder = "N",
      .help = "most rounds of one decision",
      .uses = kMeasured},
     &Policy::max_rounds},
    {{.key = "review_ratio",
      .form = ValueForm::kFactor,
      .expected = "a factor above 1 such as 5",
      .in_range = &IsAboveOne,
      .flag = "--review-ratio",
      .placeholder = "FACTOR",
      .help = "larger gains need a human's review",
      .uses = kTune},
     &Policy::review_ratio},
    {{.key = "default_margin",
      .form = ValueForm::kFraction,
      .expected = kMargin,
      .in_range = &IsPositive,
      .flag = "--margin",
      .placeholder = "FRACTION",
      .help = "loss tolerated by guards and gates that name none",
      .uses = kAlways},
     &Policy::default_margin},
    // What an answer is worth to the caller is no part of its evidence.
    {{.key = "on_inconclusive",
      .json_key = kNotInEvidence,
      .form = ValueForm::kWord,
      .words = &NamesOf<OnInconclusive>,
      .flag = "--on-inconclusive",
      .help = "gate: exit 3, exit 1, or exit 0 with a warning when nothing is "
              "proven",
      .uses = kRecordedGate | kRunGate},
     &Policy::on_inconclusive},
};

constexpr PolicyFieldOf<Guard> kGuardFields[] = {
    {{.key = "name",
      .json_key = "benchmark",
      .form = ValueForm::kPattern,
      .expected = kPattern},
     &Guard::benchmark_pattern},
    {{.key = "metric",
      .form = ValueForm::kText,
      .expected = "peak_rss, excess_cpu, binary_size or a counter's name"},
     &Guard::metric},
    {{.key = "margin",
      .form = ValueForm::kFraction,
      .expected = kMargin,
      .in_range = &IsPositive},
     &Guard::margin},
    {{.key = "mode", .form = ValueForm::kWord, .words = &NamesOf<GuardMode>},
     &Guard::mode},
};

constexpr PolicyFieldOf<BenchmarkMargin> kMarginFields[] = {
    {{.key = "name",
      .json_key = "benchmark",
      .form = ValueForm::kPattern,
      .expected = kPattern,
      .required = true},
     &BenchmarkMargin::benchmark_pattern},
    {{.key = "margin",
      .form = ValueForm::kFraction,
      .expected = kMargin,
      .in_range = &IsPositive,
      .required = true},
     &BenchmarkMargin::margin},
};

constexpr PolicyFieldOf<Waiver> kWaiverFields[] = {
    {{.key = "name",
      .form = ValueForm::kText,
      .expected = "a benchmark's exact name",
      .required = true},
     &Waiver::name},
    {{.key = "ceiling",
      .form = ValueForm::kFraction,
      .expected = kMargin,
      .in_range = &IsPositive,
      .required = true},
     &Waiver::ceiling},
    {{.key = "until",
      .form = ValueForm::kDate,
      .expected = "a date such as 2027-01-31",
      .is_valid = &IsDate,
      .required = true},
     &Waiver::until},
    {{.key = "reason",
      .form = ValueForm::kText,
      .expected = "why the loss is accepted",
      .required = true},
     &Waiver::reason},
};

// The number that `digits` spell; -1 when one is no digit.
int ParseDigits(std::string_view digits) {
  int value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

// In the Gregorian calendar; `month` in [1, 12].
int DaysInMonth(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30,
                                         31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[static_cast<std::size_t>(month - 1)] + (leap && month == 2);
}

absl::Status SetParsed(const auto& field, std::string_view text, auto& object) {
  ASSIGN_OR_RETURN(FieldValue value, ParseField(field, text));
  SetValue(field, std::move(value), object);
  return absl::OkStatus();
}

// "NAME", "NAME:higher" or "NAME:lower".
absl::Status SetMetric(const PolicyFieldOf<Policy>& field,
                       std::string_view text, Policy& policy) {
  const std::size_t colon = text.rfind(':');
  policy.direction.reset();
  if (colon != std::string_view::npos) {
    policy.direction = ValueNamed<Direction>(text.substr(colon + 1));
    if (policy.direction.has_value()) text = text.substr(0, colon);
  }
  return SetParsed(field, text, policy);
}

// "REGEX", "REGEX=MARGIN" or "REGEX=MARGIN,MODE"; "metric:NAME" in place of
// REGEX guards a number of the run instead.
absl::Status AddGuard(std::string_view text, Policy& policy) {
  constexpr std::string_view kMetricPrefix = "metric:";
  Guard guard;
  guard.margin = policy.default_margin;
  const std::size_t split = text.rfind('=');
  if (split != std::string_view::npos) {
    const std::string_view rest = text.substr(split + 1);
    const std::size_t comma = rest.find(',');
    RETURN_IF_ERROR(SetParsed(kGuardFields[2], rest.substr(0, comma), guard));
    if (comma != std::string_view::npos) {
      RETURN_IF_ERROR(
          SetParsed(kGuardFields[3], rest.substr(comma + 1), guard));
    }
  }
  std::string_view name = text.substr(0, split);
  const bool by_metric = name.starts_with(kMetricPrefix);
  if (by_metric) name.remove_prefix(kMetricPrefix.size());
  RETURN_IF_ERROR(SetParsed(kGuardFields[by_metric ? 1 : 0], name, guard));
  policy.guards.push_back(std::move(guard));
  return absl::OkStatus();
}

// A list of a policy's file.
struct PolicyList {
  std::string_view key;
  unsigned uses;
};
constexpr PolicyList kLists[] = {{"margin", kGate}, {"waiver", kGate}};

unsigned UseOf(PolicyVerb verb, PolicyKind kind) {
  const bool gate = kind == PolicyKind::kGate;
  switch (verb) {
    case PolicyVerb::kRecorded:
      return gate ? kRecordedGate : kRecordedTune;
    case PolicyVerb::kRun:
      return gate ? kRunGate : kRunTune;
    case PolicyVerb::kTask:
      break;
  }
  return gate ? kTaskGate : kTaskTune;
}

// The margin of what names none; a task's harvest goes by it too.
bool NeedsDefaultMargin(PolicyVerb verb, const Policy& policy) {
  return verb == PolicyVerb::kTask || policy.kind == PolicyKind::kGate ||
         policy.targets == TargetRule::kEach ||
         std::any_of(policy.guards.begin(), policy.guards.end(),
                     [&policy](const Guard& guard) {
                       return guard.margin == policy.default_margin;
                     });
}

// Why a setting used there cannot change an answer; OK when it can.
absl::Status CheckUse(unsigned uses, PolicyVerb verb, const Policy& policy) {
  if ((uses & UseOf(verb, policy.kind)) != 0) return absl::OkStatus();
  const std::string where =
      IsUsedBy(uses, verb)            ? absl::StrCat("under the policy kind ",
                                                     std::string(NameOf(policy.kind)))
      : verb == PolicyVerb::kRecorded ? "on recorded files"
      : verb == PolicyVerb::kRun      ? "on a run"
                                      : "on a task";
  return absl::InvalidArgumentError(
      absl::StrCat("has no effect ", where, "; leave it out"));
}

absl::Status CheckFieldUse(const PolicyFieldOf<Policy>& field, PolicyVerb verb,
                           const Policy& policy) {
  RETURN_IF_ERROR(CheckUse(field.uses, verb, policy));
  if (field.key != "default_margin" || NeedsDefaultMargin(verb, policy)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "has no effect without a guard that names no margin; leave it out");
}

PolicyFlag FlagOf(const PolicyFieldOf<Policy>& field) {
  if (!field.flag_value.empty()) {
    return {field.flag, "", std::string(field.help),
            std::string(field.flag_value), field.uses};
  }
  const std::string usual = FieldText(field, ValueIn(field, Policy()).value());
  const std::string placeholder = field.placeholder.empty()
                                      ? absl::StrJoin(field.words(), "|")
                                      : std::string(field.placeholder);
  return {field.flag, placeholder,
          absl::StrCat(std::string(field.help), " (", usual, ")"), "",
          field.uses};
}

}  // namespace

std::span<const PolicyFieldOf<Policy>> PolicyFields() { return kPolicyFields; }
std::span<const PolicyFieldOf<Guard>> GuardFields() { return kGuardFields; }
std::span<const PolicyFieldOf<BenchmarkMargin>> MarginFields() {
  return kMarginFields;
}
std::span<const PolicyFieldOf<Waiver>> WaiverFields() { return kWaiverFields; }

const PolicyFlag kGuardFlag = {
    "--guard", "REGEX[=MARGIN[,MODE]]",
    "must not get worse; metric:NAME for a number of the run", "", kAlways};

const std::vector<PolicyFlag>& PolicyFlagTable() {
  static const auto& flags = *[] {
    auto* all = new std::vector<PolicyFlag>;
    for (const PolicyFieldOf<Policy>& field : kPolicyFields) {
      // The direction has none of its own.
      if (!field.help.empty()) all->push_back(FlagOf(field));
    }
    return all;
  }();
  return flags;
}

absl::Status SetPolicyFlags(const PolicyFlagValues& values, Policy& policy) {
  for (const PolicyFieldOf<Policy>& field : kPolicyFields) {
    const auto found = values.texts.find(field.flag);
    if (field.help.empty() || found == values.texts.end()) continue;
    if (!found->second.has_value()) continue;
    const std::string& text = *found->second;
    RETURN_IF_ERROR(Annotate(field.key == "metric"
                                 ? SetMetric(field, text, policy)
                                 : SetParsed(field, text, policy),
                             std::string(field.flag)));
  }
  for (const std::string& text : values.guards) {
    RETURN_IF_ERROR(Annotate(AddGuard(text, policy),
                             absl::StrCat("--guard ", Quoted(text))));
  }
  return absl::OkStatus();
}

bool IsUsedBy(unsigned uses, PolicyVerb verb) {
  return (uses & (UseOf(verb, PolicyKind::kTune) |
                  UseOf(verb, PolicyKind::kGate))) != 0;
}

bool TakesPart(const PolicyFieldOf<Policy>& field, PolicyVerb verb,
               const Policy& policy) {
  return CheckFieldUse(field, verb, policy).ok();
}

absl::Status CheckFlagUses(const PolicyFlagValues& values, PolicyVerb verb,
                           const Policy& policy) {
  for (const PolicyFieldOf<Policy>& field : kPolicyFields) {
    const auto found = values.texts.find(field.flag);
    if (found == values.texts.end() || !found->second.has_value()) continue;
    RETURN_IF_ERROR(
        Annotate(CheckFieldUse(field, verb, policy), std::string(field.flag)));
  }
  return absl::OkStatus();
}

absl::Status CheckTomlUses(const TomlTable& top, PolicyVerb verb,
                           const Policy& policy) {
  ASSIGN_OR_RETURN(const std::optional<TomlTable> table, top.Table("policy"));
  for (const PolicyFieldOf<Policy>& field : kPolicyFields) {
    if (!table.has_value() || table->Find(field.key) == nullptr) continue;
    const absl::Status used = CheckFieldUse(field, verb, policy);
    if (!used.ok()) return table->Error(field.key, std::string(used.message()));
  }
  for (const PolicyList& list : kLists) {
    const absl::Status used = CheckUse(list.uses, verb, policy);
    if (used.ok() || top.Find(list.key) == nullptr) continue;
    ASSIGN_OR_RETURN(const std::vector<TomlTable> tables,
                     top.Tables(std::string(list.key)));
    if (!tables.empty()) {
      return tables.front().Error("", std::string(used.message()));
    }
  }
  return absl::OkStatus();
}

bool IsOpenFraction(double value) { return value > 0 && value < 1; }

bool IsDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int year = ParseDigits(text.substr(0, 4));
  const int month = ParseDigits(text.substr(5, 2));
  const int day = ParseDigits(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) return false;
  return month >= 1 && month <= 12 && day >= 1 &&
         day <= DaysInMonth(year, month);
}

}  // namespace autotune
