#include "tools/report/report_format.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "comparator/recorded/comparison.h"
#include "tools/report/comparison_json.h"
#include "tools/report/comparison_junit.h"
#include "tools/report/comparison_markdown.h"
#include "tools/report/comparison_sarif.h"
#include "tools/report/comparison_text.h"

namespace autotune {
namespace {

struct NamedFormat {
  std::string_view name;
  ReportFormat format;
};

constexpr std::array<NamedFormat, 5> kFormats = {{
    {"table", ReportFormat::kTable},
    {"json", ReportFormat::kJson},
    {"markdown", ReportFormat::kMarkdown},
    {"junit", ReportFormat::kJunit},
    {"sarif", ReportFormat::kSarif},
}};

}  // namespace

std::string_view ReportFormatName(ReportFormat format) {
  for (const NamedFormat& entry : kFormats) {
    if (entry.format == format) return entry.name;
  }
  return kFormats.front().name;
}

std::optional<ReportFormat> ParseReportFormat(std::string_view name) {
  for (const NamedFormat& entry : kFormats) {
    if (entry.name == name) return entry.format;
  }
  return std::nullopt;
}

std::string ComparisonReport(const ComparisonTable& table, ReportFormat format,
                             bool color) {
  switch (format) {
    case ReportFormat::kJson:
      return ComparisonJson(table);
    case ReportFormat::kMarkdown:
      return ComparisonMarkdown(table);
    case ReportFormat::kJunit:
      return ComparisonJunit(table);
    case ReportFormat::kSarif:
      return ComparisonSarif(table);
    case ReportFormat::kTable:
      break;
  }
  return ComparisonText(table, color);
}

}  // namespace autotune
