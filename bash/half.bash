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

# _terma_follow_keys -> macro: what readline is to do behind the keys of replay, where a half stands: not where one of them may
# read keys itself, or be the beginning of longer ones.
_terma_follow_keys() {
  local rest=$replay
  if [[ -z $_terma_half || $map == vi-command ]]; then return 0; fi
  while [[ -n $rest ]]; do
    case $rest in
      $'\e'[\[O][ABCDFH]*) rest=${rest:3} ;;
      [$'\x01\x02\x05\x06\x0b\x15\x17\x7f\b']* | [[:print:]]*) rest=${rest:1} ;;
      *) return 0 ;;
    esac
  done
  _terma_half_line=$sentence
  bind -m "$map" -x "\"${_terma_after}9~\": _terma_say_half \"\$_\""
  macro+=${_terma_after}9~
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
