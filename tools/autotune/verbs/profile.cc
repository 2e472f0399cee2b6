#include "tools/autotune/verbs/profile.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/measuring/function_profile.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/autotune/measuring/section_profile.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/profile_file.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/log_file.h"
#include "tools/measure/visit.h"
#include "tools/report/text_table.h"
#include "tools/report/value_text.h"
#include "tools/system/private_folder.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Longer than a visit of a decision: sections are told apart by their share,
// and nothing interleaves here.
constexpr VisitSize kSize = {.min_time_seconds = 0.05, .repetitions = 3};
constexpr absl::Duration kVisitTimeout = absl::Minutes(10);
constexpr std::size_t kBenchmarksShown = 5;
constexpr std::size_t kPartsShown = 8;
constexpr std::size_t kNameWidth = 60;
constexpr std::string_view kAuto = "auto";

absl::Status CheckOptions(const ProfileOptions& options) {
  for (const ProfileKind kind : {ProfileKind::kSections, ProfileKind::kSamples,
                                 ProfileKind::kInstructions}) {
    if (options.by == NameOf(kind)) return absl::OkStatus();
  }
  if (options.by == kAuto) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat(
      "profile: --by: expected auto, sections, samples or instructions, got \"",
      options.by, "\""));
}

absl::StatusOr<Build> BuildTip(const Session& session,
                               const Repository& repository,
                               const TaskState& state) {
  ASSIGN_OR_RETURN(const std::string directory,
                   TaskStateDirectory(session, repository, state.task));
  BuildRequest request;
  ASSIGN_OR_RETURN(request.tree, CodeTree(repository, state.tip));
  Say(session, "building the tip");
  return BuildTree(session, repository, state.settings, directory, request);
}

absl::StatusOr<std::vector<Measurement>> RunVisits(const Session& session,
                                                   const Build& build,
                                                   const std::string& filter,
                                                   std::int64_t visits) {
  ASSIGN_OR_RETURN(const PrivateFolder folder,
                   PrivateFolder::Make(session.seams.files));
  const SideCommand command = BuiltCommand(build);
  VisitRequest request;
  request.command = &command;
  request.side = "profile";
  request.program = build.program;
  request.filter = filter;
  request.size = kSize;
  request.timeout = kVisitTimeout;
  std::vector<Measurement> rows;
  for (std::int64_t visit = 0; visit < visits; ++visit) {
    if (session.interrupted()) return absl::CancelledError("interrupted");
    request.result_path =
        JoinPath(folder.path(), absl::StrCat("visit-", visit, ".json"));
    ASSIGN_OR_RETURN(
        FinishedVisit finished,
        RunVisit(request, session.seams.processes, session.seams.files));
    std::move(finished.results.measurements.begin(),
              finished.results.measurements.end(), std::back_inserter(rows));
  }
  return rows;
}

std::string ShareText(const std::optional<double>& share) {
  if (!share.has_value()) return "";
  return absl::StrCat(FixedText(100.0 * *share, 1), " %");
}

std::string TimeText(const ProfilePart& part) {
  return part.nanoseconds.has_value()
             ? ValueText("real_time", *part.nanoseconds)
             : "";
}

std::string CallsText(const ProfilePart& part) {
  return part.calls.has_value() ? FixedText(*part.calls, 1) : "";
}

void AddTableRows(const BenchmarkProfile& profile, TextTable& table) {
  table.AddRow({{PrintableText(profile.name)},
                {ValueText("real_time", profile.nanoseconds)},
                {""},
                {""},
                {""}});
  for (std::size_t i = 0; i < profile.parts.size(); ++i) {
    if (i == kPartsShown) {
      table.AddRow({{absl::StrCat("  and ", profile.parts.size() - i,
                                  " more (--json shows them)")}});
      return;
    }
    const ProfilePart& part = profile.parts[i];
    table.AddRow({{"  " + OneLine(PrintableText(part.name), kNameWidth)},
                  {TimeText(part)},
                  {ShareText(part.share)},
                  {ShareText(part.inclusive_share)},
                  {CallsText(part)}});
  }
}

std::vector<std::string> TextLines(const TaskProfile& profile) {
  const std::vector<BenchmarkProfile>& benchmarks = profile.benchmarks;
  TextTable table;
  table.AddRow(
      {{profile.kind == ProfileKind::kSections ? "section" : "function"},
       {"an iteration"},
       {"share"},
       {"with calls"},
       {"calls"}});
  for (std::size_t i = 0; i < benchmarks.size() && i < kBenchmarksShown; ++i) {
    AddTableRows(benchmarks[i], table);
  }
  std::vector<std::string> lines = {table.Render(false)};
  lines.back().pop_back();
  if (benchmarks.size() > kBenchmarksShown) {
    lines.push_back(absl::StrCat("and ", benchmarks.size() - kBenchmarksShown,
                                 " more benchmarks (--json shows them)"));
  }
  return lines;
}

void AddPart(const ProfilePart& part, JsonWriter& fields) {
  const auto number = [&fields](std::string_view key,
                                const std::optional<double>& value) {
    if (value.has_value()) fields.Number(key, *value);
  };
  fields.BeginObject();
  fields.Text("name", part.name);
  number("real_time_ns", part.nanoseconds);
  number("share", part.share);
  number("inclusive_share", part.inclusive_share);
  number("calls", part.calls);
  fields.EndObject();
}

void AddBenchmark(const BenchmarkProfile& profile, JsonWriter& fields) {
  fields.BeginObject();
  fields.Text("name", profile.name);
  fields.Number("real_time_ns", profile.nanoseconds);
  fields.BeginArray("parts");
  for (const ProfilePart& part : profile.parts) AddPart(part, fields);
  fields.EndArray();
  fields.EndObject();
}

bool HasParts(const std::vector<BenchmarkProfile>& profiles) {
  return std::any_of(
      profiles.begin(), profiles.end(),
      [](const BenchmarkProfile& profile) { return !profile.parts.empty(); });
}

VerbResult ProfileResult(const Task& task, const TaskProfile& profile) {
  VerbResult result;
  result.lines = TextLines(profile);
  if (profile.kind == ProfileKind::kInstructions) {
    result.lines.push_back("shares of instructions, not of time");
  }
  result.lines.push_back(
      absl::StrCat("written to ", task.File("profile.json"), " and log.md"));
  result.fields.Text("task", task.id);
  result.fields.Text("commit", profile.commit);
  result.fields.Text("kind", NameOf(profile.kind));
  result.fields.BeginArray("benchmarks");
  for (const BenchmarkProfile& benchmark : profile.benchmarks) {
    AddBenchmark(benchmark, result.fields);
  }
  result.fields.EndArray();
  result.next = {{Autotune({"start", "APPROACH", "--hypothesis", "TEXT"}),
                  "attempt the largest part"}};
  return result;
}

// By function, with the first kind that works here.
absl::StatusOr<ProfileKind> ProfileByFunction(
    const Session& session, const Build& build, const std::string& by,
    std::vector<BenchmarkProfile>& profiles) {
  if (profiles.size() > kBenchmarksShown) profiles.resize(kBenchmarksShown);
  absl::Status failed = absl::OkStatus();
  for (const ProfileKind kind :
       {ProfileKind::kSamples, ProfileKind::kInstructions}) {
    if (by != kAuto && by != NameOf(kind)) continue;
    Say(session, kind == ProfileKind::kSamples ? "sampling the functions"
                                               : "counting instructions");
    const absl::Status added = AddFunctions(session, build, kind, profiles);
    if (added.ok() && HasParts(profiles)) return kind;
    if (!added.ok() && !absl::IsFailedPrecondition(added)) return added;
    Say(session,
        added.ok() ? "no function was seen" : std::string(added.message()));
    failed = added.ok() ? absl::FailedPreconditionError(
                              "no function of the benchmarks was seen")
                        : added;
  }
  return WithHint(
      failed,
      "put autotune::SectionTimer timer(state, \"NAME\"); around what is to be "
      "told apart, or install linux-perf or valgrind");
}

absl::StatusOr<TaskProfile> MakeProfile(const Session& session,
                                        const TaskState& state,
                                        const Build& build,
                                        const ProfileOptions& options) {
  RETURN_IF_ERROR(CheckOptions(options));
  TaskProfile profile;
  profile.commit = state.tip;
  profile.date = LocalDate(session);
  profile.rows = static_cast<std::int64_t>(state.ledger.rows.size());
  Say(session, "measuring the tip");
  ASSIGN_OR_RETURN(
      const std::vector<Measurement> rows,
      RunVisits(session, build,
                options.filter.empty() ? state.settings.target : options.filter,
                options.visits));
  profile.benchmarks = ProfileSections(rows);
  profile.kind = ProfileKind::kSections;
  const bool sections = HasParts(profile.benchmarks);
  if (options.by == NameOf(ProfileKind::kSections) && !sections) {
    return absl::FailedPreconditionError(
        "no sections: link autotune::benchmark_ext and put "
        "autotune::SectionTimer timer(state, \"NAME\"); around what is to be "
        "told apart");
  }
  if (sections &&
      (options.by == kAuto || options.by == NameOf(ProfileKind::kSections))) {
    return profile;
  }
  ASSIGN_OR_RETURN(profile.kind, ProfileByFunction(session, build, options.by,
                                                   profile.benchmarks));
  return profile;
}

// profile.json and its note in log.md.
LedgerCommit ProfileCommit(const TaskState& state, const TaskProfile& profile) {
  std::string note =
      absl::StrCat(profile.date, ", commit ", profile.commit.substr(0, 12),
                   ", by ", std::string(NameOf(profile.kind)), ":");
  for (const std::string& line :
       ProfileLines(profile, kBenchmarksShown, kPartsShown)) {
    absl::StrAppend(&note, "\n", line);
  }
  LedgerCommit commit;
  commit.message = "profile: where the target's time goes\n";
  commit.edits = {{state.task.File("profile.json"), FormatTaskProfile(profile)},
                  LogEdit(state, kArchitectureNotes, note)};
  return commit;
}

}  // namespace

absl::StatusOr<VerbResult> Profile(const TaskContext& context,
                                   const ProfileOptions& options) {
  RETURN_IF_ERROR(CheckOptions(options));
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  const std::string filter =
      options.filter.empty() ? state.settings.target : options.filter;
  if (session.dry_run) {
    VerbResult result;
    result.lines = {absl::StrCat("would build the tip and run ",
                                 PrintableText(filter), " ",
                                 CountText(options.visits, "time"))};
    return result;
  }
  ASSIGN_OR_RETURN(const Build build, BuildTip(session, repository, state));
  ASSIGN_OR_RETURN(const FileLock lock, LockMeasuring(session));
  ASSIGN_OR_RETURN(const TaskProfile profile,
                   MakeProfile(session, state, build, options));
  RETURN_IF_ERROR(
      CommitToTask(session, repository, task,
                   [&](const TaskState& now) -> absl::StatusOr<LedgerCommit> {
                     return ProfileCommit(now, profile);
                   })
          .status());
  return ProfileResult(task, profile);
}

}  // namespace autotune
