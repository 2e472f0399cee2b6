#include "tools/report/text_table.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace autotune {
namespace {

// Between columns.
constexpr std::string_view kGap = "  ";
constexpr std::string_view kReset = "\x1b[0m";

std::string_view StyleCode(TextStyle style) {
  switch (style) {
    case TextStyle::kGood:
      return "\x1b[32m";
    case TextStyle::kBad:
      return "\x1b[31m";
    case TextStyle::kDoubtful:
      return "\x1b[33m";
    case TextStyle::kFaint:
      return "\x1b[2m";
    case TextStyle::kStrong:
      return "\x1b[1m";
    case TextStyle::kPlain:
      break;
  }
  return "";
}

}  // namespace

std::string Styled(std::string_view text, TextStyle style, bool color) {
  std::string styled(text);
  if (!color || style == TextStyle::kPlain || text.empty()) return styled;
  return absl::StrCat(std::string(StyleCode(style)), styled,
                      std::string(kReset));
}

std::size_t DisplayWidth(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void TextTable::AddRow(std::vector<Cell> cells) {
  rows_.push_back(std::move(cells));
}

void TextTable::ClearColumn(std::size_t column) {
  for (std::vector<Cell>& row : rows_) {
    if (column < row.size()) row[column] = Cell{};
  }
}

std::size_t TextTable::Width() const {
  std::size_t width = 0;
  for (const std::size_t column : ColumnWidths()) {
    if (column > 0) width += column + (width > 0 ? kGap.size() : 0);
  }
  return width;
}

std::vector<std::size_t> TextTable::ColumnWidths() const {
  std::vector<std::size_t> widths;
  std::vector<bool> used;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    widths.resize(std::max(widths.size(), rows_[r].size()), 0);
    used.resize(widths.size(), false);
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const std::size_t width = DisplayWidth(rows_[r][i].text);
      widths[i] = std::max(widths[i], width);
      if (r > 0 && width > 0) used[i] = true;
    }
  }
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (!used[i]) widths[i] = 0;
  }
  return widths;
}

std::string TextTable::Render(bool color) const {
  const std::vector<std::size_t> widths = ColumnWidths();
  std::string text;
  for (const std::vector<Cell>& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      const std::string padding(widths[i] - DisplayWidth(row[i].text), ' ');
      const std::string cell = Styled(row[i].text, row[i].style, color);
      const bool left = i == 0 || i + 1 == widths.size();
      absl::StrAppend(&line, i == 0 ? "" : std::string(kGap),
                      left ? cell : padding + cell, left ? padding : "");
    }
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

}  // namespace autotune
