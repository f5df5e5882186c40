// The scripts that pass the candidates to the shells.
#include "app/cli/completion/completion.h"

#include <fmt/format.h>

#include "app/cli/options.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {
namespace {

constexpr const char* kBash = R"(# bash completion for simscope: printed by "simscope completion bash".
_simscope() {
  # Bash splits words at = and :, which our words contain: this joins them again.
  local rest=${COMP_LINE:0:COMP_POINT} token before i words=()
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    before=${rest%%[![:space:]]*}
    rest=${rest#"$before"}
    token=${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && token=$rest
    rest=${rest#"$token"}
    if [[ ${#words[@]} -eq 0 || -n $before ]]; then
      words+=("$token")
    else
      words[${#words[@]} - 1]+=$token
    fi
  done
  local current=${words[${#words[@]} - 1]} program=${words[0]/#\~/$HOME} kind word help
  type -P "$program" >/dev/null || program=simscope
  COMPREPLY=()
  # The part before the last = or : does not belong to bash's word.
  local prefix=${current%"${current##*[=:]}"}
  while IFS=$'\t' read -r word help; do
    if [[ -z $kind ]]; then
      kind=$word
      continue
    fi
    COMPREPLY+=("${word#"$prefix"}")
    [[ $word != *[=:] ]] || compopt -o nospace 2>/dev/null
  done < <("$program" complete-words "${words[@]:1}" 2>/dev/null)
  [[ $kind == files ]] || return 0
  compopt -o filenames 2>/dev/null
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(compgen -f -- "${current#"$prefix"}")
}
complete -F _simscope simscope
)";

constexpr const char* kZsh = R"(#compdef simscope
# zsh completion for simscope: printed by "simscope completion zsh".
_simscope() {
  local -a lines whole whole_shown more more_shown
  local line word shown program=${(Q)words[1]/#\~/$HOME}
  (( $+commands[$program] )) || [[ -x $program ]] || program=simscope
  lines=("${(@f)$("$program" complete-words "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  for line in "${(@)lines[2,-1]}"; do
    word=${line%%$'\t'*}
    shown=$word
    [[ $line == *$'\t'* ]] && shown="$word  -- ${line#*$'\t'}"
    if [[ $word == *[=:] ]]; then
      more+=("$word")
      more_shown+=("$shown")
    elif [[ -n $word ]]; then
      whole+=("$word")
      whole_shown+=("$shown")
    fi
  done
  (( ${#more} )) && compadd -l -S '' -d more_shown -a -- more
  (( ${#whole} )) && compadd -l -d whole_shown -a -- whole
  if [[ ${lines[1]} == files ]]; then
    compset -P '--*='
    _files
  fi
}
if [[ $funcstack[1] == _simscope ]]; then
  _simscope "$@"
else
  compdef _simscope simscope
fi
)";

constexpr const char* kFish = R"(# fish completion for simscope: printed by "simscope completion fish".
function __simscope_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    type -q $program; or set program simscope
    set -l lines (command $program complete-words $words "$current" 2>/dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    test (count $lines) -gt 0; and printf '%s\n' $lines
    if test "$kind" = files
        set -l before (string match -r -- '^--[^=]*=' "$current")
        for file in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current"))
            echo "$before$file"
        end
    end
end
complete -c simscope -f -a '(__simscope_complete)'
)";

}  // namespace

const std::vector<std::string>& completedShells() {
  static const std::vector<std::string> all = {"bash", "zsh", "fish"};
  return all;
}

std::string completionScript(const std::string& shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  throw UsageError(fmt::format("there is no completion for the shell {}{} Known: bash, zsh, fish.",
                               foreign::quoted(shell), didYouMean(shell, completedShells(), ".")));
}

}  // namespace simscope::cli
