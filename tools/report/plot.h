#ifndef AUTOTUNE_TOOLS_REPORT_PLOT_H_
#define AUTOTUNE_TOOLS_REPORT_PLOT_H_

#include <optional>
#include <string>
#include <vector>

namespace autotune {

// A straight map from values in [low, high], low < high, to places of a
// drawing. Values beyond an end are drawn on it.
struct PlotScale {
  double low = 0.0;
  double high = 1.0;
  double from = 0.0;  // place of low
  double to = 1.0;    // place of high

  double At(double value) const;
  bool Holds(double value) const { return value >= low && value <= high; }
};

// The scale on which `values`, finite, are all seen with some room around,
// except those so far out that the rest would become a line: more than six
// times the distance of the quartiles beyond them.
PlotScale ScaleOf(std::vector<double> values, double from, double to);

// Round numbers (1, 2 or 5 times a power of ten apart) in [low, high], about
// `about` of them.
std::vector<double> Ticks(double low, double high, int about);

// A place of a drawing in SVG: tenths, as short as can be: "12.5", "7".
std::string PlaceText(double place);

// The points of an SVG polyline: "1,2 3,4.5".
class PlotLine {
 public:
  void Add(double x, double y);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A straight SVG path "M1 2H3", or "M1 2V3".
std::string AcrossPath(double x, double y, double to_x);
std::string DownPath(double x, double y, double to_y);

// Changes of a ratio on a logarithmic axis, such as a forest plot's.
class ChangeAxis {
 public:
  // `logs`: natural logarithms of the ratios to be seen; 0 (no change) is too.
  // Those beyond six times what nine in ten reach are off the axis.
  ChangeAxis(const std::vector<double>& logs, double from, double to);

  double At(double ratio) const;
  bool Holds(double ratio) const;
  const PlotScale& scale() const { return scale_; }
  // Ratios worth a label: whole per cents, or factors on a long axis.
  std::vector<double> TickRatios() const;
  // "+5 %", "0", or "x 2" on a long axis.
  std::string TickText(double ratio) const;

  // The path of an interval at height y with `half` high end marks: an end
  // beyond the axis, or not yet bounded, is an arrow.
  std::string IntervalPath(const std::optional<double>& lower,
                           const std::optional<double>& upper, double y,
                           double half) const;

 private:
  bool is_long() const;

  PlotScale scale_;  // of logarithms
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_PLOT_H_
