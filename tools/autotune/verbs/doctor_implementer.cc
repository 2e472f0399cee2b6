// One short run of an implementer, looked at from outside as the loop does:
// what it changed counts, and what its recipe warns of is looked for.

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/policy/policy.h"
#include "tools/autotune/deciding/implementer.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/verbs/doctor.h"

namespace autotune {
namespace {

using Kind = Finding::Kind;

constexpr char kFile[] = "src/answer.h";
constexpr char kBefore[] = "inline int Answer() { return 41; }\n";
constexpr char kBranch[] = "trial";
constexpr char kPrompt[] =
    "# Trial\n\nIn the file src/answer.h of this folder change the number 41 "
    "to 42. Change nothing else, run nothing, ask nothing. Commit the change "
    "when you can.\n";
constexpr absl::Duration kPoll = absl::Milliseconds(50);
constexpr char kUsualTimeout[] = "5m";
constexpr std::size_t kWordsShown = 200;

// The scratch repository, gone with this object.
class Scratch {
 public:
  static absl::StatusOr<Scratch> Make(const Session& session,
                                      const std::string& state) {
    FileSystem& files = session.seams.files;
    ASSIGN_OR_RETURN(const std::string folder,
                     files.MakeTemporaryDirectory(state, "doctor-"));
    Scratch scratch(session, folder);
    RETURN_IF_ERROR(files.MakeDirectories(scratch.main() + "/src"));
    RETURN_IF_ERROR(files.WriteFile(JoinPath(scratch.main(), kFile), kBefore));
    RETURN_IF_ERROR(
        scratch.Git({"init", "--quiet", "--template=", "-b", "main"}));
    RETURN_IF_ERROR(scratch.Git({"add", "--all"}));
    RETURN_IF_ERROR(scratch.Git({"commit", "--quiet", "-m", "start"}));
    RETURN_IF_ERROR(scratch.Git(
        {"worktree", "add", "--quiet", "-b", kBranch, scratch.worktree()}));
    return scratch;
  }
  Scratch(Scratch&& other) noexcept
      : session_(other.session_), folder_(std::exchange(other.folder_, "")) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    if (!folder_.empty()) session_.seams.files.RemoveAll(folder_).IgnoreError();
  }

  std::string main() const { return folder_ + "/main"; }
  std::string worktree() const { return folder_ + "/worktree"; }
  std::string File(const std::string& name) const {
    return JoinPath(folder_, name);
  }

 private:
  Scratch(const Session& session, std::string folder)
      : session_(session), folder_(std::move(folder)) {}

  absl::Status Git(const std::vector<std::string>& arguments) {
    ProcessSpec spec;
    spec.argv = {"git",
                 "-c",
                 "user.name=autotune",
                 "-c",
                 "user.email=autotune@localhost",
                 "-c",
                 "core.hooksPath=/dev/null",
                 "-c",
                 "commit.gpgSign=false"};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.working_directory = main();
    spec.unset_environment_prefixes = {"GIT_"};
    ASSIGN_OR_RETURN(const ProcessResult result,
                     session_.seams.processes.Run(spec));
    if (result.succeeded()) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(
        "git ", arguments.front(), ": ", OneLine(result.standard_error, 200)));
  }

  const Session& session_;
  std::string folder_;
};

// What a run left behind.
struct Trial {
  ImplementerEnd end;
  bool arrived = false;            // the change stands in the worktree or HEAD
  bool committed = false;          // on the branch it was given
  bool switched = false;           // HEAD is no longer that branch
  bool config_changed = false;     // of the repository
  std::vector<std::string> other;  // further files it touched or left
  std::string words;               // the last it said
};

absl::StatusOr<ImplementerEnd> RunIt(const Session& session,
                                     const ImplementerRecipe& recipe,
                                     const Scratch& scratch,
                                     absl::Duration timeout) {
  const std::string prompt_file = scratch.File("prompt.md");
  RETURN_IF_ERROR(session.seams.files.WriteFile(prompt_file, kPrompt));
  ASSIGN_OR_RETURN(
      RunningImplementer running,
      RunningImplementer::Start(session, recipe, scratch.worktree(),
                                prompt_file, kPrompt));
  const absl::Duration until = session.seams.clock.Monotonic() + timeout;
  bool timed_out = false;
  while (true) {
    ASSIGN_OR_RETURN(const bool ended, running.PollEnded(kPoll));
    if (ended) break;
    timed_out = session.seams.clock.Monotonic() >= until;
    if (!timed_out && !session.interrupted()) continue;
    running.Stop();
    if (!timed_out) return absl::CancelledError("interrupted");
    break;
  }
  ASSIGN_OR_RETURN(ImplementerEnd end,
                   running.Finish(session, scratch.File("said")));
  end.timed_out = timed_out;
  return end;
}

// Paths of `git status --porcelain -z` or `git diff --name-only -z`.
void AddPaths(const std::string& text, std::size_t skip,
              std::set<std::string>& paths) {
  for (absl::string_view entry : absl::StrSplit(text, '\0')) {
    if (entry.size() > skip) paths.emplace(entry.substr(skip));
  }
}

absl::Status LookAt(const Session& session, const Scratch& scratch,
                    const std::string& base, Trial& trial) {
  FileSystem& files = session.seams.files;
  ASSIGN_OR_RETURN(
      const Repository repository,
      Repository::Open(session.seams.processes, files, scratch.worktree()));
  const auto is_changed = [](const absl::StatusOr<std::string>& text) {
    return text.ok() && absl::StrContains(*text, "42") &&
           !absl::StrContains(*text, "41");
  };
  trial.committed = is_changed(repository.ReadBlob(kBranch, kFile));
  trial.arrived =
      trial.committed ||
      is_changed(files.ReadFile(JoinPath(scratch.worktree(), kFile)));
  ASSIGN_OR_RETURN(const auto branch, repository.CurrentBranch());
  trial.switched = branch.value_or("") != kBranch;
  std::set<std::string> paths;
  ASSIGN_OR_RETURN(
      const std::string status,
      repository.Git({"status", "--porcelain", "-z", "--no-renames",
                      "--untracked-files=all", "--ignored"}));
  AddPaths(status, 3, paths);
  ASSIGN_OR_RETURN(const std::string diff,
                   repository.Git({"diff", "--name-only", "-z", "--no-renames",
                                   "--no-ext-diff", base, "HEAD", "--"}));
  AddPaths(diff, 0, paths);
  paths.erase(kFile);
  trial.other.assign(paths.begin(), paths.end());
  for (const char* stream : {"said.out", "said.err"}) {
    const auto text = files.ReadFile(scratch.File(stream));
    if (text.ok() && !text->empty()) {
      trial.words = OneLine(
          text->substr(text->size() - std::min(text->size(), kWordsShown)),
          kWordsShown);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Trial> Try(const Session& session, const std::string& state,
                          const ImplementerRecipe& recipe,
                          absl::Duration timeout) {
  FileSystem& files = session.seams.files;
  ASSIGN_OR_RETURN(const Scratch scratch, Scratch::Make(session, state));
  const std::string config_file = scratch.main() + "/.git/config";
  ASSIGN_OR_RETURN(const std::string config, files.ReadFile(config_file));
  Trial trial;
  ASSIGN_OR_RETURN(trial.end, RunIt(session, recipe, scratch, timeout));
  trial.config_changed = files.ReadFile(config_file).value_or("") != config;
  if (trial.config_changed) {
    // What it set must not decide how we look at what it did.
    RETURN_IF_ERROR(files.WriteFile(config_file, config));
  }
  RETURN_IF_ERROR(LookAt(session, scratch, "main", trial));
  return trial;
}

Finding HowItEnded(const Trial& trial, const std::string& timeout) {
  if (trial.end.timed_out) {
    return {Kind::kFix,
            absl::StrCat("it did not end within ", timeout, " and was ended"),
            {"it may wait for input or a permission: see its traps"}};
  }
  const std::string text =
      absl::StrCat("it ended with ", trial.end.exit_code, " after ",
                   FixedText(trial.end.seconds, 1), " s");
  if (trial.end.exit_code == 0) return {Kind::kOk, text, {}};
  return {Kind::kNote, text, {"its exit code proves nothing: its change does"}};
}

Finding WhatArrived(const Trial& trial) {
  if (trial.arrived && trial.committed) {
    return {Kind::kOk, "its change arrived, committed", {}};
  }
  if (trial.arrived) {
    return {Kind::kNote,
            "its change arrived, but is not committed on its branch",
            {"what is left in the worktree is taken from there; in a sandbox "
             "a linked worktree's git folder can be read-only"}};
  }
  return {Kind::kFix,
          absl::StrCat("no change arrived",
                       trial.end.exit_code == 0 && !trial.end.timed_out
                           ? ", though it ended with 0"
                           : ""),
          {trial.words.empty()
               ? "it said nothing: it may have been denied to write"
               : absl::StrCat("a denied tool is no failure to it; it said: ",
                              trial.words)}};
}

Finding WhatItCost(const ImplementerRecipe& recipe, const Trial& trial) {
  std::vector<std::string> parts;
  if (trial.end.usd.has_value()) {
    parts.push_back(absl::StrCat(ShortestText(*trial.end.usd), " USD"));
  }
  if (trial.end.tokens.has_value()) {
    parts.push_back(absl::StrCat(*trial.end.tokens, " tokens"));
  }
  if (!parts.empty()) {
    return {Kind::kOk, "its cost was read: " + absl::StrJoin(parts, ", "), {}};
  }
  const bool tells = !recipe.usd.empty() || !recipe.tokens.empty();
  return {Kind::kNote,
          tells ? "its cost was not where its recipe says"
                : "its recipe tells no cost",
          {"--max-usd and --max-tokens of the loop have nothing to hold; use "
           "--for or --attempts"}};
}

void AddSideEffects(const Trial& trial, std::vector<Finding>& findings) {
  if (trial.switched) {
    findings.push_back(
        {Kind::kNote,
         "it left the branch it was given",
         {"only what is on that branch or in the folder counts"}});
  }
  if (trial.config_changed) {
    findings.push_back({Kind::kFix,
                        "it changed the repository's git config",
                        {"attempts share that file with your checkout: forbid "
                         "it in its settings"}});
  }
  if (!trial.other.empty()) {
    findings.push_back(
        {Kind::kNote,
         absl::StrCat("it touched or left other files: ",
                      OneLine(absl::StrJoin(trial.other, ", "), kWordsShown)),
         {"new files outside the scope are left out of an attempt; changes of "
          "others that it commits are violations"}});
  }
}

}  // namespace

absl::StatusOr<std::vector<Finding>> TryImplementer(
    const Session& session, const Repository& repository,
    const DoctorOptions& options) {
  const std::string timeout = options.timeout.value_or(kUsualTimeout);
  const auto seconds = ParseDurationSeconds(timeout);
  if (!seconds.has_value()) {
    return absl::OutOfRangeError(
        absl::StrCat("doctor: --timeout: expected a time such as 30s or 5m, "
                     "got \"",
                     timeout, "\"", SecondsHint(timeout)));
  }
  ASSIGN_OR_RETURN(const ImplementerRecipe recipe,
                   FindRecipe(session, options.implementer));
  std::vector<Finding> findings;
  if (session.dry_run) return findings;
  ASSIGN_OR_RETURN(const std::string state,
                   StateDirectory(session, repository));
  const auto trial = Try(session, state, recipe, absl::Seconds(*seconds));
  if (absl::IsNotFound(trial.status())) {
    findings.push_back({Kind::kFix, std::string(trial.status().message()), {}});
    return findings;
  }
  RETURN_IF_ERROR(trial.status());
  findings = {WhatArrived(*trial), HowItEnded(*trial, timeout),
              WhatItCost(recipe, *trial)};
  AddSideEffects(*trial, findings);
  for (Finding& finding : findings) {
    finding.text =
        absl::StrCat("implementer ", recipe.name, ": ", finding.text);
  }
  for (const std::string& trap : recipe.traps) {
    findings.push_back(
        {Kind::kNote, absl::StrCat("known of ", recipe.name, ": ", trap), {}});
  }
  return findings;
}

}  // namespace autotune
