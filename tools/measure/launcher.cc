#include "tools/measure/launcher.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/command_words.h"
#include "base/did_you_mean.h"
#include "base/display_text.h"
#include "base/status_macros.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

constexpr const char* kCommand = "{command}";
constexpr const char* kQuoted = "{quoted}";
constexpr std::array<const char*, 5> kPlaceholders = {
    "{host}", kCommand, kQuoted, "{out}", "{timeout}"};

struct Preset {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<Preset, 3> kPresets = {{
    // "0:SECONDS" is a time limit of Slurm, which rounds it up to minutes. A
    // node that is asked for waits in the queue as long as it must.
    {"slurm",
     "srun --exclusive -N1 -n1 -w {host} --kill-on-bad-exit=1 -t 0:{timeout} "
     "-- {command}"},
    {"ssh", "ssh -o BatchMode=yes -o ConnectTimeout=20 {host} -- {quoted}"},
    {"parallel",
     "parallel --will-cite --no-notice -j1 --timeout {timeout} -S {host} ::: "
     "{quoted}"},
}};

absl::Status Wrong(std::string_view expected, std::string_view text) {
  return absl::OutOfRangeError(
      absl::StrCat("expected ", std::string(expected), ", got ", Quoted(text)));
}

bool Holds(const std::string& word, std::string_view part) {
  return word.find(part) != std::string::npos;
}

// The first "{...}" of a word that stands for nothing; "" when there is none.
std::string UnknownPlaceholder(const std::string& word) {
  for (std::size_t at = word.find('{'); at != std::string::npos;
       at = word.find('{', at + 1)) {
    const std::size_t end = word.find('}', at);
    if (end == std::string::npos) return "";
    const std::string found = word.substr(at, end - at + 1);
    const bool known = std::find(kPlaceholders.begin(), kPlaceholders.end(),
                                 found) != kPlaceholders.end();
    if (!known) return found;
  }
  return "";
}

absl::Status CheckPlaceholders(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::string unknown = UnknownPlaceholder(word);
    if (!unknown.empty()) {
      return Wrong(
          absl::StrCat("the placeholders ", absl::StrJoin(kPlaceholders, " ")),
          unknown);
    }
    for (const char* whole : {kCommand, kQuoted}) {
      if (word != whole && Holds(word, whole)) {
        return Wrong(absl::StrCat(whole, " as a word by itself"), word);
      }
    }
  }
  return absl::OkStatus();
}

// A launcher's own name for it, without its folder.
std::string_view ProgramName(std::string_view word) {
  return word.substr(word.rfind('/') + 1);
}

absl::Status CheckTemplate(const std::vector<std::string>& words,
                           std::string_view text) {
  RETURN_IF_ERROR(CheckPlaceholders(words));
  const bool has_host = std::any_of(
      words.begin(), words.end(),
      [](const std::string& word) { return Holds(word, "{host}"); });
  if (!has_host) return Wrong("a template with {host}", text);
  const auto commands = std::count(words.begin(), words.end(), kCommand);
  const auto quoted = std::count(words.begin(), words.end(), kQuoted);
  if (commands + quoted != 1) {
    return Wrong("a template with {command} or {quoted}, once", text);
  }
  if (commands == 1 && ProgramName(words.front()) == "ssh") {
    return Wrong(
        "{quoted} in place of {command}, as ssh joins its words for a shell "
        "there",
        text);
  }
  return absl::OkStatus();
}

bool IsHostCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("._-@:").find(c) != std::string_view::npos;
}

absl::Status CheckHost(const std::string& host) {
  const bool plain = !host.empty() && host.front() != '-' &&
                     std::all_of(host.begin(), host.end(), IsHostCharacter);
  if (plain) return absl::OkStatus();
  return Wrong("hosts such as a,b,c of letters, digits and ._-@:", host);
}

}  // namespace

std::vector<std::string> LauncherPresets() {
  std::vector<std::string> names;
  for (const Preset& preset : kPresets) names.emplace_back(preset.name);
  return names;
}

absl::StatusOr<Launcher> ParseLauncher(std::string_view text) {
  for (const Preset& preset : kPresets) {
    if (preset.name == text) return ParseLauncher(preset.text);
  }
  Launcher launcher;
  ASSIGN_OR_RETURN(launcher.words, CommandWords(text));
  if (launcher.words.size() == 1) {
    return absl::OutOfRangeError(absl::StrCat(
        "expected ", AlternativesText(LauncherPresets()),
        ", or a template with {host} and {command}, got ", Quoted(text),
        DidYouMean(std::string(text), LauncherPresets())));
  }
  RETURN_IF_ERROR(CheckTemplate(launcher.words, text));
  return launcher;
}

std::vector<std::string> LaunchWords(const Launcher& launcher,
                                     const Launch& launch) {
  std::vector<std::string> words;
  for (const std::string& word : launcher.words) {
    if (word == kCommand) {
      words.insert(words.end(), launch.command.begin(), launch.command.end());
    } else if (word == kQuoted) {
      words.push_back(CommandText(launch.command));
    } else {
      words.push_back(absl::StrReplaceAll(
          word, {{"{host}", launch.host},
                 {"{out}", launch.out},
                 {"{timeout}", absl::StrCat(launch.timeout_seconds)}}));
    }
  }
  return words;
}

absl::StatusOr<std::vector<std::string>> ParseHosts(std::string_view text) {
  std::vector<std::string> hosts =
      absl::StrSplit(absl::string_view(text.data(), text.size()), ',');
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    RETURN_IF_ERROR(CheckHost(hosts[i]));
    if (std::find(hosts.begin(), hosts.begin() + i, hosts[i]) !=
        hosts.begin() + i) {
      return Wrong("each host once", hosts[i]);
    }
  }
  return hosts;
}

}  // namespace autotune
