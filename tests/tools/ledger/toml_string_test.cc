#include <random>
#include <string>
#include <string_view>

#include "base/utf8_text.h"
#include "gtest/gtest.h"
#include "toml++/toml.h"
#include "tools/ledger/toml_scanner.h"
#include "tools/ledger/toml_text.h"

namespace autotune {
namespace {

// The value a TOML 1.0 parser reads.
std::string ParsedByToml(const std::string& quoted) {
  const toml::table table = toml::parse("x = " + quoted + "\n");
  return table["x"].value_or(std::string("no string"));
}

TEST(TomlStringTest, WrittenTextReadsBackWithBothReaders) {
  std::mt19937_64 random(20260203);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    const auto size = random() % 40;
    for (unsigned i = 0; i < size; ++i) {
      text.push_back(static_cast<char>(random() % 256));
    }
    const std::string quoted = TomlString(text);
    ASSERT_EQ(quoted.find('\n'), std::string::npos);
    const DecodedString decoded = DecodeTomlString(quoted);
    ASSERT_EQ(decoded.size, quoted.size());
    ASSERT_EQ(decoded.text, ValidUtf8(text));
    ASSERT_EQ(decoded.note, "");
    ASSERT_EQ(ParsedByToml(quoted), ValidUtf8(text));
  }
}

TEST(TomlStringTest, FloatsAreFloats) {
  EXPECT_EQ(TomlFloat(81443.0), "81443.0");
  EXPECT_EQ(TomlFloat(0.5), "0.5");
  EXPECT_EQ(TomlFloat(-0.0), "-0.0");
  EXPECT_EQ(TomlFloat(1e300), "1e+300");
  EXPECT_EQ(TomlStringArray({"a", "\"b"}), "[\"a\", \"\\\"b\"]");
  EXPECT_EQ(TomlStringArray({}), "[]");
}

TEST(TomlStringTest, SurrogatePairsAreJoined) {
  EXPECT_EQ(DecodeTomlString(R"("\ud83d\ude00!")").text, "\xF0\x9F\x98\x80!");
  EXPECT_EQ(DecodeTomlString(R"("\ud83d\ude00!")").note, "");
}

TEST(TomlStringTest, LoneSurrogatesBecomeTheReplacementWithANote) {
  for (const char* source :
       {R"("\ud83d")", R"("\ude00")", R"("\uD83Dx")", R"("\ud83d\n")"}) {
    const DecodedString decoded = DecodeTomlString(source);
    EXPECT_EQ(decoded.text.substr(0, 3), "\xEF\xBF\xBD") << source;
    EXPECT_EQ(decoded.note, "a lone surrogate escape became U+FFFD") << source;
  }
  EXPECT_EQ(DecodeTomlString(R"("\ud83d\ud83d\ude00")").text,
            "\xEF\xBF\xBD\xF0\x9F\x98\x80");
}

TEST(TomlStringTest, UnknownEscapesAreKept) {
  const DecodedString decoded = DecodeTomlString(R"("C:\work\u12")");
  EXPECT_EQ(decoded.text, R"(C:\work\u12)");
  EXPECT_EQ(decoded.note, "an unknown escape was kept as it is");
}

TEST(TomlStringTest, StringsOverSeveralLines) {
  EXPECT_EQ(DecodeTomlString("\"\"\"\na\n\"b\" \\\n  c\"\"\"\"").text,
            "a\n\"b\" c\"");
  EXPECT_EQ(DecodeTomlString("'''\r\na\\n'''").text, "a\\n");
  EXPECT_EQ(DecodeTomlString("\"\" rest").size, 2U);
}

TEST(TomlStringTest, UnclosedStringsAreNone) {
  for (const char* source : {"\"", "\"abc\n\"", "\"abc\\", "\"abc\\\n\"",
                             "'abc\n'", "\"\"\"abc\"\"", "'''abc''"}) {
    const DecodedString decoded = DecodeTomlString(source);
    EXPECT_EQ(decoded.size, 0U) << source;
    EXPECT_EQ(decoded.note, "expected the string's closing quote") << source;
  }
}

}  // namespace
}  // namespace autotune
