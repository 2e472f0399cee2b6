// A loop over two kinds of events, lines of the client and running verbs, in
// one thread: it waits on standard input, and asks each verb that runs how it
// gets on a few times a second.
//
// Two eras of the protocol meet here. Since revision 2026-07-28 every request
// says in `_meta` which revision it speaks, and nothing is remembered between
// requests; before it, `initialize` opened a session. A request is answered in
// the era that it speaks.

#include "tools/autotune/verbs/mcp.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/version.h"
#include "nlohmann/json.hpp"
#include "tools/autotune/verbs/mcp_calls.h"
#include "tools/ledger/slug.h"
#include "tools/system/line_input.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kModern = "2026-07-28";
// Newest first. 2025-03-26 is not among them: it demands batches of messages,
// which every other revision forbids.
constexpr std::array<std::string_view, 3> kWithHandshake = {
    "2025-11-25", "2025-06-18", "2024-11-05"};

constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kInternalError = -32603;
constexpr int kUnsupportedVersion = -32022;

constexpr char kVersionKey[] = "io.modelcontextprotocol/protocolVersion";
constexpr char kCapabilitiesKey[] =
    "io.modelcontextprotocol/clientCapabilities";
constexpr char kServerKey[] = "io.modelcontextprotocol/serverInfo";
constexpr char kInstructions[] =
    "Makes benchmarks of a C++ project faster, one attempt at a time. Loop: "
    "next, start, work and commit in the worktree it names, check, decide, log "
    "what was learned. Never judge a change by running the benchmark yourself, "
    "and never merge or revert by hand: decide does. Opening a task (autotune "
    "init, autotune profile) is a person's work on the command line.";

constexpr std::size_t kLongestMessage = std::size_t{4} << 20;
// How often running verbs are asked, and how long idling is not disturbed.
constexpr absl::Duration kAskEvery = absl::Milliseconds(50);
constexpr absl::Duration kIdle = absl::Seconds(1);
// What was asked for just before the input ended is still answered when it
// takes no longer than this.
constexpr absl::Duration kLastAnswers = absl::Seconds(2);

std::string Text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool IsId(const Json& id) { return id.is_string() || id.is_number_integer(); }

class McpServer : public McpListener {
 public:
  McpServer(const Session& session, const Program& program)
      : session_(session),
        program_(program),
        input_(STDIN_FILENO, kLongestMessage),
        calls_(session, *this) {}

  ExitCode Serve() {
    while (!session_.interrupted() && session_.terminal.out.good() &&
           !input_.ended()) {
      const auto line = input_.Next(calls_.empty() ? kIdle : kAskEvery);
      if (line.has_value()) Take(*line);
      calls_.Ask();
    }
    if (!session_.interrupted()) AnswerLastCalls();
    calls_.End();
    return session_.interrupted() ? kExitInterrupted : kExitKeep;
  }

 private:
  absl::Duration Now() { return session_.seams.clock.Monotonic(); }

  // --- what goes out ---

  void Send(Json message) {
    message["jsonrpc"] = "2.0";
    session_.terminal.out << Text(message) << '\n' << std::flush;
  }

  void Fail(const Json& id, int code, const std::string& message,
            Json data = nullptr) {
    Json error = {{"code", code}, {"message", message}};
    if (!data.is_null()) error["data"] = std::move(data);
    Send({{"id", id}, {"error", std::move(error)}});
  }

  void Answer(const Json& id, Json result, bool modern) {
    if (modern) {
      result["resultType"] = "complete";
      result["_meta"][kServerKey] = ServerInfo();
    }
    Send({{"id", id}, {"result", std::move(result)}});
  }

  static Json ServerInfo() {
    return {{"name", "autotune"},
            {"title", "autotune"},
            {"version", std::string(kVersion)}};
  }

  // --- what comes in ---

  void Take(const LineInput::Line& line) {
    if (line.too_long) {
      return Fail(nullptr, kParseError,
                  absl::StrCat("expected a message of at most ",
                               kLongestMessage, " bytes on a line"));
    }
    if (line.text.find_first_not_of(" \t") == std::string::npos) return;
    const Json message = Json::parse(line.text, nullptr, false);
    if (message.is_discarded()) {
      return Fail(nullptr, kParseError, "expected one JSON object on a line");
    }
    if (message.is_array()) {
      return Fail(nullptr, kInvalidRequest,
                  "batches are not taken: send one message on a line");
    }
    if (!message.is_object() || message.value("jsonrpc", Json()) != "2.0") {
      return Fail(nullptr, kInvalidRequest,
                  "expected an object with \"jsonrpc\": \"2.0\"");
    }
    TakeMessage(message);
  }

  void TakeMessage(const Json& message) {
    const Json method = message.value("method", Json());
    const bool has_id = message.contains("id");
    if (!method.is_string()) {
      // We ask the client nothing: an answer of it is not for us.
      if (message.contains("result") || message.contains("error")) return;
      return Fail(nullptr, kInvalidRequest, "method: expected a string");
    }
    const Json params = message.value("params", Json::object());
    if (!has_id) return TakeNotification(method, params);
    const Json& id = message["id"];
    if (!IsId(id)) {
      return Fail(nullptr, kInvalidRequest,
                  "id: expected a string or a whole number");
    }
    if (calls_.Waits(id.dump())) {
      return Fail(nullptr, kInvalidRequest,
                  absl::StrCat("id: a request with this id is in flight: ",
                               id.dump().substr(0, 80)));
    }
    if (!params.is_object()) {
      return Fail(id, kInvalidParams, "params: expected an object");
    }
    TakeRequest(id, method.get<std::string>(), params);
  }

  // A notification is never answered, whatever is wrong with it.
  void TakeNotification(const Json& method, const Json& params) {
    if (method != "notifications/cancelled" || !params.is_object()) return;
    calls_.Cancel(Text(params.value("requestId", Json())));
  }

  void TakeRequest(const Json& id, const std::string& method,
                   const Json& params) {
    const Json meta = params.value("_meta", Json::object());
    if (!meta.is_object()) {
      return Fail(id, kInvalidParams, "_meta: expected an object");
    }
    const bool modern = meta.contains(kVersionKey);
    if (modern && !CheckModern(id, meta)) return;
    if (method == "initialize") return Initialize(id, params);
    if (method == "ping") return Answer(id, Json::object(), modern);
    const bool known = method == "server/discover" || method == "tools/list" ||
                       method == "tools/call";
    if (!known) {
      return Fail(id, kMethodNotFound,
                  absl::StrCat("no method ", method.substr(0, 80)));
    }
    if (!modern && (!initialized_ || method == "server/discover")) {
      return Fail(
          id, kInvalidParams,
          absl::StrCat(method, ": expected _meta with ", kVersionKey, " and ",
                       kCapabilitiesKey, ", or `initialize` before it"));
    }
    if (method == "server/discover") return Discover(id);
    if (method == "tools/list") return List(id, params, modern);
    Call(id, params, meta, modern);
  }

  // Whether the request's own metadata is whole and of a revision we speak.
  bool CheckModern(const Json& id, const Json& meta) {
    if (meta[kVersionKey] != kModern) {
      Fail(id, kUnsupportedVersion, "Unsupported protocol version",
           {{"supported", {kModern}}, {"requested", meta[kVersionKey]}});
      return false;
    }
    if (!meta.value(kCapabilitiesKey, Json()).is_object()) {
      Fail(id, kInvalidParams,
           absl::StrCat("_meta: ", kCapabilitiesKey, ": expected an object"));
      return false;
    }
    return true;
  }

  void Initialize(const Json& id, const Json& params) {
    const Json asked = params.value("protocolVersion", Json());
    if (!asked.is_string()) {
      return Fail(id, kInvalidParams, "protocolVersion: expected a string");
    }
    const auto spoken = std::find(kWithHandshake.begin(), kWithHandshake.end(),
                                  asked.get<std::string>());
    initialized_ = true;
    Json result;
    result["protocolVersion"] = std::string(
        spoken == kWithHandshake.end() ? kWithHandshake.front() : *spoken);
    result["capabilities"]["tools"] = Json::object();
    result["serverInfo"] = ServerInfo();
    result["instructions"] = kInstructions;
    Answer(id, std::move(result), /*modern=*/false);
  }

  // The list of tools depends on the program alone.
  static void AddCaching(Json& result) {
    result["ttlMs"] = 3600000;
    result["cacheScope"] = "public";
  }

  void Discover(const Json& id) {
    Json result;
    result["supportedVersions"] = {std::string(kModern)};
    result["capabilities"]["tools"] = Json::object();
    result["instructions"] = kInstructions;
    AddCaching(result);
    Answer(id, std::move(result), /*modern=*/true);
  }

  void List(const Json& id, const Json& params, bool modern) {
    if (params.contains("cursor")) {
      return Fail(id, kInvalidParams,
                  "cursor: there is one page, which needs none");
    }
    Json result;
    result["tools"] = Json::array();
    for (const McpTool& tool : McpTools()) {
      result["tools"].push_back(Json::parse(McpToolDefinition(program_, tool)));
    }
    if (modern) AddCaching(result);
    Answer(id, std::move(result), modern);
  }

  // --- calls ---

  void Call(const Json& id, const Json& params, const Json& meta, bool modern) {
    const Json name = params.value("name", Json());
    const std::vector<McpTool>& tools = McpTools();
    const auto tool = std::find_if(
        tools.begin(), tools.end(),
        [&](const McpTool& candidate) { return name == candidate.verb; });
    if (tool == tools.end()) {
      return Fail(id, kInvalidParams,
                  absl::StrCat("name: no such tool; there are ", ToolNames()));
    }
    const Json arguments = params.value("arguments", Json::object());
    if (!arguments.is_object()) {
      return Fail(id, kInvalidParams, "arguments: expected an object");
    }
    const Json token = meta.value("progressToken", Json());
    const auto line = McpCommandLine(program_, *tool, Text(arguments));
    if (!line.ok()) {
      return Answer(
          id, Json::parse(McpFailedCall(std::string(line.status().message()))),
          modern);
    }
    std::vector<std::string> words = GivenOptions(arguments);
    words.insert(words.end(), line->begin(), line->end());
    const absl::Status added =
        calls_.Add({id.dump(), IsId(token) ? token.dump() : "", modern},
                   std::string(tool->verb), KeyOf(*tool, arguments), words);
    if (!added.ok()) Fail(id, kInternalError, std::string(added.message()));
  }

  static std::string ToolNames() {
    std::vector<std::string> names;
    for (const McpTool& tool : McpTools()) names.emplace_back(tool.verb);
    return absl::StrJoin(names, ", ");
  }

  // One attempt has one name however it is spelled.
  static std::string KeyOf(const McpTool& tool, const Json& arguments) {
    Json key = arguments;
    const Json name = arguments.value("approach", Json());
    if (name.is_string()) {
      const auto slug = Slug(name.get<std::string>());
      if (slug.ok()) key["approach"] = *slug;
    }
    return absl::StrCat(std::string(tool.verb), " ",
                        nlohmann::json(key).dump(
                            -1, ' ', false, Json::error_handler_t::replace));
  }

  // The server's own options are those of every call.
  std::vector<std::string> GivenOptions(const Json& arguments) const {
    std::vector<std::string> words = {"--json"};
    if (!session_.given_directory.empty()) {
      words.insert(words.end(), {"-C", session_.given_directory});
    }
    if (!session_.task.empty() && !arguments.contains("task")) {
      words.push_back(absl::StrCat("--task=", session_.task));
    }
    if (session_.dry_run) words.emplace_back("--dry-run");
    if (session_.quiet) words.emplace_back("--quiet");
    return words;
  }

  // --- what becomes of calls ---

  void OnEnd(const McpWaiter& waiter, const std::string& result) override {
    Answer(Json::parse(waiter.id), Json::parse(result), waiter.modern);
  }

  void OnProgress(const McpWaiter& waiter, double seconds,
                  const std::string& message) override {
    Send({{"method", "notifications/progress"},
          {"params",
           {{"progressToken", Json::parse(waiter.token)},
            {"progress", seconds},
            {"message", message}}}});
  }

  // `printf REQUESTS | autotune mcp` has its answers.
  void AnswerLastCalls() {
    const absl::Duration until = Now() + kLastAnswers;
    while (!calls_.empty() && Now() < until && !session_.interrupted() &&
           session_.terminal.out.good()) {
      calls_.Ask();
      session_.seams.clock.SleepFor(kAskEvery);
    }
  }

  const Session& session_;
  const Program& program_;
  LineInput input_;
  bool initialized_ = false;
  McpCalls calls_;
};

}  // namespace

absl::StatusOr<ExitCode> ServeMcp(const Session& session,
                                  const Program& program) {
  return McpServer(session, program).Serve();
}

}  // namespace autotune
