#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_SKILL_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_SKILL_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/program/verb_result.h"

namespace autotune {

// Where the skill lies for the agents that look for it: .agents/skills, or
// .claude/skills, of the repository or of the user, or a folder of one's own.
struct SkillOptions {
  bool claude = false;
  bool agents = false;  // what it is when nothing is said
  std::string folder;   // --dir
  bool user = false;    // below $HOME
  bool force = false;   // replace what a person changed
};

// `autotune skill install`: copies the skill that the program comes with to
// PLACE/autotune. A file that is not as an installation left it is a person's:
// with one of them FailedPrecondition, and nothing is written, unless `force`.
absl::StatusOr<VerbResult> InstallSkill(const Session& session,
                                        const SkillOptions& options);

// `autotune skill check`: whether the copies there are the program's own, and
// their front matter is what every reader takes. Ends with 69 and the findings
// when not.
absl::StatusOr<VerbResult> CheckSkill(const Session& session,
                                      const SkillOptions& options);

// Whether `text`, the SKILL.md of the folder `name`, has front matter that
// strict YAML readers take: keys that skills know, once each, plain one-line
// values without ": " and " #" or double-quoted ones, `name` that of the
// folder, a description of 1 to 1024 bytes; and fewer than 500 lines.
// InvalidArgument "SOURCE:LINE: ...".
absl::Status CheckSkillText(std::string_view text, const std::string& name,
                            const std::string& source);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_SKILL_H_
