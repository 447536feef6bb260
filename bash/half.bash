# terma: half an answer. A key in the middle of one ends it, and what stands is the line: where that is dangerous it says so
# below the line, once the key has done what it does, up to the next key.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_half=''      # how dangerous what stands so far is
_terma_half_line='' # the half that a key has ended, which readline is about to do

# A `sofar` frame: the level and the reasons.
_terma_keep_half() {
  _terma_half=''
  if [[ ${_terma_fields[2]-} != low ]]; then
    _terma_half="⚠ ${_terma_fields[2]-}: ${_terma_fields[3]-} · not the whole answer"
  fi
}

# _terma_follow_keys -> macro: what readline is to do behind the first keys of replay, where a half stands: up to the first one
# that may read keys itself, be the beginning of longer ones, or end a macro (a yank of nothing). Where the first of all is
# such a one, it is said above the prompt, and of which line.
_terma_follow_keys() {
  local rest=$replay mode=$map
  local -i followed
  if [[ -z $_terma_half ]]; then return 0; fi
  while [[ -n $rest ]]; do
    case $rest in
      $'\e'[\[O][ABCDFH]*) rest=${rest:3} ;;
      [$'\x01\x02\x04\x05\x06\x0b\x0c\x0e\x10\x15\x17\x1f\x7f\b']*) rest=${rest:1} ;;
      [iIaAsSC]*) rest=${rest:1} mode=vi-insert ;;
      [[:print:]]*)
        if [[ $mode == vi-command && $rest != [hklwWbBeEuxXD\ 0\$^~]* ]]; then break; fi
        rest=${rest:1} ;;
      *) break ;;
    esac
  done
  followed=$((${#replay} - ${#rest}))
  if ((followed == 0)); then return 0; fi
  _terma_half_line=$sentence
  if [[ -n $_terma_touched ]]; then return 0; fi # it has left with one of them
  if [[ $map == vi-* ]]; then bind -m vi-command -x "\"${_terma_after}9~\": _terma_say_half \"\$_\""; fi
  if [[ $map != vi-command || $mode != "$map" ]]; then
    bind -m "${map/vi-command/vi-insert}" -x "\"${_terma_after}9~\": _terma_say_half \"\$_\""
  fi
  macro=${macro:0:4*followed}${_terma_after}9~${macro:4*followed}
}

# What stands below the line while those keys do what they do: nothing.
_terma_end_half() {
  if [[ -z $replay || -z $_terma_half ]]; then return 0; fi
  if [[ -z $_terma_half_line ]]; then _terma_say_above "$_terma_half · $sentence"; fi
  note=''
}

# Behind those keys: not of a line that begins otherwise, or has lost more than its last character.
_terma_say_half() {
  local -
  set +eEuxvT +o posix 2>/dev/null
  local IFS=$' \t\n' REPLY prompt='' prompt_rows=0 prompt_column=0 below=0 tty='' line=$_terma_half_line
  _terma_half_line=''
  if [[ $READLINE_LINE != "$line"* && $READLINE_LINE != "${line%?}" ]]; then return 0; fi
  _terma_read_prompt 0
  _terma_leave_screen "$READLINE_LINE" "$_terma_half"
  if [[ -n $_terma_clear ]]; then _terma_hook_keys; fi
}
