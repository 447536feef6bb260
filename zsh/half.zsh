# terma: half an answer. A key in the middle of one ends it, and what stands is the line: where that is dangerous it says so
# below the line, once the key has done what it does, up to the next key.

typeset -g _terma_half= # how dangerous what stands so far is
typeset -g _terma_half_line= # the half that a key has ended, while that is to be said

# A `sofar` frame: the level and the reasons.
_terma_keep_half() {
  _terma_half=
  if [[ $_terma_fields[3] != low ]]; then _terma_half="⚠ $_terma_fields[3]: $_terma_fields[4] · not the whole answer"; fi
}

# _terma_end_half: the key's end of what stands there, half or whole.
_terma_end_half() {
  local phase=$_terma_phase
  _terma_stop keep
  if [[ $phase == stream && -n $_terma_half && $BUFFER == "$_terma_drawn" ]]; then
    _terma_half_line=$BUFFER
    _terma_show_soon "$_terma_half"
  fi
  _terma_half=
}

# Behind the key: not of a line that begins otherwise, or has lost more than its last character.
_terma_look_at_half() {
  if [[ -n $_terma_half_line && $BUFFER != "$_terma_half_line"* && $BUFFER != "${_terma_half_line%?}" ]]; then
    _terma_line= _terma_line_plain=
  fi
  _terma_half_line=
}
