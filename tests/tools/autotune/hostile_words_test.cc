// Hostile text in every option and name that the command line has: refused with
// nothing written, or stored as it is; never run.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/verb_table.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// Valid UTF-8 that means something to shells, TOML, Markdown, git, terminals.
const char* const kLoaded =
    "it's \"q\" ''' \"\"\" \\ $(touch pwned) `touch pwned`; touch pwned | x\n"
    "[[metric]]\n\"status\" = \"keep\"\n\n# h\nAutotune-Decision: keep\t\r"
    "\x1b[31m\x07\x7f {} %s {build} \xF0\x9F\x9A\x80 \xE2\x80\xAE rtl";

struct HostileText {
  const char* name;
  std::string text;
};

std::vector<HostileText> HostileTexts() {
  return {{"loaded", kLoaded},
          {"bad UTF-8", "a\xFF\xFE\xC3(\xED\xA0\x80 z"},
          {"long", std::string(10000, 'x')},
          {"dashes", "--output=pwned"}};
}

// One place of the command line that takes text.
struct Place {
  std::string verb;
  std::string name;
  bool positional = false;
};

void PrintTo(const Place& place, std::ostream* out) {
  *out << place.verb << " " << place.name;
}

// Every place there is, from the definition itself.
std::vector<Place> EveryPlace() {
  std::vector<Place> places = {
      {"status", "--task"}, {"status", "--color"}, {"status", "-C"}};
  for (const Verb& verb : AutotuneProgram().verbs) {
    CommandLine line;
    verb.declare(line);
    for (const Argument& argument : line.arguments()) {
      if (argument.takes == Argument::Takes::kNothing) continue;
      const bool positional = argument.names.empty();
      places.push_back(
          {verb.name,
           positional ? argument.placeholder : argument.names.front(),
           positional});
    }
  }
  return places;
}

class HostileWordsTest : public AutotuneFixture {
 protected:
  void SetUp() override {
    InitTask();
    StartAttempt("open");
  }

  // Arguments that would do the verb, but for the place.
  std::vector<std::pair<std::string, std::string>> Usual(
      const std::string& verb) {
    if (verb == "init") {
      return {{"TASK", "other"},
              {"--target", "^BM_Knob/"},
              {"--configure", ""},
              {"--build",
               absl::StrCat("ln -s '", KNOB_BENCHMARK, "' {build}/bench")},
              {"--no-tests", "a knob"},
              {"--benchmark", "bench"},
              {"--no-calibration", ""}};
    }
    static const std::map<std::string,
                          std::vector<std::pair<std::string, std::string>>>
        kUsual = {
            {"adopt", {{"BRANCH", "main"}}},
            {"show", {{"WHAT", "prompt"}, {"APPROACH", "open"}}},
            {"task set", {{"KEY", "policy.budget"}, {"VALUE...", "60s"}}},
            {"log", {{"TEXT", "text"}}},
            {"start", {{"APPROACH", "fresh"}}},
            {"merge-metric", {{"BASE", "a"}, {"OURS", "b"}, {"THEIRS", "c"}}}};
    const auto found = kUsual.find(verb);
    if (found != kUsual.end()) return found->second;
    const bool takes_approach = verb == "check" || verb == "decide" ||
                                verb == "rework" || verb == "record" ||
                                verb == "revive" || verb == "revert";
    if (!takes_approach) return {};
    if (verb == "revive") return {{"APPROACH...", "open"}};
    // A crash that is given a reason is recorded: FreeTextRoundTrips does it.
    return {{"APPROACH", verb == "decide" ? "none" : "open"}};
  }

  std::vector<std::string> ArgumentsWith(const Place& place,
                                         const std::string& text) {
    std::vector<std::string> options = absl::StrSplit(place.verb, ' ');
    std::vector<std::string> positional;
    bool found = false;
    for (auto [name, value] : Usual(place.verb)) {
      found = found || name == place.name;
      if (name == place.name) value = text;
      if (!absl::StartsWith(name, "-")) {
        positional.push_back(value);
      } else {
        options.push_back(name);
        if (name != "--no-calibration") options.push_back(value);
      }
    }
    if (!found && place.positional) positional.push_back(text);
    if (!found && !place.positional) {
      options.insert(options.end(), {place.name, text});
    }
    // It writes where it is told.
    if (place.verb == "skill install") options.emplace_back("--dry-run");
    options.emplace_back("--");
    options.insert(options.end(), positional.begin(), positional.end());
    return options;
  }

  void ExpectHarmless(const Answer& answer) {
    EXPECT_THAT(answer.exit_code, AnyOf(0, 1, 2, 3, 64, 65, 69))
        << answer.out << answer.err;
    for (const std::string* text : {&answer.out, &answer.err}) {
      EXPECT_EQ(text->find('\x1b'), std::string::npos) << *text;
      EXPECT_EQ(text->find('\x07'), std::string::npos) << *text;
      EXPECT_EQ(text->find('\xFF'), std::string::npos) << *text;
    }
    EXPECT_FALSE(Exists("pwned"));
  }
};

TEST_F(HostileWordsTest, EveryPlaceRefusesOrStoresIt) {
  const std::vector<Place> places = EveryPlace();
  EXPECT_GE(places.size(), 45u);
  const std::string before = UserState();
  std::string refs = Git({"for-each-ref"});
  for (const Place& place : places) {
    // A folder of any name may be wanted: it writes there and nowhere else.
    if (place.verb == "skill install" && place.name == "--dir") continue;
    for (const HostileText& hostile : HostileTexts()) {
      SCOPED_TRACE(
          absl::StrCat(testing::PrintToString(place), ": ", hostile.name));
      const Answer answer = Run(ArgumentsWith(place, hostile.text));
      ExpectHarmless(answer);
      const std::string now = Git({"for-each-ref"});
      if (answer.exit_code != 0) {
        EXPECT_EQ(now, refs);
      }
      refs = now;
    }
  }
  EXPECT_EQ(UserState(), before);
  EXPECT_THAT(ParseMetricFile(TaskFile("metric.toml"), "m").warnings,
              testing::IsEmpty());
  EXPECT_EQ(Run({"audit", "--task", kTask}).exit_code, 0);
  EXPECT_EQ(Git({"status", "--porcelain"}), "");
  ExpectSound();
}

// What is free text comes back byte by byte.
TEST_F(HostileWordsTest, FreeTextRoundTrips) {
  const std::string text = kLoaded;
  ASSERT_EQ(
      Run({"start", "said", "--hypothesis", text, "--details", text}).exit_code,
      0);
  // Quoted line by line, so that none of it can pass for a heading.
  const std::string prompt = TaskFile("said/prompts.md");
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    EXPECT_THAT(prompt, HasSubstr(absl::StrCat(">", line.empty() ? "" : " ",
                                               line, "\n")));
  }
  EXPECT_EQ(Run({"decide", "said", "--crash", text}).exit_code, 2);
  const MetricFile ledger = ParseMetricFile(TaskFile("metric.toml"), "m");
  ASSERT_EQ(ledger.rows.size(), 1u);
  EXPECT_EQ(ledger.rows[0].status, AttemptStatus::kCrash);
  const std::string line = OneLine(text, 600);
  EXPECT_EQ(ledger.rows[0].description,
            absl::StrCat("said: ", line, " (crash: ", line, ")"));
  const Answer shown = Run({"show", "ledger", "--json"});
  const auto json = nlohmann::json::parse(shown.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << shown.out;
  EXPECT_EQ(json.at("text"), TaskFile("metric.toml"));
  EXPECT_EQ(Run({"log", "--", text}).exit_code, 0);
  const std::string log = TaskFile("log.md");
  EXPECT_THAT(log, HasSubstr("$(touch pwned) `touch pwned`; touch pwned | x"));
  // No line of it can be taken for a heading or an entry.
  EXPECT_THAT(log, testing::Not(HasSubstr("\n# h")));
  EXPECT_FALSE(Exists("pwned"));
}

// Patterns and numbers of a task that is made with them are in its settings.
TEST_F(HostileWordsTest, SettingsRoundTrip) {
  const std::string pattern =
      "^BM_\"it's\"\\$\\(touch pwned\\)\xF0\x9F\x9A\x80";
  ASSERT_EQ(Run({"task", "set", "scope.edit", "src/**", "a b/'c'/\"d\"/$(e)"})
                .exit_code,
            0);
  EXPECT_THAT(Run({"show", "task"}).out, HasSubstr("a b/'c'/"));
  const Answer set =
      Run({"task", "set", "commands.test", "--", "printf", "%s", kLoaded});
  EXPECT_EQ(set.exit_code, 0) << set.err;
  CommitAttempt("more", "src/code.cc", "int Code() { return 2; }\n");
  EXPECT_EQ(Run({"decide", "more"}).exit_code, 1);
  EXPECT_EQ(Run({"task", "set", "target.benchmarks", pattern}).exit_code, 0);
  EXPECT_THAT(Run({"show", "task"}).out, HasSubstr("touch pwned"));
  EXPECT_FALSE(Exists("pwned"));
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

// Whatever text is given, the ledger stays valid and nothing is run or forged.
TEST_F(HostileWordsTest, HostileTextIsOnlyText) {
  const std::vector<std::string> texts = {
      "quote \" and ' and \\, ''' \"\"\"",
      "line\n# heading\n[[metric]]\n\"status\" = \"keep\"",
      "\xF0\x9F\x9A\x80 emoji, bad \xFF\xFE utf-8 \xC3",
      std::string(10000, 'x'),
      "--leading-dashes",
      "$(touch pwned) `touch pwned`; touch pwned | cat",
      "\x1b[31mred\x07 {} [a,b]\nAutotune-Decision: keep"};
  int number = 0;
  for (const std::string& text : texts) {
    const std::string approach = absl::StrCat("idea ", ++number);
    EXPECT_EQ(Run({"start", approach, "--hypothesis", text}).exit_code, 0)
        << text;
    const Answer crash = Run({"decide", approach, "--crash", text});
    EXPECT_EQ(crash.exit_code, 2) << text << crash.err;
    EXPECT_EQ(Run({"log", "--", text}).exit_code, 0) << text;
    EXPECT_EQ(crash.out.find('\x1b'), std::string::npos);
  }
  const MetricFile ledger = ParseMetricFile(TaskFile("metric.toml"), "m");
  EXPECT_EQ(ledger.rows.size(), texts.size());
  EXPECT_THAT(ledger.warnings, testing::IsEmpty());
  for (const MetricRow& row : ledger.rows)
    EXPECT_EQ(row.status, AttemptStatus::kCrash);
  EXPECT_FALSE(Exists("pwned"));
  for (const std::string& name : {std::string("!!!"), std::string(""),
                                  std::string("\xFF"), std::string("../..")}) {
    EXPECT_EQ(Run({"start", name, "--hypothesis", "x"}).exit_code, 65) << name;
  }
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"adopt", "--as", "x", "--", "--upload-pack=x"},
        {"adopt", "$(touch pwned)"},
        {"decide", "--", "-x"},
        {"revert", "a\nb"},
        {"show", "prompt", "../../../etc/passwd"},
        {"status", "--task", "--output=pwned"},
        {"rework", std::string(10000, 'y')}}) {
    EXPECT_THAT(Run(arguments).exit_code, testing::AnyOf(65, 69))
        << arguments[0];
  }
  EXPECT_FALSE(Exists("pwned"));
  EXPECT_EQ(Run({"audit"}).exit_code, 0) << Run({"audit"}).out;
  ExpectSound();
}

}  // namespace
}  // namespace autotune
