#include "tools/autotune/walls/source_list.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"

namespace autotune {
namespace {

constexpr std::array<absl::string_view, 13> kSourceEndings = {
    ".c",   ".cc",  ".cpp", ".cxx", ".c++", ".h", ".hh",
    ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".cu"};

absl::string_view View(std::string_view text) {
  return {text.data(), text.size()};
}

bool HasSourceEnding(absl::string_view word) {
  return std::any_of(kSourceEndings.begin(), kSourceEndings.end(),
                     [word](absl::string_view ending) {
                       return word.size() > ending.size() &&
                              absl::EndsWith(word, ending);
                     });
}

// A relative path of plain characters that ends as source files do.
bool IsSourceName(absl::string_view word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           c == '/' || c == '+';
  };
  if (!HasSourceEnding(word) || !std::all_of(word.begin(), word.end(), plain)) {
    return false;
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(word, '/');
  return std::none_of(parts.begin(), parts.end(), [](absl::string_view part) {
    return part.empty() || part == "..";
  });
}

// The words of a build file: brackets, quotes and "#" stand alone, a comment's
// end is kept as a line end, so that no name can slip into or out of a comment.
std::vector<std::string> BuildFileWords(absl::string_view text) {
  const std::string spaced = absl::StrReplaceAll(
      text, {{"(", " ( "}, {")", " ) "}, {"\"", " \" "}, {"#", " # "}});
  std::vector<std::string> words;
  for (absl::string_view line : absl::StrSplit(spaced, '\n')) {
    bool comment = false;
    for (absl::string_view word :
         absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty())) {
      comment = comment || word == "#";
      words.push_back(comment ? absl::StrCat("#", word) : std::string(word));
    }
    if (comment) words.push_back("\n");
  }
  return words;
}

struct SplitWords {
  std::vector<std::string> other;  // in order
  std::multiset<std::string> sources;
};

SplitWords SplitOffSources(std::string_view text) {
  SplitWords split;
  for (std::string& word : BuildFileWords(View(text))) {
    if (IsSourceName(word)) {
      split.sources.insert(std::move(word));
    } else {
      split.other.push_back(std::move(word));
    }
  }
  return split;
}

// One translation unit, folders masked.
struct Unit {
  std::string command;  // with its own file and object names masked
  std::string whole;    // with nothing of its own masked
  std::string target;   // folder of its object file's target
};

std::string ObjectOf(const nlohmann::json& entry, absl::string_view command) {
  if (entry.contains("output") && entry["output"].is_string()) {
    return entry["output"].get<std::string>();
  }
  const std::vector<std::string> words = absl::StrSplit(command, ' ');
  const auto flag = std::find(words.begin(), words.end(), "-o");
  return flag == words.end() || flag + 1 == words.end() ? "" : *(flag + 1);
}

// "CMakeFiles/wordcount.dir" of "CMakeFiles/wordcount.dir/src/a.cc.o".
std::string TargetOf(const std::string& object) {
  const std::size_t end = object.find(".dir/");
  return end == std::string::npos ? "" : object.substr(0, end + 4);
}

std::string MaskFolders(const std::string& text, const CompileCommands& build) {
  return absl::StrReplaceAll(text, {{View(build.build_directory), "{build}"},
                                    {View(build.source_directory), "{tree}"}});
}

absl::StatusOr<std::string> CommandOf(const nlohmann::json& entry) {
  if (entry.contains("command") && entry["command"].is_string()) {
    return entry["command"].get<std::string>();
  }
  if (entry.contains("arguments") && entry["arguments"].is_array()) {
    std::vector<std::string> words;
    for (const auto& word : entry["arguments"]) {
      if (word.is_string()) words.push_back(word.get<std::string>());
    }
    return absl::StrJoin(words, " ");
  }
  return absl::InvalidArgumentError(
      "compile_commands.json: expected a command in every entry");
}

std::string WithoutObject(const std::string& command,
                          const std::string& object) {
  if (object.empty()) return command;
  return absl::StrReplaceAll(command, {{object, "{object}"}});
}

absl::StatusOr<std::map<std::string, Unit>> ParseUnits(
    const CompileCommands& build) {
  std::map<std::string, Unit> units;
  if (build.text.empty()) return units;
  const auto json = nlohmann::json::parse(build.text, nullptr, false);
  if (!json.is_array()) {
    return absl::InvalidArgumentError(
        "compile_commands.json: expected an array, got something else");
  }
  for (const auto& entry : json) {
    if (!entry.is_object() || !entry.contains("file") ||
        !entry["file"].is_string()) {
      return absl::InvalidArgumentError(
          "compile_commands.json: expected a file in every entry");
    }
    ASSIGN_OR_RETURN(const std::string command, CommandOf(entry));
    const std::string file = entry["file"].get<std::string>();
    const std::string object = ObjectOf(entry, command);
    Unit unit;
    unit.target = TargetOf(object);
    unit.whole = MaskFolders(command, build);
    unit.command = MaskFolders(
        absl::StrReplaceAll(WithoutObject(command, object), {{file, "{file}"}}),
        build);
    units[absl::StrCat(MaskFolders(file, build), " in ", unit.target)] = unit;
  }
  return units;
}

bool HasSibling(const Unit& unit, const std::map<std::string, Unit>& units) {
  return std::any_of(units.begin(), units.end(), [&unit](const auto& other) {
    return other.second.target == unit.target &&
           other.second.command == unit.command;
  });
}

// Units of `mine` that `theirs` lacks and whose flags no unit of their target
// in `theirs` has.
void AddUnlikeUnits(const std::map<std::string, Unit>& mine,
                    const std::map<std::string, Unit>& theirs,
                    absl::string_view word,
                    std::vector<std::string>& differences) {
  for (const auto& [name, unit] : mine) {
    if (theirs.contains(name) || HasSibling(unit, theirs)) continue;
    differences.push_back(
        absl::StrCat(name, ": ", word, " with flags of its own: ", unit.whole));
  }
}

}  // namespace

SourceListEdit CompareBuildFiles(std::string_view before,
                                 std::string_view after) {
  const SplitWords a = SplitOffSources(before);
  const SplitWords b = SplitOffSources(after);
  SourceListEdit edit;
  edit.only_source_names = a.other == b.other;
  std::set_symmetric_difference(a.sources.begin(), a.sources.end(),
                                b.sources.begin(), b.sources.end(),
                                std::back_inserter(edit.changed_names));
  return edit;
}

absl::StatusOr<std::vector<std::string>> CompareCompileCommands(
    const CompileCommands& before, const CompileCommands& after) {
  ASSIGN_OR_RETURN(const auto old_units, ParseUnits(before));
  ASSIGN_OR_RETURN(const auto new_units, ParseUnits(after));
  std::vector<std::string> differences;
  for (const auto& [name, unit] : old_units) {
    const auto found = new_units.find(name);
    if (found != new_units.end() && found->second.whole != unit.whole) {
      differences.push_back(
          absl::StrCat(name, ": compiled differently: ", found->second.whole));
    }
  }
  AddUnlikeUnits(new_units, old_units, "added", differences);
  AddUnlikeUnits(old_units, new_units, "removed", differences);
  return differences;
}

}  // namespace autotune
