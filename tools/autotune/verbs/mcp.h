#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_MCP_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_MCP_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/program/program.h"
#include "tools/system/exit_code.h"

namespace autotune {

// `autotune mcp`: serves verbs of `program` as tools of the Model Context
// Protocol, revision 2026-07-28 and the revisions with a handshake before it:
// JSON-RPC 2.0, one message a line, on standard input and session.terminal.out.
// Each call runs the verb as a process of its own, with the same options and
// the same JSON answer as on the command line, so that calls go on side by
// side, one can be cancelled, and one that fails takes nothing else along.
//
// Returns when standard input ends (0) or on SIGINT or SIGTERM (130); calls
// that run then are asked to end, and a decision goes on when it is asked for
// again.
absl::StatusOr<ExitCode> ServeMcp(const Session& session,
                                  const Program& program);

// A verb as a tool: what its client is told beyond the verb's own options.
struct McpTool {
  std::string_view verb;  // and the tool's name
  std::string_view title;
  std::string_view description;
  bool read_only = false;
  bool destructive = false;  // takes something away: a worktree, a branch
  bool idempotent = true;    // the same call again changes nothing more
};

const std::vector<McpTool>& McpTools();

// The definition of the tool for tools/list, a JSON object. Its input schema is
// made of what the verb takes on the command line: "--no-profile REASON" is the
// property no_profile, a string.
std::string McpToolDefinition(const Program& program, const McpTool& tool);

// The words of the verb's command line for a call `given` these arguments, a
// JSON object, the verb among them. InvalidArgument naming the argument that
// the tool does not take, or whose value is of the wrong type.
absl::StatusOr<std::vector<std::string>> McpCommandLine(
    const Program& program, const McpTool& tool, const std::string& given);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_MCP_H_
