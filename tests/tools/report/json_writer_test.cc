#include "tools/report/json_writer.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(JsonWriterTest, KeysStayInOrderAndNestedPartsAreIndented) {
  JsonWriter json;
  json.BeginObject();
  json.Count("b", 2);
  json.Text("a", "x");
  json.BeginArray("list");
  json.Count("", 1);
  json.BeginObject();
  json.Flag("yes", true);
  json.EndObject();
  json.EndArray();
  json.BeginArray("empty");
  json.EndArray();
  json.Texts("texts", {"p", "q"});
  json.EndObject();
  EXPECT_EQ(json.Take(), R"({
  "b": 2,
  "a": "x",
  "list": [
    1,
    {
      "yes": true
    }
  ],
  "empty": [],
  "texts": [
    "p",
    "q"
  ]
}
)");
}

TEST(JsonWriterTest, AbsentValuesAreNull) {
  JsonWriter json;
  json.BeginObject();
  json.Number("number", std::optional<double>());
  json.Count("count", std::optional<std::int64_t>());
  json.Estimate(std::nullopt);
  json.EndObject();
  EXPECT_EQ(json.Take(), R"({
  "number": null,
  "count": null,
  "ratio": null,
  "ratio_low": null,
  "ratio_high": null,
  "confidence_level": null
}
)");
}

TEST(JsonWriterTest, AnyTextAndNumberReadsBack) {
  const std::string text("quote \" back \\ nl \n nul \0 esc \x1b \xC3\xA4", 34);
  JsonWriter json;
  json.BeginObject();
  json.Text(text, text);
  json.Number("x", 0.1);
  json.Number("y", 1e300);
  json.EndObject();
  const auto read = nlohmann::json::parse(json.Take());
  EXPECT_EQ(read[text], text);
  EXPECT_EQ(read["x"], 0.1);
  EXPECT_EQ(read["y"], 1e300);
}

TEST(JsonWriterTest, NoTextIsACommandToACiLog) {
  JsonWriter json;
  json.BeginObject();
  json.Text("name", "##[error]x");
  json.EndObject();
  const std::string text = json.Take();
  EXPECT_EQ(text, "{\n  \"name\": \"##\\u005berror]x\"\n}\n");
  EXPECT_EQ(nlohmann::json::parse(text)["name"], "##[error]x");
}

}  // namespace
}  // namespace autotune
