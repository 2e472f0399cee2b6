#ifndef AUTOTUNE_TOOLS_GIT_SCOPE_H_
#define AUTOTUNE_TOOLS_GIT_SCOPE_H_

#include <string>
#include <string_view>
#include <vector>

#include "tools/git/repository.h"

namespace autotune {

// What an attempt may edit: path patterns relative to the top level. "*" and
// "?" stay inside a folder, "**" crosses folders, "dir/**" and "dir/" are
// everything below. Case counts; other characters stand for themselves.
struct Scope {
  std::vector<std::string> edit;
  std::vector<std::string> sealed;  // wins over edit
  std::string own_folder;           // the attempt's notes; always allowed
};

struct ScopeViolation {
  std::string path;
  std::string reason;  // "sealed by \"tests/**\"", "outside scope.edit", ...
  // Sealed by a pattern, and a file that lists sources (CMakeLists.txt): the
  // caller may allow it when both builds compile alike but for added or removed
  // translation units.
  bool may_be_source_list = false;
};

// Pure: whether `path` (raw bytes, '/' separated) matches `pattern`. Time is
// at most the product of the lengths, whatever the pattern.
bool MatchesPathPattern(std::string_view pattern, std::string_view path);

// Every change that the scope forbids, in the order of `changes`: sealed or
// outside paths, new symlinks, submodules, mode changes of files it may not
// touch, .gitattributes and .gitmodules anywhere, and the ledger's folder
// docs/autotune but for the attempt's own.
std::vector<ScopeViolation> FindScopeViolations(
    const Scope& scope, const std::vector<TreeChange>& changes);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_SCOPE_H_
