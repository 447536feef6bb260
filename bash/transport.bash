# terma: the way to the agent: where its socket is, whether it is ours alone, what joins bash to it (nc -U, else socat,
# else the relay under terma's own Python), and how an agent is started. What stands in $() and <() is read again when it
# runs, with the user's aliases: hence the backslashes.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

# `terma init bash` puts the text of shell_hooks/relay.py here (quoted, the mark and its quotes replaced); sourced from
# a checkout the entry file reads it.
_terma_relay='@TERMA_RELAY@'
_terma_transport='' # nc, ncat, socat or relay, found at the first key
_terma_python=''

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

# _terma_find_transport -> _terma_transport. Status 1 when there is none. One fork, once in a session.
_terma_find_transport() {
  local help
  _terma_transport=${TERMA_TRANSPORT-}
  if [[ -n $_terma_transport && $_terma_transport != relay ]]; then return 0; fi
  if [[ -z $_terma_transport ]] && type -P nc >/dev/null; then
    help=$(\command nc -h 2>&1 </dev/null)
    case $help in
      *Ncat*) _terma_transport=ncat ;; # it closes its half at the end of input unless told otherwise
      *' -U'[[:space:],]* | *'[-'[[:alnum:]]*U*']'*) _terma_transport=nc ;;
    esac
  fi
  if [[ -z $_terma_transport ]] && type -P socat >/dev/null; then _terma_transport=socat; fi
  if [[ -n $_terma_transport && $_terma_transport != relay ]]; then return 0; fi
  _terma_find_python && _terma_transport=relay
}

# _terma_find_python -> _terma_python: the interpreter that the terma command names in its first lines, else
# TERMA_PYTHON. Absolute and no pyenv shim: a shim costs 70 to 180 ms.
_terma_find_python() {
  local bin line next=''
  _terma_python=''
  bin=$(\type -P -- "$_terma_bin")
  if [[ -r $bin ]]; then
    { IFS= read -r line; IFS= read -r next; } <"$bin"
    case $line in
      '#!'/*python*) line=${line#'#!'} _terma_python=${line%% *} ;;
      '#!/bin/sh'*) # pip's form for a long path: '''exec' "/path/python" "$0" "$@"
        next=${next#"'''exec' "}
        # shellcheck disable=SC2016 # the text of a launcher
        next=${next%%' "$0"'*}
        next=${next#\"}
        _terma_python=${next%\"} ;;
    esac
  fi
  if [[ $_terma_python != /* || $_terma_python == */shims/* || $_terma_python == */env || ! -x $_terma_python ]]; then
    _terma_python=$_terma_given_python
  fi
  [[ $_terma_python == /* && -x $_terma_python ]]
}

# For what carries the bytes: on_interrupt is '' while ^C is a key of the editor's, and - when ^C is to end it.
_terma_heed() {
  \trap '' QUIT TSTP
  # shellcheck disable=SC2064 # what it is now
  \trap "${on_interrupt-}" INT
}

# _terma_connect REQUEST -> r, pid. Status 1 when no agent can be there, 2 when the socket is someone else's, 3 when
# nothing here can talk to one. A process substitution is no job: nothing is announced.
_terma_connect() {
  local REPLY dir
  _terma_socket_path
  dir=${REPLY%/*}
  if [[ -L $dir || (-e $dir && ! -O $dir) || (-e $REPLY && ! -O $REPLY) ]]; then return 2; fi
  [[ -S $REPLY ]] || return 1
  if [[ -z $_terma_transport ]] && ! _terma_find_transport; then return 3; fi
  case $_terma_transport in # the request goes through a pipe, not through arguments that others can list
    nc) exec {r}< <(_terma_heed; \exec nc -U "$REPLY" 2>/dev/null <<<"$1") ;;
    ncat) exec {r}< <(_terma_heed; \exec nc -U --no-shutdown "$REPLY" 2>/dev/null <<<"$1") ;;
    socat) exec {r}< <(_terma_heed; \exec socat -t3600 - "UNIX-CONNECT:$REPLY,shut-none" 2>/dev/null <<<"$1") ;;
    *)
      if [[ -z $_terma_python ]] && ! _terma_find_python; then return 3; fi
      exec {r}< <(_terma_heed; \exec "$_terma_python" -I -S -c "$_terma_relay" "$REPLY" 2>/dev/null <<<"$1") ;;
  esac
  pid=$!
  _terma_left+=("$r $pid")
}

# _terma_start_agent -> r, pid: reads what went wrong (one line), ends when the agent stands or has failed.
# Status 1 when there is no terma to call.
_terma_start_agent() {
  local bin=$_terma_bin
  type -P -- "$bin" >/dev/null || return 1
  exec {r}< <(\trap '' INT QUIT TSTP; \exec "$bin" agent start 2>&1 >/dev/null </dev/null)
  pid=$!
}

# _terma_disconnect: of r and pid. The agent cancels when its peer leaves.
_terma_disconnect() {
  if [[ -n $r ]]; then
    exec {r}<&-
    if [[ $phase != start ]]; then kill "$pid" 2>/dev/null; fi # a starting agent may finish its start
  fi
  r='' pid=''
}

# _terma_led TEXT: it is a line to terma itself, or no command at all.
_terma_led_by_why() { [[ $1 =~ ^[[:space:]]*([?]why[,:]?($|[[:space:]])|#|$) ]]; }
_terma_led_by_terma() { [[ $1 =~ ^[[:space:]]*terma($|[^[:alnum:]_./=-]) ]]; }

# _terma_recall -> command, status, statuses, duration, command_dir, and asked, the newest line when it is a `?why`. The last
# command that was none of ours, with what is remembered of it. One fork: a prompt costs none.
_terma_recall() {
  local -
  set +eEuxvT +o posix
  local IFS=$' \t\n' lines='' past number event=$_terma_command_event
  local -a texts=()
  local -i i age=0
  status=$_terma_status statuses=$_terma_statuses duration=$_terma_duration command_dir=$_terma_command_dir command='' asked=''
  if [[ -o history ]]; then lines=$(HISTTIMEFORMAT=$'\x1e' \history 40); fi # the mark stands before each text
  while [[ $lines == *$'\x1e'* ]]; do
    texts+=("${lines##*$'\x1e'}")
    lines=${lines%$'\x1e'*}
    if [[ $lines == *$'\n'* ]]; then lines=${lines%$'\n'*}; else lines=''; fi
  done
  while [[ $lines == *\?\?* ]]; do # read from a file without times: one entry a line
    if [[ ${lines##*$'\n'} =~ ^\ *[0-9]+[\*\ ]\ \?\?(.*)$ ]]; then texts+=("${BASH_REMATCH[1]}"); fi
    if [[ $lines == *$'\n'* ]]; then lines=${lines%$'\n'*}; else lines=''; fi
  done
  if _terma_led_by_why "${texts[0]-#}" && [[ ${texts[0]-} != '#'* ]]; then asked=${texts[0]}; fi
  past=${_terma_bang@P}
  if [[ -n $_terma_unread ]]; then
    i=$((past - _terma_unread))
    if ((i >= 0 && i < ${#texts[@]})) && ! _terma_led_by_why "${texts[i]}" && ! _terma_led_by_terma "${texts[i]}"; then
      command=${texts[i]:0:4000} status=2 statuses='' duration=0 command_dir=$_terma_dir_now
      return 0
    fi
  fi
  # By number, and where that does not fit (erasedups, histories that are read again) the newest that is a command.
  i=$((past - ${_terma_event:-past}))
  if ((i < 0 || i >= ${#texts[@]})); then i=0; fi
  while ((i < ${#texts[@]})); do
    if _terma_led_by_terma "${texts[i]}"; then
      i+=1
      if ((age < ${#_terma_past[@]})); then # what is remembered is of this line: back to the one before
        IFS=, read -r status duration event number statuses command_dir <<<"${_terma_past[age++]}"
        if ((past - number > i)); then i=$((past - number)); fi
      fi
    elif _terma_led_by_why "${texts[i]}"; then
      i+=1
    else
      break
    fi
  done
  if [[ -n $event ]]; then command=${texts[i]-} command=${command:0:4000}; fi
}

# _terma_request KIND FIELD... -> REPLY: the hello and the ask. Status 1 when they would not fit in one frame.
_terma_request() {
  local kind=$1 hello name command='' status='' statuses='' duration='' command_dir='' asked=''
  local -a fields
  fields=("${@:2}")
  _terma_recall
  for name in "${_terma_terminal[@]}"; do
    if [[ -n ${!name-} ]]; then fields+=("env.$name=${!name}"); fi
  done
  _terma_list_keys
  _terma_list_settings
  fields+=("lines=${LINES-}" "settings=$REPLY")
  if [[ $kind == translate ]]; then _terma_list_aliases 1500; else _terma_list_aliases 8000; fi
  fields+=("aliases=$REPLY")
  if [[ $kind != translate ]] && declare -F -- "${command%%[[:space:]]*}" >/dev/null; then
    fields+=("function=1") # one that calls what is not there ends with 127, too
  fi
  if [[ $kind == why ]]; then
    name=${asked#"${asked%%[![:space:]]*}"}
    name=${name#'?why'}
    fields+=("asked=${asked:0:4000}" "question=${name:0:4000}")
  fi
  _terma_wire_frame hello 1 bash $$
  hello=$REPLY
  _terma_wire_frame ask "$_terma_id" "$kind" "${fields[@]}" "cwd=$PWD" \
    "path=$PATH" shell=bash "histfile=${HISTFILE-}" "columns=${COLUMNS-}" ${TERMA_ENGINE:+"engine=$TERMA_ENGINE"} \
    "status=$status" "statuses=${statuses% }" "command=$command" "duration=$duration" "command_dir=$command_dir"
  local LC_ALL=C # bytes are counted
  ((${#REPLY} < 65000)) || return 1
  REPLY=$hello$'\n'$REPLY
}

# _terma_list_keys: adds the models' keys to `fields`. bash lists its variables by how they begin, without a fork.
_terma_list_keys() {
  local name
  for name in "${!A@}" "${!B@}" "${!C@}" "${!D@}" "${!E@}" "${!F@}" "${!G@}" "${!H@}" "${!I@}" "${!J@}" "${!K@}" "${!L@}" "${!M@}" \
    "${!N@}" "${!O@}" "${!P@}" "${!Q@}" "${!R@}" "${!S@}" "${!T@}" "${!U@}" "${!V@}" "${!W@}" "${!X@}" "${!Y@}" "${!Z@}"; do
    case $name in
      *_API_KEY | *_TOKEN) if [[ -n ${!name-} ]]; then fields+=("env.$name=${!name:0:8000}"); fi ;;
    esac
  done
}

# _terma_list_settings -> REPLY: the TERMA_ variables, name=value lines behind an empty one; the agent knows which count.
_terma_list_settings() {
  local name
  REPLY=$'\n'
  for name in "${!TERMA_@}"; do
    if [[ ${!name} != *$'\n'* ]] && ((${#REPLY} < 8000)); then REPLY+=$name=${!name:0:2000}$'\n'; fi
  done
}

# _terma_list_aliases BYTES -> REPLY: name=value lines, hardly more than BYTES. BASH_ALIASES is made anew at each look.
_terma_list_aliases() {
  local LC_ALL=C line
  local -a names values
  local -i i length=0
  names=("${!BASH_ALIASES[@]}") values=("${BASH_ALIASES[@]}")
  REPLY=''
  for ((i = 0; i < ${#names[@]} && length < $1; i++)); do
    line=${names[i]}=${values[i]}
    if [[ ${names[i]} == '?why'* || $line == *$'\n'* ]] || ((${#line} > 190)); then continue; fi
    length+=${#line}+1
    REPLY+=$line$'\n'
  done
}
