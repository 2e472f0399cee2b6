#include "tools/report/error_report.h"

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/report/json_writer.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

constexpr char kHintUrl[] = "autotune/hint";

}  // namespace

absl::Status WithHint(absl::Status status, std::string_view hint) {
  if (!hint.empty()) {
    status.SetPayload(kHintUrl,
                      absl::Cord(absl::string_view(hint.data(), hint.size())));
  }
  return status;
}

std::string HintOf(const absl::Status& status) {
  const auto hint = status.GetPayload(kHintUrl);
  return hint.has_value() ? std::string(*hint) : "";
}

std::string ErrorText(std::string_view program, const absl::Status& status) {
  const std::string name(program);
  std::string text = absl::StrCat(
      name, ": error: ", PrintableText(std::string(status.message())), "\n");
  const std::string hint = HintOf(status);
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
  json.Text("hint", HintOf(status));
  json.EndObject();
  json.EndObject();
  return json.Take();
}

}  // namespace autotune
