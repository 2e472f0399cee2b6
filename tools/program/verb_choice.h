#ifndef AUTOTUNE_TOOLS_PROGRAM_VERB_CHOICE_H_
#define AUTOTUNE_TOOLS_PROGRAM_VERB_CHOICE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/program/program.h"

namespace autotune {

// Where a verb's name would stand: behind common flags and their values.
std::size_t PlaceOfVerb(const Program& program,
                        const std::vector<std::string>& words);

// The verb of this name; null when there is none.
const Verb* FindVerb(const Program& program, const std::string& name);

// The verb that `words` name, taken out of them: the longest one there is, else
// the default one. Null when they are common flags alone, or nothing;
// OutOfRange for a word that is no verb.
absl::StatusOr<const Verb*> ChooseVerb(const Program& program,
                                       const ProgramWorld& world,
                                       std::vector<std::string>& words);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_PROGRAM_VERB_CHOICE_H_
