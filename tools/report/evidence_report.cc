#include "tools/report/evidence_report.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/verdict.h"
#include "tools/report/evidence_facts.h"
#include "tools/report/json_writer.h"
#include "tools/report/next_steps.h"
#include "tools/report/outcome.h"
#include "tools/report/text_table.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Longer lists are cut; the evidence file has them whole.
constexpr std::size_t kMostWarnings = 8;

using Cell = TextTable::Cell;

bool IsGate(const Evidence& evidence) {
  return evidence.settings.kind == PolicyKind::kGate;
}

Cell MedianCell(const Evidence& evidence, const std::string& name,
                const std::string& metric, VisitEvidence RoundEvidence::*side) {
  const std::optional<double> median = MedianOf(evidence, name, side);
  return {median.has_value() ? ValueText(metric, *median) : ""};
}

std::vector<Cell> MeasuredRow(const Evidence& evidence, const std::string& name,
                              const std::string& metric,
                              const RatioEstimate& estimate, Cell name_cell,
                              Cell verdict) {
  std::vector<Cell> cells = {std::move(name_cell)};
  cells.push_back(MedianCell(evidence, name, metric, &RoundEvidence::baseline));
  cells.push_back(
      MedianCell(evidence, name, metric, &RoundEvidence::contender));
  cells.push_back({ChangeText(estimate.ratio), verdict.style});
  cells.push_back({IntervalText(estimate.interval)});
  cells.push_back(std::move(verdict));
  return cells;
}

std::string_view TargetWord(Verdict verdict, bool gate) {
  if (!gate) return VerdictWord(verdict);
  switch (verdict) {
    case Verdict::kRegressed:
      return "worse than its margin";
    case Verdict::kInconclusive:
      return "inconclusive";
    default:
      return "within its margin";
  }
}

Cell GuardVerdict(const GuardState& guard) {
  const std::string margin = PercentText(guard.margin);
  switch (guard.standing) {
    case GuardState::Standing::kUnharmed:
      return {absl::StrCat("within ", margin), TextStyle::kGood};
    case GuardState::Standing::kHarmed:
      return {absl::StrCat("worse than ", margin), TextStyle::kBad};
    case GuardState::Standing::kUndecided:
      break;
  }
  return {guard.mode == GuardMode::kVeto ? "no evidence of harm" : "undecided",
          TextStyle::kDoubtful};
}

void AddTargets(const Evidence& evidence, TextTable& table) {
  for (const TargetState& target : evidence.targets) {
    if (target.rounds == 0) continue;
    table.AddRow(
        MeasuredRow(evidence, target.name, evidence.metric.name,
                    target.estimate, {PrintableText(target.name)},
                    {std::string(TargetWord(target.verdict, IsGate(evidence))),
                     StyleOf(target.verdict)}));
  }
  if (evidence.targets.size() < 2 || evidence.overall.rounds == 0) return;
  table.AddRow(MeasuredRow(
      evidence, "", evidence.metric.name, evidence.overall.estimate,
      {PrintableText(evidence.overall.name), TextStyle::kStrong},
      {IsGate(evidence) ? ""
                        : std::string(VerdictWord(evidence.overall.verdict)),
       StyleOf(evidence.overall.verdict)}));
}

void AddGuards(const Evidence& evidence, TextTable& table) {
  for (const GuardState& guard : evidence.guards) {
    if (guard.rounds == 0) continue;
    table.AddRow(
        MeasuredRow(evidence, guard.name, GuardMetricName(evidence, guard.name),
                    guard.estimate, {PrintableText(guard.name) + " (guard)"},
                    GuardVerdict(guard)));
  }
}

std::string TableText(const Evidence& evidence, int width, bool color) {
  const auto render = [&](bool medians) {
    TextTable table;
    table.AddRow({{"benchmark", TextStyle::kFaint},
                  {"baseline", TextStyle::kFaint},
                  {"contender", TextStyle::kFaint},
                  {"change", TextStyle::kFaint},
                  {"interval", TextStyle::kFaint},
                  {"verdict", TextStyle::kFaint}});
    AddTargets(evidence, table);
    AddGuards(evidence, table);
    if (!medians) {
      table.ClearColumn(1);
      table.ClearColumn(2);
    }
    return table;
  };
  TextTable table = render(true);
  if (table.rows() == 1) return "";
  if (table.Width() > static_cast<std::size_t>(width)) table = render(false);
  return table.Render(color);
}

// What it took: "9 rounds (1 voided), 5.2 s, mode turns, cpu_time".
std::string EffortText(const Evidence& evidence) {
  const std::size_t voided = VoidedRounds(evidence);
  return absl::StrCat(CountText(ValidRounds(evidence), "round"),
                      voided == 0 ? "" : absl::StrCat(" (", voided, " voided)"),
                      ", ", SecondsText(evidence.measuring_seconds), ", mode ",
                      std::string(NameOf(ModeOf(evidence))), ", ",
                      PrintableText(evidence.metric.name));
}

std::string NotesText(const Evidence& evidence) {
  std::string text;
  const std::vector<std::string>& warnings = evidence.warnings;
  for (std::size_t i = 0; i < warnings.size() && i < kMostWarnings; ++i) {
    absl::StrAppend(&text, "note: ", PrintableText(warnings[i]), "\n");
  }
  if (warnings.size() > kMostWarnings) {
    absl::StrAppend(&text, "note: ", warnings.size() - kMostWarnings,
                    " more; see --json\n");
  }
  return text;
}

void WriteTarget(const Evidence& evidence, const TargetState& target,
                 JsonWriter& json) {
  json.Text("name", target.name);
  json.Text("verdict", NameOf(target.verdict));
  json.Text("reason", target.reason);
  json.Estimate(target.rounds == 0 ? std::nullopt
                                   : std::optional(target.estimate));
  json.Number("baseline_median",
              MedianOf(evidence, target.name, &RoundEvidence::baseline));
  json.Number("contender_median",
              MedianOf(evidence, target.name, &RoundEvidence::contender));
  json.Number("log_e_keep", target.log_e_keep);
  json.Number("log_e_discard", target.log_e_discard);
  json.Number("log_e_worse", target.log_e_worse);
  json.Count("rounds", static_cast<std::int64_t>(target.rounds));
}

std::string_view StandingName(GuardState::Standing standing) {
  switch (standing) {
    case GuardState::Standing::kUnharmed:
      return "unharmed";
    case GuardState::Standing::kHarmed:
      return "harmed";
    case GuardState::Standing::kUndecided:
      break;
  }
  return "undecided";
}

void WriteGuard(const GuardState& guard, JsonWriter& json) {
  json.Text("name", guard.name);
  json.Text("mode", NameOf(guard.mode));
  json.Number("margin", guard.margin);
  json.Text("standing", StandingName(guard.standing));
  json.Estimate(guard.rounds == 0 ? std::nullopt
                                  : std::optional(guard.estimate));
  json.Number("log_e_unharmed", guard.log_e_unharmed);
  json.Number("log_e_harmed", guard.log_e_harmed);
  json.Count("rounds", static_cast<std::int64_t>(guard.rounds));
}

void WriteStates(const Evidence& evidence, JsonWriter& json) {
  json.BeginObject("overall");
  WriteTarget(evidence, evidence.overall, json);
  json.EndObject();
  json.BeginArray("targets");
  for (const TargetState& target : evidence.targets) {
    json.BeginObject();
    WriteTarget(evidence, target, json);
    json.EndObject();
  }
  json.EndArray();
  json.BeginArray("guards");
  for (const GuardState& guard : evidence.guards) {
    json.BeginObject();
    WriteGuard(guard, json);
    json.EndObject();
  }
  json.EndArray();
}

void WriteSettings(const Evidence& evidence, JsonWriter& json) {
  json.Text("policy_kind", NameOf(evidence.settings.kind));
  json.Text("metric", evidence.metric.name);
  json.Text("direction", NameOf(evidence.metric.direction));
  json.Number("min_effect", evidence.policy.min_effect);
  json.Number("alpha", evidence.settings.alpha);
  json.Number("beta", evidence.settings.beta);
  json.Text("mode", NameOf(ModeOf(evidence)));
  json.Flag("identical", evidence.identical);
  json.Text("downgrade", evidence.downgrade);
  json.Count("rounds", static_cast<std::int64_t>(ValidRounds(evidence)));
  json.Count("voided_rounds",
             static_cast<std::int64_t>(VoidedRounds(evidence)));
  json.Number("seconds", evidence.measuring_seconds);
}

}  // namespace

std::string EvidenceTable(const Evidence& evidence, int width, bool color) {
  std::string text = TableText(evidence, width, color);
  if (!evidence.identical) {
    absl::StrAppend(&text, EffortText(evidence), "\n");
  }
  absl::StrAppend(
      &text, NotesText(evidence),
      Styled(EvidenceOutcomeName(evidence), StyleOf(evidence.decision), color),
      ": ", PrintableText(evidence.reason), "\n");
  return text;
}

std::string EvidenceSummaryLine(const Evidence& evidence) {
  const std::string outcome(EvidenceOutcomeName(evidence));
  const std::string reason = PrintableText(evidence.reason);
  if (ValidRounds(evidence) == 0) return absl::StrCat(outcome, ": ", reason);
  const RatioEstimate& estimate = evidence.overall.estimate;
  return absl::StrCat(outcome, ": ", ChangeText(estimate.ratio), " ",
                      IntervalText(estimate.interval), ", ",
                      CountText(ValidRounds(evidence), "round"), ", ",
                      SecondsText(evidence.measuring_seconds), ": ", reason);
}

std::string EvidenceReportJson(const Evidence& evidence,
                               const std::string& evidence_path) {
  JsonWriter json;
  json.BeginObject();
  json.Count("schema_version", 1);
  json.Flag("ok", true);
  json.Text("decision", EvidenceOutcomeName(evidence));
  json.Text("reason", evidence.reason);
  WriteNext(NextSteps(evidence, evidence_path), json);
  WriteSettings(evidence, json);
  WriteStates(evidence, json);
  json.Texts("warnings", evidence.warnings);
  json.EndObject();
  return json.Take();
}

std::string_view EvidenceOutcomeName(const Evidence& evidence) {
  const bool gate = IsGate(evidence);
  switch (evidence.decision) {
    case Decision::kKeep:
      return gate ? "pass" : "keep";
    case Decision::kDiscard:
      return gate ? "regression" : "discard";
    case Decision::kInconclusive:
      break;
  }
  return "inconclusive";
}

}  // namespace autotune
