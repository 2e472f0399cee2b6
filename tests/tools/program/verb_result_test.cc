#include "tools/program/verb_result.h"

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
  result.fields.Number("ratio", 0.5);
  result.fields.Count("rounds", 9);
  result.fields.Texts("names", {"a\"b", "\xFF"});
  result.fields.Numbers("metrics", {{"", 1.5}});
  result.next = {{Autotune({"next"}), "go on"}};
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
            "{\n  \"schema_version\": 1,\n  \"ok\": true,\n  \"verb\": "
            "\"decide\",\n  \"exit_code\": 1,\n  \"decision\": "
            "\"discard\",\n  \"reason\": \"no gain\",\n  \"ratio\": 0.5,\n"
            "  \"rounds\": 9,\n  \"names\": [\n    \"a\\\"b\",\n    "
            "\"\xEF\xBF\xBD\"\n  ],\n  \"metrics\": {\n    \"\": 1.5\n  },\n"
            "  \"next\": [\n    {\n      \"command\": \"autotune next\",\n"
            "      \"why\": \"go on\"\n    }\n  ]\n}\n");
}

TEST_F(VerbResultTest, JsonWithoutFieldsIsValid) {
  PrintResult(VerbResult(), "log", true, terminal_);
  EXPECT_EQ(out_.str(),
            "{\n  \"schema_version\": 1,\n  \"ok\": true,\n  \"verb\": "
            "\"log\",\n  \"exit_code\": 0,\n  \"next\": []\n}\n");
}

}  // namespace
}  // namespace autotune
