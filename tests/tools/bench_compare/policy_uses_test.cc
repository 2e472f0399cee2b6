// Proves, setting by setting, that what is taken changes an answer on some
// input and that what could not is refused. The settings come from their own
// table: a new one joins by its row.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/names.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/bench_compare/program_fixture.h"
#include "tools/bench_compare/commands.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/program/command_line.h"
#include "tools/system/exit_code.h"

namespace autotune {
namespace {

using ::testing::HasSubstr;

using PolicyField = PolicyFieldOf<Policy>;

// Values of a setting, as a flag takes them, far apart.
std::vector<std::string> ValuesOf(const PolicyField& field) {
  switch (field.form) {
    case ValueForm::kWord:
      return field.words();
    case ValueForm::kFraction:
      return {"0.001%", "1%", "20%"};
    case ValueForm::kDuration:
      return {"1s", "9s"};
    case ValueForm::kFactor:
      return {"2", "200"};
    case ValueForm::kCount:
      return {"1", "7"};
    default:
      return {"cpu_time", "real_time"};
  }
}

std::string TomlOf(const PolicyField& field, PolicyKind kind) {
  const bool bare =
      field.form == ValueForm::kFactor || field.form == ValueForm::kCount;
  const std::string quote = bare ? "" : "\"";
  const std::string text =
      field.key == "kind" ? std::string(NameOf(kind)) : ValuesOf(field).back();
  return absl::StrCat("[policy]\n", std::string(field.key), " = ", quote, text,
                      quote, "\n");
}

class PolicyUsesTest : public ProgramFixture {
 protected:
  // Six visits a side of two benchmarks, of which one changed by `scale` and
  // one by 3 %; `added`: a third one is new.
  std::vector<std::string> Compare(PolicyKind kind, double scale,
                                   bool added = false) {
    const std::vector<double> before = {100, 100.1, 99.9, 100.2, 99.85, 100.05};
    std::vector<double> after = {100.03, 99.92, 100.11, 99.88, 100.17, 99.97};
    std::vector<std::string> arguments;
    if (kind == PolicyKind::kGate) arguments.push_back("gate");
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::string number = std::to_string(i);
      files_.Add("o" + number,
                 ResultText({{"BM_A", {before[i]}}, {"BM_B", {before[i]}}}));
      std::vector<std::pair<std::string, std::vector<double>>> rows = {
          {"BM_A", {scale * after[i]}}, {"BM_B", {1.03 * after[i]}}};
      if (added) rows.push_back({"BM_New", {after[i]}});
      files_.Add("n" + number, ResultText(rows));
      for (const std::string& word :
           {std::string("--baseline"), "o" + number, std::string("--contender"),
            "n" + number}) {
        arguments.push_back(word);
      }
    }
    arguments.push_back("--json");
    return arguments;
  }

  // Whether two values of the setting give two answers on recorded files.
  bool ChangesRecorded(const PolicyField& field, PolicyKind kind) {
    for (const double scale : {1.0, 0.99, 0.97, 0.2, 1.05}) {
      std::vector<std::string> answers;
      for (const std::string& value : ValuesOf(field)) {
        std::vector<std::string> arguments =
            Compare(kind, scale, field.key == "added");
        if (field.flag_value.empty()) {
          arguments.push_back(
              absl::StrCat(std::string(field.flag), "=", value));
        } else if (value == field.flag_value) {
          arguments.emplace_back(field.flag);
        }
        if (field.key == "default_margin" && kind == PolicyKind::kTune) {
          arguments.push_back("--guard=BM_B");
        }
        // Only what is undecided shows it.
        if (field.key == "on_inconclusive") arguments.push_back("--margin=3%");
        const ProgramOutput run = Run(arguments);
        EXPECT_NE(run.exit_code, kExitUsage) << run.out;
        answers.push_back(absl::StrCat(run.exit_code, " ", run.out));
        if (answers.back() != answers.front()) return true;
      }
    }
    return false;
  }
};

TEST_F(PolicyUsesTest, WhatRecordedFilesTakeChangesAnAnswer) {
  for (const PolicyKind kind : {PolicyKind::kTune, PolicyKind::kGate}) {
    const unsigned use =
        kind == PolicyKind::kTune ? kRecordedTune : kRecordedGate;
    for (const PolicyField& field : PolicyFields()) {
      if ((field.uses & use) == 0 || field.key == "direction") continue;
      EXPECT_TRUE(ChangesRecorded(field, kind))
          << field.key << " of a policy of the kind " << NameOf(kind);
    }
  }
}

TEST_F(PolicyUsesTest, WhatRecordedFilesCannotUseIsRefused) {
  int refused = 0;
  for (const PolicyKind kind : {PolicyKind::kTune, PolicyKind::kGate}) {
    const unsigned use =
        kind == PolicyKind::kTune ? kRecordedTune : kRecordedGate;
    for (const PolicyField& field : PolicyFields()) {
      if ((field.uses & use) != 0) continue;
      ++refused;
      std::vector<std::string> arguments = Compare(kind, 1.0);
      files_.Add("p.toml", TomlOf(field, kind));
      arguments.push_back("--policy=p.toml");
      const ProgramOutput file = Run(arguments);
      EXPECT_EQ(file.exit_code, kExitBadInput) << field.key;
      EXPECT_THAT(file.out, HasSubstr(absl::StrCat("p.toml:2: policy.",
                                                   std::string(field.key),
                                                   ": has no effect ")));
      arguments.back() =
          absl::StrCat(std::string(field.flag), "=", ValuesOf(field).back());
      const ProgramOutput flag = Run(arguments);
      EXPECT_EQ(flag.exit_code, kExitUsage) << field.flag;
      EXPECT_THAT(flag.out, HasSubstr(std::string(field.flag)));
    }
  }
  // Three of tasks and three of measuring; under a gate two of tuning besides,
  // else the one of gates.
  EXPECT_EQ(refused, 7 + 8);
}

// Values of a setting of [[guard]], [[margin]] or [[waiver]], as TOML takes
// them, far apart.
std::vector<std::string> EntryValuesOf(const FieldSpec& field) {
  switch (field.form) {
    case ValueForm::kWord: {
      std::vector<std::string> words;
      for (const std::string& word : field.words()) {
        words.push_back(absl::StrCat("\"", word, "\""));
      }
      return words;
    }
    case ValueForm::kFraction:
      return {"0.04", "0.5"};
    case ValueForm::kDate:
      return {"2037-01-01", "2001-01-01"};
    default:
      break;
  }
  if (field.key == "metric") return {"\"real_time\"", "\"cpu_time\""};
  return {"\"BM_A\"", "\"BM_B\""};
}

// An entry of `list` with the first value of each setting but for `field`,
// which has `value`. A guard is of a name or of a metric.
template <typename Fields>
std::string EntryWith(const std::string& list, const Fields& fields,
                      const FieldSpec& field, const std::string& value) {
  std::string text = absl::StrCat("[[", list, "]]\n");
  for (const auto& other : fields) {
    const bool varied = other.key == field.key;
    if (!varied && list == "guard") {
      const std::string_view left_out =
          field.key == "metric" ? "name" : "metric";
      if (other.key == left_out) continue;
    }
    absl::StrAppend(&text, std::string(other.key), " = ",
                    varied ? value : EntryValuesOf(other).front(), "\n");
  }
  return text;
}

TEST_F(PolicyUsesTest, EverySettingOfAnEntryChangesAnAnswer) {
  const auto check = [this](PolicyKind kind, const std::string& list,
                            const auto& fields) {
    for (const auto& field : fields) {
      std::set<std::string> answers;
      for (const double scale : {1.1, 0.97}) {
        std::set<std::string> of_scale;
        for (const std::string& value : EntryValuesOf(field)) {
          std::vector<std::string> arguments = Compare(kind, scale);
          files_.Add("p.toml", EntryWith(list, fields, field, value));
          arguments.push_back("--policy=p.toml");
          const ProgramOutput run = Run(arguments);
          EXPECT_NE(run.exit_code, kExitBadInput) << run.out;
          of_scale.insert(run.out);
        }
        if (of_scale.size() > answers.size()) answers = of_scale;
      }
      EXPECT_EQ(answers.size(), EntryValuesOf(field).size())
          << list << "." << field.key << " under " << NameOf(kind);
    }
  };
  check(PolicyKind::kTune, "guard", GuardFields());
  check(PolicyKind::kGate, "guard", GuardFields());
  check(PolicyKind::kGate, "margin", MarginFields());
  check(PolicyKind::kGate, "waiver", WaiverFields());
}

// Of every flag of recorded files that sets no policy: files and further words
// with which it changes what is printed, or the exit code.
TEST_F(PolicyUsesTest, EveryOtherFlagChangesAnAnswer) {
  files_.Add("one", ResultText({{"BM_A", {100, 101, 102}}, {"BM_B", {50}}}));
  files_.Add("two", ResultText({{"BM_A", {90, 91, 93}}, {"BM_C", {50}}}));
  files_.Add(
      "cut",
      ResultText({{"BM_A", {90, 91, 93}}, {"BM_B", {50}}}).substr(0, 800));
  std::string other = ResultText({{"BM_A", {90, 91, 93}}});
  other.replace(other.find("ada"), 3, "bob");
  files_.Add("other", other);
  const std::vector<std::string> tune = Compare(PolicyKind::kTune, 0.999);
  const std::vector<std::string> pair = {"one", "two"};
  // The flag and its value, and what it is added to.
  const std::map<std::string,
                 std::pair<std::vector<std::string>, std::vector<std::string>>>
      inputs = {{"--baseline", {{"--baseline=one"}, {"--contender=two"}}},
                {"--contender", {{"--contender=two"}, {"--baseline=one"}}},
                {"--filter", {{"--filter=BM_A"}, pair}},
                {"--filter-baseline", {{"--filter-baseline=BM_A"}, pair}},
                {"--filter-contender", {{"--filter-contender=BM_A"}, pair}},
                {"--rename", {{"--rename=BM_C=BM_B"}, pair}},
                {"--common", {{"--common"}, pair}},
                {"--partial", {{"--partial"}, {"one", "cut", "--filter=BM_A"}}},
                {"--policy", {{"--policy=p.toml"}, tune}},
                {"--guard", {{"--guard=BM_B"}, tune}},
                {"--adjust", {{"--adjust=bh"}, tune}},
                {"--assume-independent",
                 {{"--assume-independent"}, {"one", "two", "--filter=BM_A"}}},
                {"--ignore-context",
                 {{"--ignore-context"}, {"one", "other", "--filter=BM_A"}}},
                {"--format", {{"--format=markdown"}, pair}},
                {"--report", {{"--report=json=f"}, pair}}};
  files_.Add("p.toml", "[policy]\nkind = \"gate\"\n");
  CommandLine line;
  const Action action = DeclareCompare(PolicyKind::kTune, line);
  for (const Argument& argument : line.arguments()) {
    if (argument.names.empty()) continue;
    const std::string& flag = argument.names.back();
    if (std::any_of(
            PolicyFlagTable().begin(), PolicyFlagTable().end(),
            [&flag](const PolicyFlag& one) { return one.flag == flag; })) {
      continue;
    }
    ASSERT_TRUE(inputs.contains(flag)) << flag << " has no input";
    const auto& [words, rest] = inputs.at(flag);
    const ProgramOutput without = Run(rest);
    std::vector<std::string> all = rest;
    all.insert(all.end(), words.begin(), words.end());
    const ProgramOutput with = Run(all);
    const bool wrote = files_.Exists("f");
    EXPECT_TRUE(with.out != without.out || wrote ||
                with.exit_code != without.exit_code)
        << flag << ": " << with.out << with.err;
    EXPECT_NE(with.exit_code, kExitUsage) << with.err;
  }
}

TEST_F(PolicyUsesTest, RefusalsSayWhereAndWhy) {
  const auto error = [this](PolicyKind kind, const std::string& toml,
                            const std::vector<std::string>& more, int code) {
    std::vector<std::string> arguments = Compare(kind, 1.0);
    arguments.pop_back();  // --json
    arguments.insert(arguments.end(), more.begin(), more.end());
    files_.Add(".bench_compare.toml", toml);
    const ProgramOutput run = Run(arguments);
    EXPECT_EQ(run.exit_code, code);
    return run.err;
  };
  const PolicyKind tune = PolicyKind::kTune;
  const PolicyKind gate = PolicyKind::kGate;
  EXPECT_EQ(error(tune, "[policy]\nbudget = \"9s\"\n", {}, kExitBadInput),
            "bench_compare: error: .bench_compare.toml:2: policy.budget: has "
            "no effect on recorded files; leave it out\n");
  EXPECT_EQ(error(tune, "[[margin]]\nname = \"BM_A\"\nmargin = 0.1\n", {},
                  kExitBadInput),
            "bench_compare: error: .bench_compare.toml:1: margin[0]: has no "
            "effect under the policy kind tune; leave it out\n");
  EXPECT_EQ(error(gate, "", {"--review-ratio=3"}, kExitUsage),
            "bench_compare: error: --review-ratio: has no effect under the "
            "policy kind gate; leave it out\n");
  EXPECT_EQ(error(tune, "", {"--margin=3%"}, kExitUsage),
            "bench_compare: error: --margin: has no effect without a guard "
            "that names no margin; leave it out\n");
  EXPECT_EQ(error(tune, "", {"--on-inconclusive=warn"}, kExitUsage),
            "bench_compare: error: --on-inconclusive: has no effect under "
            "the policy kind tune; leave it out\n");
}

// What a judge says after some rounds of two targets and a guard.
std::string Judged(const Policy& policy, double centre) {
  JudgedGuard guard;
  guard.name = "BM_G";
  guard.margin = policy.default_margin;
  SequentialJudge judge(MakeJudgeSettings(policy, {"BM_A", "BM_B"}, {guard}));
  for (int i = 0; i < 60 && !judge.finished(); ++i) {
    const double noise = 0.001 * ((i * 7) % 5 - 2);
    RoundRatios round;
    round.targets = {centre + noise, 0.015 - noise};
    // A harmed guard would hide what a gain beyond belief does.
    round.guards = {(centre > 1 ? 0.05 : -0.05) + noise};
    judge.Add(round);
  }
  std::string text = absl::StrCat(std::string(NameOf(judge.decision())), " ",
                                  judge.ruling().reason, " ",
                                  std::string(NameOf(judge.overall().verdict)));
  for (const Comparison& state : judge.targets()) {
    const Interval interval = state.estimate.value_or(RatioEstimate()).interval;
    absl::StrAppend(&text, " ", std::string(NameOf(state.verdict)), " ",
                    interval.lower.value_or(0), " ", interval.upper.value_or(0),
                    " ", state.rounds);
  }
  for (const Comparison& state : judge.guards()) {
    absl::StrAppend(&text, " ", std::string(NameOf(state.standing)), " ",
                    state.margin.value_or(0));
  }
  return text;
}

bool ChangesJudged(const PolicyField& field, PolicyKind kind) {
  for (const double centre : {0.0, 0.005, 0.02, 2.0, -0.03}) {
    std::string first;
    for (const std::string& value : ValuesOf(field)) {
      Policy policy;
      policy.kind = kind;
      PolicyFlagValues values;
      values.texts[field.flag] = value;
      EXPECT_TRUE(SetPolicyFlags(values, policy).ok());
      const std::string answer = Judged(policy, centre);
      if (first.empty()) first = answer;
      if (answer != first) return true;
    }
  }
  return false;
}

// What says how to measure, which numbers are judged and what the answer is
// worth is beyond the judge: other tests show it.
TEST(RunUsesTest, WhatARunTakesIsWhatChangesItsJudge) {
  for (const PolicyKind kind : {PolicyKind::kTune, PolicyKind::kGate}) {
    const unsigned use = kind == PolicyKind::kTune ? kRunTune : kRunGate;
    for (const PolicyField& field : PolicyFields()) {
      if (!IsUsedBy(field.uses, PolicyVerb::kRecorded)) continue;
      if (field.key == "metric" || field.key == "direction" ||
          field.key == "added" || field.key == "on_inconclusive") {
        continue;
      }
      EXPECT_EQ(ChangesJudged(field, kind), (field.uses & use) != 0)
          << field.key << " of a policy of the kind " << NameOf(kind);
    }
  }
}

}  // namespace
}  // namespace autotune
