// The skill: its installation, its front matter, and its table of rules.

#include "tools/autotune/verbs/skill.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/autotune/verb_table.h"

namespace autotune {
namespace {

using testing::HasSubstr;

std::string Shipped(const std::string& path) {
  std::ifstream file(absl::StrCat(SKILL_FOLDER, "/", path));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class SkillTest : public AutotuneFixture {
 protected:
  static constexpr char kSkill[] = ".agents/skills/autotune/SKILL.md";
};

TEST_F(SkillTest, InstallsWhereItIsToldAndChecksIt) {
  EXPECT_EQ(Run({"skill", "check"}).exit_code, 69);
  EXPECT_EQ(Run({"skill", "install", "--dry-run"}).exit_code, 0);
  EXPECT_FALSE(Exists(kSkill));
  const Answer installed = Run({"skill", "install"});
  EXPECT_EQ(installed.exit_code, 0) << installed.err;
  EXPECT_EQ(installed.out, absl::StrCat("installed in ", repository(),
                                        "/.agents/skills/autotune\n"));
  EXPECT_EQ(Read(kSkill), Shipped("SKILL.md"));
  EXPECT_EQ(Read(".agents/skills/autotune/references/rules.md"),
            Shipped("references/rules.md"));
  EXPECT_EQ(Run({"skill", "check"}).exit_code, 0);
  EXPECT_EQ(Run({"skill", "install"}).exit_code, 0) << "again";
  EXPECT_EQ(Run({"skill", "install", "--claude", "--agents"}).exit_code, 0);
  EXPECT_TRUE(Exists(".claude/skills/autotune/SKILL.md"));
  EXPECT_EQ(Run({"skill", "install", "--claude", "--user"}).exit_code, 0);
  EXPECT_TRUE(Exists("../home/.claude/skills/autotune/SKILL.md"));
  EXPECT_EQ(Run({"skill", "install", "--dir", "mine"}).exit_code, 0);
  EXPECT_TRUE(Exists("mine/autotune/SKILL.md"));
  EXPECT_EQ(Run({"skill", "check", "--dir", "mine"}).exit_code, 0);
  EXPECT_EQ(Run({"skill", "install", "--dir", "mine", "--user"}).err,
            "autotune: error: skill: --dir names the folder: leave out "
            "--claude, --agents and --user\n");
}

TEST_F(SkillTest, WhatAPersonChangedStays) {
  ASSERT_EQ(Run({"skill", "install"}).exit_code, 0);
  Write(kSkill, "mine\n");
  const Answer refused = Run({"skill", "install"});
  EXPECT_EQ(refused.exit_code, 69);
  EXPECT_EQ(refused.err,
            absl::StrCat("autotune: error: skill install: changed by hand: ",
                         repository(), "/", kSkill,
                         "\nautotune: hint: --force replaces them\n"));
  EXPECT_EQ(Read(kSkill), "mine\n");
  const Answer check = Run({"skill", "check"});
  EXPECT_EQ(check.exit_code, 69);
  EXPECT_THAT(check.out, HasSubstr("SKILL.md: is not the program's own\n"));
  EXPECT_THAT(check.out, HasSubstr("SKILL.md:1: expected ---\n"));
  EXPECT_THAT(check.out, HasSubstr("next: autotune skill install "));
  EXPECT_EQ(Run({"skill", "install", "--force"}).exit_code, 0);
  EXPECT_EQ(Read(kSkill), Shipped("SKILL.md"));
}

// One that is as an older program installed it is replaced.
TEST_F(SkillTest, AnOlderCopyIsReplaced) {
  const std::string data = repository() + "/../data/";
  environment()["AUTOTUNE_DATA_DIR"] = data;
  Write("../data/skills/autotune/SKILL.md", "old\n");
  ASSERT_EQ(Run({"skill", "install"}).exit_code, 0);
  environment().erase("AUTOTUNE_DATA_DIR");
  EXPECT_EQ(Run({"skill", "check"}).exit_code, 69);
  EXPECT_EQ(Run({"skill", "install"}).exit_code, 0);
  EXPECT_EQ(Read(kSkill), Shipped("SKILL.md"));
}

TEST(SkillTextTest, OurOwnIsWhatEveryReaderTakes) {
  EXPECT_OK(CheckSkillText(Shipped("SKILL.md"), "autotune", "SKILL.md"));
}

TEST(SkillTextTest, FrontMatterThatAStrictReaderRefusesIsNamed) {
  const std::string fine = "---\nname: x\ndescription: \"a: b\"\n---\n";
  EXPECT_OK(CheckSkillText(fine, "x", "S"));
  for (const auto& [text, error] :
       std::vector<std::pair<std::string, std::string>>{
           {"", "S:1: expected ---"},
           {"---\nname: x\n", "S:3: expected KEY: VALUE"},
           {"---\nname: x\n---\n", "S:3: description: is missing"},
           {"---\ndescription: x\n---\n", "S:3: name: is missing"},
           {"---\nname: y\n---\n",
            "S:2: name: expected that of the folder, x, got y"},
           {"---\nname: x\nname: x\n---\n", "S:3: name: stands twice"},
           {"---\nnick: x\n---\n",
            "S:2: expected one of allowed-tools, compatibility, description, "
            "license, name, got \"nick\""},
           {"---\nname: x\ndescription: a: b\n---\n",
            "S:3: description: expected a one-line value that needs no "
            "quotes, or has double ones"},
           {"---\nname: x\ndescription: >\n---\n",
            "S:3: description: expected a one-line value that needs no "
            "quotes, or has double ones"},
           {"---\nname: x\ndescription: a #b\n---\n",
            "S:3: description: expected a one-line value that needs no "
            "quotes, or has double ones"},
           {absl::StrCat("---\ndescription: ", std::string(1025, 'x'),
                         "\n---\n"),
            "S:2: description: expected 1 to 1024 bytes, got 1025"},
           {fine + std::string(500, '\n'),
            "S:501: expected fewer than 500 lines"}}) {
    EXPECT_THAT(CheckSkillText(text, "x", "S"),
                StatusIs(absl::StatusCode::kInvalidArgument, error));
  }
}

// Every `verb` of the table is one, and the rules are counted without a gap.
TEST(SkillRulesTest, EachRuleIsKeptByAVerbThatIsThere) {
  std::set<std::string> verbs;
  for (const Verb& verb : AutotuneProgram().verbs) {
    verbs.insert(verb.name.substr(0, verb.name.find(' ')));
  }
  int rules = 0;
  for (absl::string_view line :
       absl::StrSplit(Shipped("references/rules.md"), '\n')) {
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    if (cells.size() != 3 || cells[0] == "| #" || cells[0] == "| ---") continue;
    EXPECT_EQ(cells[0], absl::StrCat("| ", ++rules));
    const std::vector<std::string> quoted = absl::StrSplit(cells[2], '`');
    for (std::size_t i = 1; i < quoted.size(); i += 2) {
      EXPECT_TRUE(verbs.contains(quoted[i].substr(0, quoted[i].find(' '))))
          << line;
    }
  }
  EXPECT_EQ(rules, 69);
}

}  // namespace
}  // namespace autotune
