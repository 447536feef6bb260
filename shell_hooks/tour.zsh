# terma: the first minute, in zsh. Each prompt says what to try and has it on its line; Ctrl+G ends that.

_terma_unsaid=0 # the notice about the key waits for a shell of the person's own
typeset -gi _terma_tour_at=0
typeset -gA _terma_tour_keys

_terma_tour() {
  emulate -L zsh -o no_xtrace
  if (( _terma_tour_at )) && [[ $_terma_tour_lines[_terma_tour_at] == *' '* ]] &&
    [[ $_terma_command == "$_terma_tour_lines[_terma_tour_at]" ]]; then
    print -r -- 'These were words: Ctrl+T before Enter.'
    _terma_command=
    print -rz -- "$_terma_tour_lines[_terma_tour_at]"
    return 0
  fi
  _terma_tour_at+=1
  if (( _terma_tour_at > $#_terma_tour_says )); then
    _terma_tour_over
    command "$_terma_bin" "$_terma_tour_end[@]"
    return 0
  fi
  print -r -- $'\n'"$_terma_tour_says[_terma_tour_at]"
  print -rz -- "$_terma_tour_lines[_terma_tour_at]"
}

# Ctrl+G: nothing more is said, and the key is what it was.
_terma_tour_skip() {
  emulate -L zsh -o no_xtrace
  BUFFER=
  _terma_tour_over
  zle -M 'Over. terma try --tour shows it again.'
}

_terma_tour_over() {
  local map
  precmd_functions=(${precmd_functions:#_terma_tour})
  for map in emacs viins vicmd; do bindkey -M $map -- '^G' ${_terma_tour_keys[$map]:-send-break}; done
}

() {
  local REPLY map
  for map in emacs viins vicmd; do
    _terma_capture bindkey -M $map -- '^G'
    _terma_tour_keys[$map]=${${REPLY%%$'\n'*}##* }
    zle -N _terma_tour_skip
    bindkey -M $map -- '^G' _terma_tour_skip
  done
  precmd_functions+=(_terma_tour)
}
