# terma: the codec of the wire, for zsh and bash alike. No fork, no eval. The grammar stands in terma/wire.py;
# shell_hooks/vectors.txt holds this file and the Python codec to the same answers.

# _terma_wire_encode TEXT -> REPLY: TEXT as it stands between two separators.
_terma_wire_encode() {
  local s=$1 b='\' head out
  s=${s//"$b"/"$b$b"}
  s=${s//$'\n'/"${b}n"}
  s=${s//$'\t'/"${b}t"}
  if [[ $s == *[$'\x01'-$'\x1f'$'\x7f']* ]]; then
    out=
    while [[ $s == *[$'\x01'-$'\x1f'$'\x7f']* ]]; do
      head=${s%%[$'\x01'-$'\x1f'$'\x7f']*}
      s=${s#"$head"}
      printf -v b '\\0%03o' "'${s:0:1}"
      out+=$head$b s=${s:1}
    done
    s=$out$s
  fi
  REPLY=$s
}

# _terma_wire_decode FIELD -> REPLY: the text that a field stands for.
_terma_wire_decode() {
  if [[ $1 == *'\'* ]]; then printf -v REPLY %b "$1"; else REPLY=$1; fi
}

# _terma_wire_split LINE -> _terma_fields: the decoded fields of one frame, without the closing one.
# Status 1 when the frame is not closed by a full stop.
_terma_wire_split() {
  local rest=$1 REPLY
  _terma_fields=()
  while [[ $rest == *$'\x1f'* ]]; do
    _terma_wire_decode "${rest%%$'\x1f'*}"
    _terma_fields+=("$REPLY")
    rest=${rest#*$'\x1f'}
  done
  [[ $rest == . ]]
}

# _terma_wire_frame FIELD... -> REPLY: one frame without its LF.
_terma_wire_frame() {
  local frame= field
  for field; do
    _terma_wire_encode "$field"
    frame+=$REPLY$'\x1f'
  done
  REPLY=$frame.
}
