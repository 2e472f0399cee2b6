// The tools for agents' hosts, driven by a client of its own (mcp_client.py)
// over a real repository.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

class McpTest : public AutotuneFixture,
                public testing::WithParamInterface<const char*> {};

TEST_P(McpTest, SpeaksTheProtocol) {
  InitTask();
  const Answer answer =
      RunShell(repository(), absl::StrCat("exec python3 '", MCP_CLIENT, "' '",
                                          AUTOTUNE_PROGRAM, "' ", GetParam()));
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, McpTest,
                         testing::Values("handshake", "without_handshake",
                                         "tools", "attempt", "arguments",
                                         "hostile", "running", "end"),
                         [](const auto& named) { return named.param; });

}  // namespace
}  // namespace autotune
