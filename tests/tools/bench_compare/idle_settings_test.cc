// A setting that names benchmarks or a number either takes part or is refused,
// wherever it is written: a table of the settings, each where it finds what it
// names, where nobody has it, and where the contender has lost it.

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/names.h"
#include "comparator/policy/idle_setting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/bench_compare/program_fixture.h"
#include "tools/system/exit_code.h"

namespace autotune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Words = std::vector<std::string>;

// How a setting that names `NAME` is written, as a flag or in a file; empty
// where there is no such way.
struct Naming {
  SettingKind kind;
  std::string flag;
  std::string toml;
  bool tune = true;
};

const std::vector<Naming>& Namings() {
  static const auto& namings = *new std::vector<Naming>{
      {SettingKind::kFilter, "--filter=NAME", ""},
      {SettingKind::kBaselineFilter, "--filter-baseline=NAME", ""},
      {SettingKind::kContenderFilter, "--filter-contender=NAME", ""},
      {SettingKind::kRename, "--rename=NAME=BM_Renamed", ""},
      {SettingKind::kMetric, "--metric=NAME:lower",
       "[policy]\nmetric = \"NAME\"\ndirection = \"lower\"\n"},
      {SettingKind::kGuard, "--guard=NAME=5%",
       "[[guard]]\nname = \"NAME\"\nmargin = 0.05\n"},
      {SettingKind::kMargin, "", "[[margin]]\nname = \"NAME\"\nmargin = 0.5\n",
       false},
      {SettingKind::kWaiver, "",
       "[[waiver]]\nname = \"NAME\"\nceiling = 0.5\nuntil = 2037-01-01\n"
       "reason = \"known\"\n",
       false}};
  return namings;
}

std::string Named(std::string text, const std::string& name) {
  return text.replace(text.find("NAME"), 4, name);
}

class IdleSettingsTest : public ProgramFixture {
 protected:
  // Six visits a side of BM_A and BM_B, where BM_B is lost if `lost`; slower by
  // 10 %, so that what takes part has something to change.
  ProgramOutput Compare(bool gate, bool lost, const Words& more) {
    Words arguments = {"--common"};
    if (gate) arguments.insert(arguments.begin(), "gate");
    const std::vector<double> before = {100, 100.1, 99.9, 100.2, 99.85, 100.05};
    const std::vector<double> after = {110.03, 109.92, 110.11,
                                       109.88, 110.17, 109.97};
    const Words here = AddVisits("--baseline", "o", {"BM_A", "BM_B"}, before);
    const Words there =
        AddVisits("--contender", "n",
                  lost ? Words{"BM_A"} : Words{"BM_A", "BM_B"}, after);
    arguments.insert(arguments.end(), here.begin(), here.end());
    arguments.insert(arguments.end(), there.begin(), there.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }

  // The arguments that write the setting.
  Words Written(const Naming& naming, const std::string& name, bool as_flag) {
    if (as_flag) return {Named(naming.flag, name)};
    files_.Add("p.toml", Named(naming.toml, name));
    return {"--policy=p.toml"};
  }

  // Calls `check` with each setting under each verb and each way to write it.
  template <typename Check>
  void ForEach(const Check& check) {
    for (const Naming& naming : Namings()) {
      for (const bool gate : {false, true}) {
        for (const bool as_flag : {false, true}) {
          if ((as_flag ? naming.flag : naming.toml).empty()) continue;
          if (!gate && !naming.tune) continue;
          SCOPED_TRACE(absl::StrCat(std::string(NameOf(naming.kind)),
                                    gate ? " of a gate" : "",
                                    as_flag ? " as a flag" : " in a file"));
          check(naming, gate, as_flag);
        }
      }
    }
  }
};

TEST_F(IdleSettingsTest, TheTableHasEveryKind) {
  for (const auto& one : NameTable<SettingKind>::kAll) {
    EXPECT_TRUE(std::any_of(
        Namings().begin(), Namings().end(),
        [&one](const Naming& naming) { return naming.kind == one.value; }))
        << one.name;
  }
}

TEST_F(IdleSettingsTest, WhatIsFoundChangesTheAnswer) {
  ForEach([this](const Naming& naming, bool gate, bool as_flag) {
    const bool metric = naming.kind == SettingKind::kMetric;
    const ProgramOutput without = Compare(gate, false, {});
    const ProgramOutput with = Compare(
        gate, false, Written(naming, metric ? "real_time" : "BM_B", as_flag));
    EXPECT_THAT(with.err, IsEmpty());
    // Both clocks say the same here.
    if (!metric) {
      EXPECT_NE(with.out, without.out);
    }
  });
}

TEST_F(IdleSettingsTest, WhatNobodyHasIsRefusedByName) {
  ForEach([this](const Naming& naming, bool gate, bool as_flag) {
    const ProgramOutput run =
        Compare(gate, false, Written(naming, "Absent", as_flag));
    EXPECT_EQ(run.exit_code, as_flag ? kExitUsage : kExitBadInput);
    EXPECT_THAT(run.out, IsEmpty());
    const std::string place =
        as_flag ? absl::StrCat("--", std::string(NameOf(naming.kind)), " \"")
                : "p.toml:";
    EXPECT_THAT(run.err,
                HasSubstr(absl::StrCat("bench_compare: error: ", place)));
  });
}

// --common forgives what is lost, but not to what names it.
TEST_F(IdleSettingsTest, WhatTheContenderLostCannotBeJudged) {
  ForEach([this](const Naming& naming, bool gate, bool as_flag) {
    if (naming.kind == SettingKind::kMetric ||
        naming.kind == SettingKind::kContenderFilter ||
        naming.kind == SettingKind::kRename) {
      return;
    }
    const ProgramOutput run =
        Compare(gate, true, Written(naming, "BM_B", as_flag));
    EXPECT_EQ(run.exit_code, kExitCannotJudge) << run.out << run.err;
  });
  EXPECT_THAT(Compare(true, true, {"--guard=BM_B"}).out,
              HasSubstr("\ncannot judge: guard \"BM_B\": BM_B is only in the "
                        "baseline\n"));
}

TEST_F(IdleSettingsTest, EachIsSaidWithItsPlaceAndTheWayOut) {
  const auto error = [this](bool gate, const std::string& toml,
                            const Words& more) {
    files_.Add(".bench_compare.toml", toml);
    return Compare(gate, false, more).err;
  };
  EXPECT_EQ(error(false, "", {"--filter=BM_C"}),
            "bench_compare: error: --filter \"BM_C\": no benchmark matches it; "
            "did you mean BM_A?\n");
  EXPECT_EQ(error(false, "", {"--filter=-Absent"}),
            "bench_compare: error: --filter \"-Absent\": no benchmark matches "
            "it, so it excludes none; there are BM_A, BM_B\n");
  EXPECT_EQ(error(false, "", {"--filter=-BM"}),
            "bench_compare: error: --filter \"-BM\": it excludes every "
            "benchmark\n");
  EXPECT_EQ(error(false, "", {"--rename=Absent=BM_A"}),
            "bench_compare: error: --rename \"Absent=BM_A\": it changes no "
            "name; there are BM_A, BM_B\n");
  EXPECT_EQ(error(false, "", {"--filter=BM_A", "--guard=BM_A"}),
            "bench_compare: error: --guard \"BM_A\": the filter makes targets "
            "of all that it matches\n");
  EXPECT_EQ(error(false, "[[guard]]\nname = \"BM_B\"\n", {"--guard=B$"}),
            "bench_compare: error: --guard \"B$\": an earlier guard takes all "
            "that it matches\n");
  EXPECT_EQ(error(false, "", {"--guard=metric:allocs_per_iter=1%"}),
            "bench_compare: error: --guard \"metric:allocs_per_iter=1%\": no "
            "target carries it; there are real_time, cpu_time\n");
  EXPECT_EQ(error(true,
                  "\n[[margin]]\nname = \"BM\"\nmargin = 0.1\n"
                  "[[margin]]\nname = \"BM_A\"\nmargin = 0.2\n",
                  {}),
            "bench_compare: error: .bench_compare.toml:5: margin[1]: an "
            "earlier margin takes all that it matches\n");
  EXPECT_EQ(error(true,
                  "[[waiver]]\nname = \"BM_A\"\nceiling = 0.05\nuntil = "
                  "2037-01-01\nreason = \"x\"\n",
                  {"--margin=6%"}),
            "bench_compare: error: .bench_compare.toml:1: waiver[0]: its "
            "ceiling of 5 % is not above the margin of 6 %\n");
}

// A file serves many comparisons, so what a filter leaves out is only said.
TEST_F(IdleSettingsTest, WhatAFilterLeavesOutIsANote) {
  files_.Add(".bench_compare.toml",
             "[[margin]]\nname = \"BM_B\"\nmargin = 0.5\n");
  const ProgramOutput run = Compare(true, false, {"--filter=BM_A"});
  EXPECT_EQ(run.exit_code, kExitDiscard);
  EXPECT_THAT(run.out, HasSubstr("\nnote: margin \"BM_B\": the filter leaves "
                                 "out what it is of\n"));
}

// A gate's guard by name is judged by its mode.
TEST_F(IdleSettingsTest, AGuardOfAGateHasItsMarginAndMode) {
  const auto gate = [this](const std::string& guard) {
    return Compare(true, false, {"--margin=20%", "--guard=" + guard, "-q"});
  };
  EXPECT_EQ(gate("BM_B=15%").out,
            "pass: 1 benchmark proven within the margin, 1 guard unharmed\n");
  EXPECT_EQ(gate("BM_B=5%").out,
            "regression: guard BM_B is worse by more than 5 %\n");
  EXPECT_EQ(gate("BM_B=15%,exact").out,
            "regression: guard BM_B is worse by more than 15 %\n");
  EXPECT_EQ(gate("BM_B=10%,prove").out,
            "inconclusive: guard BM_B is not proven within 10 % (alpha "
            "0.05)\n");
  EXPECT_EQ(gate("BM_B=10%,veto").out,
            "pass: 1 benchmark proven within the margin, no evidence of harm "
            "to 1 guard\n");
  EXPECT_EQ(gate("BM=15%").out, "pass: 2 guards unharmed\n");
}

class AddedAndLostTest : public ProgramFixture {
 protected:
  ProgramOutput Compare(const Words& before, const Words& after,
                        const Words& more) {
    Words arguments = {"gate"};
    const Words here = AddVisits("--baseline", "o", before,
                                 {100, 100.1, 99.9, 100.2, 99.85, 100.05});
    const Words there =
        AddVisits("--contender", "n", after,
                  {100.03, 99.92, 100.11, 99.88, 100.17, 99.97});
    arguments.insert(arguments.end(), here.begin(), here.end());
    arguments.insert(arguments.end(), there.begin(), there.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
};

TEST_F(AddedAndLostTest, AddedIsListedOnceItIsAllowed) {
  const ProgramOutput refused = Compare({"A"}, {"A", "New"}, {});
  EXPECT_EQ(refused.exit_code, kExitCannotJudge);
  EXPECT_THAT(refused.out,
              HasSubstr("\ncannot judge: New is only in the contender\n"
                        "next: bench_compare ... --allow-added   # list what "
                        "only the contender has; what it lost still fails\n"));
  const ProgramOutput allowed =
      Compare({"A"}, {"A", "New"}, {"--allow-added", "--report=junit=r.xml"});
  EXPECT_EQ(allowed.exit_code, kExitKeep);
  EXPECT_THAT(allowed.out, HasSubstr("\nonly in the contender (1): New\n"));
  EXPECT_THAT(*files_.ReadFile("r.xml"), HasSubstr("errors=\"0\""));
  files_.Add("p.toml", "[policy]\nadded = \"list\"\n");
  EXPECT_EQ(Compare({"A"}, {"A", "New"}, {"--policy=p.toml"}).exit_code,
            kExitKeep);
}

TEST_F(AddedAndLostTest, LostFailsWhateverElseIsAllowed) {
  for (const Words& allowed :
       {Words{}, Words{"--allow-added"}, Words{"--on-inconclusive=warn"},
        Words{"--ignore-context"}, Words{"--partial"},
        Words{"--allow-added", "--on-inconclusive=warn", "--ignore-context"}}) {
    const ProgramOutput run = Compare({"A", "Gone"}, {"A", "New"}, allowed);
    EXPECT_EQ(run.exit_code, kExitCannotJudge);
    EXPECT_THAT(run.out, HasSubstr("\ncannot judge: Gone is only in the "
                                   "baseline\nnext: bench_compare ... "
                                   "--common "));
  }
}

TEST_F(AddedAndLostTest, NextNeverSuggestsWhatWasGiven) {
  const ProgramOutput common =
      Compare({"A", "Gone"}, {"A"}, {"--common", "--guard=Gone"});
  EXPECT_EQ(common.exit_code, kExitCannotJudge);
  EXPECT_THAT(common.out, Not(HasSubstr("next:")));
  const ProgramOutput added =
      Compare({"A", "Gone"}, {"A", "New"}, {"--allow-added"});
  EXPECT_THAT(added.out, Not(HasSubstr("... --allow-added")));
}

}  // namespace
}  // namespace autotune
