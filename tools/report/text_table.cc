#include "tools/report/text_table.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/utf8_text.h"

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

// Characters of `text`, with what joins them.
std::vector<std::string_view> CharactersOf(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    const std::size_t size = std::max<std::size_t>(Utf8CharacterSize(text), 1);
    characters.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return characters;
}

// The longest start and end of `text` that fill at most `columns`.
std::string_view FirstColumns(std::string_view text, std::size_t columns) {
  std::size_t size = 0;
  std::size_t used = 0;
  for (const std::string_view character : CharactersOf(text)) {
    used += DisplayWidth(character);
    if (used > columns) break;
    size += character.size();
  }
  return text.substr(0, size);
}
std::string_view LastColumns(std::string_view text, std::size_t columns) {
  const std::vector<std::string_view> characters = CharactersOf(text);
  std::size_t size = 0;
  std::size_t used = 0;
  for (auto at = characters.rbegin(); at != characters.rend(); ++at) {
    used += DisplayWidth(*at);
    if (used > columns) break;
    size += at->size();
  }
  return text.substr(text.size() - size);
}

}  // namespace

std::string Styled(std::string_view text, TextStyle style, bool color) {
  std::string styled(text);
  if (!color || style == TextStyle::kPlain || text.empty()) return styled;
  return absl::StrCat(std::string(StyleCode(style)), styled,
                      std::string(kReset));
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t size = Utf8CharacterSize(text);
    columns +=
        size == 0 ? 1
                  : static_cast<std::size_t>(Utf8Columns(text.substr(0, size)));
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return columns;
}

void TextTable::AddRow(std::vector<Cell> cells) {
  rows_.push_back(std::move(cells));
}

void TextTable::ClearColumn(std::size_t column) {
  for (std::vector<Cell>& row : rows_) {
    if (column < row.size()) row[column] = Cell{};
  }
}

void TextTable::ShortenColumn(std::size_t column, std::size_t columns,
                              std::string_view mark) {
  const std::size_t room = columns - std::min(columns, DisplayWidth(mark));
  for (std::vector<Cell>& row : rows_) {
    if (column >= row.size()) continue;
    std::string& text = row[column].text;
    if (DisplayWidth(text) <= columns) continue;
    const std::string_view start = FirstColumns(text, room - room / 2);
    text = absl::StrCat(std::string(start), std::string(mark),
                        std::string(LastColumns(text, room / 2)));
  }
}

std::size_t TextTable::WidthOf(std::size_t column) const {
  return ColumnWidths()[column];
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
