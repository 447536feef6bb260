# terma: what stands below the line once its editor has it again. readline knows nothing of those rows; ble.sh, which edits
# the line itself, keeps them for a panel of its own: there what terma says goes through that panel, for as long as the line
# is what it was about, and the key that gives a line up gives the words back first. ble.sh calls us when no key waits
# (ble/util/idle); what a version of it lacks is left as it is.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_panel='' _terma_panel_line='' # what is said, and of which line
_terma_panel_seen=''                 # that, as the panel has it
_terma_panel_waits='' _terma_discards=''

# _terma_leave_screen TEXT NOTE [ROWS COUNT]: clears what was drawn, for readline to draw TEXT there, with NOTE, or COUNT
# ready ROWS, where TEXT will end.
# PS0 or the next prompt takes NOTE away. Above the prompt when there is no room below. ble.sh has a panel for it.
_terma_leave_screen() {
  local REPLY out rows column
  local -i down more=0
  _terma_erase
  out=$REPLY _terma_stands=$2
  if _terma_has_panel; then
    printf %s "$out" >&2
    REPLY=${3-}
    if [[ -n $2 ]]; then
      _terma_fit_message "$2"
      _terma_paint "$REPLY"
    fi
    _terma_show_panel "$1" "$REPLY"
    return 0
  fi
  if [[ -n $2${3-} ]]; then
    _terma_layout "$1" "$prompt_column"
    down=$((prompt_rows + ${#rows[@]}))
    if ((column >= ${COLUMNS:-80})); then down+=1; fi # readline moves its cursor to a row of its own
    if [[ -n $2 ]]; then
      _terma_fit_message "$2"
      _terma_paint "$REPLY"
    else
      REPLY=$3 more=$(($4 - 1))
    fi
    if ((down + more < ${LINES:-24})); then
      printf -v rows '%*s' "$down" ''
      out+=${rows// /$'\r\n'}$REPLY$'\e['$((down + more))A$'\r'
      _terma_clear=$'\e[J'
    else
      out+=$REPLY$'\r\n'
    fi
  fi
  printf %s "$out" >&2
}

_terma_has_panel() {
  if [[ -z ${BLE_ATTACHED-} ]]; then return 1; fi
  declare -F ble/util/idle.push ble/util/idle.wait-user-input ble/edit/info/immediate-show \
    ble/edit/info/immediate-default >/dev/null
}

# _terma_show_panel LINE TEXT: TEXT below LINE; "" for nothing.
_terma_show_panel() {
  _terma_panel_line=$1 _terma_panel=${2//$'\r'/} _terma_panel_seen=''
  if [[ -n $_terma_panel && -z $_terma_panel_waits ]]; then
    _terma_panel_waits=1
    ble/util/idle.push _terma_panel_idle
  fi
  _terma_wrap_discard
}

# No key waits: behind the widget, and behind each key of the person's after that. It is not called again unless it waits.
# Where others have something in the panel meanwhile (a menu), that stays.
_terma_panel_idle() {
  if [[ -n $_terma_panel && ${_ble_edit_str-} == "$_terma_panel_line" ]]; then
    if [[ -z $_terma_panel_seen || -z ${_ble_edit_info[2]-} ]]; then
      ble/edit/info/immediate-show ansi "$_terma_panel"
      _terma_panel_seen=${_ble_edit_info[2]-}
    fi
    ble/util/idle.wait-user-input
    return 0
  fi
  if [[ -n $_terma_panel_seen && ${_ble_edit_info[2]-} == "$_terma_panel_seen" ]]; then ble/edit/info/immediate-default; fi
  _terma_panel='' _terma_panel_seen='' _terma_panel_waits=''
}

# What ble.sh has on ^C: in its emacs mode, and in the insert mode of its vi. A change of somebody else's to it stays.
_terma_wrap_discard() {
  local widget
  if [[ -n $_terma_discards ]] || ! declare -F ble/function#advice ble-edit/content/reset-and-check-dirty >/dev/null; then
    return 0
  fi
  for widget in ble/widget/discard-line ble/widget/vi_imap/normal-mode-without-insert-leave; do
    if declare -F "$widget" >/dev/null && ! declare -F "ble/function#advice/around:$widget" >/dev/null; then
      ble/function#advice around "$widget" _terma_discard
    fi
  done
  _terma_discards=1
}

# ^C: the words for the answer that stands as it came, or what the key always does.
_terma_discard() {
  if [[ -z $_terma_drawn || -z $_terma_sentence || ${_ble_edit_str-} != "$_terma_drawn" ]]; then
    ble/function#advice/do
    return
  fi
  ble-edit/content/reset-and-check-dirty "$_terma_sentence"
  _ble_edit_ind=$_terma_sentence_point _terma_drawn='' ADVICE_EXIT=0
}
