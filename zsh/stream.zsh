# terma: the answer as it comes: frames from the agent in, text on the prompt out. The editor stays live meanwhile.

typeset -g _terma_way= _terma_way_end= _terma_fd= _terma_input= _terma_text= _terma_note= _terma_risk=
typeset -g _terma_drawn= # the buffer as we last set it; a different one means that the user typed
typeset -g _terma_off= # the descriptor of an answer that was called off

# The zle -F handler of the agent's socket.
_terma_receive() {
  emulate -L zsh -o no_xtrace
  _terma_work _terma_read "$1"
}

_terma_read() {
  local chunk
  local -i rc=0
  while (( rc == 0 && $#_terma_input < 1000000 )); do
    sysread -i $1 -s 65536 -t 0 chunk
    rc=$? # 4: nothing more now, 5: the end, 2: an error
    if (( rc == 0 )); then _terma_input+=$chunk; fi
  done
  if [[ $BUFFER != "$_terma_drawn" ]]; then
    _terma_stop keep # another widget wrote meanwhile: what stands there is the user's
    zle -R
  else
    _terma_read_frames $(( rc != 4 ))
  fi
}

# _terma_read_frames ENDED: acts on every whole frame that has arrived; ENDED is 1 when nothing can follow.
_terma_read_frames() {
  local line
  local -a _terma_fields lines=("${(@f)_terma_input}")
  _terma_input=$lines[-1]
  lines[-1]=()
  for line in "${(@)lines}"; do
    if ! _terma_wire_split "$line"; then _terma_fail 'the agent sent garbage; terma agent restart'; return; fi
    _terma_frame || return 0
  done
  if (( $#_terma_input > 70000 )); then _terma_fail 'the agent sent garbage; terma agent restart'; return; fi
  if (( $1 )); then _terma_fail 'the agent went away; press the key again'; return; fi
  if [[ -n $_terma_text && $BUFFER != "$_terma_text" ]]; then
    BUFFER=$_terma_text
    CURSOR=$#BUFFER
    _terma_drawn=$BUFFER
  fi
  _terma_show "$_terma_risk$_terma_note"
}

# _terma_frame: acts on the frame in _terma_fields. Status 1 when it was the last one.
_terma_frame() {
  local REPLY
  if [[ $_terma_fields[1] == hello && $_terma_fields[2] != 1 ]]; then
    _terma_fail 'the agent speaks another version; terma agent restart'
    return 1
  fi
  if [[ $_terma_fields[2] != "$_terma_id" && "$_terma_fields[1,2]" != 'error -' ]]; then return 0; fi
  case $_terma_fields[1] in
    delta)
      _terma_clean "$_terma_fields[3]"
      _terma_text+=$REPLY
      if (( $#_terma_text > 65536 )); then _terma_fail 'the answer is far too long'; return 1; fi ;;
    note) _terma_note=$_terma_fields[3] ;;
    sofar) _terma_keep_half ;;
    item) _terma_keep_item ;;
    piece) _terma_keep_piece ;;
    risk) _terma_risk="⚠ $_terma_fields[3]: $_terma_fields[4] · " ;;
    error)
      if [[ $_terma_kind == fix && $_terma_fields[3] == unknown ]]; then
        _terma_unfixable=1 _terma_answered=0
        if [[ -n $_terma_had ]]; then _terma_give_way; return 1; fi # what had the key has the press
      fi
      _terma_fail "$_terma_fields[4]${_terma_fields[5]:+; $_terma_fields[5]}"
      return 1 ;;
    done)
      case $_terma_fields[3] in
        displaced) if [[ -n $_terma_had ]]; then _terma_give_way; else _terma_finish; fi ;;
        list) _terma_open_list ;;
        unsure) _terma_stand_near ;;
        explained) _terma_explained ;;
        *) _terma_finish ;;
      esac
      return 1 ;;
  esac
}

# The line is a command already: it stays as it is, and the widget that had the key before terma runs on it. Called from
# here it would run under our options, and a key put back would wait for another one; so it is the handler of a descriptor
# that is ready, behind one of ours that takes both away. What it reads is read in its own keymap.
_terma_give_way() {
  _terma_stop revert
  _terma_stopped=
  _terma_switch_keymap $_terma_keymap
  { exec {_terma_way}<<<'' {_terma_way_end}<<<'' } 2>/dev/null || return 0
  zle -Fw $_terma_way_end _terma_divert
  zle -Fw $_terma_way $_terma_had
  _terma_show_soon '' # and behind it one that draws what it did
}

_terma_divert() {
  emulate -L zsh -o no_xtrace
  _terma_work _terma_way_ends
}

_terma_way_ends() {
  if [[ -z $_terma_way ]]; then return 0; fi
  zle -F $_terma_way
  zle -F $_terma_way_end
  { exec {_terma_way}<&- {_terma_way_end}<&- } 2>/dev/null
  _terma_way= _terma_way_end=
}

# The `done` frame: its text is the whole answer, whatever was drawn before.
_terma_finish() {
  local REPLY pair
  local -A extra
  for pair in "${(@)_terma_fields[5,-1]}"; do
    if [[ $pair == (cursor|select)=<-> ]]; then extra[${pair%%=*}]=${pair#*=}; fi
  done
  _terma_clean "$_terma_fields[4]"
  while [[ $REPLY == *$'\n' ]]; do REPLY=${REPLY%$'\n'}; done
  if [[ $_terma_fields[3] != replace || -z $REPLY ]]; then _terma_fail 'the agent gave no answer'; return; fi
  BUFFER=$REPLY
  CURSOR=$#BUFFER
  _terma_stop keep
  _terma_place_cursor ${extra[cursor]:-$#BUFFER} ${extra[select]:-0}
  _terma_is_whole=1
  if (( _terma_wants_list )); then _terma_ask_list; return; fi
  _terma_show "$_terma_risk$_terma_note"
}

# _terma_place_cursor AT LENGTH: on the first blank to fill, which is marked.
_terma_place_cursor() {
  CURSOR=$1
  if [[ $_terma_keymap == vicmd ]] && (( CURSOR == $#BUFFER )); then CURSOR+=-1; fi # on the last character, as in vi
  if (( $2 > 0 && CURSOR + $2 <= $#BUFFER )); then
    _terma_select=$2
    if [[ $_terma_keymap != vicmd ]]; then MARK=$(( CURSOR + _terma_select )) REGION_ACTIVE=1; fi
  fi
}

# _terma_fail MESSAGE: the sentence as it was, or the answer before, and one line that says why.
_terma_fail() {
  _terma_stop revert
  _terma_show "terma: $1" plain
}

# _terma_stop keep|revert: ends the stream; the caller ends with _terma_leave. What stands there, or the sentence,
# becomes one step for undo.
_terma_stop() {
  if [[ $_terma_phase != (start|stream) ]]; then return 0; fi
  if (( _terma_polled )); then
    _terma_call_off
  else
    zle -F $_terma_fd 2>/dev/null # a handler may have taken itself off already
    { exec {_terma_fd}<&- } 2>/dev/null
  fi
  _terma_tick_end
  _terma_fd= _terma_input= _terma_phase=after _terma_stopped=$EPOCHREALTIME
  local buffer=$BUFFER
  local -i cursor=$CURSOR
  _terma_put_back
  if [[ $1 == keep ]]; then
    _terma_put "$buffer"
    CURSOR=$cursor
  elif [[ -n $_terma_kept ]]; then
    _terma_put "$_terma_kept"
    _terma_line=$_terma_kept_line _terma_attempt=$_terma_kept_attempt _terma_is_whole=1
  fi
}

# The editor polls what it polled when ^C came, until a handler or a key ends that: were the descriptor closed meanwhile,
# it would be ready at once, each time, for a whole core. So the answer is called off, and what the agent says to that, or
# the end of its start, has the handler close it; else the next question or prompt does.
_terma_call_off() {
  local REPLY
  _terma_off=$_terma_fd
  zle -Fw $_terma_off _terma_called_off
  if [[ $_terma_phase == stream ]]; then
    _terma_wire_frame cancel $_terma_id
    { print -rnu $_terma_off -- "$REPLY"$'\n' } 2>/dev/null
  fi
}

# The zle -F handler of an answer that was called off.
_terma_called_off() {
  emulate -L zsh -o no_xtrace
  _terma_work _terma_let_off
}

_terma_let_off() {
  if [[ -z $_terma_off ]]; then return 0; fi
  zle -F $_terma_off
  { exec {_terma_off}<&- } 2>/dev/null
  _terma_off=
}

# _terma_put TEXT: in place of the sentence, one undo away from it.
_terma_put() {
  if [[ $1 != "$BUFFER" ]]; then
    zle .split-undo
    BUFFER=$1
    zle .split-undo
  fi
  CURSOR=$#BUFFER _terma_drawn=$1
  if [[ $_terma_keymap == vicmd ]]; then CURSOR+=-1; fi
}

# The sentence as it was before the key was first pressed on it.
_terma_put_back() {
  _terma_wipe
  zle .undo $_terma_undo
  BUFFER=$_terma_sentence CURSOR=$_terma_sentence_cursor _terma_drawn=
}
