#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "comparator/fleet/fleet.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "tools/report/evidence_facts.h"
#include "tools/report/report.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

Outcome OutcomeOf(const Fleet& fleet) {
  const Evidence& combined = fleet.combined;
  Outcome outcome;
  static_cast<Ruling&>(outcome) = combined;
  outcome.kind = combined.settings.kind;
  outcome.warnings = combined.warnings;
  for (const std::string& failure : fleet.failures) {
    outcome.warnings.push_back(absl::StrCat("failed: ", failure));
  }
  if (combined.identical) return outcome;
  outcome.comparisons = combined.targets;
  outcome.comparisons.insert(outcome.comparisons.end(), combined.guards.begin(),
                             combined.guards.end());
  outcome.overall = combined.overall;
  const bool one = combined.settings.kind == PolicyKind::kTune &&
                   combined.settings.rule == TargetRule::kEach;
  outcome.overall_size = one ? 1 : combined.targets.size();
  return outcome;
}

std::size_t RoundsOf(const FleetHost& host) {
  std::size_t rounds = 0;
  for (const FleetRecord& record : host.records) {
    rounds += ValidRounds(record.evidence);
  }
  return rounds;
}

std::string RuleText(const Fleet& fleet) {
  if (fleet.policy.rule == HostRule::kEach) return "each must improve";
  return fleet.replicas ? "equal machines: product of their e-values"
                        : "unlike machines: weighted mean, each a guard";
}

// "2 hosts (a 12, b 14 rounds), 5.2 s, cpu_time; equal machines: ...".
std::vector<std::string> EffortOf(const Fleet& fleet) {
  std::string hosts;
  for (const FleetHost& host : fleet.hosts) {
    absl::StrAppend(&hosts, hosts.empty() ? "" : ", ", host.name, " ",
                    RoundsOf(host));
  }
  std::vector<std::string> lines = {
      absl::StrCat(CountText(fleet.hosts.size(), "host"), " (", hosts,
                   " rounds), ", SecondsText(fleet.combined.measuring_seconds),
                   ", ", fleet.combined.metric.name, "; ", RuleText(fleet))};
  if (fleet.heterogeneity.has_value()) {
    lines.push_back(absl::StrFormat(
        "heterogeneity between hosts: Q %.2f (p=%s), I squared %.0f %%",
        fleet.heterogeneity->q, PValueText(fleet.heterogeneity->p_value),
        100.0 * fleet.heterogeneity->i_squared));
  }
  return lines;
}

std::vector<Report::Fact> FactsOf(const Fleet& fleet) {
  const Evidence& combined = fleet.combined;
  std::size_t rounds = 0;
  for (const FleetHost& host : fleet.hosts) rounds += RoundsOf(host);
  const auto number = [&](double Heterogeneity::*member) {
    using Value =
        std::variant<std::monostate, bool, std::int64_t, double, std::string>;
    return fleet.heterogeneity.has_value()
               ? Value((*fleet.heterogeneity).*member)
               : Value();
  };
  return {{"metric", combined.metric.name},
          {"direction", std::string(NameOf(combined.metric.direction))},
          {"min_effect", combined.policy.min_effect},
          {"alpha", combined.settings.alpha},
          {"beta", combined.settings.beta},
          {"hosts", static_cast<std::int64_t>(fleet.hosts.size())},
          {"host_rule", std::string(NameOf(fleet.policy.rule))},
          {"replicas", fleet.replicas},
          {"q", number(&Heterogeneity::q)},
          {"q_p_value", number(&Heterogeneity::p_value)},
          {"i_squared", number(&Heterogeneity::i_squared)},
          {"identical", combined.identical},
          {"downgrade", combined.downgrade},
          {"rounds", static_cast<std::int64_t>(rounds)},
          {"seconds", combined.measuring_seconds}};
}

}  // namespace

Report ReportOf(const Fleet& fleet) {
  Report report;
  report.outcome = OutcomeOf(fleet);
  report.notes = report.outcome.warnings;
  Report::LeftOut dropped = {"dropped_hosts", "dropped hosts", true, false, {}};
  for (const DroppedHost& host : fleet.dropped) {
    dropped.entries.push_back({host.name, "", host.reason});
  }
  report.left_out.push_back(std::move(dropped));
  if (!fleet.combined.identical) report.effort = EffortOf(fleet);
  report.facts = FactsOf(fleet);
  return report;
}

}  // namespace autotune
