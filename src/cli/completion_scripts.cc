// Each script hands the words up to the cursor to the program that is being typed, offers what it answers, and
// completes files where it answers ":files ENDING...".
#include "cli/completion.h"

#include <array>

namespace carve {

namespace {

// Bash splits words at "=" and keeps them as they were typed, with quotes; and only replaces what stands after the "=".
constexpr std::string_view bash = R"sh(# bash completion for carve
_carve() {
  local -a words=() ends=()
  local i piece line file end current
  for ((i = 1; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    if ((${#words[@]})) && [[ ${words[-1]} == --* && ($piece == '=' || ${COMP_WORDS[i - 1]} == '=') ]]; then
      words[-1]+=$piece
    else
      words+=("$piece")
    fi
  done
  for i in "${!words[@]}"; do
    [[ ${words[i]} == '~/'* ]] && words[i]=$HOME/${words[i]:2}
    words[i]=${words[i]//[\\\'\"]/}
  done
  current=${COMP_WORDS[COMP_CWORD]}
  [[ $current == '=' ]] && current=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files* ]]; then
      compopt -o filenames
      read -r -a ends <<<"${line#:files}"
      while IFS= read -r file; do
        if [[ -d $file ]]; then
          COMPREPLY+=("$file")
          continue
        fi
        for end in "${ends[@]}"; do
          [[ $file == *"$end" ]] && COMPREPLY+=("$file")
        done
      done < <(compgen -f -- "$current")
    else
      line=${line%%$'\t'*}
      [[ $line == --*=* ]] && line=${line#*=}
      COMPREPLY+=("$line")
    fi
  done < <("${COMP_WORDS[0]/#\~\//$HOME/}" __complete "${words[@]}" 2>/dev/null)
}
complete -F _carve carve
)sh";

constexpr std::string_view zsh = R"sh(#compdef carve
# zsh completion for carve
_carve() {
  local -a offered ends
  local line
  for line in "${(@f)$("${(Q)words[1]/#\~\//$HOME/}" __complete \
      "${(@Q)words[2,CURRENT-1]/#\~\//$HOME/}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    case $line in
      :files*)
        ends=(${=line#:files})
        ends=("*"${^ends})
        compset -P '--*='
        _files -g "$ends" ;;
      *$'\t'*) offered+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      ?*) offered+=("${line//:/\\:}") ;;
    esac
  done
  (( $#offered )) && _describe carve offered
}
if [[ ${funcstack[1]} == _carve ]]; then
  _carve "$@"
else
  compdef _carve carve
fi
)sh";

constexpr std::string_view fish = R"sh(# fish completion for carve
function __carve_complete
    set -l words (commandline -opc)
    for line in ($words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)
        if string match -q ':files*' -- $line
            set -l ends (string split -n ' ' -- (string replace ':files' '' -- $line))
            __fish_complete_suffix $ends[1]
        else
            echo $line
        end
    end
end
complete -c carve -f -a '(__carve_complete)'
)sh";

constexpr std::array scripts{ShellScript{"bash", bash}, ShellScript{"zsh", zsh}, ShellScript{"fish", fish}};

}  // namespace

std::span<const ShellScript> completion_scripts() { return scripts; }

}  // namespace carve
