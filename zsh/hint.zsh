# terma: a hint without a key. Behind a failure the agent is asked which command it is sure of, and that stands dim below
# the empty prompt until the first key. The hook only opens a descriptor that is ready: its handler is called when the
# editor already waits for keys, and does the rest there. Off until the settings or TERMA_HINTS say yes.

typeset -g _terma_hint= # what is shown: `Ctrl+T: git status`
typeset -g _terma_hint_fd= _terma_hint_input= _terma_hint_seen=
typeset -gi _terma_hint_id=0 _terma_hint_starts=0 # an agent was started for one

# _terma_hint_soon: from the hook, behind a failure.
_terma_hint_soon() {
  if [[ -n $_terma_hint_fd ]]; then _terma_hint_drop; fi
  if [[ ${(L)TERMA_HINTS-} == (0|f|false|n|no|off) ]]; then return 0; fi
  exec {_terma_hint_fd}</dev/null || return 0
  zle -Fw $_terma_hint_fd _terma_hint_ask
}

# Whatever was asked for is not awaited any more.
_terma_hint_drop() {
  if [[ -z $_terma_hint_fd ]]; then return 0; fi
  zle -F $_terma_hint_fd
  { exec {_terma_hint_fd}<&- } 2>/dev/null
  _terma_hint_fd= _terma_hint_input=
}

# The prompt is on the screen: the first that the handlers of the editor do.
_terma_hint_ask() {
  emulate -L zsh -o no_xtrace
  if _terma_hint_is_wanted; then _terma_work _terma_hint_begin; else _terma_hint_drop; fi
}

_terma_hint_begin() {
  _terma_hint_drop
  _terma_hint_seen=$UNDO_CHANGE_NO:$KEYMAP
  if ! _terma_hint_has_room || ! _terma_load; then return 0; fi
  local _terma_fd=
  _terma_connect
  case $? in
    0) _terma_hint_send ;;
    1)
      if (( _terma_hint_starts++ == 0 )) && _terma_start_agent; then
        _terma_hint_fd=$_terma_fd
        zle -Fw $_terma_hint_fd _terma_hint_started
      fi ;;
  esac
}

# _terma_hint_send: the ask on a fresh connection in _terma_fd.
_terma_hint_send() {
  _terma_hint_fd=$_terma_fd
  _terma_id+=1
  _terma_hint_id=$_terma_id
  if _terma_send hint; then zle -Fw $_terma_hint_fd _terma_hint_receive; else _terma_hint_drop; fi
}

# At the end of `terma agent start`, whatever it said.
_terma_hint_started() {
  emulate -L zsh -o no_xtrace
  _terma_work _terma_hint_read_start "$1"
}

_terma_hint_read_start() {
  local chunk _terma_fd=
  local -i rc=0
  while (( rc == 0 )); do
    sysread -i $1 -t 0 chunk
    rc=$?
  done
  if (( rc == 4 )); then return 0; fi
  _terma_hint_drop
  if _terma_hint_has_room && _terma_connect; then _terma_hint_send; fi
}

# Whether nothing was typed since the prompt came, and nothing else stands there.
_terma_hint_has_room() {
  [[ -z $BUFFER$POSTDISPLAY$PREDISPLAY$_terma_phase && $CONTEXT == start ]] && (( ! PENDING && ! KEYS_QUEUED_COUNT )) &&
    [[ $_terma_hint_seen == $UNDO_CHANGE_NO:$KEYMAP ]]
}

# Whether the person said yes: the variable, else a line of the file before its first table. The agent reads both anew.
_terma_hint_is_wanted() {
  setopt local_options extended_glob
  if [[ -n ${TERMA_HINTS-} ]]; then return 0; fi # what says no was told before
  local file=${XDG_CONFIG_HOME:-$HOME/.config}/terma/config.toml text
  if [[ ! -f $file || ! -r $file ]]; then return 1; fi
  text=$'\n'$(<$file)$'\n'
  text=${text%%$'\n'[[:blank:]]#\[*}$'\n'
  [[ $text == *$'\n'[[:blank:]]#hints[[:blank:]]#=[[:blank:]]#true[[:space:]]#(\#*|)$'\n'* ]]
}

# The zle -F handler of the agent's socket.
_terma_hint_receive() {
  emulate -L zsh -o no_xtrace
  _terma_set_trap # what it may show has it, too
  _terma_work _terma_hint_read "$1"
}

_terma_hint_read() {
  local chunk line command= REPLY
  local -a _terma_fields lines
  local -i rc=0
  while (( rc == 0 && $#_terma_hint_input < 100000 )); do
    sysread -i $1 -s 65536 -t 0 chunk
    rc=$?
    if (( rc == 0 )); then _terma_hint_input+=$chunk; fi
  done
  lines=("${(@f)_terma_hint_input}")
  lines[-1]=() # not whole
  for line in "${(@)lines}"; do
    if ! _terma_wire_split "$line" || [[ $_terma_fields[1] == error ]]; then rc=5; break; fi
    if [[ "$_terma_fields[1,3]" != "done $_terma_hint_id hint" ]]; then continue; fi
    _terma_clean "${_terma_fields[4]-}"
    command=$REPLY rc=5
  done
  if (( rc == 4 )); then return 0; fi
  _terma_hint_drop
  if [[ -n $command && $command != *$'\n'* ]] && _terma_hint_has_room; then _terma_hint_show "$command"; fi
}

# _terma_hint_show COMMAND. A keymap that a handler sets does not hold for the next key, so what takes the hint away is the
# hook that the editor calls behind each key, before it draws.
_terma_hint_show() {
  _terma_hint="$_terma_key_name: $1"
  _terma_phase=after _terma_drawn= _terma_near= _terma_stopped=
  _terma_wrap_finish
  if (( $+widgets[zle-line-pre-redraw] )); then zle -A zle-line-pre-redraw _terma_users_pre_redraw; fi
  zle -N zle-line-pre-redraw _terma_hint_key
  _terma_show "$_terma_hint"
}

_terma_hint_key() {
  emulate -L zsh -o no_xtrace
  _terma_release
  if (( $+widgets[zle-line-pre-redraw] )); then zle zle-line-pre-redraw -- "$@"; fi
}

# What was wrapped for it is as it was.
_terma_hint_ends() {
  if [[ -z $_terma_hint ]]; then return 0; fi
  _terma_hint= _terma_told=
  if [[ ${widgets[zle-line-pre-redraw]-} == user:_terma_hint_key ]]; then
    zle -D zle-line-pre-redraw
    if (( $+widgets[_terma_users_pre_redraw] )); then zle -A _terma_users_pre_redraw zle-line-pre-redraw; fi
  fi
  if (( $+widgets[_terma_users_pre_redraw] )); then zle -D _terma_users_pre_redraw; fi
}
