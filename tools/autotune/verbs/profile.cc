#include "tools/autotune/verbs/profile.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/autotune/measuring/section_profile.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/task.h"
#include "tools/measure/run_folder.h"
#include "tools/measure/visit.h"
#include "tools/report/text_table.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr int kMostVisits = 100;
// Longer than a visit of a decision: sections are told apart by their share,
// and nothing interleaves here.
constexpr VisitSize kSize = {.min_time_seconds = 0.05, .repetitions = 3};
constexpr absl::Duration kVisitTimeout = absl::Minutes(10);
constexpr std::size_t kBenchmarksShown = 5;
constexpr std::size_t kSectionsShown = 8;

absl::Status CheckOptions(const ProfileOptions& options) {
  if (options.visits >= 1 && options.visits <= kMostVisits) {
    return absl::OkStatus();
  }
  return absl::OutOfRangeError(absl::StrCat("profile: --visits: expected 1 to ",
                                            kMostVisits, ", got ",
                                            options.visits));
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
                                                   int visits) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RunFolder> folder,
                   RunFolder::Create(session.seams.files));
  const SideCommand command = BuiltCommand(build);
  VisitRequest request;
  request.command = &command;
  request.side = "profile";
  request.program = build.program;
  request.filter = filter;
  request.size = kSize;
  request.timeout = kVisitTimeout;
  std::vector<Measurement> rows;
  for (int visit = 0; visit < visits; ++visit) {
    if (session.interrupted()) return absl::CancelledError("interrupted");
    request.result_path =
        JoinPath(folder->path(), absl::StrCat("visit-", visit, ".json"));
    ASSIGN_OR_RETURN(
        FinishedVisit finished,
        RunVisit(request, session.seams.processes, session.seams.files));
    std::move(finished.results.measurements.begin(),
              finished.results.measurements.end(), std::back_inserter(rows));
  }
  return rows;
}

std::string ShareText(const SectionTime& section) {
  if (!section.share.has_value()) return "";
  return absl::StrCat(FixedText(100.0 * *section.share, 1), " %");
}

std::string CallsText(const SectionTime& section) {
  return section.calls.has_value() ? FixedText(*section.calls, 1) : "";
}

void AddTableRows(const BenchmarkProfile& profile, TextTable& table) {
  table.AddRow({{PrintableText(profile.name)},
                {ValueText("real_time", profile.nanoseconds)},
                {""},
                {""}});
  for (std::size_t i = 0; i < profile.sections.size(); ++i) {
    if (i == kSectionsShown) {
      table.AddRow({{absl::StrCat("  and ", profile.sections.size() - i,
                                  " more (--json shows them)")}});
      return;
    }
    const SectionTime& section = profile.sections[i];
    table.AddRow({{"  " + PrintableText(section.name)},
                  {ValueText("real_time", section.nanoseconds)},
                  {ShareText(section)},
                  {CallsText(section)}});
  }
}

std::vector<std::string> TextLines(
    const std::vector<BenchmarkProfile>& profiles) {
  TextTable table;
  table.AddRow({{"section"}, {"an iteration"}, {"share"}, {"calls"}});
  for (std::size_t i = 0; i < profiles.size() && i < kBenchmarksShown; ++i) {
    AddTableRows(profiles[i], table);
  }
  std::vector<std::string> lines = {table.Render(false)};
  lines.back().pop_back();
  if (profiles.size() > kBenchmarksShown) {
    lines.push_back(absl::StrCat("and ", profiles.size() - kBenchmarksShown,
                                 " more benchmarks (--json shows them)"));
  }
  return lines;
}

JsonFields SectionFields(const SectionTime& section) {
  JsonFields fields;
  fields.Add("name", section.name);
  fields.Add("real_time_ns", section.nanoseconds);
  if (section.share.has_value()) fields.Add("share", *section.share);
  if (section.calls.has_value()) fields.Add("calls", *section.calls);
  return fields;
}

JsonFields BenchmarkFields(const BenchmarkProfile& profile) {
  JsonFields fields;
  fields.Add("name", profile.name);
  fields.Add("real_time_ns", profile.nanoseconds);
  std::vector<JsonFields> sections;
  for (const SectionTime& section : profile.sections) {
    sections.push_back(SectionFields(section));
  }
  fields.Add("sections", sections);
  return fields;
}

bool AnySection(const std::vector<BenchmarkProfile>& profiles) {
  for (const BenchmarkProfile& profile : profiles) {
    if (!profile.sections.empty()) return true;
  }
  return false;
}

VerbResult ProfileResult(const TaskState& state,
                         const std::vector<BenchmarkProfile>& profiles) {
  VerbResult result;
  result.lines = TextLines(profiles);
  if (!AnySection(profiles)) {
    result.lines.push_back(
        "no sections: link autotune::benchmark_ext and put "
        "autotune::SectionTimer timer(state, \"NAME\"); around what is to be "
        "told apart");
  }
  result.fields.Add("task", state.task.id);
  result.fields.Add("commit", state.tip);
  std::vector<JsonFields> benchmarks;
  for (const BenchmarkProfile& profile : profiles) {
    benchmarks.push_back(BenchmarkFields(profile));
  }
  result.fields.Add("benchmarks", benchmarks);
  result.next = {{"autotune log TEXT", "write down what the profile tells"},
                 {"autotune start APPROACH --hypothesis TEXT",
                  "attempt the longest section"}};
  return result;
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
  ASSIGN_OR_RETURN(const HeldLock lock, LockMeasuring(session));
  Say(session, "measuring the tip");
  ASSIGN_OR_RETURN(const std::vector<Measurement> rows,
                   RunVisits(session, build, filter, options.visits));
  return ProfileResult(state, ProfileSections(rows));
}

}  // namespace autotune
