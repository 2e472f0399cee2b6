// The evidence of a run, round by round.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "comparator/outcome/outcome.h"
#include "tools/report/comparison_plots.h"
#include "tools/report/markup.h"
#include "tools/report/plot.h"
#include "tools/report/series.h"

namespace autotune {
namespace {

constexpr double kBetsLeft = 40.0;
constexpr double kBetsRight = 300.0;

using Value = std::optional<double> SeriesPoint::*;

// The decades that the curves of a series need, and the limits.
PlotScale BetScale(const Series& series) {
  constexpr double kLowest = -2.0;
  double low = 0.0;
  double high =
      std::max(series.log_for_limit, series.log_against_limit) / std::log(10.0);
  for (const SeriesPoint& point : series.points) {
    for (const auto& log_e : {point.log_e_for, point.log_e_against}) {
      if (!log_e.has_value()) continue;
      low = std::min(low, *log_e / std::log(10.0));
      high = std::max(high, *log_e / std::log(10.0));
    }
  }
  return {std::max(low, kLowest) - 0.1, high + 0.25, kPlotBottom, kPlotTop};
}

// One e-value by round from 1 on, and where it reached its limit.
struct Bet {
  PlotLine line;
  std::optional<std::int64_t> round;  // the first at the limit
  double x = kBetsLeft;               // of that round, else of the last
  double y = kPlotBottom;
  double last_y = kPlotBottom;
  std::optional<double> last;
};

Bet BetOf(const Series& series, Value log_e, double limit,
          const PlotScale& scale) {
  Bet bet;
  std::size_t count = 0;
  for (const SeriesPoint& point : series.points) {
    count += (point.*log_e).has_value();
  }
  bet.line.Add(kBetsLeft, scale.At(0.0));
  bet.last_y = scale.At(0.0);
  std::size_t seen = 0;
  for (const SeriesPoint& point : series.points) {
    if (!(point.*log_e).has_value()) continue;
    bet.last = *(point.*log_e);
    const double x = OrderX(++seen, count + 1, kBetsLeft, kBetsRight);
    bet.last_y = scale.At(*bet.last / std::log(10.0));
    bet.line.Add(x, bet.last_y);
    if (bet.round.has_value() || *bet.last < limit) continue;
    bet.round = point.index;
    bet.x = x;
    bet.y = bet.last_y;
  }
  return bet;
}

std::string BetText(std::string_view word, const Bet& bet, double limit) {
  return absl::StrFormat(
      " \"%s\": e-value %s, needs %s%s.", word,
      bet.last.has_value() ? EvidenceText(*bet.last) : "1", EvidenceText(limit),
      bet.round.has_value() ? absl::StrCat(", reached in round ", *bet.round)
                            : ", not reached");
}

// A ring where a bet reached its limit, and the round.
void WriteCrossing(const Bet& bet, std::string_view style, MarkupWriter& html) {
  if (!bet.round.has_value()) return;
  html.Empty("circle", {{"class", std::string(style)},
                        {"cx", PlaceText(bet.x)},
                        {"cy", PlaceText(bet.y)},
                        {"r", "5"}});
  PlotText(bet.x - 8, bet.y - 5, "ae ti", absl::StrCat("round ", *bet.round),
           html);
}

void WriteDecades(const PlotScale& scale, MarkupWriter& html) {
  const int first = static_cast<int>(std::ceil(scale.low));
  const int last = static_cast<int>(std::floor(scale.high));
  const int step = std::max(1, (last - first) / 5);
  std::string grid;
  for (int power = first; power <= last; ++power) {
    if (power % step != 0) continue;
    const double y = scale.At(power);
    grid += AcrossPath(kBetsLeft, y, kBetsRight);
    PlotText(kBetsLeft - 5, y + 3.5, "ae",
             absl::StrFormat("%g", std::pow(10.0, power)), html);
  }
  WritePath("g", grid, html);
}

// `above`: on which side of its line the label stands.
void WriteLimit(double limit, const PlotScale& scale, std::string_view style,
                bool above, MarkupWriter& html) {
  const double y = scale.At(limit / std::log(10.0));
  WritePath(style, AcrossPath(kBetsLeft, y, kBetsRight), html);
  PlotText(kBetsLeft + 3, above ? y - 4 : y + 11, "",
           absl::StrCat("proven at ", EvidenceText(limit)), html);
}

// Names the curves at their right ends, one above the other.
void WriteBetNames(const Bet& gain, const Bet& against, const BetWords& words,
                   MarkupWriter& html) {
  constexpr double kApart = 12.0;
  double up = gain.last_y;
  double down = against.last_y;
  if (std::abs(up - down) < kApart) {
    const double middle = 0.5 * (up + down);
    const double half = up <= down ? -0.5 * kApart : 0.5 * kApart;
    up = middle + half;
    down = middle - half;
  }
  PlotText(kBetsRight + 6, up + 3.5, "tu", words.gain, html);
  PlotText(kBetsRight + 6, down + 3.5, "td", words.against, html);
}

}  // namespace

BetWords BetWordsOf(const Comparison& comparison, double min_effect) {
  if (comparison.margin.has_value()) {
    const std::string margin = PercentText(*comparison.margin);
    return {"within " + margin, "worse than " + margin};
  }
  return {"better", "no gain of " + PercentText(min_effect)};
}

std::string EvidenceText(double log_e) {
  constexpr double kLargest = 9.2;  // about ln(10,000)
  if (std::abs(log_e) > kLargest) {
    const double power = log_e / std::log(10.0);
    const double whole = std::floor(power);
    return absl::StrFormat("%.1fe%+d", std::pow(10.0, power - whole),
                           static_cast<int>(whole));
  }
  return absl::StrFormat("%.3g", std::exp(log_e));
}

void WriteEvidencePlot(const Comparison& comparison, const Series& series,
                       const BetWords& words, MarkupWriter& html) {
  if (comparison.rounds == 0 || !(series.log_for_limit > 0.0)) return;
  const PlotScale scale = BetScale(series);
  const Bet gain =
      BetOf(series, &SeriesPoint::log_e_for, series.log_for_limit, scale);
  const Bet against = BetOf(series, &SeriesPoint::log_e_against,
                            series.log_against_limit, scale);
  BeginPlot(
      "Evidence by round",
      absl::StrCat("E-values of ", comparison.name, ", from 1.",
                   BetText(words.gain, gain, series.log_for_limit),
                   BetText(words.against, against, series.log_against_limit)),
      kPlotView, html);
  WriteDecades(scale, html);
  const bool gain_above = series.log_for_limit >= series.log_against_limit;
  WriteLimit(series.log_for_limit, scale, "lu", gain_above, html);
  if (std::abs(series.log_for_limit - series.log_against_limit) > 1e-9) {
    WriteLimit(series.log_against_limit, scale, "ld", !gain_above, html);
  }
  WriteLine("dn", against.line, html);
  WriteLine("up", gain.line, html);
  WriteCrossing(against, "xd", html);
  WriteCrossing(gain, "xu", html);
  WriteBetNames(gain, against, words, html);
  PlotText(kBetsLeft, kPlotLabels, "am", "0", html);
  PlotText(0.5 * (kBetsLeft + kBetsRight), kPlotLabels, "am", "rounds", html);
  PlotText(kBetsRight, kPlotLabels, "am", absl::StrCat(comparison.rounds),
           html);
  html.End();
  html.End();
}

}  // namespace autotune
