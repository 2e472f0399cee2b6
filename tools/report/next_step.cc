#include "tools/report/next_step.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tools/report/json_writer.h"
#include "tools/system/process_runner.h"
#include "tools/system/terminal.h"

namespace autotune {

std::string Command::Text() const {
  std::vector<std::string> all = {program};
  all.insert(all.end(), leading.begin(), leading.end());
  all.insert(all.end(), words.begin(), words.end());
  return CommandText(all);
}

Command Autotune(std::vector<std::string> words) {
  return {"autotune", std::move(words), {}};
}

void WriteNext(const std::vector<NextStep>& steps, JsonWriter& json) {
  json.BeginArray("next");
  for (const NextStep& step : steps) {
    json.BeginObject();
    json.Text("command", step.command.Text());
    json.Text("why", step.why);
    json.EndObject();
  }
  json.EndArray();
}

std::string NextText(const std::vector<NextStep>& steps) {
  std::string text;
  for (const NextStep& step : steps) {
    absl::StrAppend(&text, "next: ", PrintableText(step.command.Text()),
                    "   # ", step.why, "\n");
  }
  return text;
}

}  // namespace autotune
