#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_IDEA_SOURCE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_IDEA_SOURCE_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"

namespace autotune {

// What an attempt of the loop is made from, one JSON object.
struct Idea {
  std::string approach;
  std::string hypothesis;
  std::string details;
  std::optional<std::string> targets;
  std::optional<std::string> expect;
};

// Where the loop's ideas come from: a planner that is asked for each, or a file
// with one a line.
class IdeaSource {
 public:
  IdeaSource(const TaskContext& context, std::optional<std::string> planner,
             std::optional<std::string> file)
      : context_(context),
        planner_(std::move(planner)),
        file_(std::move(file)) {}

  // The next one that is not decided yet; nothing when none is left.
  // InvalidArgument with the place of what is no idea.
  absl::StatusOr<std::optional<Idea>> Next();
  bool used_up() const { return used_up_; }

 private:
  absl::StatusOr<bool> IsDecided(const std::string& approach);
  absl::StatusOr<std::optional<Idea>> AskPlanner();

  const TaskContext& context_;
  std::optional<std::string> planner_;
  std::optional<std::string> file_;
  std::size_t next_line_ = 0;
  bool used_up_ = false;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_IDEA_SOURCE_H_
