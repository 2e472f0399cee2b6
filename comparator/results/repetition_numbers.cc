#include "comparator/results/repetition_numbers.h"

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

// The latest registration of a key.
struct Registration {
  std::int64_t number = -1;  // none yet
  std::int64_t rows = 0;
  std::int64_t last_index = -1;
  std::size_t last_group = 0;
};

class Numbering {
 public:
  Numbering(const std::vector<RowFacts>& facts, ResultFile& file)
      : facts_(facts), file_(file) {}

  void Run() {
    Registration* latest = nullptr;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const Key key = KeyOf(file_.measurements[i], facts_[i]);
      if (i == 0 || key != KeyOf(file_.measurements[i - 1], facts_[i - 1])) {
        latest = &latest_[key];
      }
      Number(facts_[i], *latest, file_.measurements[i]);
    }
  }

 private:
  static bool Continues(const RowFacts& facts, const Registration& latest) {
    if (latest.number < 0) return false;
    return facts.repetition_index.has_value()
               ? *facts.repetition_index > latest.last_index
               : facts.group == latest.last_group;
  }

  void Number(const RowFacts& facts, Registration& latest, Measurement& row) {
    if (!Continues(facts, latest)) {
      latest = {};
      latest.number = registrations_[VisitNameOf(row)]++;
      if (latest.number > 0) Suspect(row.name);
    }
    row.registration = latest.number;
    row.repetition_index = facts.repetition_index.value_or(latest.rows);
    latest.last_index = row.repetition_index;
    latest.last_group = facts.group;
    ++latest.rows;
  }

  void Suspect(const std::string& name) {
    file_.suspicions.push_back(
        {Suspicion::Kind::kRepeatedName, name,
         "the file has more than one benchmark of this name"});
  }

  const std::vector<RowFacts>& facts_;
  ResultFile& file_;
  absl::flat_hash_map<Key, Registration> latest_;
  absl::flat_hash_map<VisitName, std::int64_t> registrations_;
};

}  // namespace

void NumberRepetitions(const std::vector<RowFacts>& facts, ResultFile& file) {
  Numbering(facts, file).Run();
}

}  // namespace autotune
