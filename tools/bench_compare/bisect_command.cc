#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/bisection.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/gate_settings.h"
#include "tools/bench_compare/gate_sides.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/bench_compare/run_progress.h"
#include "tools/git/repository.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/measuring_lock.h"
#include "tools/measure/visit.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/program/verb_result.h"
#include "tools/report/value_text.h"
#include "tools/system/entropy.h"
#include "tools/system/exit_code.h"
#include "tools/system/file_lock.h"
#include "tools/system/private_folder.h"

// The change is looked for between two commits that are measured against each
// other first: the loss that shows there, halved in logarithms, is what tells a
// bad commit from a good one. Every other commit is then measured against GOOD
// as by a gate with that margin, whose two e-values are what Bisection takes.

namespace autotune {
namespace {

// Of the answer: a fifth for the claim that there is a loss at all.
constexpr double kError = 0.05;
constexpr double kEndsError = 0.01;
// Rounds of the first measurement: a fixed number, so that its estimate is not
// flattered by when it stopped; doubled until the loss is proven.
constexpr std::int64_t kFirstRounds = 20;
constexpr std::int64_t kFirstTries = 3;

struct BisectFlags {
  std::string range;
  std::optional<std::string> filter;
  std::optional<std::string> program;
  std::optional<std::int64_t> seed;
  PolicyFlags policy;
};

// What is known to be lost between GOOD and BAD.
struct Loss {
  std::string benchmark;
  double log_loss = 0.0;  // > 0
};

class Bisecter {
 public:
  Bisecter(const BisectFlags& flags, const Invocation& invocation,
           const Repository& repository, const GateSettings& settings,
           const GateProgram& program, const Policy& policy,
           const std::string& folder, MeasureSeams seams)
      : flags_(flags),
        repository_(repository),
        program_(program),
        policy_(policy),
        folder_(folder),
        seams_(seams),
        progress_(invocation.terminal, PolicyKind::kGate,
                  invocation.common.quiet, invocation.world.interrupted),
        builder_(repository, settings,
                 {invocation.world.processes, invocation.world.files,
                  invocation.world.interrupted},
                 invocation.world.environment) {}

  absl::StatusOr<VerbResult> Run() {
    RETURN_IF_ERROR(FindCommits());
    ASSIGN_OR_RETURN(good_, BuildEnd(0, "GOOD"));
    ASSIGN_OR_RETURN(bad_, BuildEnd(commits_.size() - 1, "BAD"));
    ASSIGN_OR_RETURN(const Loss loss, MeasureEnds());
    Bisection search(commits_.size() - 1, kError - kEndsError);
    while (const std::optional<Bisection::Step> step = search.Next()) {
      RETURN_IF_ERROR(Look(*step, loss, search));
    }
    progress_.Finish();
    return Answer(loss, search.Plausible());
  }

 private:
  absl::Status FindCommits() {
    const std::size_t dots = flags_.range.find("..");
    if (dots == std::string::npos || dots == 0 ||
        dots + 2 >= flags_.range.size() || flags_.range[dots + 2] == '.') {
      return UsageError(
          absl::StrCat("expected GOOD..BAD, got ", Quoted(flags_.range)));
    }
    for (const std::string& end :
         {flags_.range.substr(0, dots), flags_.range.substr(dots + 2)}) {
      ASSIGN_OR_RETURN(const auto commit, repository_.ResolveCommit(end));
      if (!commit.has_value()) {
        return absl::FailedPreconditionError(
            absl::StrCat(Quoted(end), " names no commit"));
      }
      ends_.push_back(*commit);
    }
    ASSIGN_OR_RETURN(commits_,
                     repository_.History({"--first-parent", ends_[1],
                                          absl::StrCat("^", ends_[0])}));
    if (commits_.empty()) {
      return absl::FailedPreconditionError(absl::StrCat(
          Quoted(flags_.range), " holds no commit: BAD must come after GOOD"));
    }
    ASSIGN_OR_RETURN(std::vector<CommitInfo> first,
                     repository_.History({"--max-count=1", ends_[0]}));
    commits_.push_back(std::move(first.front()));
    std::reverse(commits_.begin(), commits_.end());
    return absl::OkStatus();
  }

  absl::StatusOr<BuiltCommit> Build(std::size_t m) {
    const std::string& commit = commits_[m].commit;
    progress_.OnNote(absl::StrCat("building ", commit.substr(0, 12), ", ", m,
                                  " of ", commits_.size() - 1));
    ++builds_;
    // Paths of one length, for a path inside a program moves its code.
    return builder_.Build(commit, JoinPath(folder_, absl::StrFormat("%08d", m)),
                          commit.substr(0, 12));
  }

  absl::StatusOr<BuiltCommit> BuildEnd(std::size_t m, const char* name) {
    absl::StatusOr<BuiltCommit> built = Build(m);
    if (!absl::IsAborted(built.status())) return built;
    return absl::AbortedError(absl::StrCat(
        "cannot judge: ", name,
        " does not build: ", std::string(built.status().message())));
  }

  RunPlan PlanFor(const BuiltCommit& built) const {
    RunPlan plan;
    plan.baseline = CommandOf(good_, program_);
    plan.contender = CommandOf(built, program_);
    plan.policy = policy_;
    plan.policy.margins.clear();
    plan.policy.waivers.clear();
    plan.policy.guards.clear();
    return plan;
  }

  // The benchmark that lost most, proven, and how much.
  absl::StatusOr<Loss> MeasureEnds() {
    RunPlan plan = PlanFor(bad_);
    plan.target_filter = flags_.filter.value_or(program_.filter);
    plan.policy.default_margin = policy_.min_effect;
    plan.policy.beta = kEndsError / static_cast<double>(kFirstTries);
    plan.policy.added = AddedRule::kList;
    for (std::int64_t i = 0; i < kFirstTries; ++i) {
      plan.fixed_rounds = kFirstRounds << i;
      ASSIGN_OR_RETURN(const Evidence evidence,
                       RunInterleaved(plan, seams_, progress_));
      if (const auto loss = LargestLoss(evidence)) return *loss;
      if (evidence.decision == Decision::kKeep) break;
    }
    return WithHint(absl::FailedPreconditionError(absl::StrFormat(
                        "BAD is not proven worse than GOOD by %s in any "
                        "benchmark of \"%s\"",
                        PercentText(policy_.min_effect), plan.target_filter)),
                    "--min-effect says how small a loss is looked for");
  }

  static std::optional<Loss> LargestLoss(const Evidence& evidence) {
    std::optional<Loss> largest;
    for (const Comparison& target : evidence.targets) {
      if (target.standing != MarginStanding::kBeyond ||
          !target.estimate.has_value()) {
        continue;
      }
      const double loss = std::abs(std::log(target.estimate->ratio));
      if (largest.has_value() && loss <= largest->log_loss) continue;
      largest = Loss{target.name, loss};
    }
    return largest;
  }

  // Builds and measures one commit. One that does not build, or cannot be
  // measured or decided, is gone around.
  absl::Status Look(const Bisection::Step& step, const Loss& loss,
                    Bisection& search) {
    const std::size_t m = step.commit;
    const absl::StatusOr<BuiltCommit> built = Build(m);
    if (absl::IsCancelled(built.status())) return built.status();
    if (!built.ok()) {
      Skip(m, built.status(), search);
      return absl::OkStatus();
    }
    const absl::Status measured = Measure(step, *built, loss, search);
    RETURN_IF_ERROR(
        seams_.files.RemoveAll(JoinPath(folder_, absl::StrFormat("%08d", m))));
    if (measured.ok() || absl::IsCancelled(measured) ||
        absl::IsUnavailable(measured)) {
      return measured;
    }
    Skip(m, measured, search);
    return absl::OkStatus();
  }

  void Skip(std::size_t m, const absl::Status& status, Bisection& search) {
    progress_.OnNote(absl::StrCat("skipping ", commits_[m].commit.substr(0, 12),
                                  ": ", std::string(status.message())));
    skipped_.push_back(commits_[m].commit);
    search.Exclude(m);
  }

  absl::Status Measure(const Bisection::Step& step, const BuiltCommit& built,
                       const Loss& loss, Bisection& search) {
    ASSIGN_OR_RETURN(const bool as_good,
                     IsUnchanged(repository_, good_, built, program_));
    ASSIGN_OR_RETURN(const bool as_bad,
                     IsUnchanged(repository_, bad_, built, program_));
    if (as_good != as_bad) {
      search.Know(step.commit, as_bad);
      return absl::OkStatus();
    }
    RunPlan plan = PlanFor(built);
    plan.target_filter = ExactFilter({loss.benchmark});
    plan.policy.default_margin = std::expm1(0.5 * loss.log_loss);
    plan.policy.alpha = step.error;
    plan.policy.beta = step.error;
    plan.measure_identical = true;
    ASSIGN_OR_RETURN(const Evidence evidence,
                     RunInterleaved(plan, seams_, progress_));
    seconds_ += evidence.measuring_seconds;
    const bool decided = evidence.decision != Decision::kInconclusive;
    // What the run takes back is no evidence.
    if (decided || evidence.downgrade.empty()) {
      const Comparison& target = evidence.targets.front();
      search.Set(step, target.log_e_discard, target.log_e_keep);
    } else {
      search.Exclude(step.commit);
    }
    progress_.OnNote(
        absl::StrCat(commits_[step.commit].commit.substr(0, 12), " is ",
                     !decided                                  ? "undecided"
                     : evidence.decision == Decision::kDiscard ? "bad"
                                                               : "good"));
    return absl::OkStatus();
  }

  VerbResult Answer(const Loss& loss,
                    const std::vector<std::size_t>& plausible) const {
    VerbResult result;
    const std::string what = absl::StrFormat(
        "error <= %s, %s %.1f %% worse, %s", PercentText(kError),
        PrintableName(loss.benchmark), 100.0 * std::expm1(loss.log_loss),
        CountText(builds_, "build"));
    const bool one = plausible.size() == 1;
    result.exit_code = one ? kExitKeep : kExitInconclusive;
    result.decision = one ? "found" : "inconclusive";
    result.reason =
        one ? absl::StrCat("commit ",
                           commits_[plausible.front()].commit.substr(0, 12),
                           ", ", what)
            : absl::StrCat("one of ", plausible.size(), " commits, ", what);
    result.lines.push_back(result.reason);
    std::vector<std::string> shas;
    for (const std::size_t k : plausible) {
      const CommitInfo& commit = commits_[k];
      shas.push_back(commit.commit);
      result.lines.push_back(absl::StrCat(
          "  ", commit.commit.substr(0, 12), " ",
          PrintableText(commit.message.substr(0, commit.message.find('\n')))));
    }
    result.fields.Texts("commits", shas);
    result.fields.Texts("skipped", skipped_);
    result.fields.Number("error", kError);
    result.fields.Text("benchmark", loss.benchmark);
    result.fields.Number("loss", std::expm1(loss.log_loss));
    result.fields.Count("builds", static_cast<std::int64_t>(builds_));
    result.fields.Number("seconds", seconds_);
    return result;
  }

  const BisectFlags& flags_;
  const Repository& repository_;
  const GateProgram& program_;
  const Policy& policy_;
  std::string folder_;
  MeasureSeams seams_;
  RunProgress progress_;
  CommitBuilder builder_;
  std::vector<std::string> ends_;    // GOOD and BAD
  std::vector<CommitInfo> commits_;  // GOOD first
  BuiltCommit good_;
  BuiltCommit bad_;
  std::vector<std::string> skipped_;
  std::size_t builds_ = 0;
  double seconds_ = 0.0;
};

// The program to measure: the only one, or the one that --program names.
absl::StatusOr<GateProgram> ChooseProgram(const GateSettings& settings,
                                          const BisectFlags& flags) {
  if (!flags.program.has_value() && settings.programs.size() == 1) {
    return settings.programs.front();
  }
  for (const GateProgram& program : settings.programs) {
    if (program.name == flags.program) return program;
  }
  return UsageError(flags.program.has_value()
                        ? absl::StrCat("--program: no [[program]] is called ",
                                       Quoted(*flags.program))
                        : std::string("several programs: choose one by "
                                      "--program NAME"));
}

absl::StatusOr<ExitCode> Bisect(const BisectFlags& flags,
                                const Invocation& invocation) {
  const ProgramWorld& world = invocation.world;
  ASSIGN_OR_RETURN(const PolicyFile file, ReadPolicyFile(flags.policy, world));
  SettingPlaces places;
  ASSIGN_OR_RETURN(const Policy policy,
                   ResolvePolicy(file, flags.policy, PolicyVerb::kRun,
                                 PolicyKind::kGate, places));
  ASSIGN_OR_RETURN(const GateSettings settings, ReadGateSettings(file));
  ASSIGN_OR_RETURN(const GateProgram program, ChooseProgram(settings, flags));
  if (flags.filter.has_value()) {
    const absl::Status checked = NamePattern::Create(*flags.filter).status();
    if (!checked.ok()) {
      return UsageError(
          absl::StrCat("--filter: ", std::string(checked.message())));
    }
  }
  ASSIGN_OR_RETURN(
      const Repository repository,
      Repository::Open(world.processes, world.files, world.directory));
  ASSIGN_OR_RETURN(const PrivateFolder folder,
                   PrivateFolder::Make(world.files));
  const std::unique_ptr<Entropy> seeded =
      flags.seed.has_value()
          ? MakeSeededEntropy(static_cast<std::uint64_t>(*flags.seed))
          : nullptr;
  Terminal& terminal = invocation.terminal;
  ASSIGN_OR_RETURN(
      const FileLock lock,
      AcquireMeasuringLock({world.environment, world.clock, world.interrupted,
                            [&terminal](std::string_view line) {
                              terminal.err << "bench_compare: note: " << line
                                           << '\n';
                            }}));
  Bisecter bisecter(flags, invocation, repository, settings, program, policy,
                    folder.path(),
                    {world.processes, world.files, world.clock,
                     seeded == nullptr ? world.entropy : *seeded});
  ASSIGN_OR_RETURN(const VerbResult result, bisecter.Run());
  PrintResult(result, invocation.verb, invocation.common.json, terminal);
  return result.exit_code;
}

}  // namespace

Action DeclareBisect(CommandLine& line) {
  auto flags = std::make_shared<BisectFlags>();
  line.AddWord("GOOD..BAD", flags->range,
               "the first-parent history to search, GOOD left out");
  line.StartGroup("What to measure");
  line.AddText("--filter", "REGEX", flags->filter,
               "benchmarks among which the worst loss is looked for");
  line.AddText("--program", "NAME", flags->program,
               "the [[program]] to measure, where there are several");
  AddMeasuringFlags(line, flags->policy);
  line.AddNumber("--seed", "N", flags->seed, 0, INT64_MAX,
                 "draw the coins from this seed: for tests only");
  AddPolicyFlags(line, PolicyVerb::kRun, flags->policy);
  return [flags](const Invocation& invocation) {
    return Bisect(*flags, invocation);
  };
}

}  // namespace autotune
