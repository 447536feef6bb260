# terma: the state line: one dim line below what is being edited. It is the status string of `zle -R`, so the editor
# itself takes it away at the next key, at Enter and at ^C; only the colours are painted by us.

typeset -g _terma_line= _terma_line_plain= _terma_tick_fd=
typeset -ga _terma_painted # of region_highlight, those that are ours
typeset -gi _terma_most_rows=5 # of the state line
typeset -g _terma_below= # what of ours the editor shows behind the line (POSTDISPLAY)

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

# _terma_fit_message TEXT -> REPLY: what went wrong, and where that would be cut its hint on rows of its own: it is what
# the person needs.
_terma_fit_message() {
  local message=${1%%; *} hint=${1#*; }
  local -i width=${COLUMNS:-80}
  _terma_fit "$1"
  if [[ $REPLY != *… ]]; then return 0; fi
  if [[ $hint == "$1" ]]; then _terma_fit_rows "$1" full; return 0; fi
  _terma_fit_rows "$hint" full
  hint=$REPLY
  _terma_fit_rows "$message" full
  width=$(( (${(m)#REPLY} + width - 1) / width * width )) # of its last row, too
  REPLY=${(mr:width:)REPLY}$hint
}

# _terma_fit_rows TEXT [full] [MOST] -> REPLY: in as few rows as it takes, half the screen and _terma_most_rows at most, or
# MOST, broken between words; `full`: each row but the last is as wide as the terminal, else a newline ends it.
_terma_fit_rows() {
  local row rest rows=
  local -i width=${COLUMNS:-80} left=$(( ${LINES:-24} / 2 < _terma_most_rows ? ${LINES:-24} / 2 : _terma_most_rows ))
  if [[ -n ${3-} ]]; then left=$3; fi
  _terma_clean "${${1//$'\n'/ }//$'\t'/ }"
  rest=$REPLY
  if [[ -n ${NO_COLOR-} ]]; then rest=${rest/#⚠/!!}; fi
  while :; do
    left+=-1
    _terma_fit "$rest"
    if [[ $REPLY == "$rest" ]] || (( left <= 0 || ${#:-·} != 1 )); then break; fi
    row=${REPLY%…}
    if [[ ${rest[$#row+1]} != ' ' && $row == *' '* ]]; then row=${row% *}; fi
    rest=${${rest[$#row+1,-1]}# }
    if [[ -n ${2-} ]]; then rows+=${(mr:width:)row}; else rows+=$row$'\n'; fi
  done
  REPLY=$rows$REPLY
}

# _terma_paint TEXT -> REPLY: dim, but the danger at its beginning bold: red where it is high, else yellow.
_terma_paint() {
  local danger= mark='⚠' stop='[[:space:]]·'
  if (( ${#:-·} != 1 )); then mark='!!' stop=' -[[:space:]]'; fi
  if [[ $1 == "$mark "* ]]; then danger=${1%%${~stop}*}; fi
  REPLY=$'\e[2m'${1[$#danger+1,-1]}$'\e[0m'
  case $danger in
    '') ;;
    "$mark high"*) REPLY=$'\e[1;31m'$danger$'\e[0m'$REPLY ;;
    *) REPLY=$'\e[1;33m'$danger$'\e[0m'$REPLY ;;
  esac
}

# _terma_mark START LENGTH STYLE: a piece of what the editor shows, kept as it tells it, to be found again.
_terma_mark() {
  region_highlight+=("$1 $(( $1 + $2 )) $3")
  _terma_painted+=("$region_highlight[-1]")
}

# What is ours behind the line goes.
_terma_wipe() {
  if (( $#_terma_painted )); then region_highlight=("${(@)region_highlight:|_terma_painted}"); fi
  if [[ -n $_terma_below ]]; then POSTDISPLAY=; fi
  _terma_painted=() _terma_below=
}

# _terma_rub_out: a line that is given up already: the cursor is at the start of the row behind what stood below it.
_terma_rub_out() {
  local row
  local -i rows=0 width=${COLUMNS:-80}
  for row in "${(@f)_terma_below#$'\n'}"; do rows+=$(( ${(m)#row} > width ? (${(m)#row} + width - 1) / width : 1 )); done
  print -rn -- $'\e['$rows$'A\e[J'
}

# _terma_show_behind TEXT: the state line of an answer that stands and is dangerous, and a command that is only near, are
# shown behind the line, where no list that another plug-in draws (zsh-autocomplete's) takes them away; they leave with the
# first key.
_terma_show_behind() {
  local REPLY danger= colour=fg=yellow,bold mark='⚠' stop='[[:space:]]·'
  local -i at=$(( $#BUFFER + 1 ))
  _terma_hush_suggestions
  if [[ -n $_terma_near ]]; then _terma_fit_message "$1"; else _terma_fit_rows "$1"; fi
  if (( ${#:-·} != 1 )); then mark='!!' stop=' -[[:space:]]'; fi
  if [[ $1 == '⚠ '* ]]; then danger=${REPLY%%${~stop}*}; fi
  if [[ $danger == "$mark high"* ]]; then colour=fg=red,bold; fi
  POSTDISPLAY=$'\n'$REPLY _terma_below=$'\n'$REPLY
  if [[ -z ${NO_COLOR-} ]]; then
    if [[ -n $danger ]]; then _terma_mark $at $#danger $colour; fi
    _terma_mark $(( at + $#danger )) $(( $#REPLY - $#danger )) fg=8
  fi
  zle -R -- ''
}

# _terma_show TEXT [plain]: draws the buffer with TEXT as its state line. For zle -F handlers: after a key's widget the
# editor draws again and would take the line away, so those call _terma_show_soon.
_terma_show() {
  local REPLY
  local -i cursor=$CURSOR region=$REGION_ACTIVE
  if (( _terma_unseen )); then _terma_unseen=0 _terma_stopped=$EPOCHREALTIME; fi
  if [[ $_terma_phase != list ]]; then _terma_wipe; fi
  if [[ $_terma_phase == after && ( $1 == '⚠ '* || -n $_terma_near$_terma_hint ) ]]; then
    _terma_line=$1 _terma_line_plain=
    _terma_show_behind "$1"
    return
  fi
  if [[ -n ${2-} ]]; then _terma_fit_message "$1"; else _terma_fit_rows "$1" full; fi
  _terma_line=$1 _terma_line_plain=${2-}
  if [[ -z $REPLY ]]; then zle -R; return; fi
  CURSOR=$#BUFFER REGION_ACTIVE=0
  zle -R -- "$REPLY"
  # The cursor stands at the end of the buffer, so the state line is the next row: painted over with itself, dim.
  if [[ -z ${2-} && -z ${NO_COLOR-} ]] && (( BUFFERLINES + ${(m)#REPLY} / COLUMNS + 2 < LINES )); then
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
  _terma_work _terma_draw "$1"
}

_terma_draw() {
  # The editor calls the handlers of all that was ready when it looked, even where one of them has closed the next one's
  # descriptor. Such a late call draws, and leaves what was opened since for the call that is meant for it.
  if [[ $1 == "$_terma_tick_fd" ]]; then
    _terma_tick_end
    _terma_take_back
  fi
  _terma_look_at_half
  _terma_show "$_terma_line" $_terma_line_plain
}

_terma_tick_end() {
  if [[ -n $_terma_tick_fd ]]; then
    zle -F $_terma_tick_fd
    { exec {_terma_tick_fd}<&- } 2>/dev/null
    _terma_tick_fd=
  fi
}
