#include "tools/report/text_table.h"

#include "gtest/gtest.h"

namespace autotune {
namespace {

TextTable Example() {
  TextTable table;
  table.AddRow({{"name"}, {"value"}, {"unused"}, {"word"}});
  table.AddRow({{"a"}, {"1"}, {}, {"yes", TextStyle::kGood}});
  table.AddRow({{"\xC3\xA4\xC3\xB6"}, {"12345678"}, {}, {"no"}});
  return table;
}

TEST(TextTableTest, ColumnsAlignAndEmptyOnesAreLeftOut) {
  EXPECT_EQ(Example().Render(false),
            "name     value  word\n"
            "a            1  yes\n"
            "\xC3\xA4\xC3\xB6    12345678  no\n");
}

TEST(TextTableTest, ColourDoesNotDisturbTheAlignment) {
  EXPECT_EQ(Example().Render(true),
            "name     value  word\n"
            "a            1  \x1b[32myes\x1b[0m\n"
            "\xC3\xA4\xC3\xB6    12345678  no\n");
}

TEST(TextTableTest, WidthIsThatOfTheLongestLine) {
  EXPECT_EQ(Example().Width(), 20U);  // 4 + 2 + 8 + 2 + 4
}

TEST(TextTableTest, AClearedColumnIsGone) {
  TextTable table = Example();
  table.ClearColumn(1);
  EXPECT_EQ(table.Render(false),
            "name  word\na     yes\n\xC3\xA4\xC3\xB6    no\n");
}

TEST(TextTableTest, ShorterNamesKeepTheirStartAndEnd) {
  TextTable table;
  table.AddRow({{"name"}, {"x"}});
  table.AddRow({{"BM_Parse/4096"}, {"y"}});
  table.AddRow({{"\u6f22\u6f22\u6f22\u6f22\u6f22"}, {"z"}});
  table.ShortenColumn(0, 8, "...");
  EXPECT_EQ(table.Render(false),
            "name      x\nBM_...96  y\n\u6f22...\u6f22   z\n");
  EXPECT_EQ(table.WidthOf(0), 8U);
}

TEST(DisplayWidthTest, CountsTheColumnsOfATerminal) {
  EXPECT_EQ(DisplayWidth("\u6f22\u5b57"), 4U);  // wide
  EXPECT_EQ(DisplayWidth("e\u0301"), 1U);       // joined
  EXPECT_EQ(DisplayWidth("\U0001f600"), 2U);
  EXPECT_EQ(DisplayWidth("abc"), 3U);
  EXPECT_EQ(DisplayWidth("\xC3\xA4\xE2\x82\xAC"), 2U);
  EXPECT_EQ(DisplayWidth(""), 0U);
}

}  // namespace
}  // namespace autotune
