#ifndef AUTOTUNE_TOOLS_LEDGER_METRIC_MERGE_H_
#define AUTOTUNE_TOOLS_LEDGER_METRIC_MERGE_H_

#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// The text of a metric.toml cut before every [[table]] header: `preamble` is
// what stands before the first one; each entry reaches to the next.
// Concatenated they are the file again.
struct MetricEntries {
  std::string_view preamble;
  std::vector<std::string_view> entries;
};
MetricEntries SplitMetricEntries(std::string_view text);

// The three-way merge of one ledger from two clones by whole entries: all of
// `ours`, byte for byte, then the entries of `theirs` that neither `base` nor
// `ours` holds, in their order. Nothing is ever lost: an entry that one side
// removed or edited stays in both forms. Git's own "union" merge would make one
// table with duplicate keys of two. Never fails; linear in the sizes.
std::string MergeMetricFiles(std::string_view base, std::string_view ours,
                             std::string_view theirs);

// Mends a metric.toml that a line-wise merge damaged, given every version of
// the file that history holds, oldest first: all entries of those versions that
// are whole (no key twice, no damaged line), each once, in order of first
// appearance, then the whole entries only `damaged` has. Entries that nothing
// explains are left out and returned in `dropped` for a human to look at.
struct RepairedMetricFile {
  std::string text;
  std::vector<std::string> dropped;
};
RepairedMetricFile RepairMetricFile(std::string_view damaged,
                                    const std::vector<std::string>& versions);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_METRIC_MERGE_H_
