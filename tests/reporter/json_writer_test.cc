#include "reporter/json_writer.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <locale>
#include <string>

#include "nlohmann/json.hpp"

namespace autotune::internal {
namespace {

TEST(JsonStringTest, EscapesQuotesBackslashesAndControlCharacters) {
  EXPECT_EQ(JsonString("a\"b\\c\n\r\t"), R"("a\"b\\c\n\r\t")");
  EXPECT_EQ(JsonString(std::string("\0\x01\x1b\x7f", 4)),
            R"("\u0000\u0001\u001b\u007f")");
}

TEST(JsonStringTest, KeepsValidUtf8OfEveryLength) {
  EXPECT_EQ(JsonString("ü€😀"), "\"ü€😀\"");
}

TEST(JsonStringTest, WritesAByteOutsideUtf8AsTheCharacterOfItsNumber) {
  EXPECT_EQ(JsonString("\xe9t\xe9"), "\"été\"");
  // Overlong slash, a surrogate, past the last code point, cut short.
  EXPECT_EQ(JsonString("\xc0\xaf"), "\"À¯\"");
  EXPECT_EQ(JsonString("\xed\xa0\x80"), "\"í\u00a0\xc2\x80\"");
  EXPECT_EQ(JsonString("\xf4\x90\x80\x80"), "\"ô\xc2\x90\xc2\x80\xc2\x80\"");
  EXPECT_EQ(JsonString("\xe0\x9f\xbf"), "\"à\xc2\x9f¿\"");
  EXPECT_EQ(JsonString("\xf0\x8f\xbf\xbf"), "\"ð\xc2\x8f¿¿\"");
  EXPECT_EQ(JsonString("\xe2\x82"), "\"â\xc2\x82\"");
}

TEST(JsonStringTest, EveryPairOfBytesIsAcceptedByAStrictParser) {
  for (int first = 0; first < 256; ++first) {
    std::string all = "[\"\"";
    for (int second = 0; second < 256; ++second) {
      all += "," + JsonString(std::string{static_cast<char>(first),
                                          static_cast<char>(second)});
    }
    ASSERT_TRUE(nlohmann::json::accept(all + "]")) << first;
  }
}

// The decimal point of `Point`, in streams.
class CommaPoint : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(JsonNumberTest, PrintsSeventeenDigitsInScientificForm) {
  EXPECT_EQ(JsonScientific(1.0), "1.0000000000000000e+00");
  EXPECT_EQ(JsonScientific(-0.1), "-1.0000000000000001e-01");
  EXPECT_EQ(JsonScientific(1e300), "1.0000000000000001e+300");
}

TEST(JsonNumberTest, ShortFormReadsBackAsTheSameNumber) {
  EXPECT_EQ(JsonNumber(0.1), "0.1");
  EXPECT_EQ(JsonNumber(3), "3");
  for (const double value : {1.0 / 3, 2e-308, 1796047596.079677, -5e-324}) {
    EXPECT_EQ(std::strtod(JsonNumber(value).c_str(), nullptr), value);
  }
}

TEST(JsonNumberTest, WritesNullForWhatIsNotFinite) {
  EXPECT_EQ(JsonScientific(std::nan("")), "null");
  EXPECT_EQ(JsonScientific(-std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(JsonNumber(std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonNumberTest, DoesNotFollowTheLocale) {
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  EXPECT_EQ(JsonScientific(0.5), "5.0000000000000000e-01");
  EXPECT_EQ(JsonNumber(0.5), "0.5");
  std::locale::global(before);
}

TEST(JsonNumberTest, MakesAnyLocalesPointAPoint) {
  EXPECT_EQ(WithPlainPoint("-6,7e+02"), "-6.7e+02");
  // U+066B, the point of Arabic locales, is two bytes.
  EXPECT_EQ(WithPlainPoint("6\xd9\xab"
                           "7e-02"),
            "6.7e-02");
  EXPECT_EQ(WithPlainPoint("12"), "12");
}

TEST(JsonWriterTest, IndentsMembersAndSeparatesThem) {
  JsonWriter out(1);
  out.BeginObject();
  out.Key("a");
  out.Integer(-1);
  out.Key("b");
  out.BeginArray();
  out.Bool(true);
  out.String("x");
  out.EndArray();
  out.Key("empty");
  out.BeginObject();
  out.EndObject();
  out.EndObject();
  EXPECT_EQ(out.text(),
            "{\n"
            "    \"a\": -1,\n"
            "    \"b\": [\n"
            "      true,\n"
            "      \"x\"\n"
            "    ],\n"
            "    \"empty\": {}\n"
            "  }");
}

TEST(JsonWriterTest, CanKeepToOneLine) {
  JsonWriter out = JsonWriter::OneLine();
  out.BeginObject();
  out.Key("a");
  out.Integer(1);
  out.Key("b");
  out.BeginArray();
  out.Bool(false);
  out.Number(0.5);
  out.EndArray();
  out.EndObject();
  EXPECT_EQ(out.text(), R"({"a": 1, "b": [false, 0.5]})");
}

}  // namespace
}  // namespace autotune::internal
