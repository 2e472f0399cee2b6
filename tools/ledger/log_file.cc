#include "tools/ledger/log_file.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/utf8_text.h"

namespace autotune {
namespace {

constexpr std::string_view kSpaces = " \t\r";

// The line of `text` that starts at `from`, without its newline.
std::string_view LineAt(std::string_view text, std::size_t from) {
  return text.substr(from, text.find('\n', from) - from);
}

// Where the line after the one at `from` starts.
std::size_t NextLine(std::string_view text, std::size_t from) {
  const std::size_t newline = text.find('\n', from);
  return newline == std::string_view::npos ? text.size() : newline + 1;
}

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(kSpaces) == std::string_view::npos;
}

bool IsHeading(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  if (level == std::string_view::npos) return !line.empty() && line.size() <= 6;
  return level >= 1 && level <= 6 &&
         kSpaces.find(line[level]) != std::string_view::npos;
}

// Whether `line` is "## `heading`".
bool IsSection(std::string_view line, std::string_view heading) {
  if (line.substr(0, 3) != "## ") return false;
  line.remove_prefix(3);
  const std::size_t last = line.find_last_not_of(kSpaces);
  return line.substr(0, last + 1) == heading;
}

// Whether `line` is "## YYYY-MM-DD".
bool IsDate(std::string_view line) {
  constexpr std::string_view kShape = "## dddd-dd-dd";
  if (line.size() < kShape.size() || !IsBlank(line.substr(kShape.size()))) {
    return false;
  }
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = line[i] >= '0' && line[i] <= '9';
    if (kShape[i] == 'd' ? !digit : line[i] != kShape[i]) return false;
  }
  return true;
}

// Offset behind the heading line of the last such section, or npos.
std::size_t FindSection(std::string_view text, std::string_view heading) {
  std::size_t found = std::string_view::npos;
  for (std::size_t at = 0; at < text.size(); at = NextLine(text, at)) {
    if (IsSection(LineAt(text, at), heading)) found = NextLine(text, at);
  }
  return found;
}

// Offset behind the last line with text before the next heading of any level.
std::size_t SectionEnd(std::string_view text, std::size_t start) {
  std::size_t end = start;
  for (std::size_t at = start; at < text.size(); at = NextLine(text, at)) {
    const std::string_view line = LineAt(text, at);
    if (IsHeading(line)) break;
    if (!IsBlank(line)) end = NextLine(text, at);
  }
  return end;
}

// Raw text may not steer a terminal or a Markdown reader.
std::string CleanLine(std::string_view line) {
  std::string clean;
  for (const char character : ValidUtf8(line)) {
    const auto byte = static_cast<unsigned char>(character);
    const bool control = byte < 0x20 || byte == 0x7F;
    clean.push_back(control ? ' ' : character);
  }
  const std::size_t last = clean.find_last_not_of(' ');
  clean.resize(last == std::string::npos ? 0 : last + 1);
  return clean;
}

// A heading inside a list item ("# x", or a line of = or - below text).
bool WouldBeHeading(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos) return false;
  const char mark = line[first];
  if (mark == '#') return true;
  return (mark == '=' || mark == '-') &&
         line.find_first_not_of(mark, first) == std::string_view::npos;
}

std::string EscapedLine(std::string_view raw) {
  std::string line = CleanLine(raw);
  if (!WouldBeHeading(line)) return line;
  line.insert(line.find_first_not_of(' '), 1, '\\');
  return line;
}

std::string_view WithoutOuterNewlines(std::string_view text) {
  const std::size_t first = text.find_first_not_of("\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of("\r\n") - first + 1);
}

std::string Entry(std::string_view raw) {
  const std::string_view text = WithoutOuterNewlines(raw);
  std::string entry = absl::StrCat("- ", EscapedLine(LineAt(text, 0)), "\n");
  for (std::size_t at = NextLine(text, 0); at < text.size();
       at = NextLine(text, at)) {
    const std::string line = EscapedLine(LineAt(text, at));
    absl::StrAppend(&entry, line.empty() ? "" : "  ", line, "\n");
  }
  return entry;
}

// `entry` set apart from a heading above and below it.
std::string Spaced(std::string_view text, std::size_t start, std::size_t end,
                   const std::string& entry) {
  const bool first = start == end;
  const bool heading_follows = end < text.size() && !IsBlank(LineAt(text, end));
  return absl::StrCat(first ? "\n" : "", entry, heading_follows ? "\n" : "");
}

}  // namespace

std::string NewLogFile(std::string_view task_name) {
  return absl::StrCat("# Log for ", CleanLine(task_name), "\n");
}

std::string AppendLogEntry(std::string_view existing, std::string_view date,
                           std::string_view text) {
  std::string log(existing);
  if (!log.empty() && log.back() != '\n') log.push_back('\n');
  const std::string heading = CleanLine(date);
  const std::string entry = Entry(text);
  const std::size_t start = FindSection(log, heading);
  if (start == std::string_view::npos) {
    const bool apart = log.empty() || log.ends_with("\n\n");
    absl::StrAppend(&log, apart ? "" : "\n", "## ", heading, "\n\n", entry);
    return log;
  }
  const std::size_t end = SectionEnd(log, start);
  log.insert(end, Spaced(log, start, end, entry));
  return log;
}

std::vector<std::string> LogEntries(std::string_view log) {
  std::vector<std::string> entries;
  bool dated = false;
  for (std::size_t at = 0; at < log.size(); at = NextLine(log, at)) {
    const std::string_view line = LineAt(log, at);
    if (IsHeading(line)) {
      dated = IsDate(line);
    } else if (dated && line.starts_with("- ")) {
      entries.emplace_back(line.substr(2));
    } else if (dated && line.starts_with("  ") && !entries.empty()) {
      absl::StrAppend(&entries.back(), "\n", std::string(line.substr(2)));
    }
  }
  return entries;
}

}  // namespace autotune
