#include "comparator/results/json_scanner.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The fault of reading over `text`, or kNone.
JsonError ErrorOf(std::string_view text) {
  JsonScanner scanner(text);
  scanner.Skip();
  return scanner.error();
}

JsonFault FaultOf(std::string_view text) { return ErrorOf(text).fault; }

// The string that `json` spells, or the fault's place.
std::string StringOf(std::string_view json) {
  JsonScanner scanner(json);
  std::string_view value;
  if (!scanner.ReadString(value)) {
    return "fault at " + std::to_string(scanner.error().offset);
  }
  return std::string(value);
}

TEST(JsonScannerTest, ReadsValuesInOrder) {
  JsonScanner scanner(R"( {"a": [1, true, "x"], "b": null} )");
  EXPECT_EQ(scanner.Next(), JsonType::kObject);
  JsonKeys keys;
  ASSERT_TRUE(scanner.BeginObject(keys));
  std::string_view key;
  ASSERT_TRUE(scanner.NextKey(keys, key));
  EXPECT_EQ(key, "a");
  bool first = true;
  ASSERT_TRUE(scanner.BeginArray(first));
  ASSERT_TRUE(scanner.NextItem(first));
  JsonNumber number;
  ASSERT_TRUE(scanner.ReadNumber(number));
  EXPECT_EQ(number.value, 1.0);
  EXPECT_EQ(number.text, "1");
  ASSERT_TRUE(scanner.NextItem(first));
  bool flag = false;
  ASSERT_TRUE(scanner.ReadBool(flag));
  EXPECT_TRUE(flag);
  ASSERT_TRUE(scanner.NextItem(first));
  std::string_view text;
  ASSERT_TRUE(scanner.ReadString(text));
  EXPECT_EQ(text, "x");
  EXPECT_FALSE(scanner.NextItem(first));
  ASSERT_TRUE(scanner.NextKey(keys, key));
  EXPECT_EQ(key, "b");
  EXPECT_EQ(scanner.Next(), JsonType::kNull);
  ASSERT_TRUE(scanner.Skip());
  EXPECT_FALSE(scanner.NextKey(keys, key));
  EXPECT_TRUE(scanner.ok());
  EXPECT_TRUE(scanner.AtEnd());
}

TEST(JsonScannerTest, ReadsNumbersExactly) {
  const std::vector<std::pair<std::string, double>> cases = {
      {"0", 0.0},
      {"-0", -0.0},
      {"1.2345678901234567e+02", 123.45678901234567},
      {"5e-324", 5e-324},
      {"1.7976931348623157e+308", std::numeric_limits<double>::max()},
      {"9007199254740993", 9007199254740992.0},
      {"-2.5E-3", -0.0025},
  };
  for (const auto& [text, expected] : cases) {
    const std::string json = text + ",";
    JsonScanner scanner(json);
    JsonNumber number;
    ASSERT_TRUE(scanner.ReadNumber(number)) << text;
    EXPECT_EQ(number.value, expected) << text;
    EXPECT_EQ(number.text, text);
  }
}

TEST(JsonScannerTest, ReadsEverySpellingOfNoFiniteNumber) {
  for (const std::string word :
       {"NaN", "nan", "-nan", "NAN", "Infinity", "-Infinity", "inf", "-inf",
        "+inf", "INF", "nan(ind)", "-nan(ind)", "nan(snan)", "1e999"}) {
    const std::string json = "[" + word + "]";
    JsonScanner scanner(json);
    bool first = true;
    ASSERT_TRUE(scanner.BeginArray(first) && scanner.NextItem(first));
    EXPECT_EQ(scanner.Next(), JsonType::kNumber) << word;
    JsonNumber number;
    ASSERT_TRUE(scanner.ReadNumber(number)) << word;
    EXPECT_EQ(number.value, std::nullopt) << word;
    EXPECT_EQ(number.text, word);
    EXPECT_FALSE(scanner.NextItem(first));
    EXPECT_TRUE(scanner.ok()) << word;
  }
}

TEST(JsonScannerTest, RefusesWhatOnlyStartsLikeANumber) {
  for (const std::string word : {"1.000.000", "1e", "0x10", "1_000", "--1", "-",
                                 "nano", "infinite", "1.5ns", "-a"}) {
    const JsonError error = ErrorOf("[" + word + "]");
    EXPECT_EQ(error.fault, JsonFault::kBadNumber) << word;
    EXPECT_EQ(error.offset, 1U) << word;
    EXPECT_EQ(error.detail, word);
  }
}

TEST(JsonScannerTest, UnescapesStrings) {
  EXPECT_EQ(StringOf(R"("")"), "");
  EXPECT_EQ(StringOf(R"("a\"\\\/\b\f\n\r\tz")"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(StringOf(R"("\u0041\u00e9\u20AC\ud83d\ude00")"),
            "A\u00e9\u20ac\U0001F600");
}

TEST(JsonScannerTest, RefusesEscapesThatMeanNothing) {
  for (const std::string json :
       {R"("\p")", R"("\x41")", R"("\u12")", R"("\u00zz")", R"("\ud83d")",
        R"("\ud83dx")", R"("\ud83d\n")", R"("\ud83d\u0041")", R"("\ude00")"}) {
    EXPECT_EQ(FaultOf(json), JsonFault::kBadEscape) << json;
  }
}

TEST(JsonScannerTest, KeepsOddCharactersOfStringsAndTellsWhere) {
  const std::string json = "[\"\u00e9\", \"a\x1b[1m\", \"\xe9t\xff\"]";
  JsonScanner scanner(json);
  bool first = true;
  std::string_view value;
  ASSERT_TRUE(scanner.BeginArray(first) && scanner.NextItem(first));
  ASSERT_TRUE(scanner.ReadString(value));
  EXPECT_EQ(value, "\u00e9");
  EXPECT_EQ(scanner.odd_byte_offset(), std::nullopt);
  ASSERT_TRUE(scanner.NextItem(first) && scanner.ReadString(value));
  EXPECT_EQ(value, "a\x1b[1m");
  EXPECT_EQ(scanner.odd_byte_offset(), 9U);
  ASSERT_TRUE(scanner.NextItem(first) && scanner.ReadString(value));
  EXPECT_EQ(value, "\u00e9t\u00ff");
  EXPECT_EQ(scanner.odd_byte_offset(), 9U);
}

TEST(JsonScannerTest, FindsAKeyThatIsThereTwice) {
  const JsonError error = ErrorOf(R"({"a": 1, "b": {"a": 2}, "a": 3})");
  EXPECT_EQ(error.fault, JsonFault::kDuplicateKey);
  EXPECT_EQ(error.offset, 24U);
  EXPECT_EQ(error.detail, "a");
  EXPECT_EQ(FaultOf(R"({"a": 1, "\u0061": 2})"), JsonFault::kDuplicateKey);
  EXPECT_EQ(FaultOf(R"({"\u0061": 1, "a": 2})"), JsonFault::kDuplicateKey);
}

TEST(JsonScannerTest, FindsAKeyThatIsThereTwiceAmongMany) {
  std::string json = "{";
  for (int i = 0; i < 1000; ++i) {
    json += "\"k" + std::to_string(i) + "\": 0, ";
  }
  EXPECT_EQ(FaultOf(json + "\"z\": 0}"), JsonFault::kNone);
  EXPECT_EQ(FaultOf(json + "\"k999\": 0}"), JsonFault::kDuplicateKey);
  EXPECT_EQ(FaultOf(json + "\"k7\": 0}"), JsonFault::kDuplicateKey);
}

// Reads the objects of an array with one JsonKeys, as rows are read.
JsonError ErrorOfRows(std::string_view json, std::vector<std::string>& keys) {
  JsonScanner scanner(json);
  JsonKeys shared;
  bool first = true;
  scanner.BeginArray(first);
  while (scanner.NextItem(first) && scanner.BeginObject(shared)) {
    std::string_view key;
    while (scanner.NextKey(shared, key)) {
      keys.emplace_back(key);
      keys.back() += shared.repeats_previous() ? "=" : "!";
      keys.back() += std::to_string(shared.index());
      scanner.Skip();
    }
  }
  return scanner.error();
}

TEST(JsonScannerTest, TellsWhichKeysRepeatThePreviousObjects) {
  std::vector<std::string> keys;
  const JsonError error = ErrorOfRows(
      R"([{"a":1,"b":1},{"a":1,"b":1,"c":1},{"a":1,"c":1,"b":1},{"aa":1}])",
      keys);
  EXPECT_EQ(error.fault, JsonFault::kNone);
  EXPECT_THAT(keys, ElementsAre("a!0", "b!1", "a=0", "b=1", "c!2", "a=0", "c!1",
                                "b!2", "aa!0"));
}

TEST(JsonScannerTest, FindsADuplicateAfterKeysThatRepeat) {
  for (const std::string json :
       {R"([{"a":1,"b":1},{"a":1,"b":1,"a":1}])",
        R"([{"a":1,"b":1},{"a":1,"a":1}])",
        R"([{"a":1,"b":1},{"b":1,"a":1,"b":1}])",
        R"([{"\u0061":1,"b":1},{"a":1,"\u0061":1}])",
        R"([{"a":1,"b":1},{"a":1,"b":1,"\u0061":1}])"}) {
    std::vector<std::string> keys;
    EXPECT_EQ(ErrorOfRows(json, keys).fault, JsonFault::kDuplicateKey) << json;
  }
}

TEST(JsonScannerTest, EveryPrefixOfADocumentIsCutNotWrong) {
  const std::string json =
      R"({"a\u00e9\n": [1.5e+02, -Infinity, NaN, true, false, null,
      {"b": "\ud83d\ude00"}, []], "c": -0.5})";
  for (std::size_t size = 0; size < json.size(); ++size) {
    const JsonError error = ErrorOf(std::string_view(json).substr(0, size));
    EXPECT_EQ(error.fault, JsonFault::kEndOfText) << json.substr(0, size);
    EXPECT_EQ(error.offset, size);
  }
  EXPECT_EQ(FaultOf(json), JsonFault::kNone);
}

TEST(JsonScannerTest, NamesEachFaultAndItsPlace) {
  struct Case {
    std::string json;
    JsonFault fault;
    std::size_t offset;
    std::string detail;
  };
  const std::vector<Case> cases = {
      {"[1,]", JsonFault::kTrailingComma, 2, ""},
      {R"({"a":1 , })", JsonFault::kTrailingComma, 7, ""},
      {"[{} {}]", JsonFault::kMissingComma, 4, ""},
      {R"({"a":1 "b":2})", JsonFault::kMissingComma, 7, ""},
      {"[1 2]", JsonFault::kMissingComma, 3, ""},
      {R"({"a":6,7e+02})", JsonFault::kDigitAfterComma, 7, ""},
      {"{\"a\":\"x\ny\"}", JsonFault::kLineBreak, 7, ""},
      {R"({"a":"x"y"})", JsonFault::kTextAfterString, 8, ""},
      {R"({"a":"x""})", JsonFault::kTextAfterString, 8, ""},
      {R"({"a":"x"y})", JsonFault::kUnexpectedText, 8, "y"},
      {"[hello]", JsonFault::kUnexpectedText, 1, "hello"},
      {"[tru e]", JsonFault::kUnexpectedText, 1, "tru"},
      {"[}", JsonFault::kUnexpectedText, 1, "}"},
      {R"({"a" 1})", JsonFault::kUnexpectedText, 5, "1"},
      {"{1:2}", JsonFault::kUnexpectedText, 1, "1"},
      {"[\x01]", JsonFault::kUnexpectedText, 1, "\\x01"},
      {"[\u20ac]", JsonFault::kUnexpectedText, 1, "\u20ac"},
      {"[\"\\\xc3\"]", JsonFault::kBadEscape, 2, "\\\\xC3"},
  };
  for (const Case& c : cases) {
    const JsonError error = ErrorOf(c.json);
    EXPECT_EQ(error.fault, c.fault) << c.json;
    EXPECT_EQ(error.offset, c.offset) << c.json;
    EXPECT_EQ(error.detail, c.detail) << c.json;
  }
}

TEST(JsonScannerTest, StopsAtDeepNesting) {
  const std::string open(64, '[');
  const std::string close(64, ']');
  EXPECT_EQ(FaultOf(open + close), JsonFault::kNone);
  const JsonError error = ErrorOf("[" + open + close + "]");
  EXPECT_EQ(error.fault, JsonFault::kTooDeep);
  EXPECT_EQ(error.offset, 64U);
  EXPECT_EQ(FaultOf(std::string(1000000, '[')), JsonFault::kTooDeep);
}

TEST(JsonScannerTest, TakesAMissingCommaWhereAllowed) {
  const std::string json = R"({"a": "1"
    "b": "2", "c": "3"})";
  JsonScanner scanner(json);
  JsonKeys keys;
  keys.AllowMissingComma();
  ASSERT_TRUE(scanner.BeginObject(keys));
  std::vector<std::string> values;
  std::string_view key;
  std::string_view value;
  while (scanner.NextKey(keys, key) && scanner.ReadString(value)) {
    values.emplace_back(value);
  }
  EXPECT_TRUE(scanner.ok());
  EXPECT_THAT(values, ElementsAre("1", "2", "3"));
  EXPECT_EQ(keys.missing_comma(), json.find("\"b\""));
}

TEST(JsonScannerTest, DoesNothingAfterAFault) {
  JsonScanner scanner("[1 2]");
  bool first = true;
  ASSERT_TRUE(scanner.BeginArray(first) && scanner.NextItem(first));
  ASSERT_TRUE(scanner.Skip());
  EXPECT_FALSE(scanner.NextItem(first));
  EXPECT_FALSE(scanner.NextItem(first));
  JsonNumber number;
  EXPECT_FALSE(scanner.ReadNumber(number));
  EXPECT_FALSE(scanner.Reject(0, "mine"));
  EXPECT_EQ(scanner.error().fault, JsonFault::kMissingComma);
}

TEST(JsonScannerTest, PlacesCountLinesAndCharacters) {
  const std::string text = "ab\n\u00e9\u20acx\r\ny";
  const auto place = [&text](std::size_t offset) {
    const TextPlace at = PlaceAt(text, offset);
    return std::pair(at.line, at.column);
  };
  EXPECT_EQ(place(0), std::pair(1UL, 1UL));
  EXPECT_EQ(place(2), std::pair(1UL, 3UL));
  EXPECT_EQ(place(3), std::pair(2UL, 1UL));
  EXPECT_EQ(place(text.find('x')), std::pair(2UL, 3UL));
  EXPECT_EQ(place(text.size()), std::pair(3UL, 2UL));
  EXPECT_EQ(place(text.size() + 5), std::pair(3UL, 2UL));
}

}  // namespace
}  // namespace autotune
