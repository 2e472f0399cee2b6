#ifndef AUTOTUNE_TOOLS_REPORT_TASK_PLOTS_H_
#define AUTOTUNE_TOOLS_REPORT_TASK_PLOTS_H_

#include <cstddef>

#include "tools/report/markup.h"
#include "tools/report/task_report.h"

namespace autotune {

// The tip's ratio to the start before the i-th attempt, by what keeps claim.
double RatioBefore(const TaskReport& report, std::size_t i);

// Every attempt where it would have brought the tip, with its interval and
// prediction, the tip's stairs, phases and harvests.
void WriteCourse(const TaskReport& report, MarkupWriter& html);

// Predicted against measured change; nothing when nothing was predicted.
void WritePredictions(const TaskReport& report, MarkupWriter& html);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_TASK_PLOTS_H_
