#include "tools/report/markup.h"

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(MarkupTextTest, NothingCanEndTheTextOrTheAttributeItStandsIn) {
  EXPECT_EQ(MarkupText("<a b=\"c\" d='e'> & \x1b[m"),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt; &amp; \\x1b[m");
}

TEST(MarkupWriterTest, EscapesTextsAndValuesAndLeavesOutEmptyAttributes) {
  MarkupWriter html;
  html.Begin("p", {{"title", "\"<"}, {"class", ""}});
  html.Text("a<b");
  html.Element("b", "c&d");
  html.Empty("path", {{"d", "M1 2"}});
  html.End();
  EXPECT_EQ(html.Take(),
            "<p title=\"&quot;&lt;\">a&lt;b<b>c&amp;d</b><path "
            "d=\"M1 2\"/></p>");
}

TEST(MarkupWriterTest, LeavesOutTheEndTagsThatHtmlLetsGo) {
  MarkupWriter html;
  html.Begin("table");
  html.Begin("tr");
  html.Element("th", "a");
  html.Element("td", "b");
  html.End();
  html.End();
  EXPECT_EQ(html.Take(), "<table><tr><th>a<td>b</table>");
}

}  // namespace
}  // namespace autotune
