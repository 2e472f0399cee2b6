#include "tools/report/report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/display_text.h"
#include "comparator/evidence/evidence.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "tools/report/evidence_facts.h"
#include "tools/report/report_parts.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

using LeftOut = Report::LeftOut;

constexpr std::string_view kNotRandomised =
    "recorded files: the order of the runs was not randomised, so drift counts "
    "as change";
constexpr char kBenchCompare[] = "bench_compare";

LeftOut NamesLeftOut(std::string_view key, std::string_view label, bool lost,
                     const std::vector<std::string>& names) {
  LeftOut left_out = {key, label, false, lost, {}};
  for (const std::string& name : names) {
    left_out.entries.push_back({name, "", "", 1});
  }
  return left_out;
}

std::string_view UnusableWord(UnusableRow::Kind kind) {
  switch (kind) {
    case UnusableRow::Kind::kErrored:
      return "errored";
    case UnusableRow::Kind::kSkipped:
      return "skipped";
    case UnusableRow::Kind::kNotMeasured:
      break;
  }
  return "not measured";
}

LeftOut UnusableLeftOut(std::string_view key, std::string_view label,
                        const std::vector<UnusableRow>& rows) {
  LeftOut left_out = {key, label, true, false, {}};
  std::map<std::tuple<std::string, UnusableRow::Kind, std::string>, std::size_t>
      places;
  for (const UnusableRow& row : rows) {
    const auto [place, is_new] = places.try_emplace(
        {row.name, row.kind, row.reason}, left_out.entries.size());
    if (is_new) {
      left_out.entries.push_back(
          {row.name, std::string(UnusableWord(row.kind)), row.reason, 1});
    } else {
      ++left_out.entries[place->second].count;
    }
  }
  return left_out;
}

std::vector<LeftOut> LeftOutOf(const ComparisonTable& table) {
  return {NamesLeftOut("only_in_baseline", "only in the baseline",
                       !table.may_lose, table.only_in_baseline),
          NamesLeftOut("only_in_contender", "only in the contender",
                       !table.may_add, table.only_in_contender),
          NamesLeftOut("without_metric", "without the metric", false,
                       table.without_metric),
          UnusableLeftOut("unusable_baseline", "unusable in the baseline",
                          table.unusable_baseline),
          UnusableLeftOut("unusable_contender", "unusable in the contender",
                          table.unusable_contender)};
}

// "A, B, C and 4 more".
std::string NamesText(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  const std::size_t shown = std::min(names.size(), kMost);
  const std::string text = absl::StrJoin(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", ");
  return shown == names.size()
             ? text
             : absl::StrCat(text, " and ", names.size() - shown, " more");
}

// One note for each thing that is said of benchmarks, with all of them.
void AddNotes(const std::vector<Comparison>& comparisons,
              std::vector<std::string>& notes) {
  std::vector<std::pair<std::string, std::vector<std::string>>> said;
  std::unordered_map<std::string, std::size_t> places;
  for (const Comparison& comparison : comparisons) {
    const auto add = [&](const std::string& text) {
      const auto [place, is_new] = places.try_emplace(text, said.size());
      if (is_new) said.push_back({text, {}});
      std::vector<std::string>& names = said[place->second].second;
      // A benchmark's own comparison and those of its guarded numbers say the
      // same.
      if (std::find(names.begin(), names.end(), comparison.name) ==
          names.end()) {
        names.push_back(comparison.name);
      }
    };
    if (!comparison.cannot_judge.empty()) add(comparison.cannot_judge);
    if (!comparison.suspicion.empty()) add(comparison.suspicion);
    if (!comparison.waiver.empty()) add("waived " + comparison.waiver);
    for (const std::string& warning : comparison.warnings) add(warning);
  }
  for (const auto& [text, names] : said) {
    notes.push_back(absl::StrCat(NamesText(names), ": ", text));
  }
}

bool HasSingleRuns(const Outcome& outcome) {
  for (const Comparison& comparison : outcome.comparisons) {
    if (comparison.estimate.has_value() &&
        comparison.unit == SamplingUnit::kRepetition &&
        comparison.verdict == Verdict::kInconclusive) {
      return true;
    }
  }
  return false;
}

// "bench_compare [gate] run ..." and what `more` adds.
Command RunCommand(PolicyKind kind, std::vector<std::string> more) {
  Command command = {kBenchCompare, {}, {}};
  if (kind == PolicyKind::kGate) command.words.emplace_back("gate");
  command.words.emplace_back("run");
  command.words.insert(command.words.end(), more.begin(), more.end());
  return command;
}

Command SameCommandWith(std::string option) {
  return {kBenchCompare, {"...", std::move(option)}, {}};
}

// What may be allowed besides what already is.
std::vector<NextStep> WaysOnFromMissing(const ComparisonTable& table) {
  if (table.may_lose) return {};
  if (table.only_in_baseline.empty()) {
    return {{SameCommandWith("--allow-added"),
             "list what only the contender has; what it lost still fails"}};
  }
  return {{SameCommandWith("--common"),
           "judge the benchmarks that both sides have and only list the "
           "rest"}};
}

// Ways on from files that did not decide.
std::vector<NextStep> NextSteps(const ComparisonTable& table) {
  const Command run = RunCommand(
      table.kind, {"--baseline", "OLD_BINARY", "--contender", "NEW_BINARY"});
  switch (table.code) {
    case ReasonCode::kMissing:
      return WaysOnFromMissing(table);
    case ReasonCode::kOtherMachine:
      return {{SameCommandWith("--ignore-context"),
               "if both sides did run on equal machines after all"}};
    case ReasonCode::kUndecided:
    case ReasonCode::kTooFewRuns:
      break;
    default:
      return {};
  }
  if (HasSingleRuns(table)) {
    return {{run,
             "measure both programs in turns: proves a change of 1 % in "
             "seconds"}};
  }
  if (!table.overall.has_value() || !table.overall->more_visits.has_value()) {
    return {};
  }
  return {{run, absl::StrFormat("or record about %d more runs a side",
                                *table.overall->more_visits)}};
}

// Where to stop instead: twice as far as the run did, by the limit it met.
std::vector<std::string> MoreOf(const Evidence& evidence) {
  const auto rounds = static_cast<std::int64_t>(evidence.rounds.size());
  if (!evidence.settings.stop_when_decided) {
    return {"--rounds", absl::StrCat(2 * rounds)};
  }
  if (rounds >= evidence.policy.max_rounds) {
    return {"--max-rounds", absl::StrCat(2 * rounds)};
  }
  return {"--budget",
          absl::StrFormat("%.0fs", 2.0 * evidence.policy.budget_seconds)};
}

// Ways on from a run that did not decide. A run of fixed rounds is made anew.
std::vector<NextStep> NextSteps(const Evidence& evidence,
                                const std::string& evidence_path) {
  if (evidence.code != ReasonCode::kUndecided) return {};
  std::vector<std::string> words = {"..."};
  const std::vector<std::string> more = MoreOf(evidence);
  words.insert(words.end(), more.begin(), more.end());
  const bool fixed = !evidence.settings.stop_when_decided;
  if (fixed) {
    return {{RunCommand(evidence.settings.kind, words), "more rounds"}};
  }
  if (evidence_path.empty()) {
    words.insert(words.end(), {"--evidence", "FILE"});
    return {{RunCommand(evidence.settings.kind, words),
             "more time, and a run that can be continued"}};
  }
  words.emplace_back("--resume");
  return {{RunCommand(evidence.settings.kind, words),
           "continues this run; what was measured counts"}};
}

// "9 rounds (1 voided), 5.2 s, mode turns, cpu_time".
std::string EffortText(const Evidence& evidence) {
  const std::size_t voided = VoidedRounds(evidence);
  return absl::StrCat(CountText(ValidRounds(evidence), "round"),
                      voided == 0 ? "" : absl::StrCat(" (", voided, " voided)"),
                      ", ", SecondsText(evidence.measuring_seconds), ", mode ",
                      std::string(NameOf(ModeOf(evidence))), ", ",
                      evidence.metric.name);
}

void AddComparison(const Evidence& evidence, Comparison comparison,
                   Outcome& outcome) {
  comparison.baseline_median =
      MedianOf(evidence, comparison.name, &RoundEvidence::baseline)
          .value_or(0.0);
  comparison.contender_median =
      MedianOf(evidence, comparison.name, &RoundEvidence::contender)
          .value_or(0.0);
  for (const Waiver& waiver : evidence.policy.waivers) {
    const bool raised =
        waiver.name == comparison.name && comparison.margin == waiver.ceiling;
    if (raised) comparison.waiver = WaiverText(waiver);
  }
  comparison.baseline_visits = comparison.contender_visits = comparison.rounds;
  comparison.baseline_size = comparison.contender_size = comparison.rounds;
  outcome.comparisons.push_back(std::move(comparison));
}

Outcome OutcomeOf(const Evidence& evidence) {
  Outcome outcome;
  static_cast<Ruling&>(outcome) = evidence;
  outcome.kind = evidence.settings.kind;
  outcome.warnings = evidence.warnings;
  if (evidence.identical) return outcome;
  for (const auto* list : {&evidence.targets, &evidence.guards}) {
    for (const Comparison& comparison : *list) {
      AddComparison(evidence, comparison, outcome);
    }
  }
  for (const auto& [name, why] : evidence.no_ops) {
    Comparison& no_op = outcome.comparisons.emplace_back();
    no_op.name = name;
    no_op.metric = evidence.metric;
    no_op.suspicion = why;
    no_op.takes_no_time = true;
  }
  outcome.overall = evidence.overall;
  const bool one = evidence.settings.kind == PolicyKind::kTune &&
                   evidence.settings.rule == TargetRule::kEach;
  outcome.overall_size = one ? 1 : evidence.targets.size();
  return outcome;
}

std::vector<Report::Fact> FactsOf(const Evidence& evidence) {
  const auto count = [](std::size_t value) {
    return static_cast<std::int64_t>(value);
  };
  return {{"metric", evidence.metric.name},
          {"direction", std::string(NameOf(evidence.metric.direction))},
          {"min_effect", evidence.policy.min_effect},
          {"alpha", evidence.settings.alpha},
          {"beta", evidence.settings.beta},
          {"mode", std::string(NameOf(ModeOf(evidence)))},
          {"identical", evidence.identical},
          {"downgrade", evidence.downgrade},
          {"rounds", count(ValidRounds(evidence))},
          {"voided_rounds", count(VoidedRounds(evidence))},
          {"seconds", evidence.measuring_seconds}};
}

// A side's program, with what tells it from others.
std::string SideText(const EvidenceSide& side) {
  std::vector<std::string> parts = {absl::StrJoin(side.argv, " ")};
  if (!side.commit.empty()) parts.push_back("commit " + side.commit);
  if (!side.build_id.empty()) parts.push_back("build id " + side.build_id);
  if (!side.sha256.empty()) parts.push_back("SHA-256 " + side.sha256);
  return absl::StrJoin(parts, ", ");
}

std::vector<std::pair<std::string, std::string>> ProvenanceOf(
    const Evidence& evidence) {
  std::vector<std::pair<std::string, std::string>> lines = {
      {"baseline", SideText(evidence.baseline)},
      {"contender", SideText(evidence.contender)},
      {"started", evidence.started},
      {"tool version", evidence.tool_version}};
  for (const auto* map : {&evidence.machine, &evidence.build}) {
    lines.insert(lines.end(), map->begin(), map->end());
  }
  std::erase_if(lines, [](const auto& line) { return line.second.empty(); });
  return lines;
}

}  // namespace

void AddProvenance(std::string_view side, std::span<const ResultFile> files,
                   Report& report) {
  for (const ResultFile& file : files) {
    std::vector<std::string> parts = {file.source_name};
    for (const std::string* part :
         {&file.context.date, &file.context.executable, &file.visit.build_id}) {
      if (!part->empty()) parts.push_back(*part);
    }
    const std::string machine = MachineText(file);
    if (!machine.empty()) parts.push_back(machine);
    report.provenance.emplace_back(side, absl::StrJoin(parts, ", "));
  }
}

Report ReportOf(ComparisonTable table) {
  Report report;
  report.left_out = LeftOutOf(table);
  report.notes = table.warnings;
  report.general_notes = report.notes.size();
  AddNotes(table.comparisons, report.notes);
  if (!table.comparisons.empty()) report.last_note = kNotRandomised;
  report.next = NextSteps(table);
  report.facts = {
      {"order", std::string("not randomised")},
      {"adjustment", std::string(ErrorAdjustmentName(table.adjustment))},
      {"baseline_visits", static_cast<std::int64_t>(table.baseline_visits)},
      {"contender_visits", static_cast<std::int64_t>(table.contender_visits)}};
  report.series = SeriesOf(table);
  report.outcome = std::move(table);
  return report;
}

Report ReportOf(const Evidence& evidence, const std::string& evidence_path) {
  Report report;
  report.outcome = OutcomeOf(evidence);
  report.left_out = {NamesLeftOut("only_in_contender", "only in the contender",
                                  false, evidence.only_in_contender)};
  report.review = evidence.review;
  report.notes = evidence.warnings;
  report.general_notes = report.notes.size();
  AddNotes(report.outcome.comparisons, report.notes);
  if (!evidence.identical) report.effort = {EffortText(evidence)};
  report.next = NextSteps(evidence, evidence_path);
  report.facts = FactsOf(evidence);
  if (!evidence.identical) report.series = SeriesOf(evidence);
  report.provenance = ProvenanceOf(evidence);
  return report;
}

namespace {

// Bytes: GitHub refuses comments of 65,536 characters and summaries of 1 MiB.
// All steps of a job share the latter, so one report takes no more than half.
constexpr std::size_t kCommentRoom = 65'000;
constexpr std::size_t kSummaryRoom = 500'000;

}  // namespace

std::string RenderReport(const Report& report, ReportFormat format,
                         const TextLayout& layout) {
  switch (format) {
    case ReportFormat::kJson:
      return ReportJson(report);
    case ReportFormat::kMarkdown:
      return ReportMarkdown(report, kCommentRoom);
    case ReportFormat::kSummary:
      return ReportMarkdown(report, kSummaryRoom);
    case ReportFormat::kGithub:
      return ReportText(report, layout) + ReportAnnotations(report);
    case ReportFormat::kJunit:
      return ReportJunit(report);
    case ReportFormat::kSarif:
      return ReportSarif(report);
    case ReportFormat::kHtml:
      return ReportHtml(report);
    case ReportFormat::kTable:
      break;
  }
  return ReportText(report, layout);
}

std::string EvidenceSummaryLine(const Evidence& evidence) {
  const std::string outcome(OutcomeName(evidence, evidence.settings.kind));
  const std::string reason = PrintableText(evidence.reason);
  if (!evidence.overall.estimate.has_value()) {
    return absl::StrCat(outcome, ": ", reason);
  }
  const RatioEstimate& estimate = *evidence.overall.estimate;
  return absl::StrCat(outcome, ": ", ChangeText(estimate.ratio), " ",
                      IntervalText(estimate.interval), ", ",
                      CountText(ValidRounds(evidence), "round"), ", ",
                      SecondsText(evidence.measuring_seconds), ": ", reason);
}

}  // namespace autotune
