# terma: the state line: one dim line below what is being edited. It is the status string of `zle -R`, so the editor
# itself takes it away at the next key, at Enter and at ^C; only the colours are painted by us.

typeset -g _terma_line= _terma_line_plain= _terma_tick_fd=

# _terma_clean TEXT -> REPLY: without control and bidi characters, but with LF and TAB. The agent has done the same;
# this is for an agent that is broken.
_terma_clean() {
  REPLY=${1//[$'\x00'-$'\x08'$'\x0b'-$'\x1f\x7f']/}
  if (( ${#:-·} == 1 )); then
    local c1=$'\xc2\x80-\xc2\x9f' bidi=$'\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xa8-\xe2\x80\xae\xe2\x81\xa6-\xe2\x81\xa9'
    REPLY=${REPLY//[${~c1}${~bidi}]/}
  else
    REPLY=${REPLY//$'\xc2'[$'\x80'-$'\x9f']/}
  fi
}

# _terma_fit TEXT -> REPLY: one line that fits in the terminal, in columns.
_terma_fit() {
  _terma_clean "${${1//$'\n'/ }//$'\t'/ }"
  if [[ -n ${NO_COLOR-} ]]; then REPLY=${REPLY/#⚠/!!}; fi
  if (( ${#:-·} == 1 )); then
    local -i width=$(( ${COLUMNS:-80} - 1 ))
    if (( ${(m)#REPLY} > width )); then REPLY=${${(mr:width - 2:)REPLY}%%[[:space:]]#}…; fi # a wide last one may overhang
  else
    REPLY=${${${REPLY//·/-}/#⚠/!!}[1,${COLUMNS:-80}-1]} # a locale of bytes
  fi
}

# _terma_paint TEXT -> REPLY: dim, but the danger at its beginning bold: red where it is high, else yellow.
_terma_paint() {
  local danger= mark='⚠' stop=' · '
  if (( ${#:-·} != 1 )); then mark='!!' stop=' - '; fi
  if [[ $1 == "$mark "* ]]; then danger=${1%%"$stop"*}; fi
  REPLY=$'\e[2m'${1[$#danger+1,-1]}$'\e[0m'
  case $danger in
    '') ;;
    "$mark high"*) REPLY=$'\e[1;31m'$danger$'\e[0m'$REPLY ;;
    *) REPLY=$'\e[1;33m'$danger$'\e[0m'$REPLY ;;
  esac
}

# _terma_show TEXT [plain]: draws the buffer with TEXT as its state line. For zle -F handlers: after a key's widget the
# editor draws again and would take the line away, so those call _terma_show_soon.
_terma_show() {
  local REPLY
  local -i cursor=$CURSOR region=$REGION_ACTIVE
  _terma_fit "$1"
  _terma_line=$1 _terma_line_plain=${2-}
  if [[ -z $REPLY ]]; then zle -R; return; fi
  CURSOR=$#BUFFER REGION_ACTIVE=0
  zle -R -- "$REPLY"
  # The cursor stands at the end of the buffer, so the state line is the next row: painted over with itself, dim.
  if [[ -z ${2-} && -z ${NO_COLOR-} ]] && (( BUFFERLINES + 3 < LINES )); then
    local shown=$REPLY
    _terma_paint "$shown"
    { print -rn -- $'\e7\e[B\r'"$REPLY"$'\e8' >/dev/tty } 2>/dev/null
    REPLY=$shown
  fi
  if (( cursor != CURSOR || region )); then
    CURSOR=$cursor REGION_ACTIVE=$region
    zle -R -- "$REPLY"
  fi
}

# _terma_show_soon TEXT [plain]: the same once the current widget has returned, by way of a descriptor that is ready.
_terma_show_soon() {
  _terma_line=$1 _terma_line_plain=${2-}
  if [[ -z $_terma_tick_fd ]]; then
    { exec {_terma_tick_fd}<<<'' } 2>/dev/null || return 0
    zle -Fw $_terma_tick_fd _terma_tick
  fi
}

_terma_tick() {
  emulate -L zsh -o no_xtrace
  _terma_inside=1
  if [[ $_terma_phase == (start|stream) ]]; then _terma_set_trap; fi
  _terma_tick_end
  _terma_take_back
  _terma_show "$_terma_line" $_terma_line_plain
  _terma_leave
}

_terma_tick_end() {
  if [[ -n $_terma_tick_fd ]]; then
    zle -F $_terma_tick_fd
    { exec {_terma_tick_fd}<&- } 2>/dev/null
    _terma_tick_fd=
  fi
}
