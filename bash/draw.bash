# terma: draws the prompt, the text and the state line while readline waits for the widget. bash hands a widget no
# screen, so the rows are broken here and are counted while they are drawn. A character of unknown width counts as wide:
# a row that ends early costs nothing, one that is too long would shift the whole prompt.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_most_rows=5 # of the state line
_terma_unsafe='' # the characters that never reach the terminal or the line, as a bracket expression

_terma_is_utf8() {
  local char=$'\xc2\xb7'
  ((${#char} == 1))
}

# _terma_clean TEXT -> REPLY: without control and bidi characters, but with LF and TAB. The agent has done the same;
# this is for an agent that is broken.
_terma_clean() {
  local code char
  REPLY=$1
  if [[ -z $_terma_unsafe ]]; then
    _terma_unsafe=$'\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0d\x0e\x0f'
    _terma_unsafe+=$'\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f'
    for code in 200 201 202 203 204 205 206 207 210 211 212 213 214 215 216 217 220 221 222 223 224 225 226 227 \
      230 231 232 233 234 235 236 237; do
      # shellcheck disable=SC2059 # the format is the octal escape
      printf -v char "\\302\\$code"
      _terma_unsafe_pairs+=("$char")
    done
    _terma_unsafe_pairs+=($'\xd8\x9c' $'\xe2\x80\x8e' $'\xe2\x80\x8f' $'\xe2\x80\xa8' $'\xe2\x80\xa9' $'\xe2\x80\xaa'
      $'\xe2\x80\xab' $'\xe2\x80\xac' $'\xe2\x80\xad' $'\xe2\x80\xae' $'\xe2\x81\xa6' $'\xe2\x81\xa7' $'\xe2\x81\xa8'
      $'\xe2\x81\xa9')
  fi
  REPLY=${REPLY//["$_terma_unsafe"]/}
  if [[ $REPLY == *[![:ascii:]]* ]]; then
    for char in "${_terma_unsafe_pairs[@]}"; do REPLY=${REPLY//"$char"/}; done
  fi
}
_terma_unsafe_pairs=()

# _terma_glyph CHARACTER -> REPLY, cells: what to draw for it and the most columns that it may take.
_terma_glyph() {
  local code
  REPLY=$1 cells=1
  if [[ $1 == [[:ascii:]] ]]; then return 0; fi
  printf -v code %d "'$1"
  if ((utf8 == 0)); then
    REPLY='????' cells=4 # readline shows such a byte as \ooo
  elif ((code < 160)); then
    REPLY='????' cells=4 # a byte that is no character
  elif ((code >= 0x1100)); then
    cells=2
    if ((code >= 0x1e00 && code < 0x2000 || code >= 0xe000 && code < 0xf900)); then cells=1; fi
  fi
}

# _terma_layout TEXT COLUMN -> rows, column: TEXT as it stands when its first character is drawn at COLUMN.
_terma_layout() {
  local rest=$1 line row='' utf8=0 REPLY
  local -i width=${COLUMNS:-80} i cells length
  column=$2
  if _terma_is_utf8; then utf8=1; fi
  rows=()
  while :; do
    line=${rest%%$'\n'*}
    if [[ $line == *[![:ascii:]]* || $line == *$'\t'* ]]; then
      length=${#line}
      for ((i = 0; i < length; i++)); do
        if [[ ${line:i:1} == $'\t' ]]; then
          cells=$((8 - column % 8))
          printf -v REPLY '%*s' "$cells" ''
        else
          _terma_glyph "${line:i:1}"
        fi
        if ((column + cells > width)); then rows+=("$row") row='' column=0; fi
        row+=$REPLY
        column=$((column + cells))
      done
    else
      while ((column + ${#line} > width)); do
        row+=${line:0:width - column}
        line=${line:width - column}
        rows+=("$row") row='' column=0
      done
      row+=$line
      column=$((column + ${#line}))
    fi
    if [[ $rest != *$'\n'* ]]; then break; fi
    rest=${rest#*$'\n'}
    rows+=("$row") row='' column=0
  done
  rows+=("$row")
}

# _terma_read_prompt STATUS -> prompt, prompt_rows, prompt_column: the last line of PS1, expanded as it was.
_terma_read_prompt() {
  local visible rows column
  _terma_return "$1"
  prompt=${PS1@P}
  prompt=${prompt##*$'\n'}
  visible=$prompt
  while [[ $visible == *$'\001'*$'\002'* ]]; do visible=${visible%%$'\001'*}${visible#*$'\002'}; done
  prompt=${prompt//[$'\001\002']/}
  _terma_layout "$visible" 0
  prompt_rows=$((${#rows[@]} - 1)) prompt_column=$column
}

_terma_return() { return "$1"; } # sets $?, which a prompt may show

# _terma_fit TEXT -> REPLY: one line that fits in the terminal.
_terma_fit() {
  local text rows column
  _terma_clean "${1//[$'\n\t']/ }"
  text=$REPLY
  if [[ -n ${NO_COLOR-} ]] || ! _terma_is_utf8; then text=${text/#⚠/!!}; fi
  if ! _terma_is_utf8; then text=${text//[![:ascii:]]/}; fi
  _terma_layout "$text" 1 # leaves the last column free
  REPLY=${rows[0]}
  if ((${#rows[@]} > 1)); then REPLY=${REPLY%?}…; fi
}

# _terma_fit_message TEXT -> REPLY, more: what went wrong, and where that would be cut its hint on rows of its own: it is
# what the person needs. more counts the rows behind the first.
_terma_fit_message() {
  local message=${1%%; *} hint=${1#*; }
  local -i below_hint
  more=0
  _terma_fit "$1"
  if [[ $REPLY != *… ]]; then return 0; fi
  if [[ $1 != 'terma: '* && -z $_terma_near && ${stop-} != near || $hint == "$1" ]]; then
    _terma_fit_rows "$1"
    return
  fi
  _terma_fit_rows "$hint"
  hint=$REPLY below_hint=$more
  _terma_fit_rows "$message"
  REPLY+=$'\r\n'$hint
  more=$((more + below_hint + 1))
}

# _terma_fit_rows TEXT [MOST] -> REPLY, more: in as few rows as it takes, half the screen and _terma_most_rows at most, or
# MOST, broken between words; more counts the rows behind the first.
_terma_fit_rows() {
  local rest row done=''
  local -i left=$((${LINES:-24} / 2 < _terma_most_rows ? ${LINES:-24} / 2 : _terma_most_rows))
  if [[ -n ${2-} ]]; then left=$2; fi
  more=0
  _terma_clean "${1//[$'\n\t']/ }"
  rest=$REPLY
  if [[ -n ${NO_COLOR-} ]]; then rest=${rest/#⚠/!!}; fi
  while :; do
    _terma_fit "$rest"
    if [[ $REPLY == "$rest" ]] || ((more + 1 >= left)) || ! _terma_is_utf8; then break; fi
    row=${REPLY%…}
    if [[ ${rest:${#row}:1} != ' ' && $row == *' '* ]]; then row=${row% *}; fi
    rest=${rest:${#row}}
    rest=${rest# }
    done+=$row$'\r\n'
    more=$((more + 1))
  done
  REPLY=$done$REPLY
}

# _terma_paint TEXT -> REPLY: dim, but the danger at its beginning bold: red where it is high, else yellow. Plain where
# NO_COLOR is set.
_terma_paint() {
  local danger='' mark=⚠ stop='[[:space:]]·'
  REPLY=$1
  if [[ -n ${NO_COLOR-} ]]; then return 0; fi
  if ! _terma_is_utf8; then mark='!!' stop='[[:space:]][[:space:]]'; fi
  if [[ $1 == "$mark "* ]]; then danger=${1%%$stop*}; fi
  REPLY=$'\e[2m'${1:${#danger}}$'\e[0m'
  case $danger in
    '') ;;
    "$mark high"*) REPLY=$'\e[1;31m'$danger$'\e[0m'$REPLY ;;
    *) REPLY=$'\e[1;33m'$danger$'\e[0m'$REPLY ;;
  esac
}

# _terma_erase -> REPLY: from where the cursor was left to the first row, and nothing below. The blank keeps the cursor
# off the home position, from which tmux would move what is erased into the scrollback.
_terma_erase() {
  REPLY=''
  if ((below)); then REPLY=$'\e['${below}A; fi
  REPLY+=$'\r \e[J\r'
  below=0
}

# _terma_say_above NOTE: in rows of its own above the prompt, where nothing takes it away.
_terma_say_above() {
  local REPLY out
  local -i more=0
  _terma_erase
  out=$REPLY
  _terma_fit_message "$1"
  _terma_paint "$REPLY"
  printf '%s%s\r\n' "$out" "$REPLY" >&2
}

# _terma_draw TEXT NOTE [ROWS COUNT]: the prompt with TEXT, NOTE dim on the row beneath, or COUNT ready ROWS there; below
# counts the rows above the cursor.
# What is taller than the screen shows its end.
_terma_draw() {
  local REPLY out rows column row shown
  local -i more=0 first=0 room=$((${LINES:-24} - 1 - ${4:-0}))
  if [[ -n $2 ]]; then
    _terma_fit_message "$2"
    _terma_paint "$REPLY"
    shown=$REPLY
    room+=-$((more + 1))
  fi
  _terma_erase
  out=$REPLY
  _terma_layout "$1" "$prompt_column"
  if ((prompt_rows + ${#rows[@]} > room)); then
    first=$((${#rows[@]} - room))
    if ((first < 0)); then first=0; fi
    below=$((${#rows[@]} - first - 1))
  else
    out+=$prompt
    below=$((prompt_rows + ${#rows[@]} - 1))
  fi
  out+=${rows[first]}
  for row in "${rows[@]:first+1}"; do out+=$'\r\n'$row; done
  if [[ -n $2 ]]; then
    out+=$'\r\n'$shown$'\e['$((more + 1))$'A\r'
  elif [[ -n ${3-} ]]; then
    out+=$'\r\n'$3$'\e['$4$'A\r'
  fi
  if [[ -n $2${3-} ]] && ((column)); then out+=$'\e['$((column < ${COLUMNS:-80} ? column : ${COLUMNS:-80} - 1))C; fi
  printf %s "$out" >&2
}
