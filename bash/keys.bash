# terma: the keys while an answer comes and just after. `read -t 0` asks whether a key is there and a plain `read` takes
# it: a timed read of the terminal loses keys. What is no answer to us goes back to readline by way of a macro.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_entering=() _terma_blocked_at=0 # the bindings of the keys that do nothing for now, as `KEYMAP BINDING`
_terma_entered='' # a key that enters a line was among those that were read last, and did nothing

# _terma_take_interrupt -> tty: ^C is a key for a while. A trap for SIGINT would not do: up to bash 5.2 it leaves readline
# without its own handler, and the next ^C at the prompt does nothing.
_terma_take_interrupt() {
  tty=$(
    \command -p stty -g
    \command -p stty intr undef
  ) 2>/dev/null
}

_terma_give_interrupt() {
  _terma_lost='' # from here on ^C gives the line up
  if [[ -n $tty ]]; then tty=$(\command -p stty "$tty" 2>/dev/null); fi # in $(): no child for job control
}

# Behind a cancelled answer ^C is a signal again before what was typed meanwhile is looked at: one that comes late is among
# it, and gives the line up.
_terma_take_late_interrupt() {
  _terma_give_interrupt
  _terma_take_keys
  if [[ $keys == *$'\x03'* ]]; then interrupted=1 keys=${keys##*$'\x03'}; fi
}

# _terma_take_keys: adds what was typed to keys, byte by byte.
_terma_take_keys() {
  local LC_ALL=C key
  while read -r -t 0 -u 0; do
    IFS= read -r -s -d '' -n 1 -u 0 key || break # -d '': Ctrl+Space would else wait for another key
    keys+=$key
  done
}

# _terma_read_keys: adds what was typed to keys; stop says what that means for a stream: cancel, again or typed.
# Enter does nothing.
_terma_read_keys() {
  local LC_ALL=C start=${#keys} fresh
  local -i patience=7
  _terma_take_keys
  fresh=${keys:start}
  while [[ $fresh == *$'\e' ]] && ((patience-- > 0)); do # Esc, or the beginning of an arrow key or a paste
    _terma_sleep
    _terma_take_keys
    fresh=${keys:start}
  done
  if [[ $fresh == *$'\e[200~'* ]]; then
    patience=500 # a second for the rest of a paste
    while [[ $fresh != *$'\e[201~'* ]] && ((patience-- > 0)); do
      _terma_sleep
      _terma_take_keys
      fresh=${keys:start}
    done
  fi
  if [[ $fresh == *[$'\r\n\x0f']* ]]; then _terma_entered=1; else _terma_entered=''; fi
  case $fresh in
    "$_terma_key_byte") ;;
    '' | *[!$'\r\n\x0f']*) ;;
    *)
      if [[ $kind != explain ]]; then # Enter alone, or ^O: operate-and-get-next accepts the line too
        keys=${keys:0:start}
        if [[ -z $stop && $phase == stream ]]; then note='terma: still writing; Ctrl+G gives the sentence back' dirty=1; fi
        return
      fi ;;
  esac
  case $fresh in
    *$'\a'* | *$'\x03'* | *$'\e')
      if [[ ${was-} == typed && $fresh != *[$'\a\x03']* ]]; then stop=typed; return; fi # Esc behind other keys is one of them
      if [[ $fresh == *$'\x03'*$'\x03'* || -n $cancelled && $fresh == *$'\x03'* ]]; then interrupted=1; fi
      stop=cancel keys='' cancelled=1 ;;
    "$_terma_key_byte" | *[$'\r\n\x0f']"$_terma_key_byte")
      if [[ $kind == explain ]]; then stop=typed; else stop=again keys=''; fi ;;
    ?*) stop=typed ;;
  esac
}

# _terma_sort_keys: keys -> typed, what can be put into the line as it is, and replay, what follows it and is for
# readline. No Enter is in either: pasted lines become lines of the text.
_terma_sort_keys() {
  local LC_ALL=C rest=$keys piece char
  typed='' replay=''
  while [[ -n $rest ]]; do
    if [[ $rest == $'\e[200~'* ]]; then
      rest=${rest:6}
      piece=${rest%%$'\e[201~'*}
      rest=${rest:${#piece}}
      rest=${rest#$'\e[201~'}
      piece=${piece//$'\r'/$'\n'}
      piece=${piece//$'\e'/}
      _terma_clean "$piece"
      if [[ -z $replay ]]; then typed+=$REPLY; else replay+=${REPLY//[$'\n\t']/ }; fi
      continue
    fi
    char=${rest:0:1}
    rest=${rest:1}
    case $char in
      $'\r' | $'\n' | $'\x0f') if [[ $kind == explain ]]; then replay+=$char; fi ;; # what stood there is what it was
      [[:cntrl:]]) replay+=$char ;;
      *) if [[ -n $replay || $map == vi-command ]]; then replay+=$char; else typed+=$char; fi ;;
    esac
  done
}

# _terma_replay: readline gets the keys of replay next, before any that are typed later.
_terma_replay() {
  local LC_ALL=C macro='' octal
  local -i i
  for ((i = 0; i < ${#replay}; i++)); do
    printf -v octal '\\%03o' "'${replay:i:1}"
    macro+=\\${octal: -3} # a byte over 127 may come out as a negative number
  done
  _terma_follow_keys
  bind -m "$map" "\"$_terma_second\": \"$macro\""
  _terma_replaying=$map
  _terma_block_entering
}

# The keys that enter a line do nothing for 200 ms, where what was typed ahead may hold one of them or a macro of the person's that
# ends in one: what that would enter nobody has seen. One behind 200 ms without any is what it was. Not those that _terma_hook_keys takes over.
_terma_block_entering() {
  local -
  local line each=emacs-standard maps=(emacs-standard) IFS=$'\n' may=''
  local -a lines
  local -i i
  if ((${#_terma_entering[@]})); then
    may=1 # the rest of what was replayed before may still come
    _terma_unblock_entering
  fi
  if [[ -o vi ]]; then maps=(vi-insert vi-command); fi
  if [[ $replay == *[$'\e\x18']* ]]; then may=1; fi # behind which there are many
  set -f
  # shellcheck disable=SC2207 # split into lines on purpose; mapfile reads a pipe byte by byte
  lines=($(for each in "${maps[@]}"; do
    \builtin echo "=$each"
    \bind -m "$each" -p
    \bind -m "$each" -s
  done 2>/dev/null))
  for line in "${lines[@]}"; do
    case $line in
      =*) each=${line#=} ;;
      '"'[!\\]'":'*) ;;
      *'": accept-line' | *'": operate-and-get-next' | *'edit-and-execute-command')
        _terma_entering+=("$each $line")
        if _terma_is_replayed "$line"; then may=1; fi ;;
      *'": "'*) if _terma_is_replayed "$line"; then may=1; fi ;;
    esac
  done
  if [[ -z $may ]]; then _terma_entering=(); fi
  _terma_count_from_now
  for i in "${!_terma_entering[@]}"; do
    each=${_terma_entering[i]%% *} line=${_terma_entering[i]#* }
    bind -m "$each" "${line%: *}: \"${_terma_after}7;$i~${_terma_after}8~\""
    bind -m "$each" -x "\"${_terma_after}7;$i~\": _terma_enter_late $i \"\$_\""
    bind -m "$each" "\"${_terma_after}8~\": \"\""
  done
}

_terma_count_from_now() {
  _terma_blocked_at=${EPOCHREALTIME:-${SECONDS}000000}
  _terma_blocked_at=${_terma_blocked_at//[!0-9]/}
}

# _terma_is_replayed BINDING: whether its key is a control character that was typed ahead.
_terma_is_replayed() {
  local code char
  if [[ $1 != '"\C-'?'": '* ]]; then return 1; fi
  printf -v code %d "'${1:4:1}"
  printf -v code '\\%03o' $((code & 31))
  printf -v char %b "$code"
  [[ $replay == *"$char"* ]]
}

_terma_unblock_entering() {
  local each
  for each in "${_terma_entering[@]}"; do bind -m "${each%% *}" "${each#* }"; done
  _terma_entering=()
}

# _terma_enter_late N: the rest of its macro is what the key was, where its time has come.
_terma_enter_late() {
  local -
  set +eEuxvT +o posix 2>/dev/null
  local now=${EPOCHREALTIME:-${SECONDS}000000} entry=${_terma_entering[$1]-}
  now=${now//[!0-9]/}
  if [[ -n $entry ]] && ((now - _terma_blocked_at < 200000)); then
    if ((now > _terma_blocked_at)); then _terma_blocked_at=$((now + 500000)); fi # till one that is held down comes again
    return 0
  fi
  entry=${entry:-emacs-standard accept-line}
  _terma_unblock_entering
  bind -m "${entry%% *}" "\"${_terma_after}8~\": ${entry##* }"
}
