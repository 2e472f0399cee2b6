#include "tools/autotune/task/verb_result.h"

#include <ostream>

#include "nlohmann/json.hpp"

namespace autotune {
namespace {

// JSON text of `value`; invalid UTF-8 becomes U+FFFD rather than an exception.
std::string JsonText(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<JsonFields> NextFields(const std::vector<NextStep>& next) {
  std::vector<JsonFields> fields;
  for (const NextStep& step : next) {
    JsonFields& entry = fields.emplace_back();
    entry.Add("command", step.command);
    entry.Add("why", step.why);
  }
  return fields;
}

void PrintText(const VerbResult& result, Terminal& terminal) {
  for (const std::string& line : result.lines) terminal.out << line << '\n';
  for (const NextStep& step : result.next) {
    terminal.out << "next: " << PrintableText(step.command) << "   # "
                 << step.why << '\n';
  }
}

}  // namespace

void JsonFields::Add(std::string_view name, std::string_view value) {
  fields_.emplace_back(name, JsonText(std::string(value)));
}

void JsonFields::Add(std::string_view name, double value) {
  fields_.emplace_back(name, JsonText(value));
}

void JsonFields::Add(std::string_view name, std::int64_t value) {
  fields_.emplace_back(name, JsonText(value));
}

void JsonFields::Add(std::string_view name, bool value) {
  fields_.emplace_back(name, value ? "true" : "false");
}

void JsonFields::Add(std::string_view name,
                     const std::vector<std::string>& value) {
  fields_.emplace_back(name, JsonText(value));
}

void JsonFields::Add(std::string_view name,
                     const std::vector<JsonFields>& value) {
  std::string text = "[";
  for (const JsonFields& entry : value) {
    if (text.size() > 1) text += ", ";
    text += entry.ToJson();
  }
  fields_.emplace_back(name, text + "]");
}

void JsonFields::Add(std::string_view name, const JsonFields& value) {
  fields_.emplace_back(name, value.ToJson());
}

std::string JsonFields::ToJson() const {
  std::string text = "{";
  for (const auto& [name, value] : fields_) {
    if (text.size() > 1) text += ", ";
    text += JsonText(name) + ": " + value;
  }
  return text + "}";
}

void PrintResult(const VerbResult& result, std::string_view verb, bool json,
                 Terminal& terminal) {
  if (!json) return PrintText(result, terminal);
  JsonFields head;
  head.Add("schema_version", std::int64_t{1});
  head.Add("ok", true);
  head.Add("verb", verb);
  head.Add("exit_code", std::int64_t{result.exit_code});
  if (!result.decision.empty()) head.Add("decision", result.decision);
  if (!result.reason.empty()) head.Add("reason", result.reason);
  JsonFields tail;
  tail.Add("next", NextFields(result.next));
  std::string text = head.ToJson();
  text.pop_back();
  const std::string middle = result.fields.ToJson();
  if (!result.fields.empty()) {
    text += ", " + middle.substr(1, middle.size() - 2);
  }
  terminal.out << text << ", " << tail.ToJson().substr(1) << '\n';
}

ExitCode PrintError(const absl::Status& status, bool json, Terminal& terminal) {
  const ExitCode code = ExitCodeFor(status);
  if (json) {
    terminal.out << ErrorJson(status, code);
  } else {
    terminal.err << ErrorText("autotune", status);
  }
  return code;
}

}  // namespace autotune
