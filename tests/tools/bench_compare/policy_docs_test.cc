// The tables of settings in docs/cli.md are those of the program. With
// UPDATE_DOCS=1 in the environment the test writes them anew.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "comparator/policy/policy_fields.h"
#include "gtest/gtest.h"
#include "tools/bench_compare/gate_settings.h"

namespace autotune {
namespace {

constexpr char kDocs[] = AUTOTUNE_SOURCE_DIR "/docs/cli.md";
constexpr std::string_view kBegin =
    "<!-- settings: tests/tools/bench_compare/policy_docs_test.cc -->\n";
constexpr std::string_view kEnd = "<!-- end of settings -->\n";

std::string Cell(const std::string& text) {
  return absl::StrReplaceAll(text, {{"|", "\\|"}});
}

// Where a setting takes part.
std::string UsesText(unsigned uses) {
  struct Use {
    const char* verb;
    unsigned tune;
    unsigned gate;
  };
  constexpr Use kUses[] = {{"recorded files", kRecordedTune, kRecordedGate},
                           {"runs", kRunTune, kRunGate},
                           {"tasks", kTaskTune, kTaskGate}};
  std::vector<std::string> texts;
  for (const Use& use : kUses) {
    const bool tune = (uses & use.tune) != 0;
    const bool gate = (uses & use.gate) != 0;
    if (!tune && !gate) continue;
    texts.push_back(absl::StrCat(use.verb, tune && gate ? ""
                                           : tune       ? " (tune)"
                                                        : " (gate)"));
  }
  return absl::StrJoin(texts, ", ");
}

std::string PolicyTable() {
  std::string text =
      "| key of `[policy]` | flag | value | default | what for | takes part in "
      "|\n| --- | --- | --- | --- | --- | --- |\n";
  for (const PolicyFieldOf<Policy>& field : PolicyFields()) {
    const auto usual = ValueIn(field, Policy());
    absl::StrAppendFormat(
        &text, "| `%s` | `%s` | %s | %s | %s | %s |\n", field.key, field.flag,
        Cell(ExpectedOf(field)),
        usual.has_value() ? absl::StrCat("`", FieldText(field, *usual), "`")
                          : "",
        field.help.empty() ? "which way a counter gets better" : field.help,
        UsesText(field.uses));
  }
  return text;
}

void AddList(const char* list, const auto& fields, std::string& text) {
  for (const auto& field : fields) {
    absl::StrAppendFormat(&text, "| `%s` | `%s` | %s | %s |\n", list, field.key,
                          Cell(ExpectedOf(field)),
                          field.required ? "required" : "");
  }
}

std::string SettingsText() {
  std::string text = PolicyTable();
  text += "\n| table | key | value | |\n| --- | --- | --- | --- |\n";
  AddList("[[guard]]", GuardFields(), text);
  AddList("[[margin]]", MarginFields(), text);
  AddList("[[waiver]]", WaiverFields(), text);
  AddList("[gate]", GateFields(), text);
  AddList("[[program]]", GateProgramFields(), text);
  AddList("[[rename]]", GateRenameFields(), text);
  return text;
}

TEST(PolicyDocsTest, TheTablesOfSettingsAreThoseOfTheProgram) {
  std::ifstream in(kDocs);
  std::string docs((std::istreambuf_iterator<char>(in)), {});
  const std::size_t begin = docs.find(kBegin);
  const std::size_t end = docs.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::size_t at = begin + kBegin.size();
  const std::string text = SettingsText();
  if (std::getenv("UPDATE_DOCS") != nullptr) {
    std::ofstream(kDocs) << docs.replace(at, end - at, text);
    return;
  }
  EXPECT_EQ(docs.substr(at, end - at), text);
}

}  // namespace
}  // namespace autotune
