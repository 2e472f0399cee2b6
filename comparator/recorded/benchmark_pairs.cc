#include "comparator/recorded/benchmark_pairs.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/results/measurement.h"
#include "comparator/results/program_names.h"
#include "comparator/results/result_file.h"

namespace autotune {
namespace {

// Filters, family names and renames of one side.
class Naming {
 public:
  Naming(const MatchOptions& options,
         const std::optional<NamePattern>& side_filter,
         std::vector<bool>& renamed)
      : options_(options), side_filter_(side_filter), renamed_(renamed) {
    const auto& baseline = options.filter_baseline;
    const auto& contender = options.filter_contender;
    if (baseline.has_value() && contender.has_value() &&
        baseline->text() != contender->text()) {
      family_ =
          absl::StrCat("[", baseline->text(), " vs ", contender->text(), "]");
    }
  }

  bool Selects(std::string_view name) const {
    return (!options_.filter.has_value() || options_.filter->Matches(name)) &&
           (!side_filter_.has_value() || side_filter_->Matches(name));
  }

  // Whether the name is taken in although no filter selects it.
  bool TakesInToo(std::string_view name) const {
    return std::any_of(
        options_.also.begin(), options_.also.end(),
        [name](const NamePattern& pattern) { return pattern.Matches(name); });
  }

  std::string CommonName(std::string_view name) const {
    std::string common = WithFamily(name);
    for (std::size_t i = 0; i < options_.renames.size(); ++i) {
      const RenameRule& rule = options_.renames[i];
      std::optional<std::string> renamed =
          rule.pattern.Replace(common, rule.replacement);
      if (!renamed.has_value() || *renamed == common) continue;
      common = *std::move(renamed);
      renamed_[i] = true;
    }
    return common;
  }

 private:
  std::string WithFamily(std::string_view name) const {
    std::string common(name);
    if (!family_.has_value()) return common;
    const auto place = side_filter_->Find(name);
    if (!place.has_value()) return common;
    return common.replace(place->begin, place->end - place->begin, *family_);
  }

  const MatchOptions& options_;
  const std::optional<NamePattern>& side_filter_;
  std::vector<bool>& renamed_;
  std::optional<std::string> family_;
};

// The pairs under construction; both sides add to them.
class PairTable {
 public:
  std::size_t IndexOf(std::string name) {
    const auto [place, added] = index_.try_emplace(name, pairs_.size());
    if (added) {
      pairs_.emplace_back();
      pairs_.back().name = std::move(name);
    }
    return place->second;
  }
  BenchmarkPair& operator[](std::size_t index) { return pairs_[index]; }
  std::vector<BenchmarkPair> Take() { return std::move(pairs_); }

 private:
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<BenchmarkPair> pairs_;
};

// The visits of one side in groups that share benchmarks, directly or over
// others: those of one group should all hold the same ones.
class VisitGroups {
 public:
  void Add(std::size_t visit) {
    while (parents_.size() <= visit) parents_.push_back(parents_.size());
  }

  // `visit` holds the benchmark of this name.
  void Meet(const std::string& name, std::size_t visit) {
    Add(visit);
    const auto [first, added] = first_visit_.try_emplace(name, visit);
    if (!added) Join(first->second, visit);
  }

  // Visits that hold nothing miss what the others hold, when those are one
  // group.
  void JoinEmpty(const std::vector<std::size_t>& empty) {
    std::optional<std::size_t> group;
    for (std::size_t visit = 0; visit < parents_.size(); ++visit) {
      if (std::find(empty.begin(), empty.end(), visit) != empty.end()) continue;
      if (group.has_value() && Root(visit) != *group) return;
      group = Root(visit);
    }
    if (!group.has_value()) return;
    for (const std::size_t visit : empty) Join(*group, visit);
  }

  std::unordered_map<std::size_t, std::size_t> SizesByRoot() {
    std::unordered_map<std::size_t, std::size_t> sizes;
    for (std::size_t visit = 0; visit < parents_.size(); ++visit) {
      ++sizes[Root(visit)];
    }
    return sizes;
  }

  std::size_t Root(std::size_t visit) {
    while (parents_[visit] != visit) {
      parents_[visit] = parents_[parents_[visit]];
      visit = parents_[visit];
    }
    return visit;
  }

 private:
  void Join(std::size_t a, std::size_t b) { parents_[Root(b)] = Root(a); }

  std::vector<std::size_t> parents_;
  std::unordered_map<std::string, std::size_t> first_visit_;
};

// The distinct visits in which the side says something of the benchmark.
std::vector<std::size_t> VisitsOf(const BenchmarkSide& side) {
  std::vector<std::size_t> visits;
  const auto add = [&visits](const auto& entries) {
    for (const auto& entry : entries) {
      if (visits.empty() || visits.back() != entry.visit) {
        visits.push_back(entry.visit);
      }
    }
  };
  add(side.rows);
  add(side.aggregates);
  add(side.unusable);
  std::sort(visits.begin(), visits.end());
  visits.erase(std::unique(visits.begin(), visits.end()), visits.end());
  return visits;
}

// Adds one side's files to the pairs.
class SideReader {
 public:
  SideReader(const Naming& naming, const ProgramNames& programs,
             BenchmarkSide BenchmarkPair::*side, PairTable& pairs)
      : naming_(naming), programs_(programs), side_(side), pairs_(pairs) {}

  void Add(const ResultFile& file) {
    pair_of_name_.clear();
    last_name_ = {};
    last_pair_.reset();
    met_name_ = {};
    met_visit_.reset();
    executable_ = file.context.executable;
    file_visit_.reset();
    for (const Measurement& row : file.measurements) {
      const std::size_t visit = Visit(row.name, row.visit_id, file);
      BenchmarkSide* const side = Find(row.name);
      if (side != nullptr) side->rows.push_back({&row, visit});
    }
    for (const Aggregate& aggregate : file.aggregates) {
      const Measurement& row = aggregate.row;
      const std::size_t visit = Visit(row.name, row.visit_id, file);
      BenchmarkSide* const side = Find(row.name);
      if (side != nullptr) side->aggregates.push_back({&aggregate, visit});
    }
    for (const UnusableRow& row : file.unusable) {
      const std::size_t visit = Visit(row.name, row.visit_id, file);
      BenchmarkSide* const side = Find(row.name);
      if (side != nullptr) side->unusable.push_back({&row, visit});
    }
    if (file.measurements.empty() && file.aggregates.empty() &&
        file.unusable.empty()) {
      empty_.push_back(VisitOf("", file));
      groups_.Add(empty_.back());
    }
    AddSuspicions(file);
    ++files_;
  }

  // After the last file: counts what is missing where.
  void CountMissing(std::vector<BenchmarkPair>& pairs) {
    groups_.JoinEmpty(empty_);
    const auto sizes = groups_.SizesByRoot();
    for (BenchmarkPair& pair : pairs) {
      BenchmarkSide& side = pair.*side_;
      if (!side.present()) continue;
      const std::vector<std::size_t> visits = VisitsOf(side);
      std::set<std::size_t> roots;
      for (const std::size_t visit : visits) roots.insert(groups_.Root(visit));
      for (const std::size_t root : roots) {
        side.expected_visits += sizes.at(root);
      }
      side.missing_visits = side.expected_visits - visits.size();
    }
  }

  std::size_t visits() const { return visit_of_id_.size(); }

  // The machine of each visit, MachineText of its first file.
  const std::vector<std::string>& machines() const { return machines_; }

 private:
  void AddSuspicions(const ResultFile& file) {
    for (const Suspicion& suspicion : file.suspicions) {
      // Only benchmarks that have a row: a suspicion alone makes none.
      if (!pair_of_name_.contains(suspicion.benchmark)) continue;
      BenchmarkSide* const side = Find(suspicion.benchmark);
      if (side != nullptr) side->suspicions.push_back(&suspicion);
    }
  }

  // Where rows of this name belong; null when the name is not selected. Rows of
  // one name usually follow each other.
  BenchmarkSide* Find(const std::string& name) {
    if (last_name_.data() == nullptr || last_name_ != name) {
      const auto [place, added] = pair_of_name_.try_emplace(name);
      if (added) place->second = Resolve(name);
      last_name_ = name;
      last_pair_ = place->second;
    }
    if (!last_pair_.has_value()) return nullptr;
    return &(pairs_[*last_pair_].*side_);
  }

  std::optional<std::size_t> Resolve(const std::string& name) {
    const bool selected = naming_.Selects(name);
    if (!selected && !naming_.TakesInToo(name)) return std::nullopt;
    const std::string prefix = programs_.Prefix(executable_, name);
    const std::size_t pair = pairs_.IndexOf(prefix + naming_.CommonName(name));
    pairs_[pair].selected = pairs_[pair].selected || selected;
    std::vector<std::string>& names = (pairs_[pair].*side_).file_names;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
    return pair;
  }

  // The visit of a row, which then is known to hold the benchmark `name`. Rows
  // of one name usually follow each other.
  std::size_t Visit(const std::string& name, const std::string& visit_id,
                    const ResultFile& file) {
    const std::size_t visit = VisitOf(visit_id, file);
    if (name != met_name_ || visit != met_visit_) {
      groups_.Meet(programs_.Prefix(executable_, name) + name, visit);
      met_name_ = name;
      met_visit_ = visit;
    }
    return visit;
  }

  std::size_t VisitOf(const std::string& visit_id, const ResultFile& file) {
    const std::size_t visit = VisitWithin(visit_id, file);
    if (visit == machines_.size()) machines_.push_back(MachineText(file));
    return visit;
  }

  std::size_t VisitWithin(const std::string& visit_id, const ResultFile& file) {
    if (!visit_id.empty()) return VisitOfId("visit " + visit_id);
    if (!file_visit_.has_value()) {
      file_visit_ =
          VisitOfId(file.visit_id.empty() ? absl::StrCat("file ", files_)
                                          : "visit " + file.visit_id);
    }
    return *file_visit_;
  }

  std::size_t VisitOfId(const std::string& id) {
    return visit_of_id_.try_emplace(id, visit_of_id_.size()).first->second;
  }

  const Naming& naming_;
  const ProgramNames& programs_;
  BenchmarkSide BenchmarkPair::*side_;
  PairTable& pairs_;
  std::unordered_map<std::string, std::size_t> visit_of_id_;
  std::size_t files_ = 0;
  std::vector<std::string> machines_;
  VisitGroups groups_;
  std::vector<std::size_t> empty_;  // visits that hold nothing
  // Of the file being added.
  std::unordered_map<std::string_view, std::optional<std::size_t>>
      pair_of_name_;
  std::string_view last_name_;
  std::optional<std::size_t> last_pair_;
  std::string_view executable_;
  std::optional<std::size_t> file_visit_;
  std::string_view met_name_;
  std::optional<std::size_t> met_visit_;
};

// Numbers the machines that both sides were recorded on, if they are the same
// several ones.
void SetStrata(const std::vector<std::string>& baseline,
               const std::vector<std::string>& contender,
               MatchedBenchmarks& matched) {
  std::map<std::string, std::size_t> numbers;
  for (const std::string& machine : baseline) {
    numbers.emplace(machine, numbers.size());
  }
  const std::set<std::string> others(contender.begin(), contender.end());
  const bool same =
      numbers.size() == others.size() &&
      std::all_of(others.begin(), others.end(), [&](const std::string& one) {
        return numbers.contains(one);
      });
  if (numbers.size() < 2 || !same) return;
  for (const std::string& machine : baseline) {
    matched.strata.baseline.push_back(numbers.at(machine));
  }
  for (const std::string& machine : contender) {
    matched.strata.contender.push_back(numbers.at(machine));
  }
}

// The same visit given twice would count its repetitions double.
void WarnOfRepeatedVisits(std::span<const ResultFile> files,
                          std::vector<std::string>& warnings) {
  std::unordered_map<std::string_view, std::string_view> file_of_visit;
  for (const ResultFile& file : files) {
    if (file.visit_id.empty()) continue;
    const auto [first, added] =
        file_of_visit.try_emplace(file.visit_id, file.source_name);
    if (added) continue;
    warnings.push_back(absl::StrCat(std::string(first->second), " and ",
                                    file.source_name,
                                    " hold the same visit: counted as one"));
  }
}

}  // namespace

absl::StatusOr<RenameRule> ParseRenameRule(std::string_view text) {
  const std::string quoted = absl::Utf8SafeCHexEscape(std::string(text));
  const std::size_t split = text.rfind('=');
  if (split == std::string_view::npos || split == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected REGEX=TEXT, got \"", quoted, "\""));
  }
  ASSIGN_OR_RETURN(NamePattern pattern,
                   NamePattern::Create(text.substr(0, split)));
  if (text.front() == '-') {
    return absl::InvalidArgumentError(absl::StrCat(
        "a leading '-' excludes names and cannot rename: \"", quoted, "\""));
  }
  return RenameRule{std::move(pattern), std::string(text.substr(split + 1))};
}

MatchedBenchmarks MatchBenchmarks(std::span<const ResultFile> baseline,
                                  std::span<const ResultFile> contender,
                                  const MatchOptions& options) {
  const ProgramNames programs(baseline, contender);
  std::vector<bool> renamed(options.renames.size(), false);
  const Naming baseline_naming(options, options.filter_baseline, renamed);
  const Naming contender_naming(options, options.filter_contender, renamed);
  PairTable pairs;
  SideReader baseline_reader(baseline_naming, programs,
                             &BenchmarkPair::baseline, pairs);
  for (const ResultFile& file : baseline) baseline_reader.Add(file);
  SideReader contender_reader(contender_naming, programs,
                              &BenchmarkPair::contender, pairs);
  for (const ResultFile& file : contender) contender_reader.Add(file);

  MatchedBenchmarks matched;
  matched.pairs = pairs.Take();
  matched.renamed = std::move(renamed);
  baseline_reader.CountMissing(matched.pairs);
  contender_reader.CountMissing(matched.pairs);
  matched.baseline_visits = baseline_reader.visits();
  matched.contender_visits = contender_reader.visits();
  SetStrata(baseline_reader.machines(), contender_reader.machines(), matched);
  matched.warnings = programs.warnings();
  WarnOfRepeatedVisits(baseline, matched.warnings);
  WarnOfRepeatedVisits(contender, matched.warnings);
  return matched;
}

}  // namespace autotune
