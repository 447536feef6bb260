# terma: the way to the agent: where its socket is, whether it is ours alone, and how an agent is started.

# What is run for terma is settled when the shell starts: a directory's environment (direnv, an .env) comes later.
typeset -g _terma_bin=${TERMA_BIN:-terma}

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
  local bin=$_terma_bin
  whence -p -- $bin >/dev/null || return 1
  { exec {_terma_fd}< <(trap '' INT; exec $bin agent start 2>&1 >/dev/null </dev/null) } 2>/dev/null
}

# _terma_send KIND FIELD...: the hello and the ask, in one write. Status 1 when they would not fit in one frame.
_terma_send() {
  local REPLY hello kind=$1 known= first=${_terma_command%%[[:space:]]*}
  local -a fields=("${@[2,-1]}" "cwd=$PWD" "path=$PATH" shell=zsh "histfile=${HISTFILE-}" "columns=${COLUMNS-}"
    ${TERMA_ENGINE:+"engine=$TERMA_ENGINE"}
    "status=$_terma_command_status" "command=${_terma_command[1,2000]}" "duration=$_terma_command_duration"
    "command_dir=$_terma_command_dir" "statuses=$_terma_command_statuses")
  # A function that sources a file which is not there ends with 127, too.
  if [[ $kind == (why|fix|hint) ]] && (( $+functions[$first] )); then fields+=("function=1"); fi
  _terma_list_surroundings
  fields+=("$reply[@]")
  if [[ $kind == translate ]]; then _terma_list_aliases 1500; else _terma_list_aliases 8000; fi
  known=$REPLY
  _terma_wire_frame hello 1 zsh $$
  hello=$REPLY
  _terma_wire_frame ask $_terma_id $kind "$fields[@]" ${known:+"aliases=$known"}
  if [[ -n $known ]] && ! _terma_fits; then _terma_wire_frame ask $_terma_id $kind "$fields[@]"; fi
  _terma_fits || return 1
  print -rnu $_terma_fd -- "$hello"$'\n'"$REPLY"$'\n' 2>/dev/null
  return 0 # a dead agent shows as the end of what it sends
}

_terma_fits() { setopt local_options no_multibyte; (( $#REPLY < 65000 )) }

# _terma_list_surroundings -> reply: the fields by which the agent finds the terminal's text and a model, and the TERMA_
# variables, name=value lines behind an empty one; the agent knows which of them are settings.
_terma_list_surroundings() {
  local name settings=$'\n'
  reply=("lines=${LINES-}")
  for name in $_terma_terminal ${(k)parameters[(I)*_(API_KEY|TOKEN)]}; do
    if [[ -n ${(P)name-} ]]; then reply+=("env.$name=${${(P)name}[1,8000]}"); fi
  done
  for name in ${(k)parameters[(I)TERMA_*]}; do
    if [[ ${(P)name} != *$'\n'* ]] && (( $#settings < 8000 )); then settings+=$name=${${(P)name}[1,2000]}$'\n'; fi
  done
  reply+=("settings=$settings")
}

# _terma_list_aliases BYTES -> REPLY: name=value lines, hardly more than BYTES.
_terma_list_aliases() {
  setopt local_options no_multibyte
  local name value
  local -i length=0
  REPLY=
  for name value in "${(@kv)aliases}"; do
    if (( length > $1 )); then break; fi
    if [[ $name == '?why'* || $value == *$'\n'* ]] || (( $#value > 160 )); then continue; fi
    length+=$(( $#name + $#value + 2 ))
    REPLY+=$name=$value$'\n'
  done
}
