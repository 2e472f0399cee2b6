#include "tools/autotune/walls/sealed_text.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/command_words.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/autotune/walls/scope_check.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"

// A benchmark may be sealed to the byte and still say something else: its
// compiler reads headers of the scope before and between its lines. The
// preprocessor tells what is left of each file, so the sealed part of a unit
// can be compared with the tip's whatever the attempt's own part became.

namespace autotune {
namespace {

constexpr std::size_t kMostUnits = 12;
constexpr absl::Duration kPreprocessTimeout = absl::Seconds(120);
constexpr std::size_t kShownText = 80;

absl::string_view View(std::string_view text) {
  return {text.data(), text.size()};
}

std::string NamedUnit(const std::string& path, std::string_view folder,
                      const CompileCommands& build) {
  const std::string whole =
      std::filesystem::path(JoinPath(folder, path)).lexically_normal().string();
  return absl::StrReplaceAll(whole, {{View(build.build_directory), "{build}"},
                                     {View(build.source_directory), "{tree}"}});
}

// "# 12 "path" 1 3": where the next lines come from.
struct LineMark {
  std::string path;
  bool enters = false;
};

bool ParseLineMark(absl::string_view line, LineMark& mark) {
  if (!absl::StartsWith(line, "# ") || line.size() < 3 ||
      !absl::ascii_isdigit(static_cast<unsigned char>(line[2]))) {
    return false;
  }
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (open == line.npos || close == open) return false;
  mark.path = absl::StrReplaceAll(line.substr(open + 1, close - open - 1),
                                  {{"\\\\", "\\"}, {"\\\"", "\""}});
  const std::vector<absl::string_view> flags =
      absl::StrSplit(line.substr(close + 1), ' ');
  mark.enters = std::find(flags.begin(), flags.end(), "1") != flags.end();
  return true;
}

void AppendWords(absl::string_view line, std::string& text) {
  for (const absl::string_view word :
       absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty())) {
    absl::StrAppend(&text, text.empty() ? "" : " ", word);
  }
}

bool IsTestingLibrarys(const std::string& path) {
  return !absl::StartsWith(path, "{tree}/") &&
         (absl::StrContains(path, "/benchmark/") ||
          absl::StrContains(path, "/gtest/") ||
          absl::StrContains(path, "/gmock/"));
}

// The words around the first place where two texts differ, as the second has
// them.
std::string FirstDifference(const std::string& before,
                            const std::string& after) {
  const std::size_t size = std::min(before.size(), after.size());
  std::size_t at = 0;
  while (at < size && before[at] == after[at]) ++at;
  while (at > 0 && after[at - 1] != ' ') --at;
  return OneLine(after.substr(at), kShownText);
}

class UnitComparison {
 public:
  UnitComparison(const std::function<bool(const std::string&)>& in_scope)
      : in_scope_(in_scope) {}

  void Compare(const UnitText& tip, const UnitText& attempt) {
    for (const auto& [from, to] : attempt.includes) {
      if (in_scope_(from) || !in_scope_(to) || tip.text.contains(to)) continue;
      violations.insert(absl::StrCat(to, ": it stands in for a header that ",
                                     from, " includes"));
    }
    for (const auto& [path, text] : tip.text) {
      const bool sealed = absl::StartsWith(path, "{tree}/") && !in_scope_(path);
      const auto now = attempt.text.find(path);
      if ((!sealed && !IsTestingLibrarys(path)) || now == attempt.text.end() ||
          now->second == text) {
        continue;
      }
      violations.insert(
          absl::StrCat(path, ": the attempt makes it read differently, from \"",
                       FirstDifference(text, now->second), "\" on"));
    }
  }

  std::set<std::string> violations;

 private:
  const std::function<bool(const std::string&)>& in_scope_;
};

// By file of the scope, the texts it has in the units.
std::map<std::string, std::set<std::string>> TextsInScope(
    const std::map<std::string, UnitText>& units,
    const std::function<bool(const std::string&)>& in_scope) {
  std::map<std::string, std::set<std::string>> texts;
  for (const auto& [name, unit] : units) {
    for (const auto& [path, text] : unit.text) {
      if (in_scope(path)) texts[path].insert(text);
    }
  }
  return texts;
}

// `code` without comments and line splices.
std::string WithoutComments(std::string_view code) {
  const std::string text =
      absl::StrReplaceAll(View(code), {{"\\\r\n", ""}, {"\\\n", ""}});
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const absl::string_view rest = absl::string_view(text).substr(i);
    if (absl::StartsWith(rest, "//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (absl::StartsWith(rest, "/*")) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string::npos ? text.size() : end + 2;
      out += ' ';
    } else if (text[i] == '"') {
      const std::size_t start = i++;
      while (i < text.size() && text[i] != '"' && text[i] != '\n') {
        i += text[i] == '\\' ? 2 : 1;
      }
      i = std::min(i + 1, text.size());
      out.append(text, start, i - start);
    } else {
      out += text[i++];
    }
  }
  return out;
}

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Calls `use` with each identifier and what follows it, until it says true.
template <typename Use>
bool AnyName(absl::string_view code, Use use) {
  for (std::size_t i = 0; i < code.size();) {
    if (!IsNameCharacter(code[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < code.size() && IsNameCharacter(code[end])) ++end;
    if (use(code.substr(i, end - i),
            absl::StripLeadingAsciiWhitespace(code.substr(end)))) {
      return true;
    }
    i = end;
  }
  return false;
}

// One entry of compile_commands.json.
struct UnitCommand {
  std::string path;  // below the tree
  std::string directory;
  std::vector<std::string> argv;
};

std::vector<std::string> ArgvOf(const nlohmann::json& entry) {
  if (entry.contains("arguments") && entry["arguments"].is_array()) {
    std::vector<std::string> words;
    for (const auto& word : entry["arguments"]) {
      if (word.is_string()) words.push_back(word.get<std::string>());
    }
    return words;
  }
  const auto words = CommandWords(entry.value("command", ""));
  return words.ok() ? *words : std::vector<std::string>();
}

// Every unit that the attempt may not edit.
std::vector<UnitCommand> SealedUnits(const CompileCommands& build,
                                     const Scope& scope) {
  const std::string tree = absl::StrCat(View(build.source_directory), "/");
  std::vector<UnitCommand> units;
  const auto json = nlohmann::json::parse(build.text, nullptr, false);
  if (!json.is_array()) return units;
  for (const auto& entry : json) {
    if (!entry.is_object() ||
        !entry.value("file", nlohmann::json()).is_string())
      continue;
    UnitCommand unit;
    unit.directory =
        entry.value("directory", std::string(build.build_directory));
    unit.path = std::filesystem::path(
                    JoinPath(unit.directory, entry["file"].get<std::string>()))
                    .lexically_normal()
                    .string();
    if (!absl::StartsWith(unit.path, tree)) continue;
    unit.path = unit.path.substr(tree.size());
    unit.argv = ArgvOf(entry);
    if (!unit.argv.empty() && !MayEdit(scope, unit.path)) units.push_back(unit);
  }
  return units;
}

// The same command, stopped after the preprocessor.
std::vector<std::string> PreprocessCommand(
    const std::vector<std::string>& argv) {
  constexpr const char* kAlone[] = {"-c", "-MD", "-MMD", "-MP", "-M", "-MM"};
  constexpr const char* kWithValue[] = {"-o", "-MF", "-MT", "-MQ"};
  const auto holds = [](const auto& list, const std::string& word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
  };
  std::vector<std::string> words;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    if (holds(kWithValue, argv[i])) {
      ++i;
    } else if (!holds(kAlone, argv[i])) {
      words.push_back(argv[i]);
    }
  }
  words.push_back("-E");
  return words;
}

bool IsUnit(const std::string& path) {
  return absl::EndsWith(path, ".c") || absl::EndsWith(path, ".cc") ||
         absl::EndsWith(path, ".cpp") || absl::EndsWith(path, ".cxx");
}

class SealedCheck {
 public:
  SealedCheck(const Session& session, const Repository& repository,
              const Scope& scope, const BuiltTree& tip,
              const BuiltTree& attempt)
      : session_(session),
        repository_(repository),
        scope_(scope),
        tip_(tip),
        attempt_(attempt) {}

  absl::StatusOr<SealedFindings> Run() {
    ASSIGN_OR_RETURN(changes_, repository_.DiffTrees(tip_.tree, attempt_.tree));
    std::erase_if(changes_, [this](const TreeChange& change) {
      return !MayEdit(scope_, change.path);
    });
    if (ReachesOthers()) {
      if (tip_.build.text.empty()) {
        RETURN_IF_ERROR(LookAtNames());
      } else {
        RETURN_IF_ERROR(LookAtUnits());
      }
    }
    LookAtReferences();
    return findings_;
  }

 private:
  // Sources are compiled for themselves: only other files can be included.
  bool ReachesOthers() const {
    return std::any_of(
        changes_.begin(), changes_.end(),
        [](const TreeChange& change) { return !IsUnit(change.path); });
  }

  std::string Read(const BuiltTree& side, const std::string& path) const {
    return session_.seams.files.ReadFile(JoinPath(side.source_directory, path))
        .value_or("");
  }

  absl::StatusOr<std::map<std::string, UnitText>> Preprocess(
      const BuiltTree& side) const {
    const CompileCommands& build = side.build;
    std::vector<UnitCommand> units = SealedUnits(build, scope_);
    std::stable_partition(units.begin(), units.end(), [this](const auto& unit) {
      return NamesBenchmarkLibrary(Read(tip_, unit.path));
    });
    if (units.size() > kMostUnits) units.resize(kMostUnits);
    std::map<std::string, UnitText> texts;
    for (const UnitCommand& unit : units) {
      ProcessSpec spec;
      spec.argv = PreprocessCommand(unit.argv);
      spec.working_directory = unit.directory;
      spec.timeout = kPreprocessTimeout;
      spec.sandbox = side.sandbox;
      ASSIGN_OR_RETURN(const ProcessResult result,
                       session_.seams.processes.Run(spec));
      if (!result.succeeded()) continue;
      texts[unit.path] =
          ParsePreprocessed(result.standard_output, unit.directory, build);
    }
    return texts;
  }

  absl::Status LookAtUnits() {
    ASSIGN_OR_RETURN(const auto before, Preprocess(tip_));
    ASSIGN_OR_RETURN(const auto after, Preprocess(attempt_));
    findings_ = CompareSealedUnits(before, after, [this](const std::string& p) {
      return absl::StartsWith(p, "{tree}/") && MayEdit(scope_, p.substr(7));
    });
    return absl::OkStatus();
  }

  // Without compile commands: what sealed code includes, by its words.
  absl::Status LookAtNames() {
    ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                     repository_.ListPaths(tip_.tree, ""));
    for (const std::string& path : paths) {
      if (MayEdit(scope_, path)) continue;
      const std::string text = Read(tip_, path);
      if (!absl::StrContains(text, "include")) continue;
      for (absl::string_view line : absl::StrSplit(text, '\n')) {
        LookAtInclude(path, line);
      }
    }
    return absl::OkStatus();
  }

  void LookAtInclude(const std::string& path, absl::string_view line) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == line.npos || line[hash] != '#') return;
    const std::size_t open = line.find_first_of("<\"");
    if (open == line.npos || !absl::StrContains(line, "include")) return;
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (close == line.npos) return;
    const std::string name(line.substr(open + 1, close - open - 1));
    for (const TreeChange& change : changes_) {
      const bool alike =
          change.path == name || absl::EndsWith(change.path, "/" + name);
      if (change.status != 'A' || !alike) continue;
      findings_.violations.push_back(absl::StrCat(
          change.path, ": it stands in for a header that ", path, " includes"));
    }
  }

  void LookAtReferences() {
    for (const TreeChange& change : changes_) {
      if (change.status == 'D' ||
          !NamesBenchmarkLibrary(Read(attempt_, change.path)) ||
          NamesBenchmarkLibrary(Read(tip_, change.path))) {
        continue;
      }
      findings_.review.push_back(
          absl::StrCat(change.path, ": names the benchmark library"));
    }
  }

  const Session& session_;
  const Repository& repository_;
  const Scope& scope_;
  const BuiltTree& tip_;
  const BuiltTree& attempt_;
  std::vector<TreeChange> changes_;
  SealedFindings findings_;
};

}  // namespace

UnitText ParsePreprocessed(std::string_view output,
                           std::string_view working_directory,
                           const CompileCommands& build) {
  UnitText unit;
  std::string current;
  for (const absl::string_view line : absl::StrSplit(View(output), '\n')) {
    LineMark mark;
    if (!ParseLineMark(line, mark)) {
      AppendWords(line, unit.text[current]);
      continue;
    }
    const std::string from = current;
    current = absl::StartsWith(mark.path, "<")
                  ? mark.path
                  : NamedUnit(mark.path, working_directory, build);
    unit.text[current];  // seen, though it may add nothing
    if (mark.enters) unit.includes.emplace(from, current);
  }
  for (auto& [path, text] : unit.text) {
    text =
        absl::StrReplaceAll(text, {{View(build.build_directory), "{build}"},
                                   {View(build.source_directory), "{tree}"}});
  }
  return unit;
}

SealedFindings CompareSealedUnits(
    const std::map<std::string, UnitText>& tip,
    const std::map<std::string, UnitText>& attempt,
    const std::function<bool(const std::string& path)>& in_scope) {
  UnitComparison comparison(in_scope);
  for (const auto& [name, unit] : tip) {
    const auto now = attempt.find(name);
    if (now != attempt.end()) comparison.Compare(unit, now->second);
  }
  SealedFindings findings;
  findings.violations.assign(comparison.violations.begin(),
                             comparison.violations.end());
  const auto before = TextsInScope(tip, in_scope);
  for (const auto& [path, texts] : TextsInScope(attempt, in_scope)) {
    const auto was = before.find(path);
    if (texts.size() < 2 || (was != before.end() && was->second.size() > 1)) {
      continue;
    }
    findings.review.push_back(absl::StrCat(
        path, ": it reads differently in the sealed files that include it"));
  }
  return findings;
}

bool NamesBenchmarkLibrary(std::string_view code) {
  if (!absl::StrContains(View(code), "ench") &&
      !absl::StrContains(View(code), "BENCH") &&
      !absl::StrContains(View(code), "__")) {
    return false;
  }
  const std::string text = WithoutComments(code);
  return absl::StrContains(text, "benchmark.h") ||
         AnyName(text, [](absl::string_view name, absl::string_view rest) {
           return absl::StartsWith(name, "BENCHMARK_") ||
                  absl::StrContains(name, "9benchmark") ||
                  (name == "benchmark" && absl::StartsWith(rest, "::")) ||
                  (name == "namespace" &&
                   absl::StartsWith(rest, "benchmark")) ||
                  name == "__BASE_FILE__" || name == "__INCLUDE_LEVEL__";
         });
}

absl::StatusOr<SealedFindings> CheckSealedText(const Session& session,
                                               const Repository& repository,
                                               const Scope& scope,
                                               const BuiltTree& tip,
                                               const BuiltTree& attempt) {
  return SealedCheck(session, repository, scope, tip, attempt).Run();
}

}  // namespace autotune
