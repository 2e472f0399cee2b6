#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_MCP_CALLS_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_MCP_CALLS_H_

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "tools/autotune/task/session.h"
#include "tools/system/process_runner.h"

namespace autotune {

// A request that waits for a verb.
struct McpWaiter {
  std::string id;          // as JSON
  std::string token;       // of its progress, as JSON; empty: it wants none
  bool modern = false;     // speaks a revision without a handshake
  double progress = -1.0;  // seconds, of the last one it was told
};

// Who sends what is to be said of calls.
class McpListener {
 public:
  virtual ~McpListener() = default;
  virtual void OnEnd(const McpWaiter& waiter,
                     const std::string& result) = 0;  // as JSON
  virtual void OnProgress(const McpWaiter& waiter, double seconds,
                          const std::string& message) = 0;
};

// The result, as JSON, of a call that failed before, or without, an answer of
// the verb.
std::string McpFailedCall(const std::string& text);

// Calls of verbs, each a process of its own: some run, others wait their turn.
class McpCalls {
 public:
  McpCalls(const Session& session, McpListener& listener)
      : session_(session), listener_(listener) {}

  // Lets `waiter` wait for `verb` with these words of the command line. Calls
  // of one `key` do the same: the second waits for the first, unless that was
  // given up. ResourceExhausted when too many wait.
  absl::Status Add(McpWaiter waiter, const std::string& verb,
                   const std::string& key,
                   const std::vector<std::string>& words);
  // Whether a request of this id waits.
  bool Waits(const std::string& id) const;
  // That request waits no longer; a call that nobody waits for is asked to end.
  void Cancel(const std::string& id);
  // Starts what may start, tells progress, and answers what has ended.
  void Ask();
  // Asks all to end, answers none, and returns when all have ended.
  void End();
  bool empty() const { return jobs_.empty(); }

 private:
  // One verb, running or about to, and who waits for it.
  struct Job {
    std::string verb;
    std::string key;
    ProcessSpec spec;
    std::vector<McpWaiter> waiters;
    std::unique_ptr<RunningProcess> process;  // null: not started yet
    absl::Duration started;
    absl::Duration told;                     // when progress was last told
    std::size_t heard = 0;                   // bytes of its standard error
    std::optional<absl::Duration> given_up;  // when it was asked to end
  };

  absl::Duration Now() { return session_.seams.clock.Monotonic(); }
  bool StartWhenFree(Job& job);
  bool AskJob(Job& job);
  void AnswerAll(const Job& job, const std::string& result);
  void TellProgress(Job& job);
  void GiveUp(Job& job);

  const Session& session_;
  McpListener& listener_;
  std::list<Job> jobs_;  // in the order in which they were asked for
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_MCP_CALLS_H_
