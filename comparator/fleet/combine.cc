#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/did_you_mean.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/bias_trial.h"
#include "comparator/evidence/evidence_check.h"
#include "comparator/fleet/fleet.h"
#include "comparator/fleet/host_rounds.h"
#include "comparator/statistics/test_length.h"

namespace autotune {
namespace {

// Hosts whose Q is less probable than this with equal effects disagree. A
// liberal level costs replicas some rounds; a strict one would let a loss on
// one of them hide in the product (CombineTest, one better and one worse).
constexpr double kDisagreement = 0.05;

using Hosts = std::vector<HostRounds>;

absl::Status CheckWeights(const Fleet& fleet) {
  std::vector<std::string> names;
  for (const FleetHost& host : fleet.hosts) names.push_back(host.name);
  for (const auto& [name, weight] : fleet.policy.weights) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "weight of ", Quoted(name), ": expected one of the hosts ",
          AlternativesText(names), DidYouMean(name, names)));
    }
    if (std::isfinite(weight) && weight > 0.0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "weight of ", Quoted(name), ": expected a number above 0, got ",
        AnyNumberText(weight)));
  }
  return absl::OkStatus();
}

// All of the fleet's records together: levels as small as the smallest, as the
// later stages of a run have them.
JudgeSettings SettingsOf(const Fleet& fleet) {
  JudgeSettings settings =
      fleet.hosts.front().records.front().evidence.settings;
  settings.stop_when_decided = true;
  for (const FleetHost& host : fleet.hosts) {
    for (const FleetRecord& record : host.records) {
      settings.alpha = std::min(settings.alpha, record.evidence.settings.alpha);
      settings.beta = std::min(settings.beta, record.evidence.settings.beta);
    }
  }
  return settings;
}

bool AreReplicas(const Hosts& hosts) {
  return std::all_of(hosts.begin(), hosts.end(), [&](const HostRounds& host) {
    return SameMachine(*hosts.front().host, *host.host);
  });
}

// Whether a run of the host ended by what its rounds proved. Such a host is
// never dropped for having few: those that lose much stop first, and without
// them the others would be kept (CombineSimulationTest, one better and one
// worse: 11 % at an alpha of 5 %).
bool StoppedItself(const FleetHost& host) {
  return std::any_of(host.records.begin(), host.records.end(),
                     [](const FleetRecord& record) {
                       const Evidence& own = record.evidence;
                       return own.decision != Decision::kInconclusive ||
                              own.code == ReasonCode::kGainBeyondBelief;
                     });
}

std::string UnfitReason(const HostRounds& host, std::size_t fewest) {
  if (host.rounds.size() < fewest && !StoppedItself(*host.host)) {
    return absl::StrCat(
        CountText(host.rounds.size(), "round"),
        host.rounds.size() == 1 ? " counts" : " count", ", a keep needs ",
        fewest, host.host->lost.empty() ? "" : "; lost: ", host.host->lost);
  }
  if (host.voided > host.rounds.size()) {
    return absl::StrCat(host.voided, " of ", host.voided + host.rounds.size(),
                        " rounds are void");
  }
  return "";
}

// Moves the hosts that `reason_of` gives a reason against to the dropped ones.
template <typename ReasonOf>
void Drop(const ReasonOf& reason_of, Hosts& hosts, Fleet& fleet) {
  std::erase_if(hosts, [&](const HostRounds& host) {
    std::string reason = reason_of(host);
    if (reason.empty()) return false;
    fleet.dropped.push_back({host.host->name, std::move(reason)});
    return true;
  });
}

std::size_t Shortest(const Hosts& hosts, bool with_lost) {
  std::optional<std::size_t> least;
  for (const HostRounds& host : hosts) {
    if (!with_lost && !host.host->lost.empty()) continue;
    least = std::min(least.value_or(host.rounds.size()), host.rounds.size());
  }
  return least.value_or(0);
}

// The i-th numbers of a target that each host measured, as a gate stops
// measuring what is decided at another round on each.
using Columns = std::vector<std::vector<double>>;  // one a host

Columns TargetColumns(const Hosts& hosts, std::size_t target) {
  Columns columns;
  for (const HostRounds& host : hosts) {
    std::vector<double>& column = columns.emplace_back();
    for (const RoundRatios& round : host.rounds) {
      if (round.targets[target]) column.push_back(*round.targets[target]);
    }
  }
  return columns;
}

Columns GuardColumns(const Hosts& hosts, std::size_t guard) {
  Columns columns;
  for (const HostRounds& host : hosts) {
    std::vector<double>& column = columns.emplace_back();
    for (const RoundRatios& round : host.rounds) {
      column.push_back(round.guards[guard]);
    }
  }
  return columns;
}

// The weighted mean of row `i`; nothing from where one host has no number.
std::optional<double> MeanOf(const Columns& columns, const Hosts& hosts,
                             std::size_t i) {
  double sum = 0.0;
  double weights = 0.0;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    if (i >= columns[h].size()) return std::nullopt;
    sum += hosts[h].weight * columns[h][i];
    weights += hosts[h].weight;
  }
  return sum / weights;
}

void JudgeMeans(const Hosts& hosts, SequentialJudge& judge) {
  const JudgeSettings& settings = judge.settings();
  std::vector<Columns> targets;
  for (std::size_t i = 0; i < settings.targets.size(); ++i) {
    targets.push_back(TargetColumns(hosts, i));
  }
  std::vector<Columns> guards;
  for (std::size_t i = 0; i < settings.guards.size(); ++i) {
    guards.push_back(GuardColumns(hosts, i));
  }
  const std::size_t rounds = Shortest(hosts, true);
  for (std::size_t i = 0; i < rounds && !judge.finished(); ++i) {
    RoundRatios mean;
    for (const Columns& columns : targets) {
      mean.targets.push_back(MeanOf(columns, hosts, i));
    }
    for (const Columns& columns : guards) {
      mean.guards.push_back(MeanOf(columns, hosts, i).value());
    }
    judge.Add(mean);
  }
}

void JudgeReplicas(const Hosts& hosts, SequentialJudge& judge) {
  std::size_t longest = 0;
  for (const HostRounds& host : hosts) {
    longest = std::max(longest, host.rounds.size());
  }
  for (std::size_t i = 0; i < longest && !judge.finished(); ++i) {
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      if (i < hosts[h].rounds.size()) judge.Add(hosts[h].rounds[i], h);
    }
  }
}

std::optional<Heterogeneity> HeterogeneityOf(const Hosts& hosts) {
  std::vector<std::vector<double>> values;
  for (const HostRounds& host : hosts) values.push_back(OverallOf(host.rounds));
  const std::vector<EffectRounds> machines(values.begin(), values.end());
  return MeasureHeterogeneity(machines);
}

// Why what the rounds prove must not be taken: the objection of one host's run.
std::string ObjectionOf(const Fleet& fleet, Decision decision) {
  for (const FleetHost& host : fleet.hosts) {
    for (const FleetRecord& record : host.records) {
      const Evidence& own = record.evidence;
      if (!own.downgrade.empty()) {
        return absl::StrCat("host ", PrintableName(host.name), ": ",
                            own.downgrade);
      }
      if (own.decision == decision || !TurnSecondsOf(own)) continue;
      return absl::StrCat(
          "host ", PrintableName(host.name), ": rounds in mode ",
          std::string(NameOf(own.rounds.back().mode)),
          " have a bias that only a run which comes to the same decision has "
          "checked: measure with --mode alternate");
    }
  }
  return "";
}

void Describe(const Fleet& fleet, Evidence& combined) {
  const Evidence& first = fleet.hosts.front().records.front().evidence;
  combined.tool_version = first.tool_version;
  combined.started = first.started;
  combined.policy = first.policy;
  combined.metric = first.metric;
  combined.task_decision = first.task_decision;
  combined.baseline = first.baseline;
  combined.contender = first.contender;
  combined.entropy = first.entropy;
  combined.identical = first.identical;
  for (const FleetHost& host : fleet.hosts) {
    double seconds = 0.0;
    for (const FleetRecord& record : host.records) {
      seconds += record.evidence.measuring_seconds;
    }
    combined.measuring_seconds = std::max(combined.measuring_seconds, seconds);
  }
}

class Combiner {
 public:
  explicit Combiner(Fleet& fleet)
      : fleet_(fleet),
        settings_(SettingsOf(fleet)),
        all_(RoundsOf(fleet)),
        hosts_(all_) {}

  void Run() {
    Evidence& combined = fleet_.combined;
    combined = Evidence();
    combined.settings = settings_;
    Describe(fleet_, combined);
    fleet_.dropped.clear();
    fleet_.heterogeneity.reset();
    fleet_.replicas = false;
    SequentialJudge judge(settings_);
    if (combined.identical) {
      SetOutcome(judge, combined);
      static_cast<Ruling&>(combined) = UnchangedRuling(settings_.kind);
      return;
    }
    DropUnfit();
    fleet_.heterogeneity = HeterogeneityOf(hosts_);
    if (!hosts_.empty()) {
      fleet_.replicas ? JudgeReplicas(hosts_, judge)
                      : JudgeMeans(hosts_, judge);
    }
    SetOutcome(judge, combined);
    Rule();
    Warn();
  }

 private:
  void DropUnfit() {
    const auto fewest = static_cast<std::size_t>(FewestRounds(settings_.alpha));
    Drop([&](const HostRounds& host) { return UnfitReason(host, fewest); },
         hosts_, fleet_);
    fleet_.replicas = fleet_.policy.weights.empty() &&
                      fleet_.policy.rule == HostRule::kMeanVeto &&
                      !hosts_.empty() && AreReplicas(hosts_);
    if (fleet_.replicas) return;
    const std::size_t shortest = Shortest(hosts_, false);
    Drop(
        [&](const HostRounds& host) {
          const bool behind =
              !host.host->lost.empty() && host.rounds.size() < shortest;
          return behind ? absl::StrCat("lost after ",
                                       CountText(host.rounds.size(), "round"),
                                       ": ", host.host->lost)
                        : std::string();
        },
        hosts_, fleet_);
  }

  bool Disagree() const {
    return fleet_.heterogeneity.has_value() &&
           fleet_.heterogeneity->p_value < kDisagreement;
  }

  // A dropped host has no part in the mean, but what it proved still counts.
  void AddHostRows(std::vector<Comparison>& rows) const {
    const bool gate = settings_.kind == PolicyKind::kGate;
    const bool each = fleet_.policy.rule == HostRule::kEach;
    // A tuned host under "each" is ruled by its verdict.
    const bool must = gate ? each : !each && (!fleet_.replicas || Disagree());
    JudgeSettings settings = settings_;
    settings.beta /= static_cast<double>(all_.size());
    for (const HostRounds& host : all_) {
      const bool used = std::any_of(
          hosts_.begin(), hosts_.end(),
          [&](const HostRounds& other) { return other.host == host.host; });
      const HostRule rule = used ? fleet_.policy.rule : HostRule::kMeanVeto;
      Comparison row = HostComparison(host, settings, rule, must && used);
      const bool proven = row.standing == MarginStanding::kBeyond ||
                          row.verdict == Verdict::kRegressed;
      if (used || proven) rows.push_back(std::move(row));
    }
  }

  void Rule() {
    Evidence& combined = fleet_.combined;
    std::vector<Comparison> rows;
    AddHostRows(rows);
    combined.guards.insert(combined.guards.end(), rows.begin(), rows.end());
    std::vector<Comparison> all = combined.targets;
    all.insert(all.end(), combined.guards.begin(), combined.guards.end());
    static_cast<Ruling&>(combined) =
        Decide(RuleOf(settings_), all, &combined.overall);
    if (hosts_.empty() && combined.decision == Decision::kInconclusive) {
      combined.code = ReasonCode::kUndecided;
      combined.reason = "no host has enough rounds yet";
    }
    if (combined.decision == Decision::kInconclusive) return;
    combined.downgrade = ObjectionOf(fleet_, combined.decision);
    if (combined.downgrade.empty()) return;
    static_cast<Ruling&>(combined) = {
        Decision::kInconclusive, ReasonCode::kObjection, combined.downgrade};
  }

  void Warn() {
    if (hosts_.size() != 1) return;
    fleet_.combined.warnings.push_back(
        absl::StrCat("only host ", PrintableName(hosts_.front().host->name),
                     " decided: nothing is known of other machines"));
  }

  Fleet& fleet_;
  JudgeSettings settings_;
  Hosts all_;
  Hosts hosts_;  // without the dropped ones
};

}  // namespace

std::string HostNameOf(const Evidence& evidence) {
  for (const char* key : {"node", "host"}) {
    const auto found = evidence.machine.find(key);
    if (found != evidence.machine.end() && !found->second.empty()) {
      return found->second;
    }
  }
  return "";
}

void AddRecord(const std::string& host, FleetRecord record, Fleet& fleet) {
  const auto place =
      std::lower_bound(fleet.hosts.begin(), fleet.hosts.end(), host,
                       [](const FleetHost& a, const std::string& name) {
                         return a.name < name;
                       });
  if (place != fleet.hosts.end() && place->name == host) {
    place->records.push_back(std::move(record));
    return;
  }
  FleetHost added;
  added.name = host;
  added.records.push_back(std::move(record));
  fleet.hosts.insert(place, std::move(added));
}

absl::Status Combine(Fleet& fleet) {
  if (fleet.hosts.empty()) {
    return absl::InvalidArgumentError("expected evidence of a host, got none");
  }
  RETURN_IF_ERROR(CheckWeights(fleet));
  RETURN_IF_ERROR(CheckCombinable(fleet));
  Combiner(fleet).Run();
  return absl::OkStatus();
}

absl::Status VerifyFleet(const Fleet& stored) {
  Fleet computed = stored;
  RETURN_IF_ERROR(Combine(computed));
  if (computed.replicas != stored.replicas) {
    return absl::FailedPreconditionError(absl::StrCat(
        "replicas: the hosts are ", computed.replicas ? "equal" : "unlike",
        ", the file says otherwise"));
  }
  return SameOutcome(computed.combined, stored.combined);
}

}  // namespace autotune
