#include "tools/autotune/verbs/doctor.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
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

// What was looked at: "ok", "note" or "fix" with a text and a way out.
class Report {
 public:
  explicit Report(const Session& session) : session_(session) {}

  void Ok(const std::string& text) { Add("ok  ", text, {}); }
  void Note(const std::string& text, const Hint& hint) {
    Add("note", text, hint);
  }
  void Fix(const std::string& text, const Hint& hint) {
    Add("fix ", text, hint);
    must_fix_ = true;
  }
  // One check that is a status: fine, or to be mended.
  void Check(const std::string& what, const absl::Status& status) {
    if (status.ok()) return Ok(what);
    Fix(std::string(status.message()), HintOf(status));
  }

  VerbResult Result() && {
    VerbResult result;
    result.exit_code = must_fix_ ? kExitPrecondition : kExitKeep;
    result.lines = std::move(lines_);
    result.fields.Flag("healthy", !must_fix_);
    result.fields.BeginArray("findings");
    for (const Finding& finding : findings_) {
      result.fields.BeginObject();
      result.fields.Text("kind", finding.kind);
      result.fields.Text("text", finding.text);
      result.fields.Text("hint", finding.hint);
      result.fields.EndObject();
    }
    result.fields.EndArray();
    return result;
  }

 private:
  struct Finding {
    std::string kind;
    std::string text;
    std::string hint;
  };

  void Add(const std::string& kind, const std::string& text,
           const Hint& way_out) {
    const std::string hint = HintText(LedHint(session_, way_out));
    lines_.push_back(absl::StrCat(kind, "  ", PrintableText(text)));
    if (!hint.empty()) lines_.push_back("        " + PrintableText(hint));
    findings_.push_back({kind.substr(0, kind.find(' ')), text, hint});
  }

  const Session& session_;
  std::vector<std::string> lines_;
  std::vector<Finding> findings_;
  bool must_fix_ = false;
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
  return std::move(report).Result();
}

}  // namespace autotune
