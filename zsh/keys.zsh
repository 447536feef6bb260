# terma: the keys while an answer comes and just after. A keymap of our own sends every key through one of the widgets
# below, which end the stream and hand the key back to the user's keymap. So a key never meets a half-written line
# that it does not know of, and Enter never runs one.

typeset -g _terma_keymap= _terma_phase= _terma_stopped= _terma_finish_wrapped=
typeset -gi _terma_select=0
typeset -gi _terma_unseen=0 # what stands on the line was not drawn yet
typeset -g _terma_back=${TERMA_BACK_KEY:-^[t} # for the candidate before; only where an answer stands as it came
typeset -gF _terma_guard=0.2 # seconds after the last change of ours, or Enter that did nothing, in which Enter does nothing
typeset -gF _terma_held=0 # when an Enter did nothing: a key that is held down from there comes again later than it goes on

_terma_grab() {
  if [[ $KEYMAP != _terma_stream ]]; then
    _terma_keymap=$KEYMAP
    bindkey -N _terma_stream
    bindkey -M _terma_stream -R '^@-\M-^?' _terma_key
    bindkey -M _terma_stream -- $_terma_key _terma_twice
    if [[ $_terma_back != '^['* ]]; then bindkey -M _terma_stream -- $_terma_back _terma_before; fi
    bindkey -M _terma_stream '^M' _terma_enter '^J' _terma_enter '^G' _terma_cancel '^[' _terma_escape
    _terma_switch_keymap _terma_stream
  fi
  _terma_wrap_finish
}

_terma_wrap_finish() {
  if [[ -n $_terma_finish_wrapped ]]; then return 0; fi
  _terma_finish_wrapped=1
  if (( $+widgets[zle-line-finish] )); then zle -A zle-line-finish _terma_users_line_finish; fi
  zle -N zle-line-finish _terma_line_finish
}

# _terma_release: the user's keymap is back. The guard of Enter stays to the end of its time or of the line.
_terma_release() {
  if [[ $KEYMAP == _terma_stream ]]; then _terma_switch_keymap ${_terma_keymap:-main}; fi
  bindkey -D _terma_stream 2>/dev/null
  if (( _terma_select )); then REGION_ACTIVE=0 _terma_select=0; fi
  _terma_wipe
  _terma_hint_ends
  _terma_phase= _terma_near= _terma_unseen=0
  _terma_restore_trap
  if ! _terma_is_guarded; then _terma_unwrap_finish; fi
}

# zle -K without zle-keymap-select: the user's prompt need not show a keymap that is not theirs.
_terma_switch_keymap() {
  if (( $+widgets[zle-keymap-select] )); then
    zle -A zle-keymap-select _terma_users_keymap_select
    zle -D zle-keymap-select
    zle -K $1
    zle -A _terma_users_keymap_select zle-keymap-select
    zle -D _terma_users_keymap_select
  else
    zle -K $1
  fi
}

_terma_is_guarded() { [[ -n $_terma_stopped ]] && (( _terma_unseen || _terma_guard > 0
  && (EPOCHREALTIME - _terma_stopped < _terma_guard || EPOCHREALTIME - _terma_held < _terma_guard + 0.5) )) }

_terma_hold() { if (( EPOCHREALTIME - _terma_held > _terma_guard + 0.5 )); then _terma_held=$EPOCHREALTIME; fi }

# Any key: typing takes over. On a finished answer the first key types over its placeholder.
_terma_key() {
  emulate -L zsh -o no_xtrace
  local keys=$KEYS
  if [[ $_terma_phase == list ]] && _terma_list_key "$keys"; then return 0; fi
  local -i _terma_inside=1
  _terma_close_list
  _terma_end_half
  if (( _terma_select )) && [[ $_terma_keymap != vicmd && $BUFFER == "$_terma_drawn" ]]; then
    if [[ $keys == ([[:print:]]|[$'\x80'-$'\xff']*|$'\x7f'|$'\b') ]]; then
      BUFFER=$BUFFER[1,CURSOR]$BUFFER[CURSOR+_terma_select+1,-1]
      if [[ $keys == ($'\x7f'|$'\b') ]]; then keys=; fi
    fi
  fi
  _terma_release
  zle -U -- "$keys"
  _terma_leave
}

_terma_enter() {
  emulate -L zsh -o no_xtrace
  if [[ $_terma_phase == list ]]; then
    _terma_take_item
  elif [[ $_terma_phase == (start|stream) ]]; then
    _terma_hold
    _terma_show_soon 'terma: still writing; Ctrl+G gives the sentence back'
  elif _terma_is_guarded; then
    _terma_hold
    _terma_stopped=$EPOCHREALTIME # one that is held down, or pressed while waiting, runs nothing
    _terma_show_soon "$_terma_line" $_terma_line_plain
  else
    _terma_release
    zle -U -- "$KEYS"
  fi
}

# ^G, and through the others ^C and Esc: the sentence comes back.
_terma_cancel() {
  emulate -L zsh -o no_xtrace
  if [[ $_terma_phase == (start|stream) ]]; then
    _terma_interrupted=1
    _terma_leave
    return
  fi
  if [[ $_terma_phase == list ]]; then _terma_leave_list; return; fi
  _terma_release
  zle -U -- "$KEYS"
}

# Esc alone cancels; a byte right behind it makes it an arrow key, a Meta key or a paste, and so a key like any other.
_terma_escape() {
  emulate -L zsh -o no_xtrace
  local next=
  if [[ $_terma_phase == (start|stream) || $BUFFER == "$_terma_drawn" ]]; then
    if (( PENDING || KEYS_QUEUED_COUNT )); then read -k 1 next; else sysread -i 0 -s 1 -t 0.015 next; fi
    if [[ $_terma_phase == list ]]; then _terma_list_escape "$next"; return; fi
    if [[ -z $next && $_terma_phase == (start|stream) ]]; then _terma_cancel; return; fi
    if [[ -n $next && "^[$next" == "$_terma_back" ]]; then
      local -i _terma_inside=1
      _terma_stop keep
      _terma_leave
      _terma_before
      return
    fi
  fi
  local -i _terma_inside=1
  _terma_end_half
  _terma_release
  zle -U -- $'\e'$next
  _terma_leave
}

# The last line of defence: whatever key ended the line while it was ours or guarded, nothing runs. The line is back
# on the next prompt, still guarded.
_terma_line_finish() {
  emulate -L zsh -o no_xtrace
  local -i guarded=0
  _terma_stop keep
  _terma_close_list
  _terma_restore_trap
  if _terma_is_guarded; then guarded=1 _terma_stopped=$EPOCHREALTIME; _terma_hold; fi
  if (( $+widgets[_terma_users_line_finish] )); then zle _terma_users_line_finish -- "$@"; fi
  _terma_release
  if (( guarded )) && [[ $CONTEXT == start ]]; then
    if (( _terma_rewritten )); then BUFFER=$_terma_asked _terma_asked= _terma_rewritten=0; fi # a `?why` as it was typed
    if [[ -n $BUFFER ]]; then
      _terma_return_line
      BUFFER= _terma_unread= _terma_unseen=1 # until the prompt that it is on
    else
      _terma_stopped= # the answer is gone from the line: what the next prompt holds is the person's
    fi
  fi
}

_terma_unwrap_finish() {
  if [[ -z $_terma_finish_wrapped ]]; then return 0; fi
  _terma_finish_wrapped= _terma_stopped=
  zle -D zle-line-finish
  if (( $+widgets[_terma_users_line_finish] )); then
    zle -A _terma_users_line_finish zle-line-finish
    zle -D _terma_users_line_finish
  fi
}

# _terma_was_given_up: the ^C was another one's (powerlevel10k sets a trap of its own in each of its hooks, also while an answer
# stands): what stood below the line goes, and the words are on the next prompt.
_terma_was_given_up() {
  if [[ -n $_terma_below ]]; then _terma_rub_out; fi
  if [[ -n $_terma_drawn && $ZLE_LINE_ABORTED == "$_terma_drawn" && -n $_terma_sentence ]]; then
    print -rz -- "$_terma_sentence"
  fi
}

# A new prompt: the line that was being written has gone by a way that told us nothing (^C, send-break).
_terma_reset() {
  if [[ -n $_terma_stopped ]] && (( _terma_unseen )); then _terma_stopped=$EPOCHREALTIME; fi
  if [[ -n $_terma_fd ]]; then
    zle -F $_terma_fd
    { exec {_terma_fd}<&- } 2>/dev/null
    _terma_fd= _terma_input=
  fi
  _terma_let_off
  _terma_restore_trap
  _terma_close_list
  _terma_painted=() _terma_below=
  _terma_told_drop
  _terma_hint_ends
  _terma_tick_end
  bindkey -D _terma_stream 2>/dev/null
  _terma_phase= _terma_drawn= _terma_near= _terma_select=0 _terma_unseen=0
  _terma_inside=0 _terma_interrupted=0 _terma_polled=0
  if ! _terma_is_guarded; then _terma_unwrap_finish; fi
}

# Nothing is awaited any more, and nothing is wrapped or lent: the parts are about to be loaded anew.
_terma_let_go() {
  _terma_hint_drop
  _terma_stopped=
  _terma_reset
  _terma_way_ends
  if [[ -n $_terma_lent ]]; then _terma_take_back; fi
  if [[ -n $_terma_init_wrapped ]]; then _terma_unwrap_init; fi
}
