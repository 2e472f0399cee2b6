// A verb runs as this very program, started again: its options and its answer
// are those of the command line, one can be ended without the others, and one
// that dies takes nothing else along.

#include "tools/autotune/verbs/mcp_calls.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "nlohmann/json.hpp"

namespace autotune {
namespace {

using Json = nlohmann::ordered_json;

// Verbs that run at once; what is beyond waits its turn, and far beyond is
// refused: each is a process or two, and a decision wants the machine alone.
constexpr std::size_t kMostRunning = 4;
constexpr std::size_t kMostWaiting = 64;
// A client that waits hears of a verb that says nothing this often; the
// time-outs of clients are a minute or more.
constexpr absl::Duration kHeartbeat = absl::Seconds(5);
// A verb that was asked to end is ended after this long.
constexpr absl::Duration kPatience = absl::Seconds(5);
constexpr absl::Duration kAskEvery = absl::Milliseconds(20);

// The last whole line of `text`; "" when there is none.
std::string_view LastLine(std::string_view text) {
  const std::size_t end = text.rfind('\n');
  if (end == std::string_view::npos) return "";
  const std::size_t begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
  return text.substr(begin, end - begin);
}

std::string Text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json TextContent(const std::string& text) {
  return Json::array({{{"type", "text"}, {"text", text}}});
}

// What the verb printed is the answer; a verb that printed none did not end by
// itself.
std::string CallResult(const std::string& verb, const ProcessResult& ended) {
  Json answer = Json::parse(ended.standard_output, nullptr, false);
  if (!answer.is_object()) {
    return McpFailedCall(absl::StrCat(
        verb, " ended with ", ended.exit_code, " and without an answer: ",
        std::string(LastLine(ended.standard_error))));
  }
  Json result;
  result["content"] = TextContent(Text(answer));
  const auto ok = answer.find("ok");
  result["isError"] = ok == answer.end() || *ok != true;
  result["structuredContent"] = std::move(answer);
  return Text(result);
}

}  // namespace

std::string McpFailedCall(const std::string& text) {
  return Text({{"content", TextContent(text)}, {"isError", true}});
}

absl::Status McpCalls::Add(McpWaiter waiter, const std::string& verb,
                           const std::string& key,
                           const std::vector<std::string>& words) {
  for (Job& job : jobs_) {
    if (job.key != key || job.given_up.has_value()) continue;
    job.waiters.push_back(std::move(waiter));
    return absl::OkStatus();
  }
  if (jobs_.size() >= kMostWaiting) {
    return absl::ResourceExhaustedError(absl::StrCat(
        jobs_.size(), " calls are waiting: try again when some are answered"));
  }
  Job& job = jobs_.emplace_back();
  job.verb = verb;
  job.key = key;
  job.spec.argv = {"/proc/self/exe"};
  job.spec.argv.insert(job.spec.argv.end(), words.begin(), words.end());
  job.started = Now();
  job.told = job.started;
  job.waiters.push_back(std::move(waiter));
  return absl::OkStatus();
}

bool McpCalls::Waits(const std::string& id) const {
  for (const Job& job : jobs_) {
    for (const McpWaiter& waiter : job.waiters) {
      if (waiter.id == id) return true;
    }
  }
  return false;
}

void McpCalls::Cancel(const std::string& id) {
  for (Job& job : jobs_) {
    const auto removed = std::erase_if(
        job.waiters, [&](const McpWaiter& waiter) { return waiter.id == id; });
    if (removed > 0 && job.waiters.empty()) GiveUp(job);
  }
}

void McpCalls::Ask() {
  for (auto job = jobs_.begin(); job != jobs_.end();) {
    const bool over =
        job->process == nullptr ? !StartWhenFree(*job) : AskJob(*job);
    job = over ? jobs_.erase(job) : std::next(job);
  }
}

void McpCalls::End() {
  for (Job& job : jobs_) {
    job.waiters.clear();
    GiveUp(job);
  }
  while (true) {
    Ask();
    if (jobs_.empty()) return;
    session_.seams.clock.SleepFor(kAskEvery);
  }
}

// Whether the job is still to be kept: false when it cannot be started, or
// nobody wants it any more.
bool McpCalls::StartWhenFree(Job& job) {
  if (job.waiters.empty()) return false;
  std::size_t running = 0;
  for (const Job& other : jobs_) {
    if (other.process == nullptr) continue;
    if (other.key == job.key) return true;  // given up, and not gone yet
    ++running;
  }
  if (running >= kMostRunning) return true;
  auto process = session_.seams.processes.Start(job.spec);
  if (process.ok()) {
    job.process = *std::move(process);
    return true;
  }
  AnswerAll(job, McpFailedCall(std::string(process.status().message())));
  return false;
}

// Whether the job is over.
bool McpCalls::AskJob(Job& job) {
  const auto ended = job.process->PollEnded(absl::ZeroDuration());
  if (ended.ok() && !*ended) {
    TellProgress(job);
    if (job.given_up.has_value() && Now() - *job.given_up > kPatience) {
      job.process->Kill().IgnoreError();
    }
    return false;
  }
  const auto result = job.process->Wait();
  AnswerAll(job, result.ok()
                     ? CallResult(job.verb, *result)
                     : McpFailedCall(std::string(result.status().message())));
  return true;
}

void McpCalls::AnswerAll(const Job& job, const std::string& result) {
  for (const McpWaiter& waiter : job.waiters) listener_.OnEnd(waiter, result);
}

// What the verb says on standard error, and a sign of life in between.
void McpCalls::TellProgress(Job& job) {
  const std::string_view said = job.process->StandardErrorSoFar();
  std::string line(LastLine(said.substr(std::min(job.heard, said.size()))));
  const absl::Duration now = Now();
  if (line.empty() && now - job.told < kHeartbeat) return;
  job.heard = said.rfind('\n') + 1;
  job.told = now;
  const double seconds = absl::ToDoubleSeconds(now - job.started);
  if (line.empty()) {
    line = absl::StrCat(job.verb, " runs for ", FixedText(seconds, 0), " s");
  }
  for (McpWaiter& waiter : job.waiters) {
    if (waiter.token.empty() || seconds <= waiter.progress) continue;
    waiter.progress = seconds;
    listener_.OnProgress(waiter, seconds, line);
  }
}

void McpCalls::GiveUp(Job& job) {
  if (job.process != nullptr) job.process->Terminate().IgnoreError();
  job.given_up = Now();
}

}  // namespace autotune
