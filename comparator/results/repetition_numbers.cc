#include "comparator/results/repetition_numbers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "comparator/results/row_facts.h"
#include "comparator/results/suspicion.h"

namespace autotune {
namespace {

// Visit and name of a benchmark. (absl hashes only its own string_view.)
using VisitName = std::pair<absl::string_view, absl::string_view>;
// With family and instance: what one registration has in common.
using Key = std::tuple<VisitName, std::int64_t, std::int64_t>;

VisitName VisitNameOf(const Measurement& row) {
  return {row.visit_id, row.name};
}

Key KeyOf(const Measurement& row, const RowFacts& facts) {
  return {VisitNameOf(row), facts.family_index, facts.instance_index};
}

// What is known of the rows of a key.
struct Registrations {
  std::vector<std::int64_t> numbers;  // in the file, of each one of the key
  // By repetition index, how many rows said it so far.
  std::vector<std::uint32_t> said;
  // Of the latest one.
  std::int64_t rows = 0;
  std::int64_t last_index = -1;
  std::size_t last_group = 0;
};

class Numbering {
 public:
  Numbering(const std::vector<RowFacts>& facts, ResultFile& file)
      : facts_(facts), file_(file) {}

  void Run() {
    Registrations* known = nullptr;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const Key key = KeyOf(file_.measurements[i], facts_[i]);
      if (i == 0 || key != KeyOf(file_.measurements[i - 1], facts_[i - 1])) {
        known = &known_[key];
      }
      Number(facts_[i], *known, file_.measurements[i]);
    }
  }

 private:
  // Higher indices are told apart by whether they rise.
  static constexpr std::int64_t kMostCounted = 4096;

  // Which of the key's registrations the row belongs to: the n-th row that says
  // an index to the n-th one, in whatever order the rows stand.
  static std::size_t PlaceOf(const RowFacts& facts, Registrations& known) {
    const std::size_t latest =
        known.numbers.empty() ? 0 : known.numbers.size() - 1;
    if (!facts.repetition_index.has_value()) {
      const bool continues =
          known.numbers.empty() || facts.group == known.last_group;
      return continues ? latest : latest + 1;
    }
    const std::int64_t index = *facts.repetition_index;
    if (index < 0 || index >= kMostCounted) {
      return known.numbers.empty() || index > known.last_index ? latest
                                                               : latest + 1;
    }
    const auto at = static_cast<std::size_t>(index);
    if (known.said.size() <= at) known.said.resize(at + 1, 0);
    return known.said[at]++;
  }

  void Number(const RowFacts& facts, Registrations& known, Measurement& row) {
    const std::size_t place = PlaceOf(facts, known);
    if (place >= known.numbers.size()) {
      known.numbers.push_back(registrations_[VisitNameOf(row)]++);
      known.rows = 0;
      if (known.numbers.back() > 0) Suspect(row.name);
    }
    row.registration = known.numbers[std::min(place, known.numbers.size() - 1)];
    row.repetition_index = facts.repetition_index.value_or(known.rows);
    known.last_index = row.repetition_index;
    known.last_group = facts.group;
    ++known.rows;
  }

  void Suspect(const std::string& name) {
    file_.suspicions.push_back(
        {Suspicion::Kind::kRepeatedName, name,
         "the file has more than one benchmark of this name",
         Suspicion::About::kEverything});
  }

  const std::vector<RowFacts>& facts_;
  ResultFile& file_;
  absl::flat_hash_map<Key, Registrations> known_;
  absl::flat_hash_map<VisitName, std::int64_t> registrations_;
};

}  // namespace

void NumberRepetitions(const std::vector<RowFacts>& facts, ResultFile& file) {
  Numbering(facts, file).Run();
}

}  // namespace autotune
