# terma: what each piece of the line does, below it, before it runs: the explanation of a key of its own, and of the key on a
# line that is a command already. Asked on a descriptor of its own, so that the editor goes on meanwhile and an answer
# that stands on the line stays one; shown behind the line until the next key.

typeset -g _terma_explain=${TERMA_EXPLAIN_KEY-^[e} # "" binds nothing
typeset -g _terma_told_fd= _terma_told_input= _terma_told_seen= _terma_told= # the line below which it stands
typeset -ga _terma_pieces _terma_piece_levels
typeset -gA _terma_explain_displaced # keymap to what the key did before terma
typeset -gi _terma_told_id=0

# In vi's keymaps Esc and a letter are two keys of vi's own: there only a key that the person has chosen is taken.
_terma_bind_explain() {
  local REPLY map line
  local -a maps=(emacs viins vicmd)
  if [[ -z $_terma_explain ]]; then return 0; fi
  if [[ -z ${TERMA_EXPLAIN_KEY-} ]]; then maps=(emacs); fi
  for map in main $maps; do
    _terma_capture bindkey -M $map -- $_terma_explain
    line=${${REPLY%%$'\n'*}#*\" }
    if [[ $line != _terma_explain_key ]]; then _terma_explain_displaced[$map]=${line:#(undefined-key|self-insert)}; fi
  done
  for map in $maps; do bindkey -M $map -- $_terma_explain _terma_explain_key; done
}

# The key. On an empty line, and again on an explained one, it does what it did before terma.
_terma_explain_key() {
  emulate -L zsh -o no_xtrace
  local was=${_terma_explain_displaced[$KEYMAP]-} REPLY _terma_fd=
  if [[ -z ${BUFFER//[[:space:]]/} || $CONTEXT != (start|cont) || ( -n $_terma_told && $BUFFER == "$_terma_told" ) ]]; then
    _terma_told=
    if [[ -n $was ]]; then _terma_lend $was $_terma_explain; fi
    return 0
  fi
  _terma_told_drop
  _terma_hint_drop
  if [[ -n $_terma_hint ]]; then _terma_release; fi
  _terma_load || return 0
  _terma_told_seen=$UNDO_CHANGE_NO:$HISTNO:$CURSOR:$BUFFER
  _terma_connect
  case $? in
    0) _terma_told_send ;;
    1)
      if _terma_start_agent; then
        _terma_told_fd=$_terma_fd
        zle -Fw $_terma_told_fd _terma_told_started
        _terma_show_soon 'terma · starting the agent'
      else
        _terma_show_soon "terma: $_terma_bin is not a command here; pipx install xontrib-terma, then try again" plain
      fi ;;
    *) _terma_show_soon "terma: the agent's socket belongs to someone else; set TERMA_SOCKET to a path of your own" plain ;;
  esac
}

# _terma_told_send: the ask on a fresh connection in _terma_fd.
_terma_told_send() {
  local -a reply
  _terma_told_fd=$_terma_fd
  _terma_id+=1
  _terma_told_id=$_terma_id
  _terma_list_named "$PREBUFFER$BUFFER"
  if _terma_send explain "buffer=$PREBUFFER$BUFFER" "$reply[@]"; then
    zle -Fw $_terma_told_fd _terma_told_receive
  else
    _terma_told_drop
    _terma_show_soon 'terma: the line is too long to send' plain
  fi
}

# _terma_list_named LINE -> reply: fields with those aliases and functions of this shell that the line has as words.
_terma_list_named() {
  local word known= named=
  for word in ${(Z+n+)1}; do
    if (( $+aliases[$word] )) && [[ $aliases[$word] != *$'\n'* ]]; then known+=$word=${aliases[$word][1,2000]}$'\n'; fi
    if (( $+functions[$word] )); then named+="$word "; fi
  done
  reply=(${known:+"named=$known"} ${named:+"functions=$named"} ${NO_COLOR:+"plain=1"})
}

# Whatever was asked for is not awaited any more.
_terma_told_drop() {
  if [[ -z $_terma_told_fd ]]; then return 0; fi
  zle -F $_terma_told_fd 2>/dev/null
  { exec {_terma_told_fd}<&- } 2>/dev/null
  _terma_told_fd= _terma_told_input=
}

_terma_told_is_wanted() { [[ $_terma_told_seen == $UNDO_CHANGE_NO:$HISTNO:$CURSOR:$BUFFER ]]; }

# At the end of `terma agent start`, whatever it said.
_terma_told_started() {
  emulate -L zsh -o no_xtrace
  _terma_work _terma_told_read_start "$1"
}

_terma_told_read_start() {
  local chunk _terma_fd=
  local -i rc=0
  while (( rc == 0 && $#_terma_told_input < 10000 )); do
    sysread -i $1 -t 0 chunk
    rc=$?
    if (( rc == 0 )); then _terma_told_input+=$chunk; fi
  done
  if (( rc == 4 )); then return 0; fi
  local said=${_terma_told_input%%$'\n'*}
  _terma_told_drop
  if ! _terma_told_is_wanted; then return 0; fi
  if _terma_connect; then
    _terma_told_send
  else
    _terma_show "terma: ${${said:-the agent did not start; terma doctor says why}#terma: }" plain
  fi
}

# The zle -F handler of the agent's socket.
_terma_told_receive() {
  emulate -L zsh -o no_xtrace
  _terma_set_trap # what it may show has it, too
  _terma_work _terma_told_read "$1"
}

_terma_told_read() {
  local chunk line REPLY trouble=
  local -a _terma_fields lines
  local -i rc=0 whole=0
  while (( rc == 0 && $#_terma_told_input < 200000 )); do
    sysread -i $1 -s 65536 -t 0 chunk
    rc=$?
    if (( rc == 0 )); then _terma_told_input+=$chunk; fi
  done
  lines=("${(@f)_terma_told_input}")
  lines[-1]=() # not whole
  if (( rc == 4 )) && [[ $lines[-1] != (done|error)* ]]; then return 0; fi
  _terma_pieces=() _terma_piece_levels=()
  for line in "${(@)lines}"; do
    if ! _terma_wire_split "$line"; then trouble='the agent sent garbage; terma agent restart'; break; fi
    if [[ $_terma_fields[2] != "$_terma_told_id" && "$_terma_fields[1,2]" != 'error -' ]]; then continue; fi
    case $_terma_fields[1] in
      piece) _terma_keep_piece ;;
      error) trouble="$_terma_fields[4]${_terma_fields[5]:+; $_terma_fields[5]}" ;;
      done) whole=1 ;;
    esac
  done
  _terma_told_drop
  if ! _terma_told_is_wanted; then return 0; fi
  if (( whole && $#_terma_pieces )); then
    _terma_told_show
  else
    _terma_show "terma: ${trouble:-the agent went away; press the key again}" plain
  fi
}

# The `done explained` frame: the line is a command already, and stays as it was.
_terma_explained() {
  if (( $#_terma_pieces == 0 )); then _terma_fail 'the agent gave no answer'; return; fi
  _terma_stop revert
  _terma_stopped= # nothing has changed that Enter would have to wait for
  _terma_told_show
}

# A `piece` frame: the level of its risk, and its row.
_terma_keep_piece() {
  local REPLY
  if (( $#_terma_pieces >= 200 )); then return 0; fi
  _terma_clean "$_terma_fields[4]"
  if (( ${#:-·} != 1 )); then REPLY=${${REPLY//…/\~}//[^[:ascii:]]/}; fi # a locale of bytes
  _terma_pieces+=("${${REPLY//$'\n'/ }//$'\t'/ }") _terma_piece_levels+=("$_terma_fields[3]")
}

# The rows, dim, and red where the risk is. It leaves as a hint does: by the hook that the editor calls behind each key, and
# where the keymap is ours by that key itself.
_terma_told_show() {
  local row style
  local -i i at=$#BUFFER
  _terma_hush_suggestions
  _terma_wipe
  _terma_hint=told _terma_told=$BUFFER _terma_line=
  if [[ $KEYMAP != _terma_stream ]]; then
    _terma_wrap_finish
    if (( $+widgets[zle-line-pre-redraw] )); then zle -A zle-line-pre-redraw _terma_users_pre_redraw; fi
    zle -N zle-line-pre-redraw _terma_hint_key
  fi
  _terma_set_trap
  for (( i = 1; i <= $#_terma_pieces; i++ )); do
    POSTDISPLAY+=$'\n'$_terma_pieces[i]
    style=fg=8
    if [[ -n $_terma_piece_levels[i] ]]; then style=fg=red; fi
    if [[ $_terma_piece_levels[i] == high ]]; then style=fg=red,bold; fi
    if [[ -z ${NO_COLOR-} ]]; then _terma_mark $(( at + 1 )) $#_terma_pieces[i] $style; fi
    at=$(( $#BUFFER + $#POSTDISPLAY ))
  done
  _terma_below=$POSTDISPLAY
  zle -R -- ''
}
