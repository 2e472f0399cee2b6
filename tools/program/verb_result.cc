#include "tools/program/verb_result.h"

#include <ostream>
#include <string>
#include <string_view>

namespace autotune {
namespace {

void PrintText(const VerbResult& result, Terminal& terminal) {
  for (const std::string& line : result.lines) {
    terminal.out << terminal.Shown(line) << '\n';
  }
  terminal.out << terminal.Shown(NextText(result.next));
}

}  // namespace

void PrintResult(const VerbResult& result, std::string_view verb, bool json,
                 Terminal& terminal) {
  if (!json) return PrintText(result, terminal);
  JsonWriter writer;
  writer.BeginObject();
  writer.Count("schema_version", 1);
  writer.Flag("ok", true);
  writer.Text("verb", verb);
  writer.Count("exit_code", result.exit_code);
  if (!result.decision.empty()) writer.Text("decision", result.decision);
  if (!result.reason.empty()) writer.Text("reason", result.reason);
  writer.Members(result.fields);
  WriteNext(result.next, writer);
  writer.EndObject();
  terminal.out << writer.Take();
}

}  // namespace autotune
