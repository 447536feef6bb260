# terma: the first minute, in bash. Each prompt says what to try and has it on its line; Ctrl+G ends that.
# The terminal is asked for its state, and its answer (ESC [ 0 n) is the key that puts the line there.
# shellcheck shell=bash disable=SC2154,SC2178,SC2179 # PROMPT_COMMAND is a string or a list

_terma_tour_at=0 _terma_tour_last=''

_terma_tour() {
  local code=$? map ran
  _terma_unsaid='' # the notice about the key waits for a shell of the person's own
  ran=$(HISTTIMEFORMAT='' history 1)
  ran=${ran#*[0-9]  }
  if ((_terma_tour_at)) && [[ ${_terma_tour_lines[_terma_tour_at - 1]} == *' '* ]] &&
    [[ $ran == "${_terma_tour_lines[_terma_tour_at - 1]}" && $ran != "$_terma_tour_last" ]]; then
    printf '%s\n' 'These were words: Ctrl+T before Enter.'
    _terma_tour_last=$ran
  else
    _terma_tour_at=$((_terma_tour_at + 1))
    if ((_terma_tour_at > ${#_terma_tour_says[@]})); then
      _terma_tour_over
      command "$_terma_bin" "${_terma_tour_end[@]}"
      if ((_terma_offered)); then _terma_offer_fix; fi # its questions took the answer that would have brought it
      return "$code"
    fi
    printf '\n%s\n' "${_terma_tour_says[_terma_tour_at - 1]}"
  fi
  for map in emacs-standard vi-insert vi-command; do bind -m "$map" -x '"\e[0n": _terma_tour_fill'; done
  : "$( (_terma_ask_terminal) </dev/tty >/dev/tty 2>/dev/null &)"
  return "$code"
}

_terma_tour_fill() {
  local map
  for map in emacs-standard vi-insert vi-command; do bind -m "$map" -r '\e[0n'; done
  if [[ -n $READLINE_LINE ]]; then return 0; fi
  READLINE_LINE=${_terma_tour_lines[_terma_tour_at - 1]}
  READLINE_POINT=${#READLINE_LINE}
}

# Ctrl+G: nothing more is said, and the key is what it was.
_terma_tour_skip() {
  READLINE_LINE='' READLINE_POINT=0
  _terma_tour_over
  printf '%s\n' 'Over. terma try --tour shows it again.'
}

_terma_tour_over() {
  local each kept=()
  bind -m emacs-standard '"\C-g": abort'
  bind -m vi-insert -r '\C-g'
  bind -m vi-command -r '\C-g'
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    for each in "${PROMPT_COMMAND[@]}"; do [[ $each == _terma_tour ]] || kept+=("$each"); done
    PROMPT_COMMAND=("${kept[@]}")
  else
    PROMPT_COMMAND=${PROMPT_COMMAND%$'\n'_terma_tour}
  fi
}

for _terma_map in emacs-standard vi-insert vi-command; do bind -m "$_terma_map" -x '"\C-g": _terma_tour_skip'; done
unset _terma_map
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
  PROMPT_COMMAND+=(_terma_tour)
else
  PROMPT_COMMAND+=$'\n'_terma_tour
fi
