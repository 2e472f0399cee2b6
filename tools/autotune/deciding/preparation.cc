#include "tools/autotune/deciding/preparation.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/walls/file_watch.h"
#include "tools/autotune/walls/library_symbols.h"
#include "tools/autotune/walls/scope_check.h"
#include "tools/autotune/walls/sealed_merge.h"
#include "tools/autotune/walls/sealed_text.h"
#include "tools/autotune/walls/source_list.h"
#include "tools/build/build_command.h"
#include "tools/git/integration.h"
#include "tools/git/names.h"
#include "tools/git/tree_merge.h"
#include "tools/measure/identity.h"

// What is measured is never the attempt as it lies in its worktree. Both sides
// come from trees in the object store: T's code, and the merge of T and I with
// T's copy of every sealed file laid over, exported into fresh folders and
// built there the same way. So a decision is about what the keep would leave on
// the branch, two attempts that were good apart are measured together, and what
// an attempt did to tests, benchmarks or build files takes no part.
//
// The walls stand in this order, each before what it guards against can run:
// compile commands are compared after configuring, sealed files after building,
// and only then does the attempt's code run its tests. The tip is looked at
// once more at the end, for the attempt's build ran beside it.

namespace autotune {
namespace {

// The code of the merge, with the tip's copy of what is sealed laid over.
absl::Status MergeSides(const Repository& repository, const TaskState& state,
                        const Attempt& attempt, Sides& sides) {
  ASSIGN_OR_RETURN(sides.tip_code, CodeTree(repository, state.tip));
  ASSIGN_OR_RETURN(SealedMerge sealed,
                   MergeUnderSeal(repository, state, attempt));
  if (!sealed.merge.clean()) {
    return ConflictError(attempt, sealed.merge.conflicts);
  }
  ASSIGN_OR_RETURN(sides.merged_code, CodeTree(repository, sealed.merge.tree));
  for (const std::string& line : sealed.taken_back) {
    sides.taken_back.push_back("the tip's copy stays: " + line);
  }
  return absl::OkStatus();
}

// Ends the attempt's build after configuring when its compile commands are not
// the tip's.
struct CompileCheck {
  const Build& tip;
  std::vector<std::string>& differences;

  absl::Status operator()(const Build& build) const {
    ASSIGN_OR_RETURN(
        differences,
        CompareCompileCommands(
            {tip.compile_commands, tip.seen_source, tip.seen_build},
            {build.compile_commands, build.seen_source, build.seen_build}));
    return differences.empty() ? absl::OkStatus()
                               : absl::AbortedError("compile commands differ");
  }
};

BuildSymbols SymbolsOf(const Session& session, const Build& build) {
  return ReadBuildSymbols(session.seams.files, build.program,
                          build.build_directory);
}

BuiltTree TreeOf(const Build& build, const std::string& tree) {
  return {tree,
          {build.compile_commands, build.seen_source, build.seen_build},
          build.source_directory,
          build.sandbox};
}

void Append(const std::vector<std::string>& lines,
            std::vector<std::string>& all) {
  all.insert(all.end(), lines.begin(), lines.end());
}

// What every look at a finished build of the attempt needs.
struct BuiltLook {
  const Session& session;
  const Repository& repository;
  const Scope scope;
  const Sides& sides;  // the tip's is built
  const BuildSymbols& tip_symbols;

  absl::StatusOr<SealedFindings> SealedText(const Build& build) const {
    return CheckSealedText(session, repository, scope,
                           TreeOf(sides.tip, sides.tip_code),
                           TreeOf(build, sides.merged_code));
  }
};

// Ends the attempt's build, before anything of it is tested, when building
// wrote over sealed files that the tip's build leaves alone, when sealed files
// were compiled to something else, or when what was built takes the place of a
// library.
struct BuiltCheck {
  const BuiltLook& look;
  const Build& tip;
  const TaskSettings& settings;
  std::optional<SealedFindings>& sealed;
  std::vector<std::string>& violations;

  absl::Status operator()(const Build& build,
                          const FileDigests& exported) const {
    AddOverwritten(build, exported);
    ASSIGN_OR_RETURN(sealed, look.SealedText(build));
    Append(sealed->violations, violations);
    Append(TakenSymbols(look.tip_symbols, SymbolsOf(look.session, build)),
           violations);
    return violations.empty() ? absl::OkStatus()
                              : absl::AbortedError("the build is no keep");
  }

  void AddOverwritten(const Build& build, const FileDigests& exported) const {
    for (const std::string& path : ChangedPaths(exported, build.files)) {
      const auto tips = tip.files.find(path);
      const bool alike =
          tips != tip.files.end() && tips->second == exported.at(path);
      const auto seal = SealOf(settings, path);
      if (!alike || !seal.has_value()) continue;
      violations.push_back(
          absl::StrCat(path, ": sealed by \"", *seal,
                       "\", and the attempt's build changes it"));
    }
  }
};

// What runs on one side. The folder it runs in is left out: what differs
// between the trees was looked at already.
SideCommand ProgramOf(const Build& build) {
  SideCommand command;
  command.program = build.program;
  command.arguments.assign(build.benchmark.begin() + 1, build.benchmark.end());
  command.sandbox = build.sandbox;
  return command;
}

absl::StatusOr<std::string> WhyNothingChanged(const Repository& repository,
                                              const Session& session,
                                              const Sides& sides) {
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(sides.tip_code, sides.merged_code));
  const bool compiled = std::all_of(
      changes.begin(), changes.end(),
      [](const TreeChange& change) { return OnlyCompilersRead(change.path); });
  if (!compiled) return std::string();
  ASSIGN_OR_RETURN(
      const Identity identity,
      CompareIdentity(ProgramOf(sides.tip), ProgramOf(sides.attempt),
                      session.seams.files));
  return std::string(
      identity.identical ? "no change: the programs are identical" : "");
}

// A test that did not run has not passed.
absl::Status CheckTestsRan(const TaskSettings& settings, const Sides& sides) {
  const std::string fewer =
      FewerTests(sides.tip.tests, sides.attempt.tests, IsCtest(settings.test));
  if (fewer.empty()) return absl::OkStatus();
  return absl::AbortedError(absl::StrCat("test of the attempt: ", fewer));
}

absl::Status BuildSides(const Session& session, const Repository& repository,
                        const TaskState& state, const Attempt& attempt,
                        Sides& sides) {
  ASSIGN_OR_RETURN(const std::string directory,
                   TaskStateDirectory(session, repository, state.task));
  Say(session, "building the tip");
  BuildRequest tip;
  tip.role = BuildRole::kTip;
  tip.tree = sides.tip_code;
  tip.run_tests = true;  // how many there are
  tip.tests_may_fail = true;
  ASSIGN_OR_RETURN(sides.tip, BuildTree(session, repository, state.settings,
                                        directory, tip));
  FaultPoint("tip-built");
  Say(session, "building and testing the attempt merged with the tip");
  BuildRequest merged;
  merged.role = BuildRole::kNew;
  merged.attempt_number = attempt.number;
  merged.tree = sides.merged_code;
  merged.run_tests = true;
  merged.after_configure = CompileCheck{sides.tip, sides.build_violations};
  BuildSymbols tip_symbols = SymbolsOf(session, sides.tip);
  tip_symbols.libraries = ReadLibrarySymbols(
      session, sides.tip.program, sides.tip.build_directory, sides.tip.sandbox);
  const BuiltLook look{session, repository, AttemptScope(state, attempt), sides,
                       tip_symbols};
  std::optional<SealedFindings> sealed;
  merged.after_build = BuiltCheck{look, sides.tip, state.settings, sealed,
                                  sides.build_violations};
  absl::StatusOr<Build> built =
      BuildTree(session, repository, state.settings, directory, merged);
  if (!sides.build_violations.empty()) return absl::OkStatus();
  if (!built.ok()) return built.status();
  sides.attempt = *std::move(built);
  RETURN_IF_ERROR(CheckTestsRan(state.settings, sides));
  if (!sealed.has_value()) {  // built by an earlier call
    ASSIGN_OR_RETURN(sealed, look.SealedText(sides.attempt));
  }
  sides.needs_review = sealed->review;
  Append(NewBenchmarkReferences(tip_symbols, SymbolsOf(session, sides.attempt)),
         sides.needs_review);
  RETURN_IF_ERROR(CheckBuildUnchanged(session, sides.tip));
  FaultPoint("attempt-built");
  return absl::OkStatus();
}

// Refs none of whose commits may be among an attempt's own.
absl::StatusOr<std::vector<std::string>> ForeignRefs(
    const Repository& repository, const TaskState& state,
    const Attempt& attempt) {
  const std::string own_record = AttemptRef(state.task.id, attempt.number);
  std::vector<std::string> foreign;
  for (const char* prefix :
       {"refs/heads/autotune-iter/", "refs/autotune/", "refs/remotes/"}) {
    ASSIGN_OR_RETURN(const auto refs, repository.ListRefs(prefix));
    for (const auto& [ref, commit] : refs) {
      if (ref != own_record && !absl::EndsWith(ref, "/" + attempt.branch)) {
        foreign.push_back(ref);
      }
    }
  }
  const std::string start = "refs/heads/" + state.settings.start_branch;
  ASSIGN_OR_RETURN(const auto start_commit, repository.ResolveCommit(start));
  if (!state.settings.start_branch.empty() && start_commit.has_value()) {
    foreign.push_back(start);
  }
  return foreign;
}

}  // namespace

absl::StatusOr<Sides> PrepareSides(const Session& session,
                                   const Repository& repository,
                                   const TaskState& state,
                                   const Attempt& attempt) {
  Sides sides;
  RETURN_IF_ERROR(MergeSides(repository, state, attempt, sides));
  for (const std::string& line : sides.taken_back) {
    Say(session, "warning: " + line);
  }
  if (sides.merged_code == sides.tip_code) {
    sides.no_change = "no change: the sources are equal";
    return sides;
  }
  RETURN_IF_ERROR(BuildSides(session, repository, state, attempt, sides));
  if (!sides.build_violations.empty()) return sides;
  ASSIGN_OR_RETURN(sides.no_change,
                   WhyNothingChanged(repository, session, sides));
  return sides;
}

absl::StatusOr<std::string> BaseOf(const Repository& repository,
                                   const TaskState& state,
                                   const Attempt& attempt) {
  ASSIGN_OR_RETURN(const std::vector<std::string> foreign,
                   ForeignRefs(repository, state, attempt));
  return AttemptBase(repository, state.tip, attempt.head, foreign);
}

absl::StatusOr<bool> HasNoCommit(const Repository& repository,
                                 const TaskState& state,
                                 const Attempt& attempt) {
  return repository.IsAncestor(attempt.head, state.tip);
}

}  // namespace autotune
