#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/gate_outcome.h"
#include "tools/bench_compare/gate_run.h"
#include "tools/bench_compare/gate_settings.h"
#include "tools/bench_compare/gate_sides.h"
#include "tools/bench_compare/outcome_output.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/bench_compare/run_progress.h"
#include "tools/git/repository.h"
#include "tools/measure/measuring_lock.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/error_report.h"
#include "tools/report/report.h"
#include "tools/system/entropy.h"
#include "tools/system/exit_code.h"
#include "tools/system/file_lock.h"
#include "tools/system/private_folder.h"

namespace autotune {
namespace {

struct ChangeFlags {
  std::optional<std::string> base_ref;
  std::string head = "HEAD";
  std::optional<std::string> shard;
  std::optional<std::string> evidence;
  std::optional<std::int64_t> seed;
  PolicyFlags policy;
  ReportFlags report;
};

absl::StatusOr<Shard> ParseShard(const std::optional<std::string>& text) {
  Shard shard;
  if (!text.has_value()) return shard;
  const std::size_t slash = text->find('/');
  const bool numbers = slash != std::string::npos &&
                       absl::SimpleAtoi(text->substr(0, slash), &shard.index) &&
                       absl::SimpleAtoi(text->substr(slash + 1), &shard.count);
  if (numbers && shard.index >= 1 && shard.index <= shard.count) return shard;
  return UsageError(
      absl::StrCat("--shard: expected I/N with 1 <= I <= N such as 2/5, got ",
                   Quoted(*text)));
}

// Guards on benchmarks are margins here, and margins are proven.
absl::Status CheckGuards(const Policy& policy) {
  for (const Guard& guard : policy.guards) {
    if (guard.benchmark_pattern.empty() || guard.mode == GuardMode::kProve) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "guard ", Quoted(guard.benchmark_pattern), ": mode ",
        std::string(NameOf(guard.mode)),
        " has no effect on a benchmark of a gate, which proves all of them; "
        "leave it out, or narrow the program's filter"));
  }
  return absl::OkStatus();
}

// The commits between which the change lies. Aborted, so that the gate fails
// closed, when there is nothing to compare with.
absl::Status FindCommits(const Repository& repository, const ChangeFlags& flags,
                         GateResult& result) {
  ASSIGN_OR_RETURN(const auto head, repository.ResolveCommit(flags.head));
  ASSIGN_OR_RETURN(const auto base, repository.ResolveCommit(*flags.base_ref));
  for (const auto& [name, commit] :
       {std::pair{flags.head, head}, std::pair{*flags.base_ref, base}}) {
    if (commit.has_value()) continue;
    return WithHint(absl::AbortedError(absl::StrCat(
                        "cannot judge: ", Quoted(name), " names no commit")),
                    "a shallow clone lacks it: git fetch --unshallow, or "
                    "fetch-depth: 0");
  }
  result.head = *head;
  ASSIGN_OR_RETURN(const ProcessResult merge_base,
                   repository.GitResult({"merge-base", *base, *head}));
  result.base =
      std::string(absl::StripSuffix(merge_base.standard_output, "\n"));
  if (merge_base.succeeded() && !result.base.empty()) return absl::OkStatus();
  return WithHint(
      absl::AbortedError(absl::StrCat("cannot judge: ", Quoted(*flags.base_ref),
                                      " and ", Quoted(flags.head),
                                      " have no commit in common")),
      "a shallow clone lacks it: git fetch --unshallow, or fetch-depth: 0");
}

class ChangeGate {
 public:
  ChangeGate(const ChangeFlags& flags, const Invocation& invocation)
      : flags_(flags),
        world_(invocation.world),
        terminal_(invocation.terminal),
        progress_(invocation.terminal, PolicyKind::kGate,
                  invocation.common.quiet, invocation.world.interrupted) {}

  absl::StatusOr<ExitCode> Run(const ReportPlan& reports) {
    ASSIGN_OR_RETURN(const PolicyFile file,
                     ReadPolicyFile(flags_.policy, world_));
    SettingPlaces places;
    ASSIGN_OR_RETURN(Policy policy,
                     ResolvePolicy(file, flags_.policy, PolicyVerb::kRun,
                                   PolicyKind::kGate, places));
    RETURN_IF_ERROR(Annotate(CheckGuards(policy), file.source));
    ASSIGN_OR_RETURN(const GateSettings settings, ReadGateSettings(file));
    ASSIGN_OR_RETURN(const Shard shard, ParseShard(flags_.shard));
    GateResult result;
    result.shard = flags_.shard.value_or("");
    result.warnings = DropExpiredWaivers(policy, Today(world_.clock));
    const GatePlan plan = {settings, policy, shard,
                           flags_.evidence.value_or("")};
    RETURN_IF_ERROR(Judge(plan, result));
    progress_.Finish();
    const Report report = ReportOf(result, policy);
    RETURN_IF_ERROR(WriteReports(report, reports, world_.files, terminal_));
    return ExitOf(report.outcome, policy.on_inconclusive, terminal_);
  }

 private:
  absl::Status Judge(const GatePlan& plan, GateResult& result) {
    ASSIGN_OR_RETURN(
        const Repository repository,
        Repository::Open(world_.processes, world_.files, world_.directory));
    RETURN_IF_ERROR(FindCommits(repository, flags_, result));
    RETURN_IF_ERROR(WarnOfTree(repository, plan, result));
    if (!plan.evidence_folder.empty()) {
      RETURN_IF_ERROR(world_.files.MakeDirectories(plan.evidence_folder));
    }
    ASSIGN_OR_RETURN(const PrivateFolder folder,
                     PrivateFolder::Make(world_.files));
    const CommitBuilder builder(
        repository, plan.settings,
        {world_.processes, world_.files, world_.interrupted},
        world_.environment);
    ASSIGN_OR_RETURN(
        const std::optional<BuiltCommit> base,
        Build(builder, result.base, JoinPath(folder.path(), "base"), "base",
              result.base_builds, result));
    ASSIGN_OR_RETURN(
        const std::optional<BuiltCommit> head,
        Build(builder, result.head, JoinPath(folder.path(), "head"), "head",
              result.head_builds, result));
    if (!base.has_value() || !head.has_value()) return absl::OkStatus();
    return Measure(plan, repository, *base, *head, result);
  }

  // What is measured are commits, and the settings are those that lie here.
  absl::Status WarnOfTree(const Repository& repository, const GatePlan&,
                          GateResult& result) {
    ASSIGN_OR_RETURN(
        const std::string status,
        repository.Git({"status", "--porcelain", "--untracked-files=no"}));
    if (!status.empty()) {
      result.warnings.push_back(
          "changes that are not committed take no part: commits are measured");
    }
    ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                     repository.DiffTrees(result.base, result.head));
    for (const TreeChange& change : changes) {
      const std::size_t slash = change.path.rfind('/') + 1;
      if (change.path.substr(slash) != ".bench_compare.toml") continue;
      result.warnings.push_back(absl::StrCat("this change edits ", change.path,
                                             ", by which it is judged"));
    }
    return absl::OkStatus();
  }

  // Nothing when the commit does not build, which is a finding about it.
  absl::StatusOr<std::optional<BuiltCommit>> Build(const CommitBuilder& builder,
                                                   const std::string& commit,
                                                   const std::string& folder,
                                                   const std::string& name,
                                                   std::optional<bool>& builds,
                                                   GateResult& result) {
    progress_.OnNote(
        absl::StrCat("building the ", name, " ", commit.substr(0, 12)));
    absl::StatusOr<BuiltCommit> built =
        builder.Build(commit, folder, absl::StrCat("the ", name));
    if (absl::IsCancelled(built.status())) return built.status();
    builds = built.ok();
    if (built.ok()) return *std::move(built);
    ShowOutput(JoinPath(folder, "output.log"));
    const char* const meaning =
        name == "base" ? "the base does not build, so there is nothing to "
                         "compare with: "
                       : "the head does not build: ";
    result.faults.push_back(
        {absl::StrCat(name, " ", commit.substr(0, 12)),
         absl::StrCat(meaning, std::string(built.status().message()))});
    return std::nullopt;
  }

  // The end of what the build said: its folder does not outlive us.
  void ShowOutput(const std::string& path) {
    constexpr std::size_t kLines = 40;
    const std::string text = world_.files.ReadFile(path).value_or("");
    const std::vector<absl::string_view> lines =
        absl::StrSplit(text, '\n', absl::SkipWhitespace());
    const std::size_t first = lines.size() - std::min(lines.size(), kLines);
    for (std::size_t i = first; i < lines.size(); ++i) {
      progress_.OnNote(absl::StrCat("| ", lines[i]));
    }
  }

  absl::Status Measure(const GatePlan& plan, const Repository& repository,
                       const BuiltCommit& base, const BuiltCommit& head,
                       GateResult& result) {
    const std::unique_ptr<Entropy> seeded =
        flags_.seed.has_value()
            ? MakeSeededEntropy(static_cast<std::uint64_t>(*flags_.seed))
            : nullptr;
    const MeasureSeams seams = {world_.processes, world_.files, world_.clock,
                                seeded == nullptr ? world_.entropy : *seeded};
    ASSIGN_OR_RETURN(
        const FileLock lock,
        AcquireMeasuringLock(
            {world_.environment, world_.clock, world_.interrupted,
             [this](std::string_view line) { progress_.OnNote(line); }}));
    return MeasureGate(plan, repository, base, head, seams, progress_, result);
  }

  const ChangeFlags& flags_;
  const ProgramWorld& world_;
  Terminal& terminal_;
  RunProgress progress_;
};

}  // namespace

Action DeclareChangeGate(CommandLine& line) {
  auto flags = std::make_shared<ChangeFlags>();
  line.StartGroup("What to compare");
  line.AddText("--base-ref", "REF", flags->base_ref,
               "where the change is going: its merge base with head is built")
      .required = true;
  line.AddText("--head", "REV", flags->head, "the change (HEAD)");
  line.AddText("--shard", "I/N", flags->shard,
               "the I-th of N parts of the benchmarks, stable by their names");
  AddMeasuringFlags(line, flags->policy);
  line.AddNumber("--seed", "N", flags->seed, 0, INT64_MAX,
                 "draw the coins from this seed: for tests only");
  line.AddText("--evidence", "DIR", flags->evidence,
               "write what was measured to DIR/PROGRAM.json");
  AddPolicyFlags(line, PolicyVerb::kRun, flags->policy);
  AddReportFlags(line, flags->report);
  return [flags](const Invocation& invocation) -> absl::StatusOr<ExitCode> {
    ASSIGN_OR_RETURN(const ReportPlan reports,
                     MakeReportPlan(flags->report, invocation.common));
    return ChangeGate(*flags, invocation).Run(reports);
  };
}

}  // namespace autotune
