#include "tools/autotune/task/prompt.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/number_text.h"
#include "tools/autotune/task/attempt.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

constexpr char kHypothesisHeading[] = "## Hypothesis";

// A prompt is read whole by people and by models: what is old or long gives
// way.
constexpr std::size_t kNameLimit = 160;
constexpr std::size_t kReasonLimit = 240;
constexpr std::size_t kFindingLimit = 600;
constexpr std::size_t kPastBytes = 8000;
constexpr std::size_t kFindingBytes = 8000;
constexpr std::size_t kFilesShown = 8;
constexpr std::size_t kBenchmarksShown = 5;
constexpr std::size_t kPartsShown = 8;

// Every line quoted, so that no text can start a heading of the prompt.
std::string BlockQuote(std::string_view text) {
  std::string quoted;
  for (absl::string_view line :
       absl::StrSplit(absl::string_view(text.data(), text.size()), '\n')) {
    absl::StrAppend(&quoted, line.empty() ? ">" : "> ", line, "\n");
  }
  return quoted;
}

std::string PatternList(const std::vector<std::string>& patterns) {
  if (patterns.empty()) return "nothing";
  return "`" + absl::StrJoin(patterns, "`, `") + "`";
}

std::string MetricText(const Policy& policy) {
  if (policy.metric == "auto") {
    return "CPU time (wall-clock time where the benchmark itself asks for it)";
  }
  const bool higher = policy.direction == Direction::kHigherIsBetter;
  return absl::StrCat("`", policy.metric, "`",
                      higher ? ", higher is better" : "");
}

std::string GuardText(const Policy& policy) {
  std::string text;
  for (const Guard& guard : policy.guards) {
    const std::string& name =
        guard.metric.empty() ? guard.benchmark_pattern : guard.metric;
    absl::StrAppend(&text, "- `", name, "` must not get worse by more than ",
                    FixedText(guard.margin * 100.0, 2), " %.\n");
  }
  return text;
}

std::string TargetText(const TaskState& state) {
  const TaskSettings& settings = state.settings;
  return absl::StrCat("- Target: the benchmarks that match `", settings.target,
                      "`, by ", MetricText(settings.policy),
                      ".\n- The change is kept when the target is "
                      "proven better; an improvement below ",
                      FixedText(settings.policy.min_effect * 100.0, 2),
                      " % is not worth having.\n", GuardText(settings.policy));
}

// "**attempt-name**": a list of them stays readable.
std::string Bold(std::string_view text) {
  return absl::StrCat("**", std::string(text), "**");
}

// Text of others inside a list: on one line, so that it can start nothing.
std::string Listed(std::string_view text, std::size_t limit) {
  return OneLine(text, limit);
}

// Whether `text` tells of a benchmark that no prompt may show.
bool TellsOfHoldout(const TaskSettings& settings, std::string_view text) {
  return std::any_of(settings.holdouts.begin(), settings.holdouts.end(),
                     [&](const std::string& pattern) {
                       return text.find(pattern) != std::string_view::npos;
                     });
}

std::string ShareLine(const PromptInput& input) {
  if (input.target_part.empty()) return "";
  std::string text = absl::StrCat("\nIt changes `",
                                  Listed(input.target_part, kNameLimit), "`");
  if (input.share.has_value()) {
    absl::StrAppend(&text, ", ", FixedText(*input.share * 100.0, 1),
                    " % of the target's time");
  }
  if (input.expected_gain.has_value()) {
    absl::StrAppend(&text, "; what is expected of it saves ",
                    FixedText(*input.expected_gain * 100.0, 1),
                    " % of the whole");
  }
  return text + ".\n";
}

std::string FilesText(const PromptInput& input) {
  const TaskSettings& settings = input.state.settings;
  std::string text = absl::StrCat(
      "- You may edit ", PatternList(settings.scope_edit),
      " and add notes below `", input.state.task.File(input.approach),
      "/`; notes are kept even when the code is not.\n- Sealed, whatever the "
      "line above says: ",
      PatternList(settings.scope_sealed),
      ". A change to anything else ends the attempt without being run.\n");
  for (const PastAttempt& past : input.past) {
    if (past.files.empty()) continue;
    std::vector<std::string> files;
    for (std::size_t i = 0; i < past.files.size() && i < kFilesShown; ++i) {
      files.push_back(Listed(past.files[i], kNameLimit));
    }
    absl::StrAppend(&text, "- Keep what ", Bold(past.approach), " did in `",
                    absl::StrJoin(files, "`, `"), "`",
                    past.files.size() > kFilesShown ? " and further files" : "",
                    ": it was measured and kept.\n");
  }
  return text;
}

// A fence that no line of `text` can close.
std::string Fenced(const std::string& text, std::string_view language) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  return absl::StrCat(fence, std::string(language), "\n", text,
                      absl::EndsWith(text, "\n") ? "" : "\n", fence, "\n");
}

std::string ChangesText(const PromptInput& input) {
  std::string text;
  for (const PastAttempt& past : input.past) {
    if (past.change.empty()) continue;
    absl::StrAppend(&text, "\n### Kept: ", past.approach, "\n\n",
                    Fenced(past.change, "diff"));
  }
  for (const auto& [path, contents] : input.included) {
    absl::StrAppend(&text, "\n### `", Listed(path, kNameLimit), "` today\n\n",
                    Fenced(contents, ""));
  }
  return text.empty() ? "" : absl::StrCat("\n## Code\n", text);
}

std::string ProfileText(const PromptInput& input) {
  if (!input.profile.has_value() || input.profile->kind == ProfileKind::kNone) {
    return "";
  }
  std::string text = absl::StrCat(
      "\n## Profile\n\nBy ", std::string(NameOf(input.profile->kind)),
      ", at commit ", input.profile->commit.substr(0, 12), ":\n\n");
  for (const std::string& line :
       ProfileLines(*input.profile, kBenchmarksShown, kPartsShown)) {
    absl::StrAppend(&text, "- ", line, "\n");
  }
  return text;
}

std::string RatioText(const PastAttempt& past) {
  return past.ratio.has_value()
             ? absl::StrCat(" (", SignedPercentText(*past.ratio - 1.0), ")")
             : "";
}

// One line an attempt: whole for the newest, name and ratio for the others.
std::string PastText(const PromptInput& input) {
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (auto past = input.past.rbegin(); past != input.past.rend(); ++past) {
    std::string line = absl::StrCat("- ", Bold(past->approach), ": ",
                                    past->decision, RatioText(*past));
    if (bytes < kPastBytes &&
        !TellsOfHoldout(input.state.settings, past->reason)) {
      absl::StrAppend(&line, ": ", Listed(past->reason, kReasonLimit));
    }
    bytes += line.size();
    if (bytes > 2 * kPastBytes) {
      lines.push_back(
          absl::StrCat("- and ", input.past.rend() - past, " older ones"));
      break;
    }
    lines.push_back(std::move(line));
  }
  if (lines.empty()) return "";
  std::reverse(lines.begin(), lines.end());
  return absl::StrCat(
      "\n## Tried before\n\nWhat is not kept here did not pay: do not do it "
      "again.\n\n",
      absl::StrJoin(lines, "\n"), "\n");
}

std::string FindingsText(const PromptInput& input) {
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (auto finding = input.findings.rbegin();
       finding != input.findings.rend() && bytes < kFindingBytes; ++finding) {
    if (TellsOfHoldout(input.state.settings, *finding)) continue;
    lines.push_back("- " + Listed(*finding, kFindingLimit));
    bytes += lines.back().size();
  }
  if (lines.empty()) return "";
  std::reverse(lines.begin(), lines.end());
  return absl::StrCat("\n## Findings\n\n", absl::StrJoin(lines, "\n"), "\n");
}

// What has cost other attempts their gain.
constexpr char kPitfalls[] =
    "- An allocation in the inner loop (a temporary string, a vector that "
    "grows, a map node) costs more than most arithmetic saves.\n"
    "- A virtual call, a `std::function` or a switch in the inner loop can be "
    "decided once, outside.\n"
    "- An address or a bound that changes in the loop keeps the compiler from "
    "vectorising; a copy in a local variable helps.\n"
    "- What the compiler already vectorises or inlines gains nothing by hand: "
    "look at the profile, not at the source.\n"
    "- A part that is faster alone matters by its share: below 2 % of the "
    "whole it cannot be told from noise.\n";

std::string CommandsText(const PromptInput& input) {
  const TaskSettings& settings = input.state.settings;
  const std::string build = absl::StrCat("/tmp/build-", input.approach);
  const auto line = [&](std::string_view label,
                        const std::vector<std::string>& argv) {
    if (argv.empty()) return std::string();
    std::vector<std::string> words;
    for (const std::string& word : argv) {
      words.push_back(absl::StrReplaceAll(
          word, {{"{build}", build}, {"{filter}", settings.target}}));
    }
    return absl::StrCat("- ", std::string(label), ": `", CommandText(words),
                        "`\n");
  };
  return absl::StrCat(
      line("configure", settings.configure), line("build", settings.build),
      line("test", settings.test), line("benchmark", settings.benchmark));
}

std::string RulesText(const PromptInput& input) {
  const TaskSettings& settings = input.state.settings;
  const std::string why =
      settings.no_tests.empty()
          ? ""
          : absl::StrCat(" (", Listed(settings.no_tests, kReasonLimit), ")");
  return absl::StrCat(
      settings.test.empty()
          ? absl::StrCat("- No tests exist", why,
                         ": nothing but your care keeps the behaviour the "
                         "same. It must not change.\n")
          : "- Behaviour must not change: the tests decide.\n",
      "- Do not run benchmarks and do not judge whether it is faster: that is "
      "measured for you, against the code of that moment.\n"
      "- Make one change, the one above, whole.\n"
      "- Commit everything on this branch before you finish; do not merge, "
      "rebase or push. What is not committed may be lost.\n");
}

}  // namespace

std::string PromptText(const PromptInput& input) {
  std::string text = absl::StrCat(
      "# ", input.approach, "\n\n", kHypothesisHeading, "\n\n",
      BlockQuote(input.hypothesis), ShareLine(input), "\n## Goal\n\n",
      TargetText(input.state), "\n## Files\n\n", FilesText(input),
      "\n## Rules\n\n", RulesText(input), "\n## Commands\n\n",
      CommandsText(input), ProfileText(input), PastText(input),
      FindingsText(input), "\n## Pitfalls\n\n", kPitfalls, ChangesText(input));
  if (!input.details.empty()) {
    absl::StrAppend(&text, "\n## Details\n\n", input.details, "\n");
  }
  return text;
}

std::string HypothesisOf(std::string_view prompt) {
  std::string hypothesis;
  bool inside = false;
  for (absl::string_view line :
       absl::StrSplit(absl::string_view(prompt.data(), prompt.size()), '\n')) {
    if (line == kHypothesisHeading) {
      inside = true;
      continue;
    }
    if (!inside || line.empty()) continue;
    if (line[0] != '>') break;
    absl::StrAppend(&hypothesis, line.substr(1), " ");
  }
  return OneLine(hypothesis, 200);
}

}  // namespace autotune
