# terma: the list of candidates, for the key pressed twice quickly. It is drawn as what the editor shows behind the line
# (POSTDISPLAY), so that the editor breaks, moves and removes it, and no other list that is drawn takes it away.

typeset -ga _terma_items _terma_item_levels _terma_item_reasons _terma_item_notes _terma_item_rows _terma_item_whys
typeset -ga _terma_item_extras
typeset -gi _terma_item_at=0 _terma_wants_list=0 _terma_asks_list=0
typeset -gF _terma_pressed=0 _terma_quick=0.3 # seconds between two presses that are one gesture

# The key while an answer comes or stands. On words alone: a fix and the fixes of an explanation are stepped through.
_terma_twice() {
  emulate -L zsh -o no_xtrace
  local -i quick=0 near=0
  if [[ -n $_terma_near && $BUFFER == "$_terma_near" ]]; then near=1; fi
  if [[ ${TERMA_SUGGESTIONS__LIST-} != never && $_terma_kind == translate ]] &&
    { (( near )) || [[ $BUFFER == "$_terma_drawn" ]] }; then
    if (( EPOCHREALTIME - _terma_pressed < _terma_quick )); then quick=1; fi
  fi
  _terma_pressed=$EPOCHREALTIME
  if [[ $_terma_phase == list ]]; then
    _terma_point_at $(( _terma_item_at % $#_terma_items + 1 ))
  elif (( near )); then
    _terma_take_near $quick
  elif (( quick )) && [[ $_terma_phase == (start|stream) ]]; then
    _terma_wants_list=1 # as soon as this answer, which may cost something, is whole
    _terma_show_soon "$_terma_line" $_terma_line_plain
  elif (( quick )); then
    _terma_ask_list
  elif [[ $_terma_kind == fix && -z $BUFFER && $_terma_phase == (start|stream) ]]; then
    _terma_stop keep
    _terma_attempt+=1 # the fix that is shown below the empty prompt meanwhile
    _terma_ask_it
  else
    _terma_key
  fi
}

_terma_ask_list() {
  _terma_wants_list=0 _terma_asks_list=1 _terma_again=
  _terma_keep_answer
  _terma_attempt=1
  _terma_ask_it
}

# An `item` frame: what it would put on the line, its danger, its state line, and its row.
_terma_keep_item() {
  local REPLY
  local -a field
  local -i at
  for at in 3 4 5 6 7 8; do
    _terma_clean "$_terma_fields[at]"
    field+=("$REPLY")
  done
  if [[ -z ${field[1]//[[:space:]]/} ]] || (( $#_terma_items >= 9 )); then return 0; fi
  _terma_items+=("$field[1]") _terma_item_levels+=("$field[2]") _terma_item_reasons+=("$field[3]")
  _terma_item_notes+=("$field[4]") _terma_item_rows+=("${field[5]//$'\n'/ }") _terma_item_whys+=("${field[6]//$'\n'/ }")
  _terma_item_extras+=("$_terma_fields[9] $_terma_fields[10]")
}

# The `done` frame of a list: the first one stands on the line, chosen.
_terma_open_list() {
  if (( $#_terma_items == 0 )); then _terma_fail 'the agent gave no answer'; return; fi
  _terma_stop keep
  _terma_hush_suggestions
  _terma_kept= _terma_phase=list _terma_wants_list=0
  _terma_show ''
  _terma_point_at 1
  zle -R
}

# _terma_point_at N: the line is that candidate; one undo goes back to the words.
_terma_point_at() {
  _terma_item_at=$1
  _terma_put_back
  _terma_put "$_terma_items[$1]"
  _terma_draw_list
}

_terma_draw_list() {
  local row mark danger colour
  local -i i at=$#BUFFER
  _terma_wipe
  local help='number or arrows, Enter · Esc: your words'
  if (( ${#:-·} != 1 )); then help=${help/·/-}; fi
  for (( i = 1; i <= $#_terma_items; i++ )); do
    mark='⚠  ' danger= colour=fg=yellow,bold
    if [[ $_terma_item_levels[i] == high ]]; then colour=fg=red,bold; fi
    if [[ -n ${NO_COLOR-} ]] || (( ${#:-·} != 1 )); then mark='!! '; fi
    if [[ $_terma_item_levels[i] != low ]]; then danger=$mark; fi
    if (( i == _terma_item_at )); then row="> $i "; else row="  $i "; fi
    row+=$danger$_terma_item_rows[i]
    if (( ${#:-·} != 1 )); then row=${row//…/~}; fi
    POSTDISPLAY+=$'\n'$row"  "$_terma_item_whys[i]
    if [[ -z ${NO_COLOR-} ]]; then
      if (( i == _terma_item_at )); then _terma_mark $(( at + 1 )) $#row standout; fi
      if [[ -n $danger ]]; then _terma_mark $(( at + 5 )) 2 $colour; fi
      _terma_mark $(( at + 1 + $#row )) $(( 2 + $#_terma_item_whys[i] )) ${${danger:+$colour}:-fg=8}
    fi
    at=$(( $#BUFFER + $#POSTDISPLAY ))
  done
  POSTDISPLAY+=$'\n'$help
  _terma_below=$POSTDISPLAY
  if [[ -z ${NO_COLOR-} ]]; then _terma_mark $at $(( 1 + $#help )) fg=8; fi
}

# The list goes; what is chosen stands as any answer does.
_terma_close_list() {
  if [[ $_terma_phase != list ]]; then return 0; fi
  _terma_wipe
  _terma_phase=after _terma_attempt=$(( _terma_item_at - 1 ))
}

# Takes what is chosen, with its danger and its first blank.
_terma_take_item() {
  local -i at=$_terma_item_at
  local risk= pair
  local -A extra
  _terma_close_list
  for pair in ${(z)_terma_item_extras[at]}; do
    if [[ $pair == (cursor|select)=<-> ]]; then extra[${pair%%=*}]=${pair#*=}; fi
  done
  _terma_place_cursor ${extra[cursor]:-$#BUFFER} ${extra[select]:-0}
  if [[ $_terma_item_levels[at] != low ]]; then risk="⚠ $_terma_item_levels[at]: $_terma_item_reasons[at] · "; fi
  _terma_stopped=$EPOCHREALTIME _terma_unseen=1 _terma_is_whole=1
  _terma_show_soon "$risk$_terma_item_notes[at]"
}

# _terma_list_key KEYS: status 1 for a key that is none of the list's: it leaves the list and types.
_terma_list_key() {
  case $1 in
    [1-9])
      if (( $1 > $#_terma_items )); then return 1; fi
      _terma_point_at $1
      _terma_take_item ;;
    $'\e[A' | $'\eOA' | $'\x10') _terma_point_at $(( (_terma_item_at + $#_terma_items - 2) % $#_terma_items + 1 )) ;;
    $'\e[B' | $'\eOB' | $'\x0e') _terma_point_at $(( _terma_item_at % $#_terma_items + 1 )) ;;
    k) if [[ $_terma_keymap == vicmd ]]; then _terma_list_key $'\e[A'; else return 1; fi ;;
    j) if [[ $_terma_keymap == vicmd ]]; then _terma_list_key $'\e[B'; else return 1; fi ;;
    *) return 1 ;;
  esac
}

# The words are back, as they were before the key.
_terma_leave_list() {
  _terma_close_list
  _terma_put_back
  _terma_release
  _terma_restore_trap
}

# _terma_list_escape NEXT: Esc alone gives the words back; what follows it makes it an arrow, or a key that leaves the list.
_terma_list_escape() {
  local keys=$'\e'$1 more
  while [[ $keys == ($'\e['|$'\eO'|$'\e['*[0-9\;]) ]]; do
    more=
    if (( PENDING || KEYS_QUEUED_COUNT )); then read -k 1 more; else sysread -i 0 -s 1 -t 0.015 more; fi
    if [[ -z $more ]]; then break; fi
    keys+=$more
  done
  if [[ -z $1 ]]; then
    _terma_leave_list
  elif ! _terma_list_key "$keys"; then
    _terma_close_list
    _terma_release
    zle -U -- "$keys"
  fi
}
