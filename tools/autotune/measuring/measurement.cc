#include "tools/autotune/measuring/measurement.h"

#include <map>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/statistics/descriptive.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/measure/interleaved_run.h"
#include "tools/report/evidence_facts.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Shows rounds as they come: ratio, interval, e-values towards their limits,
// time against budget.
class ProgressObserver : public RunObserver {
 public:
  explicit ProgressObserver(const Session& session)
      : session_(session), line_(session.terminal, session.quiet) {}

  void OnNote(std::string_view note) override {
    line_.Clear();
    Say(session_, note);
  }

  void OnRound(const RoundEvidence& round, const SequentialJudge& judge,
               double elapsed_seconds, double budget_seconds) override {
    FaultPoint("round-measured");
    if (round.use != RoundUse::kCounts || judge.rounds() == 0) return;
    const Comparison overall = judge.overall();
    line_.Show(absl::StrCat("round ", judge.rounds(), "  ",
                            SignedPercentText(overall.estimate->ratio - 1.0),
                            "  keep ", FixedText(overall.log_e_keep, 1), "/",
                            FixedText(judge.log_keep_limit(), 1), "  discard ",
                            FixedText(overall.log_e_discard, 1), "/",
                            FixedText(judge.log_discard_limit(), 1), "  ",
                            FixedText(elapsed_seconds, 0), " of ",
                            FixedText(budget_seconds, 0), " s"),
               elapsed_seconds);
  }

  bool Interrupted() override { return session_.interrupted(); }

  void Finish() { line_.Clear(); }

 private:
  const Session& session_;
  ProgressLine line_;
};

SideCommand SideOf(const MeasuredSide& side) {
  SideCommand command = BuiltCommand(side.build);
  command.commit = side.commit;
  command.tree = side.tree;
  return command;
}

// One regular expression for all guards on benchmarks.
std::string GuardFilter(const Policy& policy) {
  std::vector<std::string> patterns;
  for (const Guard& guard : policy.guards) {
    if (!guard.benchmark_pattern.empty()) {
      patterns.push_back(absl::StrCat("(", guard.benchmark_pattern, ")"));
    }
  }
  return absl::StrJoin(patterns, "|");
}

RunPlan PlanOf(const MeasureRequest& request) {
  RunPlan plan;
  plan.baseline = SideOf(request.baseline);
  plan.contender = SideOf(request.contender);
  plan.target_filter = request.target;
  plan.policy = request.policy;
  if (request.with_guards) {
    plan.guard_filter = GuardFilter(request.policy);
  } else {
    plan.policy.guards.clear();
  }
  plan.alpha_override = request.alpha;
  plan.task_decision = request.task_decision;
  plan.journal_path = request.journal_path;
  plan.fixed_rounds = request.fixed_rounds;
  // A fixed number of rounds asks for an estimate, not for a decision.
  plan.measure_identical = request.fixed_rounds.has_value();
  return plan;
}

// The name of a metric's number: times carry their unit.
std::string NumberName(const std::string& benchmark, const Metric& metric) {
  const bool time = metric.name == "cpu_time" || metric.name == "real_time";
  return absl::StrCat(benchmark, "/", metric.name, time ? "_ns" : "");
}

}  // namespace

SideCommand BuiltCommand(const Build& build) {
  SideCommand command;
  command.program = build.program;
  command.arguments.assign(build.benchmark.begin() + 1, build.benchmark.end());
  command.working_directory = build.source_directory;
  command.sandbox = build.sandbox;
  return command;
}

absl::StatusOr<Evidence> Measure(const Session& session,
                                 const MeasureRequest& request) {
  RunPlan plan = PlanOf(request);
  FileSystem& files = session.seams.files;
  plan.resume = !plan.journal_path.empty() && files.Exists(plan.journal_path);
  ProgressObserver observer(session);
  absl::StatusOr<Evidence> evidence =
      RunInterleaved(plan, session.seams, observer);
  if (plan.resume && absl::IsFailedPrecondition(evidence.status())) {
    observer.OnNote(absl::StrCat("measuring anew: ",
                                 std::string(evidence.status().message())));
    RETURN_IF_ERROR(
        files.Rename(plan.journal_path, plan.journal_path + ".old"));
    plan.resume = false;
    evidence = RunInterleaved(plan, session.seams, observer);
  }
  observer.Finish();
  return evidence;
}

std::vector<std::pair<std::string, double>> ContenderNumbers(
    const Evidence& evidence) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<double>> values;
  std::vector<double> peaks;
  for (const RoundEvidence& round : evidence.rounds) {
    if (round.use != RoundUse::kCounts) continue;
    if (const auto peak = GuardValue(round.contender, "peak_rss")) {
      peaks.push_back(*peak);
    }
    for (const VisitBenchmark& benchmark : round.contender.benchmarks) {
      const std::string name = NumberName(benchmark.name, evidence.metric);
      if (!values.contains(name)) order.push_back(name);
      values[name].push_back(benchmark.value);
    }
  }
  std::vector<std::pair<std::string, double>> numbers;
  for (const std::string& name : order) {
    numbers.emplace_back(name, Median(values[name]));
  }
  if (!peaks.empty()) numbers.emplace_back("peak_rss_bytes", Median(peaks));
  return numbers;
}

std::vector<std::pair<std::string, double>> RatioNumbers(
    const Evidence& evidence, const std::string& prefix) {
  std::vector<std::pair<std::string, double>> numbers;
  const std::size_t rounds = ValidRounds(evidence);
  if (rounds > 0 && evidence.overall.estimate.has_value()) {
    const RatioEstimate& estimate = *evidence.overall.estimate;
    numbers.emplace_back(prefix + "ratio", estimate.ratio);
    if (estimate.interval.lower.has_value()) {
      numbers.emplace_back(prefix + "ratio_low", *estimate.interval.lower);
    }
    if (estimate.interval.upper.has_value()) {
      numbers.emplace_back(prefix + "ratio_high", *estimate.interval.upper);
    }
  }
  numbers.emplace_back(prefix + "rounds", static_cast<double>(rounds));
  return numbers;
}

}  // namespace autotune
