#include "tools/system/priority.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>

namespace autotune {
namespace {

constexpr int kHighest = -20;

}  // namespace

RaisedPriority::RaisedPriority(int nice_increment) {
  errno = 0;
  const int now = getpriority(PRIO_PROCESS, 0);
  if (errno != 0) return;
  const int wanted = std::max(kHighest, now + nice_increment);
  if (setpriority(PRIO_PROCESS, 0, wanted) == 0) before_ = now;
}

RaisedPriority::~RaisedPriority() {
  if (before_.has_value()) setpriority(PRIO_PROCESS, 0, *before_);
}

}  // namespace autotune
