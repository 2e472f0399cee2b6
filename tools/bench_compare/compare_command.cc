#include <algorithm>
#include <cstddef>
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
#include "base/display_text.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "comparator/policy/idle_setting.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/outcome_output.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/report/report.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr char kStandardInput[] = "-";
constexpr char kStandardInputFile[] = "/dev/stdin";

struct CompareFlags {
  std::vector<std::string> files;  // BASELINE CONTENDER
  std::vector<std::string> baseline;
  std::vector<std::string> contender;
  std::optional<std::string> filter;
  std::optional<std::string> filter_baseline;
  std::optional<std::string> filter_contender;
  std::vector<std::string> renames;
  bool common = false;
  bool partial = false;
  bool assume_independent = false;
  bool ignore_context = false;
  std::optional<std::string> adjust;
  ReportFlags report;
  PolicyFlags policy;
};

void AddFlags(CommandLine& line, CompareFlags& flags) {
  line.AddWords("BASELINE.json CONTENDER.json", flags.files,
                "the two files to compare; - is standard input")
      .required = false;
  line.StartGroup("What to compare");
  line.AddLists("--baseline", "FILE...", flags.baseline,
                "the baseline's files, one a visit");
  line.AddLists("--contender", "FILE...", flags.contender,
                "the contender's files, one a visit");
  line.AddText("--filter", "REGEX", flags.filter,
               "benchmarks to decide on, as --benchmark_filter");
  line.AddText("--filter-baseline", "REGEX", flags.filter_baseline,
               "the same for the baseline's files only");
  line.AddText("--filter-contender", "REGEX", flags.filter_contender,
               "the same for the contender's files only");
  line.AddTexts("--rename", "REGEX=TEXT", flags.renames,
                "match names that changed; \\1 is the first group");
  line.AddFlag("--common", flags.common,
               "judge what both sides have, list the rest");
  line.AddFlag("--partial", flags.partial,
               "read the complete benchmarks of truncated files");
  AddPolicyFlags(line, PolicyVerb::kRecorded, flags.policy);
  line.AddChoice("--adjust", {"holm", "bh"}, flags.adjust,
                 "adjust for the number of benchmarks (holm)");
  line.AddFlag("--assume-independent", flags.assume_independent,
               "let repetitions of single runs prove something");
  line.AddFlag("--ignore-context", flags.ignore_context,
               "decide although the files are from different machines");
  AddReportFlags(line, flags.report);
}

// Standard input can be read once only.
absl::Status CheckPiped(const CompareFlags& flags) {
  std::ptrdiff_t piped = 0;
  for (const auto* side : {&flags.baseline, &flags.contender}) {
    piped += std::count(side->begin(), side->end(), kStandardInput);
  }
  if (piped <= 1) return absl::OkStatus();
  return UsageError("-: standard input is given twice",
                    "write one of the two to a file");
}

// Sorts positionals and --baseline/--contender into the two sides.
absl::Status SetSides(CompareFlags& flags) {
  constexpr std::string_view kHint =
      "several files a side: --baseline FILE ... --contender FILE ...";
  if (flags.files.empty() && !flags.baseline.empty() &&
      !flags.contender.empty()) {
    return CheckPiped(flags);
  }
  const bool named = !flags.baseline.empty() || !flags.contender.empty();
  if (named || flags.files.size() != 2) {
    return UsageError(
        named ? "expected files on both sides, each with its flag"
              : absl::StrCat("expected two files, BASELINE and CONTENDER, got ",
                             flags.files.size()),
        kHint);
  }
  flags.baseline = {flags.files[0]};
  flags.contender = {flags.files[1]};
  return CheckPiped(flags);
}

absl::Status SetPattern(SettingKind kind,
                        const std::optional<std::string>& text,
                        std::optional<NamePattern>& pattern,
                        SettingPlaces& places) {
  if (!text.has_value()) return absl::OkStatus();
  const std::string flag = absl::StrCat("--", std::string(NameOf(kind)));
  places.AddFlag(kind, absl::StrCat(flag, " ", Quoted(*text)));
  absl::StatusOr<NamePattern> compiled = NamePattern::Create(*text);
  if (!compiled.ok()) {
    return UsageError(absl::StrCat(flag, ": ", compiled.status().message()));
  }
  pattern = *std::move(compiled);
  return absl::OkStatus();
}

absl::StatusOr<CompareOptions> MakeOptions(const CompareFlags& flags,
                                           Clock& clock,
                                           SettingPlaces& places) {
  CompareOptions options;
  MatchOptions& match = options.match;
  RETURN_IF_ERROR(
      SetPattern(SettingKind::kFilter, flags.filter, match.filter, places));
  RETURN_IF_ERROR(SetPattern(SettingKind::kBaselineFilter,
                             flags.filter_baseline, match.filter_baseline,
                             places));
  RETURN_IF_ERROR(SetPattern(SettingKind::kContenderFilter,
                             flags.filter_contender, match.filter_contender,
                             places));
  for (const std::string& text : flags.renames) {
    absl::StatusOr<RenameRule> rule = ParseRenameRule(text);
    if (!rule.ok()) {
      return UsageError(absl::StrCat("--rename: ", rule.status().message()));
    }
    match.renames.push_back(*std::move(rule));
    places.AddFlag(SettingKind::kRename,
                   absl::StrCat("--rename ", Quoted(text)));
  }
  options.adjustment = flags.adjust == "bh"
                           ? ErrorAdjustment::kBenjaminiHochberg
                           : ErrorAdjustment::kHolm;
  options.common_only = flags.common;
  options.assume_independent = flags.assume_independent;
  options.ignore_context = flags.ignore_context;
  options.today = Today(clock);
  return options;
}

absl::StatusOr<std::vector<ResultFile>> ReadFiles(
    const std::vector<std::string>& paths, bool partial, FileSystem& files) {
  std::vector<ResultFile> results;
  ParseOptions options;
  options.partial = partial;
  for (const std::string& path : paths) {
    const bool piped = path == kStandardInput;
    absl::StatusOr<std::string> text =
        files.ReadFile(piped ? kStandardInputFile : path);
    if (!text.ok()) {
      // A named input that cannot be read is bad input, whatever the system
      // calls it.
      return absl::InvalidArgumentError(text.status().message());
    }
    ASSIGN_OR_RETURN(
        ResultFile file,
        ParseResultFile(*text, piped ? "standard input" : path, options));
    results.push_back(std::move(file));
  }
  return results;
}

// Refuses what takes no part, but for what the contender has lost: that is a
// part of the outcome.
absl::Status CheckIdle(const ComparisonTable& table,
                       const SettingPlaces& places) {
  for (const IdleSetting& idle : table.idle) {
    if (!idle.vanished) return places.Placed(idle);
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Compare(CompareFlags& flags, PolicyKind kind,
                                 const Invocation& invocation) {
  const ProgramWorld& world = invocation.world;
  Terminal& terminal = invocation.terminal;
  RETURN_IF_ERROR(SetSides(flags));
  ASSIGN_OR_RETURN(const ReportPlan reports,
                   MakeReportPlan(flags.report, invocation.common));
  SettingPlaces places;
  ASSIGN_OR_RETURN(const PolicyFile file, ReadPolicyFile(flags.policy, world));
  ASSIGN_OR_RETURN(
      const Policy policy,
      ResolvePolicy(file, flags.policy, PolicyVerb::kRecorded, kind, places));
  ASSIGN_OR_RETURN(const CompareOptions options,
                   MakeOptions(flags, world.clock, places));
  ASSIGN_OR_RETURN(const std::vector<ResultFile> baseline,
                   ReadFiles(flags.baseline, flags.partial, world.files));
  ASSIGN_OR_RETURN(const std::vector<ResultFile> contender,
                   ReadFiles(flags.contender, flags.partial, world.files));
  ComparisonTable table = CompareFiles(baseline, contender, policy, options);
  RETURN_IF_ERROR(CheckIdle(table, places));
  Report report = ReportOf(std::move(table));
  AddProvenance("baseline", baseline, report);
  AddProvenance("contender", contender, report);
  RETURN_IF_ERROR(WriteReports(report, reports, world.files, terminal));
  return ExitOf(report.outcome, policy.on_inconclusive, terminal);
}

}  // namespace

Action DeclareCompare(PolicyKind kind, CommandLine& line) {
  auto flags = std::make_shared<CompareFlags>();
  AddFlags(line, *flags);
  return [flags, kind](const Invocation& invocation) {
    return Compare(*flags, kind, invocation);
  };
}

}  // namespace autotune
