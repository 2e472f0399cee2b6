#ifndef AUTOTUNE_TOOLS_REPORT_TEXT_TABLE_H_
#define AUTOTUNE_TOOLS_REPORT_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// How a cell stands out where colour is allowed.
enum class TextStyle { kPlain, kGood, kBad, kDoubtful, kFaint, kStrong };

// `text` in its style's colour, or as it is when `color` is false.
std::string Styled(std::string_view text, TextStyle style, bool color);

// Columns a terminal needs for printable UTF-8 text.
std::size_t DisplayWidth(std::string_view text);

// Rows of cells in aligned columns, two spaces apart. The first column is
// aligned left, the others right except the last.
class TextTable {
 public:
  struct Cell {
    std::string text;  // must be printable
    TextStyle style = TextStyle::kPlain;
  };

  void AddRow(std::vector<Cell> cells);
  // Empties a column in every row, so that it is left out.
  void ClearColumn(std::size_t column);

  // Takes the middle out of longer texts of a column, so that they fill
  // `columns` with `mark` in its place.
  void ShortenColumn(std::size_t column, std::size_t columns,
                     std::string_view mark);

  std::size_t rows() const { return rows_.size(); }
  // Columns of a terminal that Render fills at most.
  std::size_t Width() const;
  // Columns that one of them fills.
  std::size_t WidthOf(std::size_t column) const;

  // Lines without trailing spaces, each ended by '\n'. Columns that are empty
  // in every row but the first (the heading) are left out.
  std::string Render(bool color) const;

 private:
  // Width of each column; 0 for those left out.
  std::vector<std::size_t> ColumnWidths() const;

  std::vector<std::vector<Cell>> rows_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_TEXT_TABLE_H_
