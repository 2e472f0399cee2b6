// The manual page, in man(7): what --help says of the program and of all its
// verbs, from the same tables.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/version.h"
#include "tools/program/command_line.h"
#include "tools/program/help_text.h"
#include "tools/program/program.h"
#include "tools/program/shell_verbs.h"

namespace autotune {
namespace {

// Lines of the page's source; mandoc wants no longer ones.
constexpr std::size_t kWidth = 78;

// `text` as roff shows it to the letter: a typed dash, quote or accent stays
// what can be pasted into a shell.
std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\\", "\\e"},
                                    {"-", "\\-"},
                                    {"'", "\\(aq"},
                                    {"`", "\\(ga"},
                                    {"^", "\\(ha"},
                                    {"~", "\\(ti"}});
}

// `text` on lines of at most kWidth, none of which begins as a request does.
std::string Filled(absl::string_view text) {
  std::string filled;
  std::string line;
  const auto end_line = [&] {
    if (line.empty()) return;
    absl::StrAppend(&filled, line[0] == '.' ? "\\&" : "", line, "\n");
    line.clear();
  };
  for (const absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty())) {
    const std::string escaped = Escaped(word);
    if (!line.empty() && line.size() + 1 + escaped.size() > kWidth) end_line();
    absl::StrAppend(&line, line.empty() ? "" : " ", escaped);
  }
  end_line();
  return filled;
}

// Commands as typed, indented and never joined.
std::string Commands(absl::string_view commands) {
  std::string text = ".RS 4\n.nf\n";
  for (const absl::string_view line : absl::StrSplit(commands, '\n')) {
    absl::StrAppend(&text, "\\&", Escaped(line), "\n");
  }
  return text + ".fi\n.RE\n";
}

std::string Option(const Argument& argument) {
  std::vector<std::string> names;
  for (const std::string& name : argument.names) {
    names.push_back(absl::StrCat("\\fB", Escaped(name), "\\fR"));
  }
  std::string title = absl::StrJoin(names, ", ");
  if (!argument.placeholder.empty()) {
    absl::StrAppend(&title, names.empty() ? "" : " ", "\\fI",
                    Escaped(argument.placeholder), "\\fR");
  }
  return absl::StrCat(".TP\n", title, "\n", Filled(argument.description));
}

std::string Options(const CommandLine& line) {
  std::string text;
  for (const ArgumentGroup& group : GroupsOf(line)) {
    absl::StrAppend(&text, ".PP\n", Escaped(group.heading), ":\n");
    for (const Argument* const argument : group.arguments) {
      text += Option(*argument);
    }
  }
  return text;
}

// What the program is, for whatis(1): the description's first clause.
std::string NameLine(const Program& program) {
  const std::string& text = program.description;
  return absl::StrCat(
      Escaped(program.name), " \\- ",
      Escaped(absl::StrReplaceAll(text.substr(0, text.find_first_of(",.")),
                                  {{"\n", " "}})),
      "\n");
}

std::string VerbSection(const Program& program, const Verb& verb) {
  CommandLine line;
  verb.declare(line);
  return absl::StrCat(
      ".SS ", Escaped(verb.name), "\n",
      Filled(verb.description.empty() ? verb.summary : verb.description),
      ".PP\n",
      Commands(absl::StrCat(CommandOf(program, verb), " ", UsageOf(line))),
      Options(line), ".PP\nExample:\n.PP\n", Commands(verb.example));
}

}  // namespace

std::string ManualPage(const Program& program) {
  CommandLine common;
  CommonFlags flags;
  DeclareCommon(program, common, flags);
  std::string common_options;
  for (const Argument& argument : common.arguments()) {
    common_options += Option(argument);
  }
  std::string verbs;
  std::string list;
  for (const Verb& verb : program.verbs) {
    if (verb.summary.empty()) continue;
    verbs += VerbSection(program, verb);
    absl::StrAppend(&list, ".TP\n\\fB", Escaped(verb.name), "\\fR\n",
                    Filled(verb.summary));
  }
  const std::string title = absl::AsciiStrToUpper(program.name);
  return absl::StrCat(
      ".\\\" Made from the program's own tables; not to be edited.\n.TH ",
      title, " 1 ", kReleaseDate, " \"autotune ", kVersion,
      "\" \"User Commands\"\n.SH NAME\n", NameLine(program), ".SH SYNOPSIS\n",
      ".B ", Escaped(program.name), "\n.I VERB\n[\\fIOPTIONS\\fR]\n",
      ".SH DESCRIPTION\n", Filled(program.description), list,
      ".SH COMMON OPTIONS\nEvery verb takes these.\n", common_options,
      ".SH VERBS\n", verbs, ".SH EXIT STATUS\n", Filled(program.exit_codes),
      ".SH EXAMPLES\n", Commands(program.example),
      ".SH SEE ALSO\n.BR autotune (1),\n.BR bench_compare (1),\n.BR git (1)\n");
}

}  // namespace autotune
