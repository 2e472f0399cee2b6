#include "tools/autotune/measuring/test_count.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tools/report/error_report.h"
#include "tools/report/next_step.h"

namespace autotune {
namespace {

absl::string_view View(std::string_view text) {
  return {text.data(), text.size()};
}

using Words = std::vector<absl::string_view>;

std::optional<std::int64_t> Number(absl::string_view word) {
  std::int64_t number = 0;
  if (!absl::SimpleAtoi(word, &number) || number < 0) return std::nullopt;
  return number;
}

// The number right before the word at `at`.
std::optional<std::int64_t> Before(const Words& words, std::size_t at) {
  return at == 0 ? std::nullopt : Number(words[at - 1]);
}

std::optional<std::int64_t> PassedInLine(absl::string_view line) {
  const Words words =
      absl::StrSplit(line, absl::ByAnyChar(" \t,;|()"), absl::SkipEmpty());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "PASSED" && i + 2 < words.size()) {
      if (const auto number = Number(words[i + 2])) return number;
    }
    if (words[i] == "passed") {
      if (const auto number = Before(words, i)) return number;
    }
    const bool ctest = words[i] == "of" && i >= 4 && words[i - 1] == "out" &&
                       i + 1 < words.size();
    if (!ctest) continue;
    const auto all = Number(words[i + 1]);
    const auto failed = Number(words[i - 4]);
    if (all.has_value() && failed.has_value()) return *all - *failed;
  }
  return std::nullopt;
}

std::string Missing(std::int64_t tip, std::int64_t attempt) {
  const std::int64_t missing = tip - attempt;
  return absl::StrCat(missing, missing == 1 ? " test" : " tests",
                      " fewer ran and passed than in the tip (", attempt,
                      " instead of ", tip, ")");
}

std::string NumberText(const std::optional<std::int64_t>& number) {
  return number.has_value() ? absl::StrCat(*number) : "-";
}

}  // namespace

std::int64_t PassedInXml(std::string_view xml) {
  const absl::string_view text = View(xml);
  constexpr absl::string_view kCase = "<testcase ";
  std::int64_t passed = 0;
  for (std::size_t at = text.find(kCase); at != text.npos;) {
    const std::size_t next = text.find(kCase, at + kCase.size());
    const absl::string_view whole =
        text.substr(at, next == text.npos ? text.npos : next - at);
    const absl::string_view tag = whole.substr(0, whole.find('>'));
    if (absl::StrContains(tag, " status=\"run\"") &&
        !absl::StrContains(tag, " result=\"skipped\"") &&
        !absl::StrContains(whole, "<failure") &&
        !absl::StrContains(whole, "<skipped")) {
      ++passed;
    }
    at = next;
  }
  return passed;
}

std::optional<std::int64_t> PassedInWords(std::string_view output) {
  const std::vector<absl::string_view> lines =
      absl::StrSplit(View(output), '\n', absl::SkipWhitespace());
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (const auto passed = PassedInLine(*line)) return passed;
  }
  return std::nullopt;
}

std::string FewerTests(const TestCount& tip, const TestCount& attempt,
                       bool shared) {
  if (tip.runner.has_value() && attempt.runner.value_or(0) < *tip.runner) {
    return Missing(*tip.runner, attempt.runner.value_or(0));
  }
  if (!tip.google.has_value()) return "";
  const std::int64_t now = attempt.google.value_or(0);
  return (shared ? 2 * now : now) < *tip.google ? Missing(*tip.google, now)
                                                : "";
}

std::string WhyUntested(const TaskSettings& settings, const TestCount& ran) {
  if (settings.test.empty()) return "there is no test";
  const bool none = ran.runner == 0 && ran.google.value_or(0) == 0;
  return none ? "no test ran" : "";
}

absl::Status CheckTested(const TaskSettings& settings, const TestCount& ran) {
  const std::string untested = WhyUntested(settings, ran);
  if (untested.empty() || !settings.no_tests.empty()) return absl::OkStatus();
  const Command reason =
      Autotune({"task", "set", "commands.no_tests", "REASON"});
  return WithHint(
      absl::FailedPreconditionError(absl::StrCat(
          untested,
          ", so a faster wrong answer could be kept: nothing is decided")),
      settings.test.empty()
          ? Hint{"give one with ",
                 Autotune({"task", "set", "commands.test", "COMMAND"}),
                 ", or say why there is none with ", reason}
          : Hint{"let the test command run some, or take it away with ",
                 Autotune({"task", "set", "commands.test", "[]"}),
                 " and say why there is none with ", reason});
}

std::string TestCountText(const TestCount& count) {
  return absl::StrCat(NumberText(count.runner), " ", NumberText(count.google),
                      "\n");
}

TestCount ParseTestCount(std::string_view text) {
  const Words words = absl::StrSplit(View(text), absl::ByAnyChar(" \n"));
  if (words.size() < 2) return {};
  return {Number(words[0]), Number(words[1])};
}

}  // namespace autotune
