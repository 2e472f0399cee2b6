#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_CODE_TREE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_CODE_TREE_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// `treeish` without docs/autotune: what is built and compared, so that ledger
// commits change neither.
absl::StatusOr<std::string> CodeTree(const Repository& repository,
                                     const std::string& treeish);

// The code tree `code` with docs/autotune as `treeish` has it.
absl::StatusOr<std::string> WithLedgerOf(const Repository& repository,
                                         const std::string& code,
                                         const std::string& treeish);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_CODE_TREE_H_
