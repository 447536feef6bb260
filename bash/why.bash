# terma: `?why`. What the agent says is printed as it comes. The conversation is held in $(): whatever ends it, ^C above
# all, leaves no descriptor, no trap and no process behind, and $! stays. What comes back are the fixes.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

# Status 0, 1 after an error (on stderr, one line where that is no terminal), 130 when ^C stopped it.
_terma_explain() {
  local -
  set +eEuxvT +o posix 2>/dev/null
  local IFS=$' \t\n' REPLY answer='' code=0
  _terma_id=$((_terma_id + 1))
  # Thrown away by ^C: what follows does not run then, unless a trap of the user's took the signal.
  { answer=$(_terma_hold_conversation); } 9>&1 || code=$?
  if ((code == 0)); then _terma_keep_fixes "$answer"; fi
  _terma_trap=$(trap -p INT)
  case $_terma_trap in
    '' | "trap -- '' "* | 'trap -- - '*) _terma_trap='' ;; # none, or ignored; in posix mode that is told as well
    *) if [[ -n $_terma_swallow ]]; then trap - INT; else _terma_trap=''; fi ;;
  esac
  _terma_offer_fix
  return "$code"
}

# In $(), its output being the fixes; 9 is the screen.
_terma_hold_conversation() {
  local r='' pid='' phase=stream kind=why on_interrupt=- request='' stop='' note='' text='' risk='' error=''
  local partial='' heard='' started='' said='' dirty='' keys='' column=0 length=0 colours=''
  local -a patience=(-t "${TERMA_WHY_TIMEOUT:-60}" -n 70000)
  if [[ -z ${NO_COLOR-} && ${TERM-} != dumb && -t 9 ]]; then colours=1; fi
  trap '' QUIT TSTP
  trap '_terma_disconnect; exit 130' INT TERM HUP
  _terma_open
  while [[ -z $stop ]]; do
    if [[ $phase == start && -n $dirty ]]; then
      _terma_say dim $'terma: starting the agent\n'
      dirty=''
    fi
    _terma_receive
  done
  _terma_disconnect
  if ((column)); then printf '\n' >&9; fi
  if [[ $stop == error ]]; then
    if [[ -t 2 ]]; then
      local -i more
      _terma_fit_rows "$note" 100 # nothing of it is cut
    else
      _terma_clean "${note//[$'\n\t']/ }"
    fi
    printf '%s\n' "${REPLY//$'\r'/}" >&2
    return 1
  fi
}

# _terma_say STYLE TEXT: on the screen. column tells whether a line is unfinished.
_terma_say() {
  local REPLY before=''
  _terma_clean "$2"
  if [[ -n ${NO_COLOR-} ]] || ! _terma_is_utf8; then REPLY=${REPLY//⚠/!!}; fi
  if ! _terma_is_utf8; then REPLY=${REPLY//[![:ascii:]]/}; fi
  if [[ -z $REPLY ]]; then return 0; fi
  length=$((length + ${#REPLY}))
  if ((length > 200000)); then _terma_fail 'the answer is far too long'; fi
  if [[ $REPLY == *$'\n' ]]; then column=0; else column=1; fi
  if [[ -n $colours ]]; then
    case $1 in
      bold | head) before=$'\e[1m' ;;
      code) before=$'\e[36m' ;;
      dim) before=$'\e[2m' ;;
      warn) before=$'\e[1;33m' ;;
      danger) before=$'\e[1;31m' ;;
    esac
  fi
  printf '%s' "$before$REPLY${before:+$'\e[0m'}" >&9
}

# _terma_pass_fix: hands a fix frame to the shell, without what must not reach the line.
_terma_pass_fix() {
  local REPLY command
  _terma_clean "${_terma_fields[2]-}"
  command=$REPLY
  while [[ $command == *$'\n' ]]; do command=${command%$'\n'}; done
  if [[ -z $command ]]; then return 0; fi
  _terma_clean "${_terma_fields[4]-}"
  _terma_wire_frame fix "$command" "${_terma_fields[3]-}" "$REPLY"
  printf '%s\n' "$REPLY"
}
