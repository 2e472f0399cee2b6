#ifndef AUTOTUNE_TOOLS_REPORT_REPORT_FORMAT_H_
#define AUTOTUNE_TOOLS_REPORT_REPORT_FORMAT_H_

#include <optional>
#include <string>
#include <string_view>

#include "comparator/recorded/comparison.h"

namespace autotune {

// The forms in which a comparison of recorded files can be reported.
enum class ReportFormat { kTable, kJson, kMarkdown, kJunit, kSarif };

// "table", "json", "markdown", "junit", "sarif".
std::string_view ReportFormatName(ReportFormat format);
std::optional<ReportFormat> ParseReportFormat(std::string_view name);

// `color` is for the table only.
std::string ComparisonReport(const ComparisonTable& table, ReportFormat format,
                             bool color);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_REPORT_FORMAT_H_
