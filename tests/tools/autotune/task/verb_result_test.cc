#include "tools/autotune/task/verb_result.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace autotune {
namespace {

class VerbResultTest : public testing::Test {
 protected:
  std::ostringstream out_;
  std::ostringstream err_;
  Terminal terminal_{out_, err_};
};

VerbResult Result() {
  VerbResult result;
  result.exit_code = kExitDiscard;
  result.decision = "discard";
  result.reason = "no gain";
  result.lines = {"discard x", "  recorded"};
  result.fields.Add("ratio", 0.5);
  result.fields.Add("rounds", std::int64_t{9});
  result.fields.Add("names", std::vector<std::string>{"a\"b", "\xFF"});
  result.next = {{"autotune next", "go on"}};
  return result;
}

TEST_F(VerbResultTest, TextIsLinesAndNextSteps) {
  PrintResult(Result(), "decide", false, terminal_);
  EXPECT_EQ(out_.str(),
            "discard x\n  recorded\nnext: autotune next   # go on\n");
  EXPECT_EQ(err_.str(), "");
}

TEST_F(VerbResultTest, JsonIsOneObjectWithStableKeys) {
  PrintResult(Result(), "decide", true, terminal_);
  EXPECT_EQ(out_.str(),
            "{\"schema_version\": 1, \"ok\": true, \"verb\": \"decide\", "
            "\"exit_code\": 1, \"decision\": \"discard\", \"reason\": \"no "
            "gain\", \"ratio\": 0.5, \"rounds\": 9, \"names\": "
            "[\"a\\\"b\",\"\xEF\xBF\xBD\"], \"next\": [{\"command\": "
            "\"autotune next\", \"why\": \"go on\"}]}\n");
}

TEST_F(VerbResultTest, JsonWithoutFieldsIsValid) {
  PrintResult(VerbResult(), "log", true, terminal_);
  EXPECT_EQ(out_.str(),
            "{\"schema_version\": 1, \"ok\": true, \"verb\": \"log\", "
            "\"exit_code\": 0, \"next\": []}\n");
}

TEST_F(VerbResultTest, ErrorGoesToStderrWithItsHint) {
  const absl::Status status = WithHint(
      absl::FailedPreconditionError("no task\x1b[31m"), "autotune init");
  EXPECT_EQ(PrintError(status, false, terminal_), 69);
  EXPECT_EQ(out_.str(), "");
  EXPECT_EQ(err_.str().find('\x1b'), std::string::npos);
  EXPECT_EQ(err_.str().substr(0, 25), "autotune: error: no task\\");
}

TEST_F(VerbResultTest, JsonErrorIsAnObjectOnStdout) {
  const absl::Status status =
      WithHint(absl::UnavailableError("busy"), "try again");
  EXPECT_EQ(PrintError(status, true, terminal_), 75);
  EXPECT_EQ(out_.str(),
            "{\n  \"schema_version\": 1,\n  \"ok\": false,\n  \"error\": {\n"
            "    \"code\": 75,\n    \"message\": \"busy\",\n"
            "    \"hint\": \"try again\"\n  }\n}\n");
  EXPECT_EQ(err_.str(), "");
}

}  // namespace
}  // namespace autotune
