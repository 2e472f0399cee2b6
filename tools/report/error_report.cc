#include "tools/report/error_report.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "tools/report/json_writer.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr char kHintUrl[] = "autotune/hint";

// A status carries bytes alone. A list is the number of its texts, then each
// with its length; words are a list of one, a command is a list of its program
// and a mark, then its leading options, then its words.
void PutList(const std::vector<std::string>& texts, std::string& bytes) {
  absl::StrAppend(&bytes, texts.size(), ":");
  for (const std::string& text : texts) {
    absl::StrAppend(&bytes, text.size(), ":", text);
  }
}

void PutCommand(const Command& command, std::string& bytes) {
  PutList({command.program, "command"}, bytes);
  PutList(command.leading, bytes);
  PutList(command.words, bytes);
}

std::size_t TakeNumber(std::string_view& bytes) {
  std::size_t number = 0;
  while (!bytes.empty() && bytes.front() != ':') {
    number = 10 * number + static_cast<std::size_t>(bytes.front() - '0');
    bytes.remove_prefix(1);
  }
  bytes.remove_prefix(std::min<std::size_t>(bytes.size(), 1));
  return number;
}

std::vector<std::string> TakeList(std::string_view& bytes) {
  std::vector<std::string> texts(TakeNumber(bytes));
  for (std::string& text : texts) {
    const std::size_t size = TakeNumber(bytes);
    text = bytes.substr(0, size);
    bytes.remove_prefix(size);
  }
  return texts;
}

}  // namespace

std::string HintText(const Hint& hint) {
  std::string text;
  for (const auto& part : hint) {
    const auto* command = std::get_if<Command>(&part);
    text += command == nullptr ? std::get<std::string>(part) : command->Text();
  }
  return text;
}

absl::Status WithHint(absl::Status status, const Hint& hint) {
  std::string payload;
  for (const auto& part : hint) {
    if (const auto* command = std::get_if<Command>(&part)) {
      PutCommand(*command, payload);
    } else {
      PutList({std::get<std::string>(part)}, payload);
    }
  }
  if (!payload.empty()) status.SetPayload(kHintUrl, absl::Cord(payload));
  return status;
}

absl::Status WithHint(absl::Status status, std::string_view words) {
  if (words.empty()) return status;
  return WithHint(std::move(status), Hint{std::string(words)});
}

Hint HintOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kHintUrl);
  if (!payload.has_value()) return {};
  const std::string text(*payload);
  std::string_view rest = text;
  Hint hint;
  while (!rest.empty()) {
    std::vector<std::string> list = TakeList(rest);
    if (list.size() == 1) {
      hint.emplace_back(std::move(list.front()));
    } else {
      std::vector<std::string> leading = TakeList(rest);
      hint.emplace_back(
          Command{std::move(list.front()), TakeList(rest), std::move(leading)});
    }
  }
  return hint;
}

std::string ErrorText(std::string_view program, const absl::Status& status) {
  const std::string name(program);
  std::string text = absl::StrCat(
      name, ": error: ", PrintableText(std::string(status.message())), "\n");
  const std::string hint = HintText(HintOf(status));
  if (!hint.empty()) {
    absl::StrAppend(&text, name, ": hint: ", PrintableText(hint), "\n");
  }
  return text;
}

std::string ErrorJson(const absl::Status& status, ExitCode code) {
  JsonWriter json;
  json.BeginObject();
  json.Count("schema_version", 1);
  json.Flag("ok", false);
  json.BeginObject("error");
  json.Count("code", static_cast<int>(code));
  json.Text("message", std::string(status.message()));
  json.Text("hint", HintText(HintOf(status)));
  json.EndObject();
  json.EndObject();
  return json.Take();
}

}  // namespace autotune
