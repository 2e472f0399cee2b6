#include "tools/report/plot.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"

namespace autotune {
namespace {

// What is farther out than this many distances of the quartiles is drawn on
// the edge. Normal noise reaches 4; the bursts of busy machines that this is
// about reach hundreds.
constexpr double kFence = 6.0;
constexpr double kRoom = 0.06;  // of the scale, at both ends
// Logarithmic length of an axis beyond which it is labelled by factors instead
// of per cents: about 1 to 5.
constexpr double kLongAxis = 1.6;

// Of a sorted list.
double Quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(
      share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

double PlotScale::At(double value) const {
  const double share =
      (std::clamp(value, low, high) - low) / std::max(high - low, 1e-300);
  return from + share * (to - from);
}

PlotScale ScaleOf(std::vector<double> values, double from, double to) {
  if (values.empty()) return {0.0, 1.0, from, to};
  std::sort(values.begin(), values.end());
  const double first = Quantile(values, 0.25);
  const double third = Quantile(values, 0.75);
  const double reach = kFence * (third - first);
  double low = values.front();
  double high = values.back();
  if (reach > 0.0) {
    low = std::max(low, first - reach);
    high = std::min(high, third + reach);
  }
  double room = kRoom * (high - low);
  if (!(room > 0.0)) room = std::max(0.01 * std::abs(high), 1e-9);
  return {low - room, high + room, from, to};
}

std::vector<double> Ticks(double low, double high, int about) {
  const double raw = (high - low) / about;
  if (!(raw > 0.0) || !std::isfinite(raw)) return {};
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10.0 * power;
  for (const double times : {5.0, 2.0, 1.0}) {
    if (times * power >= raw) step = times * power;
  }
  std::vector<double> ticks;
  for (double n = std::ceil(low / step); n * step <= high && ticks.size() < 50;
       n += 1.0) {
    ticks.push_back(n * step);
  }
  return ticks;
}

std::string PlaceText(double place) {
  const long tenths = std::lround(10.0 * place);
  if (tenths % 10 == 0) return absl::StrCat(tenths / 10);
  return absl::StrCat(tenths < 0 ? "-" : "", std::labs(tenths) / 10, ".",
                      std::labs(tenths) % 10);
}

void PlotLine::Add(double x, double y) {
  absl::StrAppend(&text_, text_.empty() ? "" : " ", PlaceText(x), ",",
                  PlaceText(y));
}

std::string AcrossPath(double x, double y, double to_x) {
  return absl::StrCat("M", PlaceText(x), " ", PlaceText(y), "H",
                      PlaceText(to_x));
}

std::string DownPath(double x, double y, double to_y) {
  return absl::StrCat("M", PlaceText(x), " ", PlaceText(y), "V",
                      PlaceText(to_y));
}

ChangeAxis::ChangeAxis(const std::vector<double>& logs, double from,
                       double to) {
  constexpr double kShortest = 0.02;
  // One benchmark that is fifty times slower must not make a line of the rest.
  constexpr double kTimesMost = 6.0;
  constexpr double kAlwaysSeen = 0.1;
  std::vector<double> sizes = {0.0};
  for (const double log : logs) sizes.push_back(std::abs(log));
  std::sort(sizes.begin(), sizes.end());
  const auto most = static_cast<std::size_t>(
      std::ceil(0.9 * static_cast<double>(sizes.size() - 1)));
  const double bound = std::max(kAlwaysSeen, kTimesMost * sizes[most]);
  double low = -kShortest;
  double high = kShortest;
  for (const double log : logs) {
    low = std::min(low, std::max(log, -bound));
    high = std::max(high, std::min(log, bound));
  }
  const double room = kRoom * (high - low);
  scale_ = {low - room, high + room, from, to};
}

double ChangeAxis::At(double ratio) const { return scale_.At(std::log(ratio)); }

bool ChangeAxis::Holds(double ratio) const {
  return scale_.Holds(std::log(ratio));
}

std::vector<double> ChangeAxis::TickRatios() const {
  constexpr int kAbout = 5;
  std::vector<double> ratios;
  if (!is_long()) {
    for (const double change :
         Ticks(std::expm1(scale_.low), std::expm1(scale_.high), kAbout)) {
      ratios.push_back(1.0 + change);
    }
    return ratios;
  }
  const double decades = (scale_.high - scale_.low) / std::log(10.0);
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times > 1.0 && decades > 2.5) continue;
    for (int power = -12; power <= 12; ++power) {
      const double ratio = times * std::pow(10.0, power);
      if (Holds(ratio)) ratios.push_back(ratio);
    }
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

std::string ChangeAxis::TickText(double ratio) const {
  if (std::abs(ratio - 1.0) < 1e-9) return "0";
  if (is_long()) return absl::StrCat("x ", ratio);
  const double per_cent = 100.0 * (ratio - 1.0);
  return absl::StrCat(per_cent > 0.0 ? "+" : "",
                      ShortestText(std::round(1000.0 * per_cent) / 1000.0),
                      " %");
}

bool ChangeAxis::is_long() const {
  return scale_.high - scale_.low > kLongAxis;
}

std::string ChangeAxis::IntervalPath(const std::optional<double>& lower,
                                     const std::optional<double>& upper,
                                     double y, double half) const {
  const auto end = [&](const std::optional<double>& ratio, double edge,
                       double inwards) {
    const bool seen = ratio.has_value() && Holds(*ratio);
    const double x = ratio.has_value() ? At(*ratio) : edge;
    if (seen) return DownPath(x, y - half, y + half);
    return absl::StrCat("M", PlaceText(x + inwards), " ", PlaceText(y - half),
                        "L", PlaceText(x), " ", PlaceText(y), " ",
                        PlaceText(x + inwards), " ", PlaceText(y + half));
  };
  const auto place = [&](const std::optional<double>& ratio, double edge) {
    return ratio.has_value() ? At(*ratio) : edge;
  };
  const double arrow = half + 1.0;
  return absl::StrCat(
      AcrossPath(place(lower, scale_.from), y, place(upper, scale_.to)),
      end(lower, scale_.from, arrow), end(upper, scale_.to, -arrow));
}

}  // namespace autotune
