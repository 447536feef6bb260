# terma: the fixes of a failure. An explanation leaves them here: the first one waits on the next prompt, the key steps
# through them. Without an explanation the key on an empty prompt asks the agent for them.

typeset -gi _terma_fix_at=0
typeset -g _terma_init_wrapped=
typeset -g _terma_returned= _terma_returned_line= # a line that came back, and what is to be said of it

# Whether there is something to mend: a command that the user ended (^C) or stopped (^Z) has not failed.
_terma_has_failed() {
  if [[ -z $_terma_command_status ]] || (( _terma_command_status == 0 || _terma_unfixable )); then return 1; fi
  if (( _terma_command_status <= 128 )); then return 0; fi
  [[ $signals[_terma_command_status-127] != (INT|TSTP) ]]
}

# _terma_keep_fix COMMAND LEVEL REASONS, as a `fix` frame has them.
_terma_keep_fix() {
  local REPLY
  _terma_clean "$1"
  while [[ $REPLY == *$'\n' ]]; do REPLY=${REPLY%$'\n'}; done
  if [[ -z $REPLY ]] || (( $#REPLY > 65536 || $#_terma_fixes >= 20 )); then return 0; fi
  _terma_fixes+=("$REPLY")
  _terma_fix_risks+=("${${2:#low}:+⚠ $2: $3 · }")
}

# What stands on the line by one press: it is shown once the keys are read that were typed with it, and until then, and as
# long behind that as behind any change of ours, no key runs it.
_terma_stand() {
  _terma_phase=after _terma_stopped=$EPOCHREALTIME _terma_unseen=1
  _terma_grab
}

# The line for the next prompt, where its danger is said once more; not twice, where the key (accept-and-hold) has put it there.
_terma_return_line() {
  local line=$BUFFER
  BUFFER=
  if zle .get-line && [[ $BUFFER != "$line" ]]; then print -rz -- "$BUFFER"; fi
  print -rz -- "$line"
  if [[ $line == "$_terma_drawn" && $_terma_line == '⚠ '* ]]; then
    _terma_returned=$line _terma_returned_line=$_terma_line
    _terma_wrap_init
  fi
}

# A dangerous line that a key has ended too soon is on this prompt again, and its danger below it.
_terma_stand_again() {
  if [[ $BUFFER == "$_terma_returned" ]]; then
    _terma_drawn=$BUFFER _terma_undo=0
    _terma_stand
    _terma_show_soon "$_terma_returned_line"
  fi
  _terma_returned= _terma_returned_line=
}

# The first fix is put on the next prompt. By its editor's first hook and not by `print -z`: an Enter that was typed
# while the answer came must not find it there.
_terma_offer_fix() {
  if (( $#_terma_fixes )); then _terma_wrap_init; fi
}

_terma_wrap_init() {
  if [[ -n $_terma_init_wrapped ]]; then return 0; fi
  _terma_init_wrapped=1
  if (( $+widgets[zle-line-init] )); then zle -A zle-line-init _terma_users_line_init; fi
  zle -N zle-line-init _terma_line_init
}

_terma_line_init() {
  emulate -L zsh -o no_xtrace
  if (( $+widgets[_terma_users_line_init] )); then zle _terma_users_line_init -- "$@"; fi
  if [[ $CONTEXT != start ]]; then return 0; fi
  if (( $#_terma_fixes )); then
    # What was typed meanwhile comes first: the fix waits for a prompt at which nothing is under way.
    if [[ -n $BUFFER ]] || (( PENDING || KEYS_QUEUED_COUNT )); then return 0; fi
    _terma_load || return 0
    _terma_begin_fixes
  elif [[ -n $_terma_returned ]]; then
    _terma_stand_again
  fi
  _terma_unwrap_init
}

_terma_unwrap_init() {
  _terma_init_wrapped=
  if [[ ${widgets[zle-line-init]-} == user:_terma_line_init ]]; then
    zle -D zle-line-init
    if (( $+widgets[_terma_users_line_init] )); then zle -A _terma_users_line_init zle-line-init; fi
  fi
  if (( $+widgets[_terma_users_line_init] )); then zle -D _terma_users_line_init; fi
}

# The first fix, on an empty prompt: one undo brings that back.
_terma_begin_fixes() {
  _terma_kind=fixes _terma_fix_at=0
  _terma_sentence=$BUFFER _terma_sentence_cursor=$CURSOR _terma_undo=$UNDO_CHANGE_NO
  _terma_put_fix
  if (( $#_terma_fixes == 1 )); then _terma_line=${_terma_fix_risks[1]% · }; fi
  _terma_show_soon "$_terma_line"
}

# _terma_step_fix 1|-1: the next one or the one before, round and round; nobody is asked.
_terma_step_fix() {
  _terma_fix_at=$(( (_terma_fix_at + $1 + $#_terma_fixes) % $#_terma_fixes ))
  _terma_put_fix
  _terma_show_soon "$_terma_line"
}

_terma_put_fix() {
  _terma_put_back
  zle .split-undo
  BUFFER=$_terma_fixes[_terma_fix_at+1]
  zle .split-undo
  CURSOR=$#BUFFER
  if [[ $KEYMAP == vicmd ]]; then CURSOR+=-1; fi
  _terma_drawn=$BUFFER _terma_select=0
  _terma_line="$_terma_fix_risks[_terma_fix_at+1]fix $(( _terma_fix_at + 1 ))/$#_terma_fixes"
  _terma_stand
}
