#ifndef AUTOTUNE_TESTS_SUPPORT_REFERENCE_CSV_H_
#define AUTOTUNE_TESTS_SUPPORT_REFERENCE_CSV_H_

#include <cstddef>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "gtest/gtest.h"

namespace autotune {

// One row of a reference table, by column name.
class ReferenceRow {
 public:
  explicit ReferenceRow(std::map<std::string, std::string> cells)
      : cells_(std::move(cells)) {}

  const std::string& Text(const std::string& column) const {
    return cells_.at(column);
  }

  // Absent when the cell is empty.
  std::optional<double> Number(const std::string& column) const {
    if (Text(column).empty()) return std::nullopt;
    const std::optional<double> value = ParseFiniteDouble(Text(column));
    EXPECT_TRUE(value) << column << ": " << Text(column);
    return value;
  }

  // The numbers of a cell that holds several, separated by spaces.
  std::vector<double> Numbers(const std::string& column) const {
    std::vector<double> values;
    std::istringstream words(Text(column));
    for (std::string word; words >> word;) {
      const std::optional<double> value = ParseFiniteDouble(word);
      EXPECT_TRUE(value) << column << ": " << word;
      if (value) values.push_back(*value);
    }
    return values;
  }

 private:
  std::map<std::string, std::string> cells_;
};

inline std::vector<std::string> SplitCells(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

// The rows of tests/reference/`name`: its first line says which tool made it,
// the second one names the columns. A missing file fails the test.
inline std::vector<ReferenceRow> ReadReferenceCsv(const std::string& name) {
  const std::string path = std::string(AUTOTUNE_REFERENCE_DIR) + "/" + name;
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line.rfind("# ", 0), 0u) << path << " names no tool";
  std::getline(file, line);
  const std::vector<std::string> columns = SplitCells(line);
  std::vector<ReferenceRow> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = SplitCells(line);
    EXPECT_EQ(cells.size(), columns.size()) << path << ": " << line;
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < columns.size() && i < cells.size(); ++i) {
      row[columns[i]] = cells[i];
    }
    rows.emplace_back(std::move(row));
  }
  EXPECT_FALSE(rows.empty()) << path;
  return rows;
}

inline void ExpectNearOrBothAbsent(std::optional<double> actual,
                                   std::optional<double> expected,
                                   double tolerance, const std::string& where) {
  EXPECT_EQ(actual.has_value(), expected.has_value()) << where;
  if (!actual || !expected) return;
  EXPECT_NEAR(*actual, *expected, tolerance) << where;
}

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_REFERENCE_CSV_H_
