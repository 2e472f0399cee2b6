#ifndef AUTOTUNE_TOOLS_SYSTEM_PRIORITY_H_
#define AUTOTUNE_TOOLS_SYSTEM_PRIORITY_H_

#include <optional>

namespace autotune {

// While it lives, the calling thread and the processes that it starts run at a
// higher priority: its nice value plus `nice_increment` (below 0). Where that
// is not allowed (no CAP_SYS_NICE, no RLIMIT_NICE) nothing changes. To be
// destroyed by the same thread.
class RaisedPriority {
 public:
  explicit RaisedPriority(int nice_increment);
  ~RaisedPriority();
  RaisedPriority(const RaisedPriority&) = delete;
  RaisedPriority& operator=(const RaisedPriority&) = delete;

 private:
  std::optional<int> before_;  // set when there is something to restore
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_PRIORITY_H_
