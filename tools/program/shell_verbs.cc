// Where the scripts for bash, zsh and fish are written. Each asks the program
// and shows the answer; what is hard in them is the shell's own way with words.
#include "tools/program/shell_verbs.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"

namespace autotune {
namespace {

// bash breaks words at = and : too, which are part of
// "--filter=BM_A/threads:2"; what stands together in the line is joined again,
// and what the shell thinks it replaces is cut off again. Names with < or ( in
// them are quoted, unless a quote is open already.
constexpr absl::string_view kBash = R"(# bash completion of @PROGRAM@
_@PROGRAM@() {
  local rest=${COMP_LINE:0:COMP_POINT} words=() broken= quote= i word bare
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    bare=${rest#"${rest%%[![:space:]]*}"}
    word=${COMP_WORDS[i]}
    ((i < COMP_CWORD)) || word=$bare
    if ((i > 1)) && [[ $bare == "$rest" ]]; then
      ((i < COMP_CWORD)) || broken=${words[-1]}
      [[ $word == [=:] ]] && ((i == COMP_CWORD)) && broken+=$word
      words[-1]+=$word
    else
      words+=("$word")
    fi
    rest=${bare#"$word"}
  done
  word=${words[-1]}
  case $word in
    [\'\"]*) quote=${word:0:1} word=${word:1} ;;
    *) word=${word//\\/} ;;
  esac
  for ((i = 1; i < ${#words[@]} - 1; ++i)); do
    case ${words[i]} in
      \'*\' | \"*\") words[i]=${words[i]:1:-1} ;;
      "~/"*) words[i]=$HOME/${words[i]:2} ;;
      *) words[i]=${words[i]//\\/} ;;
    esac
  done
  words[-1]=$word
  local answer
  mapfile -t answer < <("${words[0]/#\~\//$HOME/}" complete -- "${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  for ((i = 1; i < ${#answer[@]}; ++i)); do
    word=${answer[i]%%$'\t'*}
    word=${word#"$broken"}
    [ -n "$quote" ] || printf -v word %q "$word"
    COMPREPLY+=("$word")
  done
  case ${answer[0]} in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
  esac
  if [[ ${#COMPREPLY[@]} == 0 && ${answer[0]} == files && -n $broken ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "${words[-1]#"$broken"}")
  fi
}
complete -F _@PROGRAM@ @PROGRAM@
)";

constexpr absl::string_view kZsh = R"(#compdef @PROGRAM@
# zsh completion of @PROGRAM@
_@PROGRAM@() {
  local -a answer described
  local line
  answer=("${(@f)$("${(Q)words[1]/#\~\//$HOME/}" complete -- \
    "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  for line in "${(@)answer[2,-1]}"; do
    [[ -n $line ]] || continue
    described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  (( ${#described} )) && _describe -V '@PROGRAM@' described
  case $answer[1] in
    files) compset -P '--*='; _files ;;
    folders) compset -P '--*='; _files -/ ;;
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _@PROGRAM@ "$@"
else
  compdef _@PROGRAM@ @PROGRAM@
fi
)";

constexpr absl::string_view kFish = R"(# fish completion of @PROGRAM@
function __@PROGRAM@_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct | string unescape)
    set -l answer ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
    printf '%s\n' $answer[2..-1]
    set -l flag (string match -r '^--[^=]*=' -- "$current")
    set -l path (string replace -- "$flag" "" "$current")
    switch "$answer[1]"
        case files
            printf "$flag%s\n" (__fish_complete_path "$path")
        case folders
            printf "$flag%s\n" (__fish_complete_directories "$path")
    end
end
complete -c @PROGRAM@ -f -k -a '(__@PROGRAM@_complete)'
)";

absl::string_view ScriptOf(absl::string_view shell) {
  return shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish;
}

Action DeclareCompletion(const std::string& program, CommandLine& line) {
  auto shell = std::make_shared<std::optional<std::string>>();
  line.AddChoice("", {"bash", "zsh", "fish"}, *shell, "whose script").required =
      true;
  return [shell,
          program](const Invocation& invocation) -> absl::StatusOr<ExitCode> {
    invocation.terminal.out << absl::StrReplaceAll(
        ScriptOf(shell->value_or("")), {{"@PROGRAM@", program}});
    return kExitKeep;
  };
}

Action DeclareManual(Program (*make)(), CommandLine&) {
  return [make](const Invocation& invocation) -> absl::StatusOr<ExitCode> {
    invocation.terminal.out << ManualPage(make());
    return kExitKeep;
  };
}

Action DeclareComplete(Program (*make)(), CommandLine& line) {
  auto words = std::make_shared<std::vector<std::string>>();
  line.AddRest(*words);
  return
      [make, words](const Invocation& invocation) -> absl::StatusOr<ExitCode> {
        invocation.terminal.out
            << Complete(make(), *words, invocation.world, invocation.terminal);
        return kExitKeep;
      };
}

}  // namespace

void AddShellVerbs(Program (*make)(), Program& program) {
  const std::string& name = program.name;
  AddVerbs(
      {{"completion", "print the completion script of a shell",
        name +
            " completion bash > ~/.local/share/bash-completion/completions/" +
            name,
        [name](CommandLine& line) { return DeclareCompletion(name, line); }},
       {"manual", "print the manual page", name + " manual | man -l -",
        [make](CommandLine& line) { return DeclareManual(make, line); }},
       {"complete", "", name + " complete -- --he",
        [make](CommandLine& line) { return DeclareComplete(make, line); }}},
      program);
}

}  // namespace autotune
