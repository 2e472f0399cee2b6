// Any two result files, filter and rename rule give a table whose numbers are
// finite, which no name in the files can break out of, or an error.
//
// The input: a filter, a line break, a rename rule, a line break, the baseline,
// a line "====", the contender.

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/estimate.h"
#include "nlohmann/json.hpp"
#include "tests/fuzz/fuzz_targets.h"
#include "tools/report/report.h"

namespace autotune {
namespace {

constexpr std::string_view kDivider = "\n====\n";

// The text before `end`, both taken off `text`; all of it when there is none.
std::string_view TakeUpTo(std::string_view end, std::string_view& text) {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(part.size() < text.size() ? part.size() + end.size()
                                               : part.size());
  return part;
}

void RequireFinite(const std::optional<double>& value) {
  Require(!value.has_value() || std::isfinite(*value));
}

void RequireShare(const std::optional<double>& value) {
  Require(!value.has_value() || (*value >= 0.0 && *value <= 1.0));
}

void CheckEstimate(const std::optional<RatioEstimate>& estimate) {
  if (!estimate.has_value()) return;
  Require(std::isfinite(estimate->ratio) && estimate->ratio > 0.0);
  RequireFinite(estimate->interval.lower);
  RequireFinite(estimate->interval.upper);
  RequireShare(estimate->interval.confidence_level);
}

void CheckReports(const ComparisonTable& table) {
  const Report report = ReportOf(table);
  const std::string text = RenderReport(report, ReportFormat::kTable);
  for (const char c : text) {
    Require(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
  }
  for (const ReportFormat format :
       {ReportFormat::kJson, ReportFormat::kSarif}) {
    Require(nlohmann::json::accept(RenderReport(report, format)));
  }
  Require(RenderReport(report, ReportFormat::kMarkdown).size() < 65536);
  RenderReport(report, ReportFormat::kJunit);
}

void CheckTable(const ComparisonTable& table) {
  for (const Comparison& comparison : table.comparisons) {
    CheckEstimate(comparison.estimate);
    RequireShare(comparison.p_value);
    RequireShare(comparison.adjusted_p_value);
    RequireShare(comparison.probability_of_superiority);
    Require(comparison.cannot_judge.empty() ||
            comparison.verdict == Verdict::kInconclusive);
  }
  if (table.overall.has_value()) CheckEstimate(table.overall->estimate);
  Require(!table.reason.empty());
  Require(!table.cannot_judge() || table.decision == Decision::kInconclusive);
  CheckReports(table);
}

}  // namespace

void FuzzComparison(std::string_view text) {
  CompareOptions options;
  const absl::StatusOr<NamePattern> filter =
      NamePattern::Create(TakeUpTo("\n", text));
  if (!filter.ok()) return;
  options.match.filter = *filter;
  absl::StatusOr<RenameRule> rename = ParseRenameRule(TakeUpTo("\n", text));
  if (rename.ok()) options.match.renames.push_back(*std::move(rename));
  const std::string_view first = TakeUpTo(kDivider, text);
  const auto baseline = ParseResultFile(first, "old", {.partial = true});
  const auto contender = ParseResultFile(text, "new", {.partial = true});
  if (!baseline.ok() || !contender.ok()) return;
  Policy policy;
  for (const PolicyKind kind : {PolicyKind::kTune, PolicyKind::kGate}) {
    policy.kind = kind;
    options.assume_independent = !options.assume_independent;
    CheckTable(
        CompareFiles({&*baseline, 1}, {&*contender, 1}, policy, options));
  }
}

}  // namespace autotune
