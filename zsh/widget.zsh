# terma: Ctrl+T. The sentence on the prompt goes to the agent; the same key on its answer asks for another one. On an
# empty prompt behind a failure it asks for the fix, behind an answer of a conversation for its code.

typeset -g _terma_had= # the widget that had the key before terma in this keymap, unless it is the one that always has
typeset -g _terma_sentence= _terma_kind=translate # or fix, asked of the agent; fixes: those of an explanation
typeset -gi _terma_sentence_cursor=0 _terma_undo=0 _terma_attempt=0 _terma_id=0
# The whole answer before the one that is asked for: it was paid for, and comes back when the next one is cancelled.
typeset -g _terma_kept= _terma_kept_line= _terma_again=
typeset -gi _terma_kept_attempt=0 _terma_is_whole=0

_terma_ask() {
  emulate -L zsh -o no_xtrace
  if (( _terma_unsaid )); then _terma_say_once; fi
  _terma_stop keep
  _terma_hint_drop
  if [[ -n $_terma_hint ]]; then _terma_release; fi
  _terma_again=
  if [[ -n $_terma_drawn && $BUFFER == "$_terma_drawn" ]]; then
    if [[ $_terma_kind == fixes ]] && (( $#_terma_fixes )); then _terma_step_fix 1; return 0; fi
    _terma_keep_answer
    _terma_attempt+=1
  elif [[ $CONTEXT == (start|cont) && -n ${BUFFER//[[:space:]]/} ]]; then
    _terma_kind=translate
    _terma_take_sentence
  elif [[ $CONTEXT == start ]] && (( $#_terma_fixes )); then
    _terma_load && _terma_begin_fixes
    return 0
  elif [[ $CONTEXT == start ]] && { (( _terma_answered )) || _terma_has_failed; }; then
    _terma_kind=fix
    _terma_take_sentence
  else
    _terma_pass_on
    return 0
  fi
  _terma_ask_it
}

# Asks for the candidate of _terma_attempt.
_terma_ask_it() {
  _terma_load || return 0
  _terma_pressed=$EPOCHREALTIME
  _terma_id+=1
  _terma_text= _terma_note= _terma_risk= _terma_input= _terma_near= _terma_is_whole=0 _terma_drawn=$BUFFER
  _terma_hush_suggestions
  _terma_pieces=() _terma_piece_levels=()
  _terma_items=() _terma_item_levels=() _terma_item_reasons=() _terma_item_notes=() _terma_item_rows=() _terma_item_whys=()
  _terma_item_extras=()
  local -i _terma_inside=1
  _terma_set_trap
  _terma_open
  _terma_leave
  return 0
}

_terma_keep_answer() {
  if (( _terma_is_whole )); then
    _terma_kept=$BUFFER _terma_kept_line=$_terma_line _terma_kept_attempt=$_terma_attempt
  fi
}

# The candidate before: on an answer that stands as it came.
_terma_before() {
  emulate -L zsh -o no_xtrace
  if [[ -z $_terma_drawn || $BUFFER != "$_terma_drawn" ]]; then return 0; fi
  if (( _terma_select )); then REGION_ACTIVE=0 _terma_select=0; fi
  if [[ $_terma_kind == fixes ]] && (( $#_terma_fixes )); then _terma_step_fix -1; return 0; fi
  if (( _terma_attempt == 0 )); then
    _terma_show_soon 'terma: this is the first answer; Ctrl+C gives your words back' plain
    return 0
  fi
  _terma_keep_answer
  _terma_attempt+=-1 _terma_again=1
  _terma_ask_it
}

# What the key asks about, and how to come back to it.
_terma_take_sentence() {
  _terma_kept= _terma_wants_list=0 _terma_wants_near=0
  _terma_had=${_terma_displaced[$KEYMAP]:#(transpose-chars|\"*\")}
  _terma_attempt=0 _terma_sentence=$BUFFER _terma_sentence_cursor=$CURSOR _terma_undo=$UNDO_CHANGE_NO
}

_terma_load() {
  zmodload -F zsh/net/socket b:zsocket && zmodload -F zsh/system b:sysread b:sysopen b:sysseek &&
    zmodload -F zsh/datetime p:EPOCHREALTIME
}

# There is nothing to ask: the key does what it did before terma.
_terma_pass_on() {
  local widget=${_terma_displaced[$KEYMAP]-}
  if [[ $widget != (|transpose-chars) || $CONTEXT != (start|cont) ]]; then
    _terma_lend ${widget:-beep}
  else
    _terma_show_soon "terma: type what you want, then press $_terma_key_name" plain
  fi
}

# zsh-autosuggestions: its suggestion goes, and one that it still waits for must not be drawn over the state line.
_terma_hush_suggestions() {
  POSTDISPLAY=
  local REPLY fd=${_ZSH_AUTOSUGGEST_ASYNC_FD-}
  if [[ $fd != <-> ]]; then return 0; fi
  _terma_capture zle -F -L $fd # its number may have another owner by now
  if [[ $REPLY == *_zsh_autosuggest_async_response* ]]; then
    zle -F $fd
    { exec {fd}<&- } 2>/dev/null
    _ZSH_AUTOSUGGEST_ASYNC_FD=
  fi
}

# Connects and asks, or starts an agent first.
_terma_open() {
  _terma_held=0
  _terma_let_off
  _terma_connect
  case $? in
    0) _terma_begin || return 0 ;;
    1)
      if ! _terma_start_agent; then
        _terma_give_up "terma: $_terma_bin is not a command here; pipx install xontrib-terma, then try again"
        return
      fi
      _terma_phase=start
      zle -Fw $_terma_fd _terma_started
      _terma_show_soon 'terma · starting the agent · Ctrl+G cancels' ;;
    *) _terma_give_up "terma: the agent's socket belongs to someone else; set TERMA_SOCKET to a path of your own"; return ;;
  esac
  _terma_grab
}

# _terma_begin: the ask on a fresh connection in _terma_fd.
_terma_begin() {
  _terma_phase=stream
  _terma_half= _terma_half_line=
  local -a reply asked=("attempt=$_terma_attempt" ${_terma_again:+"again=1"})
  if [[ $_terma_kind == translate ]]; then
    asked+=("buffer=$_terma_sentence" "displaced=${_terma_had:+1}" "list=$_terma_asks_list" "second=$_terma_wants_near")
    _terma_list_named "$_terma_sentence"
    asked+=(explain=1 half=1 "$reply[@]")
  fi
  if [[ $_terma_kind == fix ]] && (( _terma_answered )); then asked+=(answered=1); fi
  _terma_asks_list=0
  if ! _terma_send $_terma_kind "$asked[@]"; then
    _terma_stop revert
    _terma_give_up 'terma: the line is too long to send'
    return 1
  fi
  zle -Fw $_terma_fd _terma_receive
  _terma_note='terma · asking · Ctrl+G cancels' # until the agent has a note of its own
  _terma_show_soon "$_terma_note"
}

# _terma_give_up MESSAGE: nothing was begun; the sentence stands as it was.
_terma_give_up() {
  _terma_restore_trap
  _terma_drawn= _terma_phase=
  _terma_show_soon "$1" plain
}

# The zle -F handler of `terma agent start`: at its end, whatever it said, try the socket.
_terma_started() {
  emulate -L zsh -o no_xtrace
  _terma_work _terma_read_start "$1"
}

_terma_read_start() {
  local chunk
  local -i rc=0
  while (( rc == 0 && $#_terma_input < 10000 )); do
    sysread -i $1 -t 0 chunk
    rc=$?
    if (( rc == 0 )); then _terma_input+=$chunk; fi
  done
  if (( rc == 4 )); then return 0; fi
  zle -F $1
  { exec {_terma_fd}<&- } 2>/dev/null
  local said=${_terma_input%%$'\n'*}
  _terma_input=
  if _terma_connect; then
    _terma_begin
  else
    exec {_terma_fd}</dev/null
    _terma_fail "${${said:-the agent did not start; terma doctor says why}#terma: }"
  fi
}
