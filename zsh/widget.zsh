# terma: Ctrl+T. The sentence on the prompt goes to the agent; the same key on its answer asks for another one.

typeset -g _terma_sentence=
typeset -gi _terma_sentence_cursor=0 _terma_undo=0 _terma_attempt=0 _terma_id=0

_terma_ask() {
  emulate -L zsh -o no_xtrace
  if [[ $CONTEXT != (start|cont) || -z ${BUFFER//[[:space:]]/} ]]; then
    local widget=${_terma_displaced[$KEYMAP]-}
    if [[ $widget != (|transpose-chars) || $CONTEXT != (start|cont) ]]; then
      _terma_lend ${widget:-beep}
    else
      _terma_show_soon "terma: type what you want, then press $_terma_key_name" plain
    fi
    return 0
  fi
  zmodload -F zsh/net/socket b:zsocket && zmodload -F zsh/system b:sysread b:sysopen b:sysseek &&
    zmodload -F zsh/datetime p:EPOCHREALTIME || return 0
  _terma_stop keep
  if [[ -n $_terma_drawn && $BUFFER == "$_terma_drawn" ]]; then
    _terma_attempt+=1
  else
    _terma_attempt=0 _terma_sentence=$BUFFER _terma_sentence_cursor=$CURSOR _terma_undo=$UNDO_CHANGE_NO
  fi
  _terma_id+=1
  _terma_text= _terma_note= _terma_risk= _terma_input= _terma_drawn=$BUFFER
  _terma_hush_suggestions
  _terma_inside=1
  _terma_set_trap
  _terma_open
  _terma_leave
  return 0
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
  _terma_connect
  case $? in
    0) _terma_begin || return 0 ;;
    1)
      if ! _terma_start_agent; then
        _terma_give_up "terma: ${TERMA_BIN:-terma} is not a command here; pipx install xontrib-terma, then try again"
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
  if ! _terma_send; then
    _terma_stop revert
    _terma_give_up 'terma: the line is too long to send'
    return 1
  fi
  zle -Fw $_terma_fd _terma_receive
  _terma_show_soon 'terma · asking · Ctrl+G cancels'
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
  local chunk
  local -i rc=0
  while (( rc == 0 && $#_terma_input < 10000 )); do
    sysread -i $1 -t 0 chunk
    rc=$?
    if (( rc == 0 )); then _terma_input+=$chunk; fi
  done
  if (( rc == 4 )); then return 0; fi
  _terma_inside=1
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
  _terma_leave
}
