#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/statistics/change_points.h"
#include "comparator/statistics/descriptive.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/history_lines.h"
#include "tools/git/notes.h"
#include "tools/git/repository.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/program/verb_result.h"
#include "tools/report/value_text.h"
#include "tools/system/exit_code.h"

namespace autotune {
namespace {

constexpr char kNotesRef[] = "refs/notes/bench";

absl::StatusOr<Repository> OpenRepository(const ProgramWorld& world) {
  return Repository::Open(world.processes, world.files, world.directory);
}

// The evidence of a file, sound and of two commits.
absl::StatusOr<Evidence> ReadEvidence(const std::string& path,
                                      const Invocation& invocation) {
  ASSIGN_OR_RETURN(const std::string text,
                   invocation.world.files.ReadFile(path));
  ASSIGN_OR_RETURN(Evidence evidence, ParseEvidence(text, path));
  const absl::Status sound = VerifyEvidence(evidence);
  if (!sound.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": ", std::string(sound.message())));
  }
  if (!evidence.baseline.commit.empty() && !evidence.contender.commit.empty()) {
    return evidence;
  }
  return WithHint(absl::InvalidArgumentError(absl::StrCat(
                      path, ": it does not say which commits were measured")),
                  "bench_compare gate --base-ref ANCHOR --evidence DIR writes "
                  "such files");
}

absl::StatusOr<ExitCode> Add(const std::vector<std::string>& paths,
                             const Invocation& invocation) {
  ASSIGN_OR_RETURN(const Repository repository,
                   OpenRepository(invocation.world));
  ASSIGN_OR_RETURN(auto notes, ReadNotes(repository, kNotesRef));
  std::map<std::string, std::vector<HistoryLine>> lines;  // by commit
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const Evidence evidence, ReadEvidence(path, invocation));
    const std::string& commit = evidence.contender.commit;
    ASSIGN_OR_RETURN(const auto there, repository.ResolveCommit(commit));
    if (!there.has_value()) {
      return absl::FailedPreconditionError(
          absl::StrCat(path, ": its commit ", commit, " is not here"));
    }
    for (HistoryLine& line : HistoryLinesOf(evidence)) {
      lines[commit].push_back(std::move(line));
    }
  }
  VerbResult result;
  std::size_t count = 0;
  for (const auto& entry : lines) {
    ASSIGN_OR_RETURN(const std::string text,
                     WithHistoryLines(notes[entry.first], entry.second));
    RETURN_IF_ERROR(WriteNote(repository, kNotesRef, entry.first, text));
    count += entry.second.size();
  }
  result.lines = {
      absl::StrFormat("%s of %s in %s", CountText(count, "measurement"),
                      CountText(lines.size(), "commit"), kNotesRef)};
  result.fields.Count("measurements", static_cast<std::int64_t>(count));
  result.fields.Count("commits", static_cast<std::int64_t>(lines.size()));
  PrintResult(result, invocation.verb, invocation.common.json,
              invocation.terminal);
  return kExitKeep;
}

// What makes measurements comparable.
using SeriesKey = std::tuple<std::string, std::string, std::string>;

struct Series {
  std::vector<std::size_t> commits;  // indices of the history, ascending
  std::vector<double> losses;        // medians of the measurements of each
};

class HistoryReader {
 public:
  explicit HistoryReader(std::optional<NamePattern> filter)
      : filter_(std::move(filter)) {}

  // The note of a commit, commits in the order of history.
  absl::Status Add(std::size_t commit, const std::string& note) {
    std::map<SeriesKey, std::vector<double>> losses;
    for (absl::string_view text :
         absl::StrSplit(note, '\n', absl::SkipWhitespace())) {
      ASSIGN_OR_RETURN(const HistoryLine line,
                       ParseHistoryLine({text.data(), text.size()}));
      if (filter_.has_value() && !filter_->Matches(line.benchmark)) continue;
      losses[{line.benchmark, line.metric, line.anchor}].push_back(
          line.log_loss);
    }
    for (const auto& entry : losses) {
      Series& series = all_[entry.first];
      series.commits.push_back(commit);
      series.losses.push_back(Median(entry.second));
    }
    return absl::OkStatus();
  }

  const std::map<SeriesKey, Series>& all() const { return all_; }

 private:
  std::optional<NamePattern> filter_;
  std::map<SeriesKey, Series> all_;
};

struct ShowFlags {
  std::string revision = "HEAD";
  std::optional<std::string> filter;
  std::int64_t mean_run = 1000;
};

std::string Short(const std::string& commit) { return commit.substr(0, 12); }

// One change, in words.
void AddChange(const Series& series, const ChangePoint& change,
               const std::vector<CommitInfo>& commits, VerbResult& result) {
  const std::string& before = commits[series.commits[change.first - 1]].commit;
  const std::string& last = commits[series.commits[change.last]].commit;
  const std::string& found = commits[series.commits[change.found]].commit;
  const double ratio = std::exp(change.after - change.before);
  result.lines.push_back(absl::StrFormat(
      "  changed by %s in %s..%s, found at %s", ChangeText(ratio),
      Short(before), Short(last), Short(found)));
}

absl::StatusOr<ExitCode> Show(const ShowFlags& flags,
                              const Invocation& invocation) {
  std::optional<NamePattern> filter;
  if (flags.filter.has_value()) {
    absl::StatusOr<NamePattern> pattern = NamePattern::Create(*flags.filter);
    if (!pattern.ok()) {
      return UsageError(
          absl::StrCat("--filter: ", std::string(pattern.status().message())));
    }
    filter = *std::move(pattern);
  }
  ASSIGN_OR_RETURN(const Repository repository,
                   OpenRepository(invocation.world));
  ASSIGN_OR_RETURN(const auto revision,
                   repository.ResolveCommit(flags.revision));
  if (!revision.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat(Quoted(flags.revision), " names no commit"));
  }
  ASSIGN_OR_RETURN(const auto notes, ReadNotes(repository, kNotesRef));
  ASSIGN_OR_RETURN(const std::vector<CommitInfo> newest_first,
                   repository.History({"--first-parent", *revision}));
  const std::vector<CommitInfo> commits(newest_first.rbegin(),
                                        newest_first.rend());
  HistoryReader reader(std::move(filter));
  for (std::size_t i = 0; i < commits.size(); ++i) {
    const auto note = notes.find(commits[i].commit);
    if (note == notes.end()) continue;
    RETURN_IF_ERROR(
        Annotate(reader.Add(i, note->second),
                 absl::StrCat("the note of ", Short(commits[i].commit))));
  }
  VerbResult result;
  const std::size_t count = reader.all().size();
  std::size_t changes = 0;
  for (const auto& [key, series] : reader.all()) {
    result.lines.push_back(absl::StrFormat(
        "%s (%s): %s against %s in %s", PrintableName(std::get<0>(key)),
        PrintableName(std::get<1>(key)),
        ChangeText(std::exp(series.losses.back())), Short(std::get<2>(key)),
        CountText(series.commits.size(), "commit")));
    // An alarm in any of them is one: each may raise its share.
    const double mean_run =
        static_cast<double>(flags.mean_run) * static_cast<double>(count);
    for (const ChangePoint& change :
         FindChangePoints(series.losses, mean_run)) {
      ++changes;
      AddChange(series, change, commits, result);
    }
  }
  result.lines.push_back(absl::StrFormat(
      "%s in %s; false ones at least %d commits apart on average",
      CountText(changes, "change"), CountText(count, "benchmark"),
      flags.mean_run));
  result.fields.Count("series", static_cast<std::int64_t>(count));
  result.fields.Count("changes", static_cast<std::int64_t>(changes));
  result.fields.Texts("findings", result.lines);
  PrintResult(result, invocation.verb, invocation.common.json,
              invocation.terminal);
  return kExitKeep;
}

}  // namespace

Action DeclareHistoryAdd(CommandLine& line) {
  auto paths = std::make_shared<std::vector<std::string>>();
  line.AddWords("EVIDENCE...", *paths,
                "files of gate --base-ref ANCHOR --evidence DIR");
  return [paths](const Invocation& invocation) -> absl::StatusOr<ExitCode> {
    if (paths->empty()) return UsageError("expected files of evidence");
    return Add(*paths, invocation);
  };
}

Action DeclareHistoryShow(CommandLine& line) {
  auto flags = std::make_shared<ShowFlags>();
  line.AddText("--head", "REV", flags->revision,
               "the end of the first-parent history to show (HEAD)");
  line.AddText("--filter", "REGEX", flags->filter, "benchmarks to show");
  line.AddNumber("--mean-run", "N", flags->mean_run, 2, 1'000'000,
                 "commits between false alarms of all series, on average "
                 "at least (1000)");
  return [flags](const Invocation& invocation) {
    return Show(*flags, invocation);
  };
}

}  // namespace autotune
