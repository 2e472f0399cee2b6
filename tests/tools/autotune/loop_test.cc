// A night in small: an implementer that is a script, ideas of known worth, a
// real repository.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Does what the attempt's name says. The prompt's first line is "# NAME"; a
// prompt that tells of a failure is a second try.
constexpr char kScript[] = R"(#!/bin/sh
prompt=$(cat)
name=$(printf '%s\n' "$prompt" | sed -n '1s/^# //p')
[ -z "${CLAUDECODE:-}${GIT_DIR:-}" ] || exit 9
again=$(printf '%s\n' "$prompt" | grep -c '^## It does not work yet$')
put() { printf '%s\n' "$1" > src/knob.txt; git commit -qam "work of $name"; }
case $name in
  faster) put 600 ;;
  faster-still) put 500; exit 1 ;;
  slower) put 1800 ;;
  nothing) echo 'I did it, and it is 50 % faster.' ;;
  mended) if [ "$again" = 0 ]; then put 'no number'; else put 300; fi ;;
  broken) put "no number $again" ;;
  cheat) echo 'int x;' > bench/knob.cc; git add -A; git commit -qm cheat ;;
  hangs) sleep 100 ;;
  prints) head -c 30000000 /dev/zero; put 350 ;;
  daemon) put 250; sleep 100 & ;;
  elsewhere) git switch -q --detach; put 200 ;;
  steered) printf '%s\n' "$prompt" | grep -q 'mind the cache' && put 600 ;;
esac
echo '{"total_cost_usd": 0.5, "usage": {"input_tokens": 700}}'
)";

class LoopTest : public AutotuneFixture {
 protected:
  void SetUp() override {
    InitTask();
    Write("../implement.sh", kScript);
    Write("../recipes/night.toml",
          "schema_version = 1\ntried = true\ncommand = [\"sh\", \"" +
              repository() +
              "/../implement.sh\"]\n[cost]\nusd = \"total_cost_usd\"\n"
              "tokens = [\"usage.input_tokens\"]\n");
    environment()["AUTOTUNE_DATA_DIR"] = repository() + "/..";
    StartAttempt("first");  // says why there is no profile
    Run({"decide", "first"});
  }

  void Ideas(const std::vector<std::string>& names) {
    std::string text = "# what to try\n";
    for (const std::string& name : names) {
      absl::StrAppend(&text, "{\"approach\": \"", name,
                      "\", \"hypothesis\": \"because\"}\n");
    }
    Write("../ideas.jsonl", text);
  }

  Answer Loop(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"loop", "--implementer", "night",
                                          "--ideas",
                                          repository() + "/../ideas.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }

  // "decision approach" of each row of the ledger but the first.
  std::vector<std::string> Rows() {
    std::vector<std::string> rows;
    for (const MetricRow& row :
         ParseMetricFile(TaskFile("metric.toml"), "m").rows) {
      const std::string name =
          row.description.substr(0, row.description.find(':'));
      if (name != "first")
        rows.push_back(
            absl::StrCat(std::string(NameOf(*row.status)), " ", name));
    }
    return rows;
  }
};

TEST_F(LoopTest, EachIdeaEndsAsItIsWorth) {
  Ideas({"faster", "nothing", "slower", "mended", "broken", "cheat"});
  const std::string before = UserState();
  const Answer answer = Loop();
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(Rows(),
              ElementsAre("keep faster", "discard nothing", "discard slower",
                          "keep mended", "crash broken", "crash cheat"));
  EXPECT_THAT(answer.out, HasSubstr("ended: no idea is left; 6 decided"));
  EXPECT_EQ(UserState(), before);
  EXPECT_THAT(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

TEST_F(LoopTest, OnlyTheChangeCounts) {
  Ideas({"faster-still", "prints", "daemon", "elsewhere", "hangs"});
  const Answer answer = Loop({"--timeout", "2s"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(Rows(),
              ElementsAre("keep faster-still", "keep prints", "keep daemon",
                          "discard elsewhere", "discard hangs"));
}

// Both start from one tip; the second is measured against what the first made
// of it, and conflicts where both changed one line.
TEST_F(LoopTest, JobsWorkSideBySideAndAreDecidedInOrder) {
  Ideas({"nothing", "faster", "slower"});
  const Answer answer = Loop({"--jobs", "3"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(Rows(),
              ElementsAre("discard nothing", "keep faster", "crash slower"));
  EXPECT_THAT(answer.out, HasSubstr("conflict"));
}

TEST_F(LoopTest, GoesOnWhereItStopped) {
  Ideas({"faster", "slower"});
  EXPECT_THAT(Loop({"--attempts", "1"}).out,
              HasSubstr("ended: all attempts used; 1 decided (1 keep)"));
  EXPECT_THAT(Rows(), ElementsAre("keep faster"));
  // One that an implementer was killed at is implemented.
  StartAttempt("mended");
  EXPECT_THAT(Loop().out, HasSubstr("no idea is left"));
  EXPECT_THAT(Rows(),
              ElementsAre("keep faster", "keep mended", "discard slower"));
}

TEST_F(LoopTest, BudgetsEndIt) {
  Ideas({"faster", "slower", "nothing", "cheat"});
  EXPECT_THAT(Loop({"--max-usd", "0.9"}).out,
              HasSubstr("ended: cost used up; 2 decided"));
  Ideas({"nothing", "cheat", "broken", "faster-still"});
  EXPECT_THAT(
      Loop({"--max-failures", "1"}).out,
      HasSubstr("ended: 1 attempts in a row could not be measured; 1 decided"));
  EXPECT_THAT(Loop({"--max-tokens", "1"}).out,
              HasSubstr("ended: tokens used up; 1 decided"));
}

TEST_F(LoopTest, StopAndSteerAreHeard) {
  Ideas({"steered", "faster"});
  EXPECT_EQ(Run({"steer", "mind the cache"}).exit_code, 0);
  EXPECT_EQ(Loop({"--attempts", "1"}).exit_code, 0);
  EXPECT_THAT(Rows(), ElementsAre("keep steered"));
  EXPECT_THAT(TaskFile("steered/prompts.md"), HasSubstr("mind the cache"));
  EXPECT_EQ(Run({"stop"}).out, "the loop ends after the attempt it is at\n");
}

TEST_F(LoopTest, APlannerSeesWhatNextSays) {
  Write("../plan.sh",
        "#!/bin/sh\nin=$(cat)\ncase $in in\n"
        "  *'\"phase\": \"micro\"'*) : ;; *) exit 3 ;;\nesac\n"
        "[ -e \"$0.done\" ] && exit 0\n: > \"$0.done\"\n"
        "echo '{\"approach\": \"faster\", \"hypothesis\": \"less\"}'\n");
  const Answer answer = Run({"loop", "--implementer", "night", "--planner",
                             "sh \"" + repository() + "/../plan.sh\""});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(Rows(), ElementsAre("keep faster"));
}

TEST_F(LoopTest, SaysWhatItCannotWorkWith) {
  Ideas({"faster"});
  const Answer unknown =
      Run({"loop", "--implementer", "nigth", "--ideas", "x"});
  EXPECT_EQ(unknown.exit_code, 69);
  EXPECT_THAT(unknown.err,
              AllOf(HasSubstr("no recipe is called \"nigth\"; did you mean "
                              "night?"),
                    HasSubstr("recipes: night;")));
  EXPECT_THAT(Run({"loop", "--implementer", "night"}).err,
              HasSubstr("expected either --planner COMMAND or --ideas FILE"));
  Write("../ideas.jsonl", "{\"approach\": \"x\"}\n");
  EXPECT_THAT(Loop().err,
              HasSubstr("ideas.jsonl:1: expected an object with \"approach\" "
                        "and \"hypothesis\", got {\"approach\": \"x\"}"));
  EXPECT_THAT(Rows(), Not(testing::Contains(HasSubstr("x"))));
}

}  // namespace
}  // namespace autotune
