#ifndef AUTOTUNE_COMPARATOR_FLEET_FLEET_H_
#define AUTOTUNE_COMPARATOR_FLEET_FLEET_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/names.h"
#include "comparator/evidence/evidence.h"
#include "comparator/statistics/heterogeneity.h"

namespace autotune {

// How the hosts of a fleet make one decision.
enum class HostRule {
  kMeanVeto,  // their mean decides, and none may be harmed
  kEach,      // every host must improve, or pass, by itself
};

template <>
struct NameTable<HostRule> {
  static constexpr Named<HostRule> kAll[] = {{"mean+veto", HostRule::kMeanVeto},
                                             {"each", HostRule::kEach}};
};

// What a fleet's policy says besides that of a run.
struct FleetPolicy {
  HostRule rule = HostRule::kMeanVeto;
  // Host to its weight in the mean, > 0 and finite; 1 for others. Empty: all
  // equal.
  std::map<std::string, double> weights;
};

// One run of a host.
struct FleetRecord {
  std::string source;  // file or launch, for messages
  Evidence evidence;
};

// One machine, or one node of a scheduler, with all its runs in order.
struct FleetHost {
  std::string name;
  std::string lost;  // why no more rounds can come from it; else empty
  std::vector<FleetRecord> records;
};

// A host without a part in the mean, and why. What it proved to be harmed still
// counts.
struct DroppedHost {
  std::string name;
  std::string reason;
};

// Several hosts' evidence and the one decision it makes.
struct Fleet {
  FleetPolicy policy;
  std::vector<FleetHost> hosts;  // by name
  // Launches that gave no record, "HOST: why", in the order they failed.
  std::vector<std::string> failures;

  // From here on what Combine comes to.
  bool replicas = false;  // equal hosts: their e-values are multiplied
  std::vector<DroppedHost> dropped;
  std::optional<Heterogeneity> heterogeneity;  // of the overall figure
  // The decision as evidence without rounds of its own. Its guards end with one
  // comparison a host, those of the settings come first.
  Evidence combined;
};

// The name that a run's evidence gives its host: the scheduler's node, else the
// host's; empty when it tells neither.
std::string HostNameOf(const Evidence& evidence);

// Adds a record to the host of this name, made when there is none yet.
void AddRecord(const std::string& host, FleetRecord record, Fleet& fleet);

// Decides. Per host, the log-ratios of its rounds that count, in order; raw
// times of two machines never meet.
//
//   Replicas (every host has the same CPU model, microcode, caches, kernel and
//   governor, and no weights are given): each host bets on its own rounds and
//   the e-values are multiplied (BettingGames). The coins are independent, so
//   the product bounds a false keep by alpha whatever round a host stopped at.
//   Other hosts: fleet round i is the weighted mean of the hosts' i-th
//   log-ratios. Where the change does nothing, the coins make every one of them
//   symmetric about 0, and so their mean: one SequentialJudge decides on it. It
//   is as long as the shortest host.
//
// Each host is a guard besides, by all of its rounds. It is harmed when it is
// proven worse by min_effect or more (at beta over the number of hosts), or
// when its own guards or gate are; it regressed when it is proven worse at all
// (alpha). Neither is ever kept. Replicas otherwise need no proof, as long as
// they agree (p of Q at least 0.05); unlike hosts, and replicas that disagree,
// must each be proven not worse by min_effect or more. One host improved and
// another regressed: inconclusive, differs by machine. HostRule::kEach: each
// must improve by itself, at alpha.
//
// Dropped: a host with fewer rounds that count than a keep needs
// (FewestRounds), unless its run ended by what they prove, one with more void
// rounds than others, and of unlike hosts one that was lost before the shortest
// of the others.
//
// A decision is not taken (kObjection) when a host's own run objects to it, or
// when rounds of a one-CPU mode made it and the host's run did not come to the
// same freed of their bias.
//
// InvalidArgument "SOURCE: ..." when a record does not support its own
// decision, when two do not judge the same, when two replicas ran other
// programs, when two hold the same rounds, and for a weight of no host.
absl::Status Combine(Fleet& fleet);

// OK when combining anew comes to what `stored` says within 1e-9 (relative
// beyond 1); else FailedPrecondition naming the first that differs, or
// Combine's error.
absl::Status VerifyFleet(const Fleet& stored);

// The fleet as one JSON object (format "autotune fleet evidence"): rule,
// weights, every record whole, and the decision.
std::string FleetToJson(const Fleet& fleet);

// Whether a file is one of FleetToJson, by its first bytes.
bool IsFleetText(std::string_view text);

// Reads it back. InvalidArgument "SOURCE: PATH: expected ..., got ...".
absl::StatusOr<Fleet> ParseFleet(std::string_view text,
                                 std::string_view source_name);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_FLEET_FLEET_H_
