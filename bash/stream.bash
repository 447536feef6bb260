# terma: the answer as it comes: frames from the agent in, text drawn, keys heeded. The variables belong to _terma_ask.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

# Two milliseconds on a pipe without data: `sleep` would be a fork, and a timed read of the stream loses bytes.
_terma_sleep() { IFS= read -r -t 0.002 -u "$idle"; }

# _terma_open_idle -> idle, idle_pid. Once a second a line comes after all: in bash 5.0 and 5.1 the alarm of a timed read
# may ring just before the read begins, which then has nothing else to wake it.
_terma_open_idle() {
  exec {idle}< <(\trap '' INT; while \command -p sleep 1; do \printf '\n'; done 2>/dev/null)
  idle_pid=$!
  _terma_left+=("$idle $idle_pid")
}

_terma_close_idle() {
  exec {idle}<&-
  kill "$idle_pid" 2>/dev/null
}

# _terma_run: until stop is set: done, typed, cancel, again or error.
_terma_run() {
  while [[ -z $stop ]]; do
    if read -r -t 0 -u 0; then
      _terma_read_keys
      if [[ $stop == again ]] && _terma_is_quick; then stop='' _terma_wants_list=1; fi # once this answer is whole
    elif read -r -t 0 -u "$r"; then
      _terma_receive
    elif [[ -n $dirty ]]; then
      dirty=''
      _terma_draw "${text:-$sentence}" "$risk$note"
    else
      _terma_sleep
    fi
  done
  _terma_disconnect
}

_terma_touched='' # a key came while the answer stood there, and changes the line

# _terma_guard: Enter does nothing for 200 ms after the last change of ours, or after the last Enter that did nothing: one that
# is held down never runs the answer, and comes again half a second later than it goes on. Other keys wait for readline.
_terma_guard() {
  local -i ticks=100
  local -i more=250
  local was=$stop before=$keys
  _terma_touched=''
  if [[ -n $_terma_entered ]]; then
    ticks=100+more
    more=0 _terma_entered=''
  fi
  while ((ticks-- > 0)); do
    if read -r -t 0 -u 0; then
      stop=''
      _terma_read_keys
      if [[ $stop == cancel && ($was == 'done' || $was == typed) ]]; then return; fi
      if [[ $stop == again ]]; then return; fi
      stop=$was
      if [[ -n $_terma_entered ]] && ((ticks < 100 + more)); then
        ticks=100+more
        more=0
      fi
      if [[ -n $interrupted ]]; then return; fi
      if [[ $was == 'done' || $was == typed ]] && _terma_is_change "${keys#"$before"}"; then _terma_touched=1; fi
    else
      _terma_sleep
    fi
  done
  _terma_entered=''
}

# _terma_is_change KEYS: whether one of them is of those that _terma_hook_keys takes over.
_terma_is_change() {
  local LC_ALL=C rest=$1
  while [[ -n $rest ]]; do
    case $rest in
      $'\e'[\[O][AB]* | $'\e[3~'* | $'\e[200~'*) return 0 ;;
      $'\e['[0-9]*)
        rest=${rest:2}
        while [[ $rest == [0-9\;]* ]]; do rest=${rest:1}; done
        rest=${rest:1} ;;
      $'\e'[\[O]*) rest=${rest:3} ;;
      $'\e'*) rest=${rest:2} ;;
      [$'\x01\x02\x03\x05\x06\n\x0c\r\x0f\x11\x13\x18\x1a\x1c\x1d']*) rest=${rest:1} ;;
      *) return 0 ;;
    esac
  done
  return 1
}

# readline shows no more rows of a line than the screen has, and nothing below them: an answer that is taller is shown whole
# above the prompt, its danger last, and stays so until a key. An Enter is that key and no more, and one held down neither.
_terma_show_tall() {
  local REPLY out rows column
  if [[ $stop != 'done' || -n $keys ]]; then return 0; fi
  _terma_layout "$sentence" "$prompt_column"
  if ((prompt_rows + ${#rows[@]} + 2 < ${LINES:-24})); then return 0; fi
  _terma_erase
  printf -v out '%s\r\n' "${rows[@]}"
  out=$REPLY$prompt$out
  local -i more=0
  _terma_fit_message "$risk$note · any key: to the line"
  _terma_paint "$REPLY"
  printf '%s%s\r\n' "$out" "$REPLY" >&2
  while ! read -r -t 0 -u 0; do IFS= read -r -t 0.02 -u "$idle"; done
  stop=''
  _terma_read_keys
  if [[ $stop != again && $stop != cancel ]]; then
    stop='done'
    if [[ -n $_terma_entered ]]; then _terma_guard; fi
  fi
}

# _terma_receive: reads what is there of a line and acts on it when it is whole.
_terma_receive() {
  local line=''
  local -i status
  IFS= read -r "${patience[@]}" -u "$r" line # agents write whole frames: only a broken one makes this wait
  status=$?
  partial+=$line
  if ((status > 128)); then
    if ((${#partial} > 70000)); then _terma_fail 'the agent sent garbage; terma agent restart'; fi
    if [[ $kind == why ]]; then _terma_fail "nothing came from the agent for ${patience[1]} s; terma agent restart"; fi
    return 0
  fi
  line=$partial partial=''
  if ((status)); then
    _terma_ended "$line"
  elif [[ $phase == start ]]; then
    said=${said:-$line}
  elif ! _terma_wire_split "$line"; then
    _terma_fail 'the agent sent garbage; terma agent restart'
  else
    _terma_frame
  fi
}

# The end of the stream: of the agent's start, of a socket without an agent behind it, or of an agent that left.
_terma_ended() {
  local line
  if [[ $phase == start ]]; then
    _terma_disconnect
    phase=stream
    if ! _terma_connect "$request"; then
      said=${said:-${1:-the agent did not start; terma doctor says why}}
      _terma_fail "${said#terma: }"
    fi
  elif [[ -z $heard && -z $started ]]; then
    _terma_disconnect
    _terma_begin_start
  else
    if [[ $kind == why ]]; then line='ask again'; else line='press the key again'; fi
    _terma_fail "the agent went away; $line"
  fi
}

# Starts an agent and lets the loop wait for it.
_terma_begin_start() {
  phase=start started=1 said=''
  if _terma_start_agent; then
    note='terma · starting the agent · Ctrl+G cancels' dirty=1
  else
    _terma_fail "$_terma_bin is not a command here; pipx install xontrib-terma, then try again"
  fi
}

# _terma_frame: acts on the frame in _terma_fields.
_terma_frame() {
  local REPLY
  heard=1
  if [[ ${_terma_fields[0]} == hello && ${_terma_fields[1]} != 1 ]]; then
    _terma_fail 'the agent speaks another version; terma agent restart'
  fi
  if [[ ${_terma_fields[1]-} != "$_terma_id" && "${_terma_fields[0]} ${_terma_fields[1]-}" != 'error -' ]]; then
    return 0
  fi
  dirty=1
  case ${_terma_fields[0]} in
    delta)
      _terma_clean "${_terma_fields[2]-}"
      text+=$REPLY
      if ((${#text} > 65536)); then _terma_fail 'the answer is far too long'; fi ;;
    note) note=${_terma_fields[2]-} ;;
    sofar) _terma_keep_half ;;
    item) _terma_keep_item ;;
    piece) _terma_keep_piece ;;
    risk) risk="⚠ ${_terma_fields[2]-}: ${_terma_fields[3]-} · " ;;
    say) if [[ $kind == why ]]; then _terma_say "${_terma_fields[2]-}" "${_terma_fields[3]-}"; fi ;;
    fix) if [[ $kind == why ]]; then _terma_pass_fix; fi ;;
    error)
      error=${_terma_fields[2]-}
      if [[ $kind == fix && $error == unknown ]]; then
        _terma_unfixable=1 _terma_answered=''
        if [[ -n ${_terma_displaced[$map]-} ]]; then stop=displaced; return; fi # what had the key has the press
      fi
      _terma_fail "${_terma_fields[3]-}${_terma_fields[4]:+; ${_terma_fields[4]}}" ;;
    done)
      case $kind${_terma_fields[2]-} in
        whywhy) stop='done' ;;
        hinthint) _terma_clean "${_terma_fields[3]-}"; text=$REPLY stop='done' ;;
        *) _terma_finish ;;
      esac ;;
  esac
}

# The `done` frame: its text is the whole answer, whatever was drawn before.
_terma_finish() {
  local pair
  if [[ ${_terma_fields[2]-} == displaced && $kind == translate ]]; then stop=displaced; return; fi
  if [[ ${_terma_fields[2]-} == explained && -n ${_terma_pieces-} ]]; then stop=told note='' risk=''; return; fi
  if [[ ${_terma_fields[2]-} == unsure && $kind == translate ]]; then _terma_stand_near; return; fi
  if [[ ${_terma_fields[2]-} == list && -n ${_terma_items-} && $kind == translate ]]; then stop=list; return; fi
  _terma_clean "${_terma_fields[3]-}"
  while [[ $REPLY == *$'\n' ]]; do REPLY=${REPLY%$'\n'}; done
  if [[ ${_terma_fields[2]-} != replace || -z $REPLY ]]; then
    _terma_fail 'the agent gave no answer'
    return
  fi
  text=$REPLY point=${#REPLY} stop='done'
  for pair in "${_terma_fields[@]:4}"; do
    case $pair in
      cursor=*[!0-9]* | cursor= | cursor=????????*) ;;
      cursor=*) if ((10#${pair#*=} < point)); then point=$((10#${pair#*=})); fi ;;
    esac
  done
}

# _terma_fail MESSAGE: the sentence as it was, and one line that says why.
_terma_fail() {
  stop=error text='' risk='' note="terma: $1"
}
