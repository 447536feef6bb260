# terma: the way to the agent: where its socket is, whether it is ours alone, and how an agent is started.

# _terma_socket_path -> REPLY. terma/paths.py computes the same.
_terma_socket_path() {
  if [[ -n ${TERMA_SOCKET-} ]]; then
    REPLY=$TERMA_SOCKET
  elif [[ ${XDG_RUNTIME_DIR-} == /* && -d $XDG_RUNTIME_DIR && -O $XDG_RUNTIME_DIR ]]; then
    REPLY=$XDG_RUNTIME_DIR/terma/agent.sock
  else
    REPLY=${TMPDIR:-/tmp}/terma-$EUID/agent.sock
  fi
}

# _terma_connect -> _terma_fd. Status 1 when no agent answers, 2 when the socket or its directory is someone else's.
_terma_connect() {
  local REPLY
  _terma_socket_path
  local dir=${REPLY:h}
  if [[ -L $dir || ( -e $dir && ! -O $dir ) || ( -e $REPLY && ! -O $REPLY ) ]]; then return 2; fi
  [[ -S $REPLY ]] && zsocket $REPLY 2>/dev/null || return 1
  _terma_fd=$REPLY
}

# _terma_start_agent -> _terma_fd, which reads what went wrong (one line) and ends when the agent stands or has failed.
# Status 1 when there is no terma to call. A process substitution is no job: nothing is announced, the editor lives on.
_terma_start_agent() {
  local bin=${TERMA_BIN:-terma}
  whence -p -- $bin >/dev/null || return 1
  { exec {_terma_fd}< <(trap '' INT; exec $bin agent start 2>&1 >/dev/null </dev/null) } 2>/dev/null
}

# _terma_send KIND FIELD...: the hello and the ask, in one write. Status 1 when they would not fit in one frame.
_terma_send() {
  local REPLY hello kind=$1 known=
  local -a fields=("${@[2,-1]}" "cwd=$PWD" "path=$PATH" shell=zsh "histfile=${HISTFILE-}" "columns=${COLUMNS-}"
    ${TERMA_ENGINE:+"engine=$TERMA_ENGINE"}
    "status=$_terma_command_status" "command=${_terma_command[1,2000]}" "duration=$_terma_command_duration"
    "command_dir=$_terma_command_dir")
  if [[ $kind != translate ]]; then
    _terma_list_surroundings
    fields+=("$reply[@]")
    _terma_list_aliases
    known=$REPLY
  fi
  _terma_wire_frame hello 1 zsh $$
  hello=$REPLY
  _terma_wire_frame ask $_terma_id $kind "$fields[@]" ${known:+"aliases=$known"}
  if [[ -n $known ]] && ! _terma_fits; then _terma_wire_frame ask $_terma_id $kind "$fields[@]"; fi
  _terma_fits || return 1
  print -rnu $_terma_fd -- "$hello"$'\n'"$REPLY"$'\n' 2>/dev/null
  return 0 # a dead agent shows as the end of what it sends
}

_terma_fits() { setopt local_options no_multibyte; (( $#REPLY < 65000 )) }

# _terma_list_surroundings -> reply: the fields by which the agent finds the terminal's text.
_terma_list_surroundings() {
  local name
  reply=("lines=${LINES-}")
  for name in $_terma_terminal; do
    if [[ -n ${(P)name-} ]]; then reply+=("env.$name=${(P)name}"); fi
  done
}

# _terma_list_aliases -> REPLY: name=value lines, at most 8 KiB of them.
_terma_list_aliases() {
  setopt local_options no_multibyte
  local name line
  REPLY=
  for name in "${(@k)aliases}"; do
    line=$name=$aliases[$name]
    if [[ $name == '?why' || $line == *$'\n'* ]] || (( $#REPLY + $#line > 8190 )); then continue; fi
    REPLY+=$line$'\n'
  done
}
