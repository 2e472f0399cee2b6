// What `status` and `next` say of a task's course.

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/number_text.h"
#include "tools/autotune/verbs/status.h"

namespace autotune {
namespace {

constexpr std::size_t kPartsShown = 3;
constexpr std::size_t kNearMissesShown = 4;
constexpr std::size_t kPredictionsShown = 5;
// Above one half of the small changes kept, the bar is likely too low: most
// small ideas gain nothing.
constexpr double kHighKeepRate = 0.5;
constexpr std::int64_t kFewDecisions = 6;

const MetricRow* RowOf(const MetricFile& ledger, const HistoryEntry& entry) {
  for (const MetricRow& row : ledger.rows) {
    if (row.commit == entry.attempt_commit && !row.metrics.empty()) return &row;
  }
  return nullptr;
}

std::optional<double> RatioOf(const MetricFile& ledger,
                              const HistoryEntry& entry) {
  const MetricRow* const row = RowOf(ledger, entry);
  return row == nullptr ? std::nullopt : NumberOf(*row, "ratio");
}

// Not kept, but by its estimate at least half as good as what is asked for.
std::vector<std::string> NearMisses(const TaskState& state,
                                    const std::vector<HistoryEntry>& history) {
  const Policy& policy = state.settings.policy;
  std::vector<std::string> names;
  for (const HistoryEntry& entry : history) {
    if (entry.decision != AttemptStatus::kDiscard &&
        entry.decision != AttemptStatus::kInconclusive) {
      continue;
    }
    const std::optional<double> ratio = RatioOf(state.ledger, entry);
    if (ratio.has_value() && *ratio > 0.0 &&
        GainOf(*ratio, policy) >= policy.min_effect / 2.0) {
      names.push_back(entry.approach);
    }
  }
  const std::size_t most = std::min(names.size(), kNearMissesShown);
  return {names.end() - static_cast<std::ptrdiff_t>(most), names.end()};
}

void AddGains(const TaskProgress& progress, VerbResult& result) {
  result.fields.Number("claimed_ratio", progress.claimed_ratio);
  std::string line = absl::StrCat(
      "  gain:     claimed ", SignedPercentText(progress.claimed_ratio - 1.0));
  if (progress.measured_ratio.has_value()) {
    result.fields.Number("measured_ratio", *progress.measured_ratio);
    absl::StrAppend(&line, ", start against tip ",
                    SignedPercentText(*progress.measured_ratio - 1.0));
  }
  result.lines.push_back(std::move(line));
}

void AddKeepRate(const TaskProgress& progress, VerbResult& result) {
  if (progress.decided == 0) return;
  const double rate = static_cast<double>(progress.kept) /
                      static_cast<double>(progress.decided);
  result.fields.Number("keep_rate", rate);
  if (progress.phase == Phase::kMicro && progress.decided >= kFewDecisions &&
      rate > kHighKeepRate) {
    result.lines.push_back(absl::StrCat(
        "  warning:  ", progress.kept, " of ", progress.decided,
        " were kept: more than small changes usually earn; look at what they "
        "leave out"));
  }
}

void AddParts(const std::optional<TaskProfile>& profile, VerbResult& result) {
  if (!profile.has_value()) return;
  std::vector<std::string> parts = PartNames(*profile);
  parts.resize(std::min(parts.size(), kPartsShown));
  result.fields.Texts("largest_parts", parts);
  std::vector<std::string> texts;
  for (const std::string& part : parts) {
    const std::optional<double> share = ShareOf(*profile, part);
    texts.push_back(
        absl::StrCat(OneLine(part, 40),
                     share.has_value()
                         ? absl::StrCat(" ", FixedText(100.0 * *share, 0), " %")
                         : ""));
  }
  if (!texts.empty()) {
    result.lines.push_back(absl::StrCat(
        "  largest:  ", absl::StrJoin(texts, ", "), " (", profile->date, ")"));
  }
}

// Predicted against achieved, of what was predicted.
void AddPredictions(const TaskState& state,
                    const std::vector<HistoryEntry>& history,
                    VerbResult& result) {
  JsonWriter& fields = result.fields;
  fields.BeginArray("predictions");
  std::vector<std::string> lines;
  for (const HistoryEntry& entry : history) {
    const std::optional<double> ratio = RatioOf(state.ledger, entry);
    if (!entry.plan.predicted_ratio.has_value() || !ratio.has_value()) continue;
    fields.BeginObject();
    fields.Text("approach", entry.approach);
    fields.Number("predicted_ratio", *entry.plan.predicted_ratio);
    fields.Number("ratio", *ratio);
    fields.EndObject();
    lines.push_back(
        absl::StrCat("    ", entry.approach, ": predicted ",
                     SignedPercentText(*entry.plan.predicted_ratio - 1.0),
                     ", measured ", SignedPercentText(*ratio - 1.0)));
  }
  fields.EndArray();
  if (lines.empty()) return;
  const std::size_t first =
      lines.size() - std::min(lines.size(), kPredictionsShown);
  result.lines.push_back("  predicted against measured:");
  result.lines.insert(result.lines.end(),
                      lines.begin() + static_cast<std::ptrdiff_t>(first),
                      lines.end());
}

// Work on threads is invisible to the clock of the main thread.
void AddHints(const TaskState& state, const TaskProgress& progress,
              VerbResult& result) {
  if (progress.phase == Phase::kMicro ||
      state.settings.policy.metric == "real_time") {
    return;
  }
  const std::string hint =
      "a design with more threads needs a task of its own, made with "
      "--metric real_time: CPU time counts the main thread only";
  result.fields.Text("hint", hint);
  result.lines.push_back("  hint:     " + hint);
}

}  // namespace

void AddProgress(const TaskState& state, const TaskProgress& progress,
                 const std::vector<HistoryEntry>& history,
                 const std::optional<TaskProfile>& profile,
                 VerbResult& result) {
  result.fields.Text("phase", NameOf(progress.phase));
  result.fields.Count("without_gain", progress.unproductive);
  result.fields.Count("undecided", progress.undecided);
  result.lines.push_back(absl::StrCat(
      "  phase:    ", std::string(NameOf(progress.phase)), ", ",
      progress.unproductive, " of ", kUnproductive, " in a row without gain"));
  AddGains(progress, result);
  AddKeepRate(progress, result);
  AddParts(profile, result);
  const std::vector<std::string> near = NearMisses(state, history);
  result.fields.Texts("near_misses", near);
  if (near.size() > 1) {
    std::vector<std::string> words = {"revive"};
    words.insert(words.end(), near.begin(), near.end());
    result.next.push_back(
        {Autotune(std::move(words)), "near misses: together they may pay"});
  }
  AddPredictions(state, history, result);
  AddHints(state, progress, result);
}

}  // namespace autotune
