#include "tools/bench_compare/gate_outcome.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/proportion.h"
#include "comparator/statistics/test_length.h"
#include "tools/measure/budget_check.h"
#include "tools/report/report.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

// Sample standard deviation about the mean; nothing of fewer than two.
std::optional<double> Spread(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += value;
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - sum / n) * (value - sum / n);
  }
  return std::sqrt(squares / (n - 1.0));
}

// What a runner can prove.
struct Proof {
  double loss = 0.0;  // a fraction
  double seconds = 0.0;
};

// The smallest loss that each target of `evidence` could be cleared of within
// the budget, and the time that the policy's rounds leave of it; nothing when
// that cannot be told.
std::optional<Proof> ProvableLoss(const Evidence& evidence, double budget) {
  if (evidence.rounds.empty() || !(evidence.measuring_seconds > 0.0)) {
    return std::nullopt;
  }
  const double round_seconds =
      evidence.measuring_seconds / static_cast<double>(evidence.rounds.size());
  const double rounds = std::min(
      budget / round_seconds, static_cast<double>(evidence.policy.max_rounds));
  std::optional<Proof> proof;
  for (std::size_t i = 0; i < evidence.targets.size(); ++i) {
    std::vector<double> values;
    for (const RoundEvidence& round : evidence.rounds) {
      if (round.use != RoundUse::kCounts || i >= round.ratios.targets.size()) {
        continue;
      }
      if (round.ratios.targets[i]) values.push_back(*round.ratios.targets[i]);
    }
    const std::optional<double> noise = Spread(values);
    if (!noise.has_value()) continue;
    const std::optional<double> effect =
        SmallestEffect(rounds, *noise, evidence.settings.alpha);
    if (!effect.has_value()) return std::nullopt;
    const double loss = std::expm1(*effect);
    if (!proof.has_value()) proof = {0.0, rounds * round_seconds};
    proof->loss = std::max(proof->loss, loss);
  }
  return proof;
}

// "1.8 %", and two digits below 1 %: a counter's noise is small, or none.
std::string ProvableText(double loss) {
  if (loss < 0.0001) return "less than 0.01 %";
  return absl::StrCat(FixedText(100.0 * loss, loss < 0.01 ? 2 : 1), " %");
}

// Whether the rounds of one target clear it of a loss beyond `margin` too.
bool IsWithin(const Evidence& evidence, std::size_t target, double margin) {
  JudgeSettings settings = evidence.settings;
  settings.targets = {evidence.settings.targets[target]};
  settings.target_margins = {margin};
  settings.guards.clear();
  SequentialJudge judge(settings);
  for (const RoundEvidence& round : evidence.rounds) {
    if (round.use != RoundUse::kCounts ||
        target >= round.ratios.targets.size() ||
        !round.ratios.targets[target].has_value()) {
      continue;
    }
    judge.Add({{round.ratios.targets[target]}, {}});
  }
  return judge.decision() == Decision::kKeep;
}

// How many of the benchmarks stand where.
struct Count {
  std::size_t unchanged = 0;
  std::size_t within = 0;
  std::size_t beyond = 0;
  std::size_t undecided = 0;
  std::size_t faults = 0;
  std::set<double> margins;  // of those within
};

class GateReporter {
 public:
  GateReporter(const GateResult& result, const Policy& policy)
      : result_(result), policy_(policy) {}

  Report Take() {
    report_.outcome.kind = PolicyKind::kGate;
    for (const GateFault& fault : result_.faults) AddFault(fault.name, fault);
    // What cannot be judged stands above any number.
    for (const GateProgramResult& program : result_.programs) {
      for (const GateFault& fault : program.faults) {
        AddFault(NameOf(program, fault.name), fault);
      }
    }
    for (const GateProgramResult& program : result_.programs) Add(program);
    CountRows();
    Rule();
    AddLeftOut();
    AddWaiverNotes();
    general_.insert(general_.end(), result_.warnings.begin(),
                    result_.warnings.end());
    report_.notes.insert(report_.notes.begin(), general_.begin(),
                         general_.end());
    report_.general_notes = general_.size();
    AddFacts();
    return std::move(report_);
  }

 private:
  // Programs may share benchmark names.
  std::string NameOf(const GateProgramResult& program,
                     const std::string& benchmark) const {
    if (result_.programs.size() < 2 || benchmark == program.name) {
      return benchmark;
    }
    return absl::StrCat(program.name, ": ", benchmark);
  }

  void AddFault(const std::string& name, const GateFault& fault) {
    Comparison row;
    row.name = name.empty() ? "the whole change" : name;
    row.margin = policy_.default_margin;
    row.cannot_judge = fault.why;
    report_.notes.push_back(absl::StrCat(row.name, ": ", fault.why));
    report_.outcome.comparisons.push_back(std::move(row));
    report_.series.emplace_back();
  }

  void Add(const GateProgramResult& program) {
    if (!program.evidence.has_value()) return;
    const Evidence& evidence = *program.evidence;
    Report run = ReportOf(evidence);
    run.series.resize(run.outcome.comparisons.size());  // no overall figure
    for (std::size_t i = 0; i < run.series.size(); ++i) {
      Comparison& row = run.outcome.comparisons[i];
      row.name = NameOf(program, row.name);
      TakeBack(evidence, row);
      report_.outcome.comparisons.push_back(std::move(row));
      report_.series.push_back(std::move(run.series[i]));
    }
    for (std::size_t i = 0; i < run.notes.size(); ++i) {
      (i < run.general_notes ? general_ : report_.notes)
          .push_back(NameOf(program, run.notes[i]));
    }
    for (const std::string& line : run.review) {
      report_.review.push_back(NameOf(program, line));
    }
    for (const std::string& line : run.effort) {
      report_.effort.push_back(NameOf(program, line));
    }
    for (auto& [name, text] : run.provenance) {
      report_.provenance.emplace_back(NameOf(program, name), std::move(text));
    }
  }

  // What the run itself does not stand by, and what it never could decide.
  static void TakeBack(const Evidence& evidence, Comparison& row) {
    if (!evidence.downgrade.empty()) {
      row.standing = MarginStanding::kUndecided;
      row.reason = evidence.downgrade;
    }
    const auto fewest =
        static_cast<std::size_t>(FewestRounds(evidence.settings.alpha));
    if (row.standing != MarginStanding::kUndecided || row.rounds >= fewest) {
      return;
    }
    row.can_be_decided = false;
    row.reason = absl::StrFormat(
        "%s in its share of the budget; at least %d are needed to prove "
        "anything at alpha %s: give a longer --budget",
        CountText(row.rounds, "round"), fewest,
        ShortestText(evidence.settings.alpha));
  }

  void CountRows() {
    for (const GateProgramResult& program : result_.programs) {
      count_.unchanged += program.unchanged.size();
    }
    for (const Comparison& row : report_.outcome.comparisons) {
      if (!row.cannot_judge.empty()) {
        ++count_.faults;
      } else if (row.standing == MarginStanding::kWithin) {
        ++count_.within;
        count_.margins.insert(row.margin.value_or(0.0));
      } else if (row.standing == MarginStanding::kBeyond) {
        ++count_.beyond;
      } else {
        ++count_.undecided;
      }
    }
  }

  void Rule() {
    Outcome& outcome = report_.outcome;
    static_cast<Ruling&>(outcome) = RulingOf();
    if (outcome.code == ReasonCode::kHarmed && SelfCheckDoubts()) {
      outcome.decision = Decision::kInconclusive;
      outcome.code = ReasonCode::kObjection;
      absl::StrAppend(&outcome.reason,
                      ", but this runner finds such losses between equal "
                      "programs too");
    }
    const std::string proof = ProofText();
    if (outcome.decision == Decision::kKeep) {
      outcome.reason = proof.empty() ? outcome.reason : proof;
    } else if (!proof.empty()) {
      absl::StrAppend(&outcome.reason, "; ", proof);
    }
  }

  Ruling RulingOf() const {
    const Outcome& outcome = report_.outcome;
    if (!outcome.comparisons.empty()) {
      return Decide(RuleOf(policy_), outcome.comparisons, nullptr);
    }
    if (count_.unchanged > 0) return UnchangedRuling(PolicyKind::kGate);
    std::size_t elsewhere = 0;
    for (const GateProgramResult& program : result_.programs) {
      elsewhere += program.elsewhere;
    }
    if (elsewhere > 0) {
      return {Decision::kKeep, ReasonCode::kUnchanged,
              absl::StrCat("no benchmark falls into shard ", result_.shard,
                           "; the others have ", elsewhere)};
    }
    return Decide(RuleOf(policy_), {}, nullptr);
  }

  // More false alarms than the bound explains.
  bool SelfCheckDoubts() const {
    const SelfCheck& check = result_.self_check;
    if (check.false_alarms == 0) return false;
    return WilsonInterval(check.false_alarms, check.decisions)
               .lower.value_or(0.0) > policy_.alpha;
  }

  std::string ProofText() const {
    std::vector<std::string> parts;
    const auto add = [&parts](std::size_t count, const std::string& what) {
      if (count > 0) parts.push_back(absl::StrCat(count, " ", what));
    };
    add(count_.faults, "cannot be judged");
    add(count_.beyond, "worse by more than the margin");
    add(count_.unchanged, "unchanged by construction");
    add(count_.within, count_.margins.size() == 1
                           ? absl::StrCat("proven within ",
                                          PercentText(*count_.margins.begin()))
                           : std::string("proven within their margins"));
    add(count_.undecided, "undecided");
    return absl::StrCat(absl::StrJoin(parts, ", "), RunnerText());
  }

  std::string RunnerText() const {
    std::optional<double> loss;
    double seconds = 0.0;
    for (const GateProgramResult& program : result_.programs) {
      if (!program.evidence.has_value()) continue;
      const std::optional<Proof> own =
          ProvableLoss(*program.evidence, program.budget_seconds);
      if (!own.has_value()) continue;
      loss = std::max(loss.value_or(0.0), own->loss);
      seconds += own->seconds;
    }
    if (!loss.has_value()) return "";
    std::string text =
        absl::StrCat("; this runner proves ", ProvableText(*loss), " in ",
                     SecondsText(seconds));
    if (result_.self_check.decisions > 0) {
      absl::StrAppendFormat(&text, " (its own false-alarm check: %d of %d)",
                            result_.self_check.false_alarms,
                            result_.self_check.decisions);
    }
    return text;
  }

  void AddLeftOut() {
    Report::LeftOut unchanged = {
        "unchanged", "unchanged by construction", false, false, {}};
    Report::LeftOut added = {"added", "only in the head", false, false, {}};
    for (const GateProgramResult& program : result_.programs) {
      for (const std::string& name : program.unchanged) {
        unchanged.entries.push_back({NameOf(program, name), "", ""});
      }
      for (const std::string& name : program.added) {
        added.entries.push_back({NameOf(program, name), "", ""});
      }
    }
    report_.left_out = {std::move(unchanged), std::move(added)};
  }

  // Waivers that tolerate nothing, or not enough.
  void AddWaiverNotes() {
    for (const Waiver& waiver : policy_.waivers) {
      const std::string note = WaiverNote(waiver);
      if (note.empty()) continue;
      general_.push_back(
          absl::StrCat("the waiver of ", waiver.name, " ", note));
    }
  }

  std::string WaiverNote(const Waiver& waiver) const {
    const ComparisonRules rules(policy_, "");
    bool known = !result_.shard.empty();
    for (const GateProgramResult& program : result_.programs) {
      known = known || std::count(program.unchanged.begin(),
                                  program.unchanged.end(), waiver.name) > 0;
      if (!program.evidence.has_value()) continue;
      const std::vector<Comparison>& targets = program.evidence->targets;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (targets[i].name != waiver.name) continue;
        if (targets[i].standing == MarginStanding::kBeyond) {
          return "is exceeded: the loss is beyond its ceiling";
        }
        if (IsWithin(*program.evidence, i, rules.MarginOf(waiver.name))) {
          return "is not needed: the usual margin holds";
        }
        known = true;
      }
    }
    return known ? "" : "is unused: it names no benchmark here";
  }

  void AddFacts() {
    const auto flag =
        [](std::optional<bool> value) -> decltype(Report::Fact::value) {
      if (value.has_value()) return *value;
      return std::monostate();
    };
    report_.facts = {
        {"base", result_.base},
        {"head", result_.head},
        {"shard", result_.shard},
        {"base_builds", flag(result_.base_builds)},
        {"head_builds", flag(result_.head_builds)},
        {"on_inconclusive",
         std::string(autotune::NameOf(policy_.on_inconclusive))},
        {"proven", static_cast<std::int64_t>(count_.within)},
        {"undecided", static_cast<std::int64_t>(count_.undecided)},
        {"harmed", static_cast<std::int64_t>(count_.beyond)},
        {"faults", static_cast<std::int64_t>(count_.faults)},
        {"self_check_decisions", result_.self_check.decisions},
        {"self_check_false_alarms", result_.self_check.false_alarms},
        {"seconds", result_.seconds}};
  }

  const GateResult& result_;
  const Policy& policy_;
  Report report_;
  std::vector<std::string> general_;  // notes on the change and its policy
  Count count_;
};

}  // namespace

Report ReportOf(const GateResult& result, const Policy& policy) {
  return GateReporter(result, policy).Take();
}

}  // namespace autotune
