# terma: ^C, which is a signal. While an answer comes or stands there as it came, and in every handler, it is ours.

typeset -g _terma_trap= _terma_our_trap=
typeset -gi _terma_trap_is_set=0
typeset -gi _terma_inside=0 _terma_interrupted=0 _terma_polled=0

# _terma_work FUNCTION ARGUMENT...: what a zle -F handler of ours does, with ^C in our hands meanwhile. Where nobody has a trap
# a local one does, which zsh takes away itself; one that is not ours was set at some depth of functions, and zsh would not
# put it back below that.
_terma_work() {
  local -i _terma_inside=1
  if [[ $_terma_phase == (start|stream) ]]; then _terma_set_trap; fi
  if (( _terma_trap_is_set )) || _terma_has_trap; then "$@"; else _terma_shut_in "$@"; fi
  _terma_leave handler
}

_terma_shut_in() {
  setopt local_options local_traps
  TRAPINT() { _terma_interrupted=1; return 0 }
  "$@"
}

_terma_has_trap() {
  local REPLY
  if (( $+functions[TRAPINT] )); then return 0; fi
  _terma_capture trap
  [[ $REPLY == *' INT'* ]]
}

# The end of every widget and handler that has an _terma_inside of its own (what is cut short leaves none behind): a ^C that
# came meanwhile is acted on now, not half-way.
_terma_leave() {
  _terma_inside=0
  if (( _terma_interrupted )); then
    _terma_interrupted=0
    if [[ $_terma_phase == (start|stream) ]]; then
      _terma_stop revert
      if [[ -n $_terma_drawn ]]; then _terma_show "$_terma_line"; fi
    elif [[ -n $_terma_drawn && $BUFFER == "$_terma_drawn" ]]; then
      _terma_close_list
      _terma_put_back
    elif [[ -n $_terma_near$_terma_hint ]]; then # what stands below the line leaves with it
      _terma_release
      _terma_break
      return
    elif [[ -n ${1-} ]]; then # while one of ours did something else: it is another's
      _terma_restore_trap
      if _terma_has_trap; then builtin kill -INT $$; else _terma_break; fi
      return
    fi
    zle -R
  fi
  if [[ $_terma_phase != (start|stream) ]] && ! _terma_is_untouched; then _terma_restore_trap; fi
}

# The line is given up, as by ^C. An editor that is broken while it does not wait for a key sleeps on, broken, until the next
# one: that is lost, and every ^C before it. So this is done by hand, and the next prompt is this one anew.
_terma_break() {
  if [[ -n $PREBUFFER ]]; then
    zle .send-break
    return
  fi
  _terma_hint_drop
  _terma_told_drop
  zle -I
  if (( HISTNO != HISTCMD )); then HISTNO=$HISTCMD; fi
  BUFFER= _terma_drawn= _terma_stopped= # what this prompt holds is the person's
}

# Whether an answer stands there as it came: so long ^C gives the words back, once. Or what is near stands below the words.
_terma_is_untouched() {
  [[ -n $_terma_near$_terma_hint ]] || [[ $_terma_phase == (after|list) && -n $_terma_drawn && $BUFFER == "$_terma_drawn" ]]
}

_terma_interrupt() {
  emulate -L zsh -o no_xtrace
  _terma_polled=1
  _terma_leave
  _terma_polled=0
}

# The user's own trap, of either kind, is put back after. A prompt that sets a trap of its own meanwhile (powerlevel10k does
# in every hook) has set the one that is put back.
_terma_set_trap() {
  if (( _terma_trap_is_set )) && [[ ${functions[TRAPINT]-} == "$_terma_our_trap" ]]; then return 0; fi
  setopt local_options no_local_traps
  local REPLY
  local -a words
  _terma_trap=
  if (( $+functions[_terma_users_trapint] )); then unfunction _terma_users_trapint; fi
  if (( $+functions[TRAPINT] )); then
    functions[_terma_users_trapint]=$functions[TRAPINT]
  else
    _terma_capture trap
    words=(${(z)REPLY})
    while (( $#words )); do
      if [[ "$words[1,2]" == 'trap --' && $words[4] == INT ]]; then _terma_trap=${(Q)words[3]}; fi
      shift words
    done
    [[ -z $_terma_trap ]] || _terma_trap="x$_terma_trap"
  fi
  _terma_trap_is_set=1
  TRAPINT() {
    _terma_interrupted=1
    if (( ! _terma_inside )); then zle && zle _terma_interrupt; fi
    return 0
  }
  _terma_our_trap=$functions[TRAPINT]
}

_terma_restore_trap() {
  if (( ! _terma_trap_is_set )); then return 0; fi
  setopt local_options no_local_traps
  _terma_trap_is_set=0
  if [[ ${functions[TRAPINT]-} == "$_terma_our_trap" ]]; then # else somebody has set theirs over ours
    unfunction TRAPINT
    if (( $+functions[_terma_users_trapint] )); then
      functions[TRAPINT]=$functions[_terma_users_trapint]
    elif [[ -n $_terma_trap ]]; then
      trap -- "${_terma_trap#x}" INT
    fi
  fi
  if (( $+functions[_terma_users_trapint] )); then unfunction _terma_users_trapint; fi
  _terma_trap=
}
