#include "tools/report/error_report.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
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
  nlohmann::ordered_json error;
  error["code"] = static_cast<int>(code);
  error["message"] = std::string(status.message());
  error["hint"] = HintOf(status);
  nlohmann::ordered_json json;
  json["schema_version"] = 1;
  json["ok"] = false;
  json["error"] = error;
  return json.dump(2, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace autotune
