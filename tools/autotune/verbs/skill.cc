// The installed copy holds a list of what was installed, with digests: a file
// that still has its digest may be replaced by a newer one, any other is a
// person's.

#include "tools/autotune/verbs/skill.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/display_text.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "tools/autotune/task/data_folder.h"
#include "tools/git/repository.h"

namespace autotune {
namespace {

constexpr char kName[] = "autotune";
constexpr char kSkillFile[] = "SKILL.md";
constexpr char kInstalled[] = ".installed";
constexpr std::size_t kMostLines = 500;
constexpr std::size_t kLongestDescription = 1024;

using Files = std::map<std::string, std::string>;  // text by path

// The files below `folder`, links and the list of what was installed left out.
absl::Status AddFiles(FileSystem& files, const std::string& folder,
                      const std::string& prefix, Files& found) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names,
                   files.ListDirectory(folder));
  for (const std::string& name : names) {
    const std::string path = JoinPath(folder, name);
    ASSIGN_OR_RETURN(const FileInfo info, files.Info(path));
    if (info.kind == FileInfo::Kind::kDirectory) {
      RETURN_IF_ERROR(AddFiles(files, path, prefix + name + "/", found));
    } else if (info.kind == FileInfo::Kind::kFile && name != kInstalled) {
      ASSIGN_OR_RETURN(found[prefix + name], files.ReadFile(path));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Files> ShippedFiles(const Session& session) {
  const std::string folder =
      JoinPath(DataFolder(session), absl::StrCat("skills/", kName));
  Files shipped;
  RETURN_IF_ERROR(AddFiles(session.seams.files, folder, "", shipped));
  if (!shipped.contains(kSkillFile)) {
    return absl::NotFoundError(
        absl::StrCat(folder, ": expected ", kSkillFile, ", found none"));
  }
  return shipped;
}

absl::StatusOr<std::string> RootFor(const Session& session,
                                    const SkillOptions& options) {
  if (options.user) {
    const auto home = session.environment.find("HOME");
    if (home != session.environment.end() && !home->second.empty()) {
      return home->second;
    }
    return absl::FailedPreconditionError("--user: HOME is not set");
  }
  ASSIGN_OR_RETURN(const Repository repository,
                   Repository::Open(session.seams.processes,
                                    session.seams.files, session.directory));
  return repository.top_level();
}

// The folders that hold, or shall hold, SKILL.md.
absl::StatusOr<std::vector<std::string>> PlacesFor(
    const Session& session, const SkillOptions& options) {
  if (!options.folder.empty()) {
    if (options.claude || options.agents || options.user) {
      return absl::OutOfRangeError(
          "skill: --dir names the folder: leave out --claude, --agents and "
          "--user");
    }
    return std::vector<std::string>{
        JoinPath(JoinPath(session.directory, options.folder), kName)};
  }
  ASSIGN_OR_RETURN(const std::string root, RootFor(session, options));
  std::vector<std::string> places;
  if (options.agents || !options.claude) {
    places.push_back(JoinPath(root, absl::StrCat(".agents/skills/", kName)));
  }
  if (options.claude) {
    places.push_back(JoinPath(root, absl::StrCat(".claude/skills/", kName)));
  }
  return places;
}

// "DIGEST PATH" a line.
std::map<std::string, std::string> InstalledDigests(FileSystem& files,
                                                    const std::string& place) {
  std::map<std::string, std::string> digests;
  const auto text = files.ReadFile(JoinPath(place, kInstalled));
  if (!text.ok()) return digests;
  for (absl::string_view line : absl::StrSplit(*text, '\n')) {
    const std::pair<std::string, std::string> entry =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    digests[entry.second] = entry.first;
  }
  return digests;
}

// Files that are there, and neither as shipped nor as they were installed.
absl::StatusOr<std::vector<std::string>> ChangedByHand(FileSystem& files,
                                                       const std::string& place,
                                                       const Files& shipped) {
  const auto digests = InstalledDigests(files, place);
  std::vector<std::string> changed;
  for (const auto& [path, text] : shipped) {
    const std::string whole = JoinPath(place, path);
    const auto info = files.Info(whole);
    if (absl::IsNotFound(info.status())) continue;
    RETURN_IF_ERROR(info.status());
    bool ours = info->kind == FileInfo::Kind::kFile;
    if (ours) {
      ASSIGN_OR_RETURN(const std::string found, files.ReadFile(whole));
      const auto digest = digests.find(path);
      ours = found == text ||
             (digest != digests.end() && digest->second == Sha256Hex(found));
    }
    if (!ours) changed.push_back(whole);
  }
  return changed;
}

absl::Status WritePlace(FileSystem& files, const std::string& place,
                        const Files& shipped) {
  std::string installed;
  for (const auto& [path, text] : shipped) {
    const std::string whole = JoinPath(place, path);
    RETURN_IF_ERROR(files.MakeDirectories(whole.substr(0, whole.rfind('/'))));
    RETURN_IF_ERROR(files.WriteFile(whole, text));
    absl::StrAppend(&installed, Sha256Hex(text), " ", path, "\n");
  }
  return files.WriteFile(JoinPath(place, kInstalled), installed);
}

// What is wrong with the copy at `place`, a line each.
std::vector<std::string> Findings(FileSystem& files, const std::string& place,
                                  const Files& shipped) {
  std::vector<std::string> findings;
  for (const auto& [path, text] : shipped) {
    const std::string whole = JoinPath(place, path);
    const auto found = files.ReadFile(whole);
    if (!found.ok()) {
      findings.emplace_back(found.status().message());
    } else if (*found != text) {
      findings.push_back(absl::StrCat(whole, ": is not the program's own"));
    }
    if (path != kSkillFile || !found.ok()) continue;
    const absl::Status sound = CheckSkillText(*found, kName, whole);
    if (!sound.ok()) findings.emplace_back(sound.message());
  }
  return findings;
}

bool IsPlainValue(absl::string_view value) {
  constexpr absl::string_view kMarks = "[]{}&*!|>'\"%@`#,?:-";
  return kMarks.find(value.front()) == absl::string_view::npos &&
         value.find(": ") == absl::string_view::npos &&
         value.find(" #") == absl::string_view::npos && value.back() != ':';
}

// A double-quoted value with nothing to unescape.
bool IsQuotedValue(absl::string_view value) {
  return value.size() >= 2 && value.front() == '"' && value.back() == '"' &&
         value.substr(1, value.size() - 2).find_first_of("\"\\") ==
             absl::string_view::npos;
}

absl::Status CheckField(const std::string& key, absl::string_view value,
                        const std::string& name) {
  static const auto& known = *new std::set<std::string>{
      "name", "description", "license", "compatibility", "allowed-tools"};
  if (!known.contains(key)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected one of ", absl::StrJoin(known, ", "), ", got \"", key, "\""));
  }
  if (value.empty() || !(IsPlainValue(value) || IsQuotedValue(value))) {
    return absl::InvalidArgumentError(absl::StrCat(
        key,
        ": expected a one-line value that needs no quotes, or has double "
        "ones"));
  }
  if (IsQuotedValue(value)) value = value.substr(1, value.size() - 2);
  if (key == "name" && value != name) {
    return absl::InvalidArgumentError(absl::StrCat(
        "name: expected that of the folder, ", name, ", got ", value));
  }
  if (key == "description" &&
      (value.empty() || value.size() > kLongestDescription)) {
    return absl::InvalidArgumentError(
        absl::StrCat("description: expected 1 to ", kLongestDescription,
                     " bytes, got ", value.size()));
  }
  return absl::OkStatus();
}

VerbResult ListPlaces(const std::vector<std::string>& places,
                      absl::string_view did) {
  VerbResult result;
  for (const std::string& place : places) {
    result.lines.push_back(absl::StrCat(did, " ", PrintableText(place)));
  }
  result.fields.Texts("places", places);
  return result;
}

}  // namespace

absl::Status CheckSkillText(std::string_view text, const std::string& name,
                            const std::string& source) {
  const std::vector<std::string> lines =
      absl::StrSplit(absl::string_view(text.data(), text.size()), '\n');
  std::set<std::string> keys;
  const auto wrong = [&](std::size_t line, absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat(source, ":", line + 1, ": ", what));
  };
  if (lines.front() != "---") return wrong(0, "expected ---");
  std::size_t at = 1;
  for (; at < lines.size() && lines[at] != "---"; ++at) {
    const std::size_t colon = lines[at].find(": ");
    if (colon == std::string::npos) return wrong(at, "expected KEY: VALUE");
    const std::string key = lines[at].substr(0, colon);
    const absl::Status field =
        CheckField(key, absl::string_view(lines[at]).substr(colon + 2), name);
    if (!field.ok()) return wrong(at, field.message());
    if (!keys.insert(key).second) {
      return wrong(at, absl::StrCat(key, ": stands twice"));
    }
  }
  if (at == lines.size()) return wrong(at - 1, "expected a second ---");
  for (const char* key : {"name", "description"}) {
    if (!keys.contains(key)) {
      return wrong(at, absl::StrCat(key, ": is missing"));
    }
  }
  if (lines.size() <= kMostLines) return absl::OkStatus();
  return wrong(kMostLines,
               absl::StrCat("expected fewer than ", kMostLines, " lines"));
}

absl::StatusOr<VerbResult> InstallSkill(const Session& session,
                                        const SkillOptions& options) {
  FileSystem& files = session.seams.files;
  ASSIGN_OR_RETURN(const Files shipped, ShippedFiles(session));
  ASSIGN_OR_RETURN(const std::vector<std::string> places,
                   PlacesFor(session, options));
  std::vector<std::string> changed;
  for (const std::string& place : places) {
    ASSIGN_OR_RETURN(const std::vector<std::string> here,
                     ChangedByHand(files, place, shipped));
    changed.insert(changed.end(), here.begin(), here.end());
  }
  if (!changed.empty() && !options.force) {
    return WithHint(
        absl::FailedPreconditionError(absl::StrCat(
            "skill install: changed by hand: ", absl::StrJoin(changed, ", "))),
        "--force replaces them");
  }
  if (session.dry_run) return ListPlaces(places, "would install in");
  for (const std::string& place : places) {
    RETURN_IF_ERROR(WritePlace(files, place, shipped));
  }
  return ListPlaces(places, "installed in");
}

absl::StatusOr<VerbResult> CheckSkill(const Session& session,
                                      const SkillOptions& options) {
  ASSIGN_OR_RETURN(const Files shipped, ShippedFiles(session));
  ASSIGN_OR_RETURN(const std::vector<std::string> places,
                   PlacesFor(session, options));
  std::vector<std::string> findings;
  for (const std::string& place : places) {
    const auto here = Findings(session.seams.files, place, shipped);
    findings.insert(findings.end(), here.begin(), here.end());
  }
  VerbResult result =
      ListPlaces(places, findings.empty() ? "sound in" : "looked at");
  result.fields.Texts("findings", findings);
  if (findings.empty()) return result;
  result.exit_code = kExitPrecondition;
  for (const std::string& finding : findings) {
    result.lines.push_back("  " + PrintableText(finding));
  }
  std::vector<std::string> words = {"skill", "install"};
  if (options.claude) words.emplace_back("--claude");
  if (options.agents) words.emplace_back("--agents");
  if (options.user) words.emplace_back("--user");
  if (!options.folder.empty()) {
    words.insert(words.end(), {"--dir", options.folder});
  }
  Command install = Autotune(std::move(words));
  if (!session.given_directory.empty()) {
    install.leading = {"-C", session.given_directory};
  }
  result.next = {{std::move(install), "copies the program's own"}};
  return result;
}

}  // namespace autotune
