#include "tools/report/task_report.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/display_text.h"
#include "base/names.h"
#include "base/number_text.h"
#include "tools/report/json_writer.h"
#include "tools/report/next_step.h"
#include "tools/report/report_parts.h"
#include "tools/report/text_table.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

using Attempt = TaskReport::Attempt;
using Cell = TextTable::Cell;

std::string RoundsText(const Attempt& attempt) {
  return attempt.rounds.has_value() ? absl::StrCat(*attempt.rounds) : "";
}

std::string TimeText(const Attempt& attempt) {
  return attempt.seconds.has_value() ? SecondsText(*attempt.seconds) : "";
}

std::string TableText(const TaskReport& report, const TextLayout& layout) {
  if (report.attempts.empty()) return "no attempt is decided yet\n";
  TextTable table;
  std::vector<Cell> heading;
  for (const char* const name : {"attempt", "phase", "change", "interval",
                                 "rounds", "time", "so far", "decision"}) {
    heading.push_back({name, TextStyle::kFaint});
  }
  table.AddRow(std::move(heading));
  for (const Attempt& attempt : report.attempts) {
    const bool measured = attempt.estimate.has_value();
    table.AddRow(
        {{PrintableText(attempt.approach)},
         {PrintableText(attempt.phase), TextStyle::kFaint},
         {measured ? ChangeText(attempt.estimate->ratio) : ""},
         {measured ? IntervalText(attempt.estimate->interval) : ""},
         {RoundsText(attempt)},
         {TimeText(attempt)},
         {ChangeText(attempt.claimed_ratio), TextStyle::kFaint},
         {PrintableText(attempt.decision), DecisionStyle(attempt.decision)}});
  }
  return table.Render(layout.color);
}

std::string TaskText(const TaskReport& report, const TextLayout& layout) {
  std::string text = TableText(report, layout);
  for (const Attempt& attempt : report.attempts) {
    if (attempt.hypothesis.empty()) continue;
    absl::StrAppend(&text, PrintableText(attempt.approach), ": ",
                    PrintableText(attempt.hypothesis), "\n");
  }
  for (const std::string& warning : report.warnings) {
    absl::StrAppend(&text, "note: ", PrintableText(warning), "\n");
  }
  absl::StrAppend(&text, PrintableText(report.task), ": ", TaskGainText(report),
                  "\n", NextText(report.next));
  return text;
}

void WriteAttempt(const Attempt& attempt, JsonWriter& json) {
  json.BeginObject();
  json.Text("approach", attempt.approach);
  json.Text("hypothesis", attempt.hypothesis);
  json.Text("phase", attempt.phase);
  json.Text("part", attempt.part);
  json.Text("decision", attempt.decision);
  json.Text("reason", attempt.reason);
  json.Text("commit", attempt.commit);
  json.Flag("kept", attempt.kept);
  json.Flag("measured", attempt.measured);
  json.Estimate(attempt.estimate);
  json.Number("predicted_ratio", attempt.predicted_ratio);
  json.Count("rounds", attempt.rounds);
  json.Number("seconds", attempt.seconds);
  json.Number("claimed_ratio", attempt.claimed_ratio);
  json.EndObject();
}

std::string TaskJson(const TaskReport& report) {
  JsonWriter json;
  json.BeginObject();
  json.Count("schema_version", 1);
  json.Flag("ok", true);
  json.Text("verb", "report");
  json.Count("exit_code", 0);
  for (const auto& [key, value] :
       {std::pair("task", &report.task), std::pair("branch", &report.branch),
        std::pair("base", &report.base), std::pair("tip", &report.tip),
        std::pair("target", &report.target)}) {
    json.Text(key, *value);
  }
  json.Text("metric", report.metric.name);
  json.Text("direction", NameOf(report.metric.direction));
  json.Number("ratio", TaskRatio(report));
  json.Text("gain", TaskGainText(report));
  json.BeginArray("attempts");
  for (const Attempt& attempt : report.attempts) WriteAttempt(attempt, json);
  json.EndArray();
  json.BeginArray("harvests");
  for (const TaskReport::Harvest& harvest : report.harvests) {
    json.BeginObject();
    json.Count("after_attempts", static_cast<std::int64_t>(harvest.after));
    json.Text("commit", harvest.commit);
    json.Estimate(harvest.estimate);
    json.Count("rounds", harvest.rounds);
    json.EndObject();
  }
  json.EndArray();
  json.Texts("warnings", report.warnings);
  WriteNext(report.next, json);
  json.EndObject();
  return json.Take();
}

std::string TaskMarkdown(const TaskReport& report) {
  constexpr std::size_t kRoom = 60'000;
  std::string text =
      absl::StrCat("**", MarkdownText(report.task),
                   "**: ", MarkdownText(TaskGainText(report)), "\n\n");
  if (report.attempts.empty()) return text + "no attempt is decided yet\n";
  absl::StrAppend(
      &text,
      "| attempt | hypothesis | phase | decision | change | interval | rounds "
      "| time | so far |\n| :--- | :--- | :--- | :--- | ---: | ---: | ---: | "
      "---: | ---: |\n");
  std::size_t shown = 0;
  for (const Attempt& attempt : report.attempts) {
    const bool measured = attempt.estimate.has_value();
    const std::vector<std::string> cells = {
        MarkdownText(attempt.approach),
        MarkdownText(attempt.hypothesis),
        MarkdownText(attempt.phase),
        absl::StrCat(MarkdownText(attempt.decision), ": ",
                     MarkdownText(attempt.reason)),
        measured ? ChangeText(attempt.estimate->ratio) : "",
        measured ? IntervalText(attempt.estimate->interval) : "",
        RoundsText(attempt),
        TimeText(attempt),
        ChangeText(attempt.claimed_ratio)};
    const std::string row =
        absl::StrCat("| ", absl::StrJoin(cells, " | "), " |\n");
    if (text.size() + row.size() > kRoom) break;
    text += row;
    ++shown;
  }
  if (shown < report.attempts.size()) {
    absl::StrAppend(&text, "| ", report.attempts.size() - shown, " more |\n");
  }
  return text;
}

bool IsKept(const Attempt& attempt) { return attempt.kept; }

double ClaimedRatio(const TaskReport& report) {
  return report.attempts.empty() ? 1.0 : report.attempts.back().claimed_ratio;
}

// Whether the last harvest measured the tip as it is: no keep came since.
bool MeasuredTip(const TaskReport& report) {
  if (report.harvests.empty()) return false;
  const TaskReport::Harvest& last = report.harvests.back();
  const auto after =
      static_cast<std::ptrdiff_t>(std::min(last.after, report.attempts.size()));
  return last.estimate.has_value() &&
         std::none_of(report.attempts.begin() + after, report.attempts.end(),
                      &IsKept);
}

}  // namespace

TextStyle DecisionStyle(std::string_view decision) {
  if (decision == "keep") return TextStyle::kGood;
  if (decision == "crash" || decision == "violation") return TextStyle::kBad;
  return decision == "discard" ? TextStyle::kPlain : TextStyle::kDoubtful;
}

std::vector<std::string> TaskReportForms() {
  std::vector<std::string> names;
  for (const ReportFormat format :
       {ReportFormat::kTable, ReportFormat::kJson, ReportFormat::kMarkdown,
        ReportFormat::kHtml}) {
    names.emplace_back(NameOf(format));
  }
  return names;
}

double TaskRatio(const TaskReport& report) {
  return MeasuredTip(report) ? report.harvests.back().estimate->ratio
                             : ClaimedRatio(report);
}

std::string TaskGainText(const TaskReport& report) {
  const auto kept = static_cast<std::size_t>(
      std::count_if(report.attempts.begin(), report.attempts.end(), &IsKept));
  const std::string product =
      absl::StrCat(ChangeText(ClaimedRatio(report)), ", the product of what ",
                   CountText(kept, "keep"), kept == 1 ? " claims" : " claim");
  if (report.harvests.empty() || !report.harvests.back().estimate.has_value()) {
    return kept == 0 ? "no keep yet" : product;
  }
  const TaskReport::Harvest& last = report.harvests.back();
  const std::string measured = absl::StrCat(
      ChangeText(last.estimate->ratio), " ",
      IntervalText(last.estimate->interval),
      ", measured start against tip after ", CountText(last.after, "attempt"));
  return MeasuredTip(report) ? absl::StrCat(measured, "; ", product)
                             : absl::StrCat(product, "; ", measured);
}

std::string RenderTaskReport(const TaskReport& report, ReportFormat format,
                             const TextLayout& layout) {
  switch (format) {
    case ReportFormat::kJson:
      return TaskJson(report);
    case ReportFormat::kMarkdown:
      return TaskMarkdown(report);
    case ReportFormat::kHtml:
      return TaskReportHtml(report);
    default:
      return TaskText(report, layout);
  }
}

std::string CommitUrlOf(std::string_view remote_url) {
  struct Forge {
    std::string_view host_part;
    std::string_view path;
  };
  constexpr std::array<Forge, 5> kForges = {{{"github", "/commit/"},
                                             {"gitlab", "/-/commit/"},
                                             {"codeberg", "/commit/"},
                                             {"gitea", "/commit/"},
                                             {"bitbucket", "/commits/"}}};
  std::string url(remote_url);
  const std::size_t scheme = url.find("://");
  const bool scp_like = scheme == std::string::npos;
  if (!scp_like) {
    const std::string name = url.substr(0, scheme);
    if (name != "https" && name != "ssh") return "";
    url.erase(0, scheme + 3);
  }
  const std::size_t at = url.find('@');
  if (at != std::string::npos && at < url.find('/')) url.erase(0, at + 1);
  const std::size_t host_end = url.find_first_of(scp_like ? ":" : ":/");
  if (host_end == std::string::npos) return "";
  const std::string host = absl::AsciiStrToLower(url.substr(0, host_end));
  std::string path = url.substr(host_end + 1);
  if (url[host_end] == ':' && !scp_like) {
    path = path.substr(std::min(path.size(), path.find('/') + 1));
  }
  for (const std::string_view end : {"/", ".git"}) {
    if (path.ends_with(end)) path.resize(path.size() - end.size());
  }
  const bool plain = std::all_of(path.begin(), path.end(), [](const char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("/-_.~").find(c) != std::string_view::npos;
  });
  if (path.empty() || !plain) return "";
  for (const Forge& forge : kForges) {
    if (host.find(forge.host_part) == std::string::npos) continue;
    return absl::StrCat("https://", host, "/", path, std::string(forge.path));
  }
  return "";
}

}  // namespace autotune
