#ifndef AUTOTUNE_TOOLS_REPORT_VALUE_TEXT_H_
#define AUTOTUNE_TOOLS_REPORT_VALUE_TEXT_H_

#include <string>
#include <string_view>

#include "comparator/statistics/estimate.h"

namespace autotune {

// A metric's value for people, four significant digits: times with the unit
// that fits ("123.4 ns", "1.500 ms"), other metrics with a decimal prefix
// ("1.234 M").
std::string ValueText(std::string_view metric_name, double value);

// The change that a ratio means: "-6.63 %", "+12.00 %"; from a factor of ten on
// "x 12.3".
std::string ChangeText(double ratio);

// "[-7.90 %, -5.20 %]"; "?" for an end not yet bounded.
std::string IntervalText(const Interval& interval);

// Four decimals, "<0.0001" below.
std::string PValueText(double p_value);

// "5.2 s", "2 min 5 s".
std::string SecondsText(double seconds);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_VALUE_TEXT_H_
