#include "comparator/fleet/host_rounds.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/sequential_guard.h"
#include "comparator/statistics/sequential_test.h"

namespace autotune {
namespace {

std::string FactOf(const FleetHost& host, std::string_view key) {
  const auto& machine = host.records.front().evidence.machine;
  const auto found = machine.find(std::string(key));
  return found == machine.end() ? "" : found->second;
}

absl::Status Unlike(const FleetRecord& first, const FleetRecord& other,
                    const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrCat(other.source, ": ", what, " than ", first.source,
                   ": combine runs of one change by one policy"));
}

// The settings as text, without what a run's stages and length change.
std::string SettingsText(JudgeSettings settings) {
  Evidence evidence;
  settings.alpha = evidence.settings.alpha;
  settings.beta = evidence.settings.beta;
  settings.stop_when_decided = true;
  evidence.settings = std::move(settings);
  return EvidenceHeaderLine(evidence);
}

absl::Status CheckAlike(const FleetRecord& first, const FleetRecord& other) {
  const Evidence& a = first.evidence;
  const Evidence& b = other.evidence;
  if (a.metric != b.metric) return Unlike(first, other, "has another metric");
  if (a.settings.targets != b.settings.targets) {
    return Unlike(first, other, "judges other benchmarks");
  }
  if (SettingsText(a.settings) != SettingsText(b.settings)) {
    return Unlike(first, other, "judges by other settings");
  }
  if (a.identical != b.identical) {
    return Unlike(first, other, "compares other programs");
  }
  return absl::OkStatus();
}

// Machines that differ may have builds of their own.
absl::Status CheckPrograms(const FleetRecord& first, const FleetRecord& other) {
  const Evidence& a = first.evidence;
  const Evidence& b = other.evidence;
  if (a.baseline.sha256 != b.baseline.sha256) {
    return Unlike(first, other, "ran another baseline");
  }
  if (a.contender.sha256 != b.contender.sha256) {
    return Unlike(first, other, "ran another contender");
  }
  return absl::OkStatus();
}

// Times are kept to the last digit: no two rounds are equal by chance.
absl::Status CheckRoundsOnce(const FleetRecord& record,
                             std::map<std::string, const FleetRecord*>& seen) {
  for (RoundEvidence round : record.evidence.rounds) {
    round.index = 0;
    const auto [place, is_new] =
        seen.emplace(EvidenceRoundLine(round), &record);
    if (is_new) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        record.source, ": holds rounds that ", place->second->source,
        " holds too: each run counts once"));
  }
  return absl::OkStatus();
}

// A run that ended must support what it says, one that did not its rounds.
absl::Status CheckRecord(const FleetRecord& record) {
  if (!record.evidence.reason.empty()) {
    const absl::Status verified = VerifyEvidence(record.evidence);
    return verified.ok() ? verified
                         : absl::InvalidArgumentError(verified.message());
  }
  return Recompute(record.evidence).status();
}

Verdict VerdictOf(const SequentialTest& test, bool harmed) {
  if (test.rounds() == 0) return Verdict::kInconclusive;
  return harmed ? Verdict::kRegressed : test.verdict();
}

// Of a change that is tuned: by the host's own overall figure.
void SetTuned(const std::vector<double>& overall, const JudgeSettings& settings,
              HostRule rule, Comparison& row) {
  const double margin = std::expm1(settings.min_log_improvement);
  SequentialTest test({.min_log_improvement = settings.min_log_improvement,
                       .floor = settings.floor,
                       .alpha = settings.alpha,
                       .beta = settings.beta,
                       .stop_when_decided = false});
  SequentialGuard guard({.log_margin = settings.min_log_improvement,
                         .alpha = settings.alpha,
                         .beta = settings.beta});
  for (const double y : overall) {
    test.Add(y);
    guard.Add(y);
  }
  row.verdict = VerdictOf(test, guard.proven_harmed());
  row.rounds = test.rounds();
  row.log_e_keep = test.log_e_keep();
  row.log_e_discard = test.log_e_discard();
  row.log_e_worse = test.log_e_worse();
  if (row.verdict == Verdict::kInconclusive) {
    row.reason =
        absl::StrCat("undecided after ", CountText(row.rounds, "round"));
  }
  if (row.rounds > 0) {
    row.estimate = RatioFromLogImprovement(
        test.centre(), test.log_improvement(), settings.direction);
  }
  if (rule == HostRule::kEach) return;
  row.margin = margin;
  row.standing = guard.proven_harmed()     ? MarginStanding::kBeyond
                 : guard.proven_unharmed() ? MarginStanding::kWithin
                                           : MarginStanding::kUndecided;
}

}  // namespace

std::vector<HostRounds> RoundsOf(const Fleet& fleet) {
  std::vector<HostRounds> all;
  for (const FleetHost& host : fleet.hosts) {
    HostRounds& own = all.emplace_back();
    own.host = &host;
    const auto weight = fleet.policy.weights.find(host.name);
    if (weight != fleet.policy.weights.end()) own.weight = weight->second;
    for (const FleetRecord& record : host.records) {
      for (const RoundEvidence& round : record.evidence.rounds) {
        if (round.use == RoundUse::kCounts) own.rounds.push_back(round.ratios);
        if (round.use == RoundUse::kVoid) ++own.voided;
      }
    }
  }
  return all;
}

std::vector<double> OverallOf(const std::vector<RoundRatios>& rounds) {
  std::vector<double> means;
  for (const RoundRatios& round : rounds) {
    double sum = 0.0;
    double count = 0.0;
    for (const std::optional<double>& y : round.targets) {
      if (!y.has_value()) continue;
      sum += *y;
      count += 1.0;
    }
    if (count > 0.0) means.push_back(sum / count);
  }
  return means;
}

bool SameMachine(const FleetHost& a, const FleetHost& b) {
  for (const std::string_view known : {"cpu_model", "kernel"}) {
    if (FactOf(a, known).empty()) return false;
  }
  for (const std::string_view key :
       {"cpu_model", "microcode", "caches", "kernel", "governor"}) {
    if (FactOf(a, key) != FactOf(b, key)) return false;
  }
  return true;
}

absl::Status CheckCombinable(const Fleet& fleet) {
  const FleetRecord& first = fleet.hosts.front().records.front();
  std::map<std::string, const FleetRecord*> seen;
  for (const FleetHost& host : fleet.hosts) {
    for (const FleetRecord& record : host.records) {
      RETURN_IF_ERROR(Annotate(CheckRecord(record), record.source));
      RETURN_IF_ERROR(CheckAlike(first, record));
      RETURN_IF_ERROR(CheckRoundsOnce(record, seen));
    }
  }
  for (const FleetHost& host : fleet.hosts) {
    for (const FleetHost& other : fleet.hosts) {
      if (!SameMachine(host, other)) continue;
      for (const FleetRecord& record : other.records) {
        RETURN_IF_ERROR(CheckPrograms(host.records.front(), record));
      }
    }
  }
  return absl::OkStatus();
}

Comparison HostComparison(const HostRounds& host, const JudgeSettings& settings,
                          HostRule rule, bool must_be_proven) {
  JudgeSettings own_settings = settings;
  own_settings.stop_when_decided = false;
  SequentialJudge judge(own_settings);
  for (const RoundRatios& round : host.rounds) judge.Add(round);
  const Ruling own = judge.ruling();
  const bool gate = settings.kind == PolicyKind::kGate;
  Comparison row = gate ? judge.overall() : Comparison();
  row.name = host.host->name;
  row.role = ComparisonRole::kHost;
  row.metric = host.host->records.front().evidence.metric;
  row.guard_mode = must_be_proven ? GuardMode::kProve : GuardMode::kVeto;
  if (gate) {
    row.margin = settings.target_margins.empty()
                     ? 0.02
                     : settings.target_margins.front();
    row.reason = own.decision == Decision::kInconclusive ? own.reason : "";
    row.standing = own.decision == Decision::kKeep ? MarginStanding::kWithin
                                                   : MarginStanding::kUndecided;
  } else {
    SetTuned(OverallOf(host.rounds), settings, rule, row);
  }
  if (own.code != ReasonCode::kHarmed) return row;
  // In one of its benchmarks or guards, whatever its overall figure.
  row.margin = row.margin.value_or(settings.min_log_improvement);
  row.standing = MarginStanding::kBeyond;
  row.reason = own.reason;
  return row;
}

}  // namespace autotune
