#include "tools/autotune/verbs/doctor.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/task/task_context.h"
#include "tools/autotune/walls/enclosure.h"
#include "tools/git/operation.h"
#include "tools/git/worktree.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr char kDriverKey[] = "merge.autotune-metric.driver";
constexpr char kDriver[] = "autotune merge-metric %O %A %B";

class Report {
 public:
  explicit Report(const Session& session) : session_(session) {}

  void Ok(const std::string& text) { Add({Kind::kOk, text, {}}); }
  void Note(const std::string& text, const Hint& hint) {
    Add({Kind::kNote, text, hint});
  }
  void Fix(const std::string& text, const Hint& hint) {
    Add({Kind::kFix, text, hint});
  }
  // One check that is a status: fine, or to be mended.
  void Check(const std::string& what, const absl::Status& status) {
    if (status.ok()) return Ok(what);
    Fix(std::string(status.message()), HintOf(status));
  }

  void Add(const Finding& finding) { findings_.push_back(finding); }

  VerbResult Result() && {
    VerbResult result;
    bool must_fix = false;
    for (const Finding& finding : findings_) {
      must_fix = must_fix || finding.kind == Kind::kFix;
    }
    result.exit_code = must_fix ? kExitPrecondition : kExitKeep;
    result.fields.Flag("healthy", !must_fix);
    result.fields.BeginArray("findings");
    for (const Finding& finding : findings_) Show(finding, result);
    result.fields.EndArray();
    return result;
  }

 private:
  using Kind = Finding::Kind;

  void Show(const Finding& finding, VerbResult& result) const {
    const std::string kind(NameOf(finding.kind));
    const std::string hint = HintText(LedHint(session_, finding.hint));
    result.lines.push_back(
        absl::StrFormat("%-4s  %s", kind, PrintableText(finding.text)));
    if (!hint.empty()) {
      result.lines.push_back("        " + PrintableText(hint));
    }
    result.fields.BeginObject();
    result.fields.Text("kind", kind);
    result.fields.Text("text", finding.text);
    result.fields.Text("hint", hint);
    result.fields.EndObject();
  }

  const Session& session_;
  std::vector<Finding> findings_;
};

absl::Status CheckNames(const Repository& repository) {
  for (const char* name : {"autotune", "autotune-iter"}) {
    ASSIGN_OR_RETURN(const auto commit,
                     repository.ResolveCommit(BranchRef(name)));
    if (commit.has_value()) {
      return WithHint(
          absl::FailedPreconditionError(absl::StrCat(
              "branch \"", name, "\" is in the way of the task branches")),
          absl::StrCat("git branch -m ", name, " another-name"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckWorktrees(const Repository& repository, Report& report) {
  ASSIGN_OR_RETURN(const std::vector<Worktree> worktrees,
                   ListWorktrees(repository));
  for (const Worktree& worktree : worktrees) {
    if (worktree.missing && !worktree.locked) {
      report.Note(
          absl::StrCat(worktree.path, ": this worktree's folder is gone"),
          {Autotune({"resume"}),
           " makes an attempt's worktree anew; git worktree prune forgets it"});
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDriver(const Repository& repository, bool install,
                         Report& report) {
  if (install) {
    RETURN_IF_ERROR(
        repository.Git({"config", "--local", kDriverKey, kDriver}).status());
  }
  ASSIGN_OR_RETURN(const auto driver, repository.Config(kDriverKey));
  if (driver.has_value()) {
    report.Ok("the merge driver for metric.toml is set up");
  } else {
    report.Note("the merge driver for metric.toml is not set up in this clone",
                {Autotune({"doctor", "--install"})});
  }
  return absl::OkStatus();
}

void CheckWalls(const Session& session, Report& report) {
  const absl::Status able = CheckSandbox(session.seams.processes);
  if (able.ok()) return report.Ok("what attempts run can be shut in");
  report.Note(std::string(able.message()), {std::string(kHowToShutIn)});
}

absl::Status CheckTasks(const Repository& repository, Report& report) {
  ASSIGN_OR_RETURN(const std::vector<Task> tasks, ListTasks(repository));
  for (const Task& task : tasks) {
    const auto state = LoadTask(repository, task);
    report.Check(absl::StrCat("task ", task.id, " reads well"), state.status());
    if (!state.ok()) continue;
    report.Check(absl::StrCat("branch ", task.branch(), " may be moved"),
                 CheckReadyToWrite(repository, task.branch()));
    const auto history =
        ReadHistory(repository, state->settings.base, state->tip);
    if (!history.ok()) continue;
    for (const HistoryEntry& entry : *history) {
      if (entry.ledger.empty()) {
        report.Note(
            absl::StrCat(entry.approach, " was merged but nothing is recorded"),
            {Command{"autotune", {"resume"}, {"--task", task.id}}});
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckLock(const Session& session, Report& report) {
  Session impatient = session;
  impatient.quiet = true;
  impatient.interrupted = [] { return true; };
  const auto lock = LockMeasuring(impatient);
  if (lock.ok()) {
    report.Ok("nobody else is measuring");
  } else if (absl::IsCancelled(lock.status())) {
    report.Note("another run is measuring on this machine",
                {"decisions wait until it ends"});
  } else {
    return lock.status();
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<VerbResult> Doctor(const Session& session,
                                  const DoctorOptions& options) {
  if (options.timeout.has_value() && options.implementer.empty()) {
    return absl::OutOfRangeError(
        "doctor: --timeout is that of --implementer, which is missing");
  }
  ASSIGN_OR_RETURN(const Repository repository,
                   Repository::Open(session.seams.processes,
                                    session.seams.files, session.directory));
  Report report(session);
  report.Ok(absl::StrCat("repository ", repository.common_dir()));
  report.Check("git knows who commits", repository.CheckIdentity());
  report.Check("no merge or rebase is in progress here",
               CheckNoOperation(repository));
  report.Check("no branch is in the way", CheckNames(repository));
  report.Check("there is a folder for builds and worktrees",
               StateDirectory(session, repository).status());
  RETURN_IF_ERROR(CheckWorktrees(repository, report));
  RETURN_IF_ERROR(
      CheckDriver(repository, options.install && !session.dry_run, report));
  CheckWalls(session, report);
  RETURN_IF_ERROR(CheckTasks(repository, report));
  RETURN_IF_ERROR(CheckLock(session, report));
  if (!options.implementer.empty()) {
    ASSIGN_OR_RETURN(const std::vector<Finding> findings,
                     TryImplementer(session, repository, options));
    for (const Finding& finding : findings) report.Add(finding);
  }
  return std::move(report).Result();
}

}  // namespace autotune
