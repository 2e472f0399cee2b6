#include "tools/autotune/verbs/log.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/log_file.h"

namespace autotune {
namespace {

// The section of `date` in `log`, from its heading to the next one.
std::string SectionOf(const std::string& log, const std::string& date) {
  const std::string heading = "## " + date + "\n";
  const std::size_t begin = log.find(heading);
  if (begin == std::string::npos) return "";
  const std::size_t end = log.find("\n## ", begin + heading.size());
  return log.substr(begin, end == std::string::npos ? end : end + 1 - begin);
}

// The entry as it stands in a log.md, without its date.
std::string EntryText(const std::string& date, const std::string& text) {
  const std::string section = AppendLogEntry("", date, text);
  return section.substr(std::min(section.find("- "), section.size()));
}

LedgerCommit LogCommit(const TaskState& state, const std::string& date,
                       const std::string& text) {
  LedgerCommit commit;
  if (SectionOf(state.log_text, date).find("\n" + EntryText(date, text)) !=
      std::string::npos) {
    return commit;
  }
  commit.message = "log: add a finding\n";
  commit.edits = {LogEdit(state, date, text)};
  return commit;
}

}  // namespace

absl::StatusOr<VerbResult> Log(const TaskContext& context,
                               const std::string& text) {
  if (absl::StripAsciiWhitespace(text).empty()) {
    return absl::OutOfRangeError("log: expected a text, got nothing");
  }
  const Session& session = context.session;
  const Repository& repository = context.repository;
  const Task& task = context.task;
  const std::string date = LocalDate(session);
  RETURN_IF_ERROR(
      CommitToTask(session, repository, task,
                   [&](const TaskState& state) -> absl::StatusOr<LedgerCommit> {
                     return LogCommit(state, date, text);
                   })
          .status());
  VerbResult result;
  result.lines = {absl::StrCat(session.dry_run ? "would add to " : "added to ",
                               task.File("log.md"), " under ", date)};
  result.fields.Text("task", task.id);
  result.fields.Text("date", date);
  return result;
}

}  // namespace autotune
