#include "tools/autotune/task/baseline_row.h"

#include "base/status_macros.h"
#include "tools/autotune/task/code_tree.h"

namespace autotune {

absl::StatusOr<const MetricRow*> FindRowOfCode(
    const Repository& repository, const TaskState& state,
    const std::string& code,
    const std::function<bool(const MetricRow&)>& wanted) {
  const std::vector<MetricRow>& rows = state.ledger.rows;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (!wanted(*row) || !IsFullSha(row->commit)) continue;
    ASSIGN_OR_RETURN(const auto commit, repository.ResolveCommit(row->commit));
    if (!commit.has_value()) continue;
    ASSIGN_OR_RETURN(const std::string row_code, CodeTree(repository, *commit));
    if (row_code == code) return &*row;
  }
  return nullptr;
}

}  // namespace autotune
