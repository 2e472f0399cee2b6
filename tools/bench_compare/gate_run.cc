#include "tools/bench_compare/gate_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/test_length.h"
#include "tools/bench_compare/gate_outcome.h"
#include "tools/bench_compare/gate_settings.h"
#include "tools/bench_compare/gate_sides.h"
#include "tools/measure/benchmark_list.h"
#include "tools/measure/budget_check.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/visit.h"
#include "tools/report/evidence_facts.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

// A fifth of the time is for the self-check, whatever that allows.
constexpr double kSelfCheckShare = 0.25;  // of the time spent before
// A check goes on for three times the rounds that an alarm takes at least: most
// alarms of equal programs come early, while the scale is not known.
constexpr std::int64_t kSelfCheckLength = 3;

// An error that ends the gate, and is no finding about the change.
bool EndsAll(const absl::Status& status) {
  return absl::IsCancelled(status) || absl::IsUnavailable(status);
}

constexpr absl::Duration kListTimeout = absl::Seconds(60);

absl::StatusOr<std::vector<std::string>> ListBenchmarkNames(
    const SideCommand& command, const std::string& filter,
    ProcessRunner& processes) {
  ProcessSpec spec;
  spec.argv = {command.program};
  for (const std::string& word : command.arguments) {
    spec.argv.push_back(absl::StrReplaceAll(word, {{"{filter}", filter}}));
  }
  spec.argv.push_back("--benchmark_filter=" + filter);
  spec.working_directory = command.working_directory;
  spec.environment = command.environment;
  spec.timeout = kListTimeout;
  return ListBenchmarks(processes, spec);
}

// The benchmarks of one side by their common names.
struct SideNames {
  std::vector<std::string> common;
  std::map<std::string, std::string> renamed;  // own name to common name
};

absl::StatusOr<SideNames> NamesOf(const SideCommand& command,
                                  const GateProgram& program,
                                  const GateSettings& settings,
                                  ProcessRunner& processes) {
  ASSIGN_OR_RETURN(const std::vector<std::string> own,
                   ListBenchmarkNames(command, program.filter, processes));
  SideNames names;
  std::set<std::string> seen;
  for (const std::string& name : own) {
    std::string common = name;
    for (const RenameRule& rule : settings.renames) {
      common = rule.pattern.Replace(common, rule.replacement).value_or(common);
    }
    if (common != name) names.renamed[name] = common;
    if (!seen.insert(common).second) {
      return absl::AbortedError(
          absl::StrCat("two benchmarks are called \"", common,
                       "\" after renaming: mend [[rename]] or the program"));
    }
    names.common.push_back(std::move(common));
  }
  return names;
}

// One program of the change, ready to be measured.
struct Prepared {
  const GateProgram* program = nullptr;
  GateProgramResult result;
  SideCommand baseline;
  SideCommand contender;
  std::vector<std::string> names;  // to measure, common
  std::set<std::string> in_head;   // all of head, common
};

class Preparer {
 public:
  Preparer(const GatePlan& plan, const Repository& repository,
           const BuiltCommit& base, const BuiltCommit& head, MeasureSeams seams)
      : plan_(plan),
        repository_(repository),
        base_(base),
        head_(head),
        seams_(seams) {}

  Prepared Prepare(const GateProgram& program) const {
    Prepared prepared;
    prepared.program = &program;
    prepared.result.name = program.name;
    prepared.baseline = CommandOf(base_, program);
    prepared.contender = CommandOf(head_, program);
    const absl::Status status = Sort(prepared);
    if (!status.ok()) {
      prepared.result.faults.push_back(
          {program.name, std::string(status.message())});
      prepared.names.clear();
    }
    return prepared;
  }

 private:
  // Sorts the benchmarks into those to measure and all others.
  absl::Status Sort(Prepared& prepared) const {
    const GateProgram& program = *prepared.program;
    ASSIGN_OR_RETURN(const SideNames head,
                     Side(prepared.contender, program, "head"));
    ASSIGN_OR_RETURN(const SideNames base,
                     Side(prepared.baseline, program, "base"));
    prepared.baseline.common_names = base.renamed;
    prepared.contender.common_names = head.renamed;
    if (head.common.empty() && base.common.empty()) {
      return absl::AbortedError(
          absl::StrCat("no benchmark matches \"", program.filter, "\""));
    }
    const std::set<std::string> in_base(base.common.begin(), base.common.end());
    std::set<std::string>& in_head = prepared.in_head;
    in_head.insert(head.common.begin(), head.common.end());
    for (const std::string& name : base.common) {
      if (in_head.contains(name) || !Take(prepared, name)) continue;
      prepared.result.faults.push_back(
          {name,
           "is gone from the head: say so by a [[rename]], or narrow the "
           "program's filter"});
    }
    for (const std::string& name : head.common) {
      if (!Take(prepared, name)) continue;
      if (in_base.contains(name)) {
        prepared.names.push_back(name);
      } else if (plan_.policy.added == AddedRule::kList) {
        prepared.result.added.push_back(name);
      } else {
        prepared.result.faults.push_back(
            {name,
             "is only in the head; --allow-added lists such benchmarks and "
             "judges the others"});
      }
    }
    return SetUnchangedApart(prepared);
  }

  absl::StatusOr<SideNames> Side(const SideCommand& command,
                                 const GateProgram& program,
                                 const std::string& side) const {
    auto names = NamesOf(command, program, plan_.settings, seams_.processes);
    if (names.ok()) return names;
    return Annotate(names.status(), side);
  }

  bool Take(Prepared& prepared, const std::string& name) const {
    const bool in = IsIn(plan_.shard, prepared.program->name, name);
    prepared.result.elsewhere += in ? 0 : 1;
    return in;
  }

  absl::Status SetUnchangedApart(Prepared& prepared) const {
    if (prepared.names.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const bool unchanged,
                     IsUnchanged(repository_, base_, head_, *prepared.program));
    if (unchanged) prepared.result.unchanged = std::move(prepared.names);
    if (unchanged) prepared.names.clear();
    return absl::OkStatus();
  }

  const GatePlan& plan_;
  const Repository& repository_;
  const BuiltCommit& base_;
  const BuiltCommit& head_;
  MeasureSeams seams_;
};

// All benchmarks are judged by a margin, so a guard on some is one more; what
// is left are guards on numbers of the run.
void TurnGuardsToMargins(Policy& policy) {
  for (const Guard& guard : policy.guards) {
    if (guard.benchmark_pattern.empty()) continue;
    policy.margins.push_back({guard.benchmark_pattern, guard.margin});
  }
  std::erase_if(policy.guards, [](const Guard& guard) {
    return !guard.benchmark_pattern.empty();
  });
}

RunPlan PlanOf(const Prepared& prepared, const GatePlan& plan,
               std::size_t programs, double budget) {
  RunPlan run;
  run.baseline = prepared.baseline;
  run.contender = prepared.contender;
  run.target_filter = ExactFilter(prepared.names);
  run.policy = plan.policy;
  run.policy.budget_seconds = budget;
  run.policy.beta = std::min(plan.policy.alpha, plan.policy.beta) /
                    static_cast<double>(programs);
  TurnGuardsToMargins(run.policy);
  return run;
}

// The self-check's rounds are not shown; an interruption still ends it.
class QuietObserver : public RunObserver {
 public:
  explicit QuietObserver(RunObserver& other) : other_(other) {}
  void OnNote(std::string_view) override {}
  void OnRound(const RoundEvidence&, const SequentialJudge&, double,
               double) override {}
  bool Interrupted() override { return other_.Interrupted(); }

 private:
  RunObserver& other_;
};

class Measurer {
 public:
  Measurer(const GatePlan& plan, MeasureSeams seams, RunObserver& observer,
           GateResult& result)
      : plan_(plan),
        seams_(seams),
        observer_(observer),
        result_(result),
        started_(seams.clock.Monotonic()) {}

  absl::Status MeasureAll(std::vector<Prepared> all) {
    std::size_t waiting = 0;
    for (const Prepared& one : all) {
      programs_ += one.names.empty() ? 0 : 1;
      targets_ = std::max(targets_, one.names.size());
      waiting += one.names.size();
    }
    for (Prepared& one : all) {
      if (!one.names.empty()) {
        const double share = (plan_.policy.budget_seconds - Spent()) *
                             static_cast<double>(one.names.size()) /
                             static_cast<double>(waiting);
        waiting -= one.names.size();
        RETURN_IF_ERROR(Measure(std::max(share, kLeastSeconds), one));
      }
      result_.programs.push_back(std::move(one.result));
    }
    RETURN_IF_ERROR(CheckSelf());
    result_.seconds = Spent();
    return absl::OkStatus();
  }

 private:
  // A budget must be above 0; in this one a first round is all there is.
  static constexpr double kLeastSeconds = 0.01;

  double Spent() const {
    return absl::ToDoubleSeconds(seams_.clock.Monotonic() - started_);
  }

  absl::Status Measure(double budget, Prepared& one) {
    observer_.OnNote(
        absl::StrCat("measuring ", one.names.size(), " of ", one.result.name));
    one.result.budget_seconds = budget;
    const RunPlan run = PlanOf(one, plan_, programs_, budget);
    absl::StatusOr<Evidence> evidence = RunInterleaved(run, seams_, observer_);
    if (EndsAll(evidence.status())) return evidence.status();
    if (!evidence.ok()) {
      one.result.faults.push_back(
          {one.result.name, std::string(evidence.status().message())});
      return absl::OkStatus();
    }
    if (!plan_.evidence_folder.empty()) {
      RETURN_IF_ERROR(seams_.files.WriteFile(
          JoinPath(plan_.evidence_folder, one.result.name + ".json"),
          EvidenceToJson(*evidence)));
    }
    one.result.evidence = *std::move(evidence);
    runs_.push_back(run);
    return absl::OkStatus();
  }

  // The base of each program against itself, in turn. What ends before an alarm
  // is possible is no check.
  absl::Status CheckSelf() {
    const double end = Spent() * (1.0 + kSelfCheckShare);
    QuietObserver quiet(observer_);
    for (std::int64_t i = 0; i < plan_.settings.self_checks; ++i) {
      if (runs_.empty() || Spent() >= end) break;
      RunPlan run = runs_[static_cast<std::size_t>(i) % runs_.size()];
      const std::int64_t fewest =
          FewestRounds(run.policy.beta / static_cast<double>(targets_));
      run.contender = run.baseline;
      run.measure_identical = true;
      run.policy.max_rounds = kSelfCheckLength * fewest;
      run.policy.budget_seconds = std::max(end - Spent(), kLeastSeconds);
      const absl::StatusOr<Evidence> evidence =
          RunInterleaved(run, seams_, quiet);
      if (EndsAll(evidence.status())) return evidence.status();
      if (!evidence.ok()) {
        result_.warnings.push_back(absl::StrCat(
            "self-check: ", std::string(evidence.status().message())));
        break;
      }
      const bool alarm = evidence->decision == Decision::kDiscard;
      const bool could =
          alarm || ValidRounds(*evidence) >= static_cast<std::size_t>(fewest);
      result_.self_check.decisions += could ? 1 : 0;
      result_.self_check.false_alarms += alarm ? 1 : 0;
    }
    return absl::OkStatus();
  }

  const GatePlan& plan_;
  MeasureSeams seams_;
  RunObserver& observer_;
  GateResult& result_;
  absl::Duration started_;
  std::size_t programs_ = 0;  // to be measured
  std::size_t targets_ = 1;   // the most of one program
  std::vector<RunPlan> runs_;
};

// What head must have and no program has, in this shard or another.
void AddMissing(const GatePlan& plan, const std::vector<Prepared>& all,
                GateResult& result) {
  std::set<std::string> there;
  for (const Prepared& one : all) {
    there.insert(one.in_head.begin(), one.in_head.end());
    for (const GateFault& fault : one.result.faults) there.insert(fault.name);
  }
  for (const std::string& name : plan.settings.expected) {
    if (there.contains(name)) continue;
    result.faults.push_back(
        {name, "is missing: [gate] expected names it, no program has it"});
  }
}

}  // namespace

bool IsIn(const Shard& shard, std::string_view program,
          std::string_view benchmark) {
  if (shard.count <= 1) return true;
  const std::string digest = Sha256Hex(
      absl::StrCat(std::string(program), ": ", std::string(benchmark)));
  std::uint64_t number = 0;
  for (const char c : digest.substr(0, 15)) {
    number = number * 16 +
             static_cast<std::uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return static_cast<std::int64_t>(number %
                                   static_cast<std::uint64_t>(shard.count)) ==
         shard.index - 1;
}

absl::Status MeasureGate(const GatePlan& plan, const Repository& repository,
                         const BuiltCommit& base, const BuiltCommit& head,
                         MeasureSeams seams, RunObserver& observer,
                         GateResult& result) {
  const Preparer preparer(plan, repository, base, head, seams);
  std::vector<Prepared> all;
  for (const GateProgram& program : plan.settings.programs) {
    all.push_back(preparer.Prepare(program));
  }
  AddMissing(plan, all, result);
  return Measurer(plan, seams, observer, result).MeasureAll(std::move(all));
}

}  // namespace autotune
