# terma: what is near, where the engine is not sure: the sentence stays, the nearest command stands dim below it, and the
# key once more, on the sentence as it is, puts that on the line.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_wants_near=0 # whether what is near is what is asked for

# The `done unsure` frame: the command and why it is not sure; its danger came before.
_terma_stand_near() {
  local REPLY command
  _terma_clean "${_terma_fields[3]-}"
  command=${REPLY//$'\n'/ }
  if [[ -z $command || -n $_terma_kept ]]; then
    _terma_fail "${_terma_fields[4]:-the agent gave no answer}"
    return
  fi
  stop=near text='' _terma_wants_list=''
  note="${risk:+${risk%%:*} · }${_terma_fields[4]-}; $_terma_key_name: $command" risk=''
}

# The key on a sentence with a command below it. Twice quickly was pressed for the list: nothing was read yet. Status 1 then.
_terma_take_near() {
  if ! _terma_is_quick; then
    _terma_begin
    _terma_wants_near=1
    return 0
  fi
  _terma_read_prompt "$1"
  _terma_leave_screen "$sentence" "$_terma_shown_note"
  _terma_hook_keys
  return 1
}

# The key while the widget still holds the terminal. Status 1 where it was pressed twice quickly.
_terma_take_near_now() {
  if _terma_is_quick; then stop=near; return 1; fi
  _terma_wants_near=1 _terma_attempt=0 _terma_near=''
}
