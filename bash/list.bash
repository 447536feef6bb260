# terma: the list of candidates, for the key pressed twice quickly. The widget has the terminal while it is open: it draws
# the rows below the line and waits for one key after another.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_items=() _terma_item_levels=() _terma_item_reasons=() _terma_item_notes=() _terma_item_rows=() _terma_item_whys=()
_terma_quick=300000 # microseconds between two presses that are one gesture
_terma_item_cursors=() _terma_pressed='' _terma_wants_list='' _terma_asks_list=''

# _terma_is_quick: whether this press and the last one are one gesture. Each call is a press.
_terma_is_quick() {
  local now=${EPOCHREALTIME:-${SECONDS}000000} was=$_terma_pressed
  now=${now//[!0-9]/}
  _terma_pressed=$now
  if [[ ${TERMA_SUGGESTIONS__LIST-} == never || $kind != translate || -z $was ]]; then return 1; fi
  ((now - was < _terma_quick))
}

# An `item` frame: what it would put on the line, its danger, its state line, its row, and where the cursor belongs.
_terma_keep_item() {
  local -a field=()
  local -i at
  for at in 2 3 4 5 6 7; do
    _terma_clean "${_terma_fields[at]-}"
    field+=("$REPLY")
  done
  if [[ ${field[0]} != *[![:space:]]* ]] || ((${#_terma_items[@]} >= 9)); then return 0; fi
  _terma_items+=("${field[0]}") _terma_item_levels+=("${field[1]}") _terma_item_reasons+=("${field[2]}")
  _terma_item_notes+=("${field[3]}") _terma_item_rows+=("${field[4]//$'\n'/ }") _terma_item_whys+=("${field[5]//$'\n'/ }")
  at=${#field[0]}
  case ${_terma_fields[8]-} in
    cursor=*[!0-9]* | cursor= | cursor=????????*) ;;
    cursor=*) if ((10#${_terma_fields[8]#*=} < at)); then at=$((10#${_terma_fields[8]#*=})); fi ;;
  esac
  _terma_item_cursors+=("$at")
}

_terma_forget_items() {
  _terma_items=() _terma_item_levels=() _terma_item_reasons=() _terma_item_notes=() _terma_item_rows=() _terma_item_whys=()
  _terma_item_cursors=()
}

# _terma_choose: until one is taken (stop: done), the words are wanted (cancel), or another key leaves the list (typed).
_terma_choose() {
  local -i at=0 count=${#_terma_items[@]}
  local listing
  stop='' keys='' _terma_kept=''
  while [[ -z $stop ]]; do
    text=${_terma_items[at]}
    _terma_lay_list
    _terma_draw "$text" '' "$listing" $((count + 1))
    _terma_read_choice
  done
  text=${_terma_items[at]} note=${_terma_item_notes[at]} risk='' point=${_terma_item_cursors[at]} _terma_attempt=$at
  if [[ ${_terma_item_levels[at]} != low ]]; then
    risk="⚠ ${_terma_item_levels[at]}: ${_terma_item_reasons[at]} · "
  fi
}

# _terma_lay_list -> listing: the rows, in the colours of the danger, the chosen one reversed.
_terma_lay_list() {
  local i row mark='⚠  ' why plain='' colour dim=$'\e[2m' bold=$'\e[7m' off=$'\e[0m' dot=·
  if [[ -n ${NO_COLOR-} ]]; then dim='' bold='' off='' plain=1; fi
  if [[ -n $plain ]] || ! _terma_is_utf8; then mark='!! '; fi
  if ! _terma_is_utf8; then dot=-; fi
  listing=''
  for ((i = 0; i < count; i++)); do
    colour=''
    case ${_terma_item_levels[i]} in
      low) row='' why=$dim ;;
      high) row=$mark colour=$'\e[1;31m' ;;
      *) row=$mark colour=$'\e[1;33m' ;;
    esac
    if [[ -n $plain ]]; then colour='' why=''; fi
    if [[ -n $row ]]; then why=$colour; fi
    if ((i == at)); then
      listing+="$bold> $((i + 1)) $row${_terma_item_rows[i]}$off"
    else
      listing+="  $((i + 1)) $colour$row${colour:+$off}${_terma_item_rows[i]}"
    fi
    listing+="  $why${_terma_item_whys[i]}$off"$'\r\n'
  done
  listing+="${dim}number or arrows, Enter $dot Esc: your words$off"
  if ! _terma_is_utf8; then listing=${listing//…/~}; fi
}

# _terma_read_choice: one key of keys, awaited where there is none. What leaves the list stays in keys.
_terma_read_choice() {
  local LC_ALL=C
  local -i patience=7
  if [[ -z $keys ]] && ! IFS= read -r -s -d '' -n 1 -u 0 keys; then stop=cancel; return; fi
  _terma_take_keys
  while [[ $keys == $'\e' || $keys == $'\e[' || $keys == $'\eO' ]] && ((patience-- > 0)); do
    _terma_sleep
    _terma_take_keys
  done
  case $keys in
    [1-9]*)
      if ((${keys:0:1} > count)); then stop=typed; return; fi
      at=${keys:0:1}-1 keys=${keys:1} stop='done' ;;
    [$'\r\n']*) keys=${keys:1} stop='done' ;;
    $'\e[A'* | $'\eOA'*) at=$(((at + count - 1) % count)) keys=${keys:3} ;;
    $'\e[B'* | $'\eOB'*) at=$(((at + 1) % count)) keys=${keys:3} ;;
    $'\x10'*) at=$(((at + count - 1) % count)) keys=${keys:1} ;;
    $'\x0e'*) at=$(((at + 1) % count)) keys=${keys:1} ;;
    "${_terma_key_byte:-$'\x0e'}"*) at=$(((at + 1) % count)) keys=${keys:1} ;;
    [$'\a\x03']* | $'\e') keys='' stop=cancel ;;
    k*) if [[ $map == vi-command ]]; then at=$(((at + count - 1) % count)) keys=${keys:1}; else stop=typed; fi ;;
    j*) if [[ $map == vi-command ]]; then at=$(((at + 1) % count)) keys=${keys:1}; else stop=typed; fi ;;
    *) stop=typed ;;
  esac
}
