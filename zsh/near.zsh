# terma: what is near, where the engine is not sure: the sentence stays, the nearest command stands dim below it, and the
# key once more, on the sentence as it is, puts that on the line.

typeset -g _terma_near= # the sentence below which such a command stands
typeset -gi _terma_wants_near=0 # whether that command is what is asked for

# The `done unsure` frame: the command and why it is not sure; its danger came before.
_terma_stand_near() {
  local REPLY command risk=${${_terma_risk:+${_terma_risk%%:*} · }//$'\n'/ }
  _terma_clean "$_terma_fields[4]"
  command=${REPLY//$'\n'/ }
  if [[ -z $command || -n $_terma_kept ]]; then _terma_fail "${_terma_fields[5]:-the agent gave no answer}"; return; fi
  _terma_stop revert
  _terma_near=$BUFFER _terma_wants_list=0
  _terma_show "$risk$_terma_fields[5]; $_terma_key_name: $command"
}

# The key on a sentence with a command below it. Twice quickly was pressed for the list: nothing was read yet.
_terma_take_near() {
  if (( $1 )); then _terma_show_soon "$_terma_line"; return 0; fi
  _terma_kind=translate
  _terma_take_sentence
  _terma_wants_near=1
  _terma_ask_it
}
