#include "comparator/results/untyped_rows.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/results/measurement.h"

namespace autotune {
namespace {

constexpr std::string_view kMean = "_mean";

// The statistic of a row named `name` of benchmark `base`; empty when it is
// none of its rows.
std::string_view StatisticOf(std::string_view name, std::string_view base) {
  const bool matches = name.size() > base.size() + 1 &&
                       name.starts_with(base) && name[base.size()] == '_';
  return matches ? name.substr(base.size() + 1) : std::string_view();
}

class Grouping {
 public:
  Grouping(const std::vector<Measurement>& rows, bool cut)
      : rows_(rows), cut_(cut), names_(rows.size()) {}

  std::vector<std::string> Names() && {
    std::size_t place = 0;
    while (place < rows_.size()) {
      const std::size_t end = GroupEnd(place);
      for (std::size_t i = place; i < end; ++i) {
        names_[i] = StatisticOf(rows_[i].name, Base(place));
      }
      place = end > place ? end : place + 1;
    }
    return std::move(names_);
  }

 private:
  // Name of the benchmark when the row at `place` is its mean.
  std::string_view Base(std::size_t place) const {
    const std::string_view name = rows_[place].name;
    return name.substr(0, name.size() - kMean.size());
  }

  // End of the group of aggregates that starts at `place`, which is `place`
  // when none does.
  std::size_t GroupEnd(std::size_t place) const {
    const std::string_view name = rows_[place].name;
    if (!name.ends_with(kMean) || name.size() == kMean.size()) return place;
    const std::string_view base = Base(place);
    if (!HasItsRowsBefore(place, base)) return place;
    std::size_t end = place + 1;
    if (IsStatistic(end, place, base, "median")) ++end;
    if (IsStatistic(end, place, base, "stddev")) {
      ++end;
    } else if (!cut_ || end < rows_.size()) {
      return place;
    }
    while (IsOwnStatistic(end, place, base)) ++end;
    return end;
  }

  // Whether at least two rows of `base`, with the mean's iterations, stand
  // right before `mean`; or none, as when only aggregates were written.
  bool HasItsRowsBefore(std::size_t mean, std::string_view base) const {
    std::size_t count = 0;
    while (count < mean && rows_[mean - count - 1].name == base) ++count;
    if (count == 0) return true;
    return count >= 2 && rows_[mean - 1].iterations == rows_[mean].iterations;
  }

  bool IsStatistic(std::size_t place, std::size_t mean, std::string_view base,
                   std::string_view statistic) const {
    if (place >= rows_.size()) return false;
    const Measurement& row = rows_[place];
    return StatisticOf(row.name, base) == statistic &&
           (row.iterations == rows_[mean].iterations || row.iterations == 0);
  }

  bool IsOwnStatistic(std::size_t place, std::size_t mean,
                      std::string_view base) const {
    if (place >= rows_.size()) return false;
    const Measurement& row = rows_[place];
    const bool is_single =
        place + 1 == rows_.size() || rows_[place + 1].name != row.name;
    return is_single && !StatisticOf(row.name, base).empty() &&
           row.iterations == rows_[mean].iterations;
  }

  const std::vector<Measurement>& rows_;
  const bool cut_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> UntypedAggregateNames(
    const std::vector<Measurement>& rows, bool cut) {
  return Grouping(rows, cut).Names();
}

}  // namespace autotune
