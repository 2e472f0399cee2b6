#ifndef AUTOTUNE_TOOLS_LEDGER_LOG_FILE_H_
#define AUTOTUNE_TOOLS_LEDGER_LOG_FILE_H_

#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// The heading under which a task's profiles stand.
inline constexpr std::string_view kArchitectureNotes = "Architecture Notes";

// The text of a new log.md.
std::string NewLogFile(std::string_view task_name);

// `existing` with "- text" under "## date" (YYYY-MM-DD; the section is made,
// last, when missing), continuation lines indented so that no text can start a
// heading or another entry. Other bytes unchanged.
std::string AppendLogEntry(std::string_view existing, std::string_view date,
                           std::string_view text);

// The entries under dates, oldest first, each without its dash and on one line
// a continuation. Entries under other headings are left out.
std::vector<std::string> LogEntries(std::string_view log);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_LOG_FILE_H_
