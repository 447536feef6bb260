# terma: the codec of the wire, for zsh and bash alike. No fork, no eval. The grammar stands in terma/wire.py;
# shell_hooks/vectors.txt holds this file and the Python codec to the same answers.

_terma_fields=()

# The variables by which the agent finds the terminal's text. A shell sends those that are set, as env.NAME=value.
_terma_terminal=(TERM TERM_PROGRAM TMUX TMUX_PANE STY WINDOW SCREENDIR ZELLIJ_SESSION_NAME ZELLIJ_PANE_ID KITTY_LISTEN_ON
  KITTY_WINDOW_ID WEZTERM_PANE WEZTERM_UNIX_SOCKET TERMA_RECORDING SSH_CONNECTION)
# Those of a terminal of the person's own: TERMA_TERMINAL_VARIABLES='FOO_PANE FOO_SOCKET' (docs/plugins.md).
_terma_wire_terminal() {
  local rest=${TERMA_TERMINAL_VARIABLES-} name
  while [[ -n $rest ]]; do
    name=${rest%%[[:blank:]]*}
    if [[ $rest == "$name" ]]; then rest=; else rest=${rest#*[[:blank:]]}; fi
    if [[ $name == [A-Za-z_]* && $name != *[!A-Za-z0-9_]* ]]; then _terma_terminal+=("$name"); fi
  done
}
_terma_wire_terminal
# And those that hold models' keys, which the agent has from the shell that asks alone: every name that ends in _API_KEY
# or _TOKEN. The socket is this account's alone.

# _terma_wire_encode TEXT -> REPLY: TEXT as it stands between two separators.
_terma_wire_encode() {
  local s=$1 b='\' code char
  s=${s//"$b"/"$b$b"}
  s=${s//$'\n'/"${b}n"}
  s=${s//$'\t'/"${b}t"}
  if [[ $s == *[$'\x01'-$'\x1f'$'\x7f']* ]]; then
    # One pass a character that can occur: a loop over the text itself would be quadratic.
    for code in 001 002 003 004 005 006 007 010 013 014 015 016 017 020 021 022 \
      023 024 025 026 027 030 031 032 033 034 035 036 037 177; do
      printf -v char "\\$code"
      s=${s//"$char"/"${b}0$code"}
    done
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
  local rest=$1 head REPLY
  _terma_fields=()
  while [[ $rest == *$'\x1f'* ]]; do
    head=${rest%%$'\x1f'*}
    rest=${rest:$((${#head} + 1))} # ${rest#*X} is quadratic in zsh
    _terma_wire_decode "$head"
    _terma_fields+=("$REPLY")
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
