#ifndef AUTOTUNE_TOOLS_REPORT_TASK_REPORT_H_
#define AUTOTUNE_TOOLS_REPORT_TASK_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/statistics/estimate.h"
#include "comparator/statistics/metric.h"
#include "tools/report/next_step.h"
#include "tools/report/report.h"
#include "tools/report/text_table.h"

namespace autotune {

// A tuning task from its first attempt to its last. Texts are as they came:
// making them harmless is the form's part. Ratios are contender / baseline.
struct TaskReport {
  struct Attempt {
    std::string approach;
    std::string hypothesis;
    std::string phase;  // of the task when it began; may be empty
    std::string part;   // section or function it changes; may be empty
    std::string
        decision;  // the history's word: "keep", "discard", "crash", ...
    std::string reason;
    std::string commit;  // its last one
    bool kept = false;   // and not taken out again
    bool measured = false;
    std::optional<RatioEstimate> estimate;  // against the tip it met
    std::optional<double> predicted_ratio;  // what start --expect came to
    std::optional<std::int64_t> rounds;
    std::optional<double> seconds;
    // Tip against start after it: what keeps claim, multiplied.
    double claimed_ratio = 1.0;
  };
  // Start against tip, measured afresh.
  struct Harvest {
    std::size_t after = 0;  // attempts decided before
    std::string commit;     // the tip
    std::optional<RatioEstimate> estimate;
    std::optional<std::int64_t> rounds;
  };

  std::string task;
  std::string branch;
  std::string base;
  std::string tip;
  std::string target;
  Metric metric;
  std::vector<Attempt> attempts;  // in the order they were decided
  std::vector<Harvest> harvests;
  // Where a commit is on the web, but for its name: "https://.../commit/";
  // empty when no remote tells.
  std::string commit_url;
  std::vector<std::string> warnings;
  std::vector<NextStep> next;
};

// The forms of a task's report: table, json, markdown and html.
std::vector<std::string> TaskReportForms();

// The whole report in one of them; see RenderReport for what each promises.
std::string RenderTaskReport(const TaskReport& report, ReportFormat format,
                             const TextLayout& layout = {});

// The task's gain and where it is from, what TaskRatio takes first: "-12.30 %
// [-14.00 %, -10.10 %], measured start against tip after 7 attempts; -13.00 %,
// the product of what 3 keeps claim".
std::string TaskGainText(const TaskReport& report);

// Tip against start: of the last harvest when no keep came since, else the
// product of claims.
double TaskRatio(const TaskReport& report);

// How a decision stands out.
TextStyle DecisionStyle(std::string_view decision);

std::string TaskReportHtml(const TaskReport& report);

// The page of `url`'s commits, with credentials left out: of a remote on
// GitHub, GitLab, Codeberg, Gitea or Bitbucket, by https or ssh. Empty for any
// other.
std::string CommitUrlOf(std::string_view remote_url);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_TASK_REPORT_H_
