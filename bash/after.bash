# terma: the keys just after an answer. readline tells nobody that the line has changed, so for one key each key that may
# change it runs us first: what stands below the line leaves with the line that it was about, Ctrl+C gives the words back
# while the answer stands as it came, and the back key brings the candidate before. Then all keys are what they were.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154,SC1003

_terma_hooked=''        # the keymaps that are ours for one key
_terma_hooked_were=()   # what the keys did there, as `KIND KEYMAP BINDING`
_terma_tty=''           # the terminal's settings while ^C is a key
_terma_after='\e[7772;' # the sequences that the hooked keys run; no terminal sends them
_terma_step=1
_terma_thrown='' # a ^C threw away what stood before a key's own part, and the key is still to come
_terma_moves=('\e[A' '\e[B' '\eOA' '\eOB' '\e[3~' '\e[200~') # arrows that fetch another line, Del, a paste
_terma_lead_bytes=({194..244}) # of a letter that has no key in ASCII

# _terma_list_keys_after -> bytes: the keys in question, as octal numbers. Not Enter and ^O, behind which PS0 clears; not ^X
# and Esc, behind which others stand; not what the terminal takes for itself, nor what only moves; not the key of ours.
_terma_list_keys_after() {
  local own octal code
  local -a letters=()
  if _terma_is_utf8; then letters=("${_terma_lead_bytes[@]}"); fi
  printf -v own '\\%03o' "'${_terma_key_byte:-a}"
  if [[ -z $_terma_key_byte ]]; then own=''; fi
  bytes=()
  for code in 4 7 8 9 11 14 16 18 {20..23} 25 30 31 {32..127} "${letters[@]}"; do
    printf -v octal '\\%03o' "$code"
    if [[ $octal != "$own" ]]; then bytes+=("$octal"); fi
  done
}

# _terma_hook_keys: for the next key, in the keymaps of the mode that is on. tty, of the caller: what the terminal was set
# to where ^C is a key already, else "".
_terma_hook_keys() {
  local bytes maps=(emacs-standard) map key back REPLY
  if [[ -n $_terma_hooked || -n ${BLE_VERSION-} ]]; then return 0; fi # ble.sh has keys and a terminal of its own
  if [[ -z $tty ]]; then _terma_take_interrupt; fi # first: a ^C among the bindings would leave some of them behind
  if [[ -n $_terma_late ]]; then _terma_end_late; fi # no key of the person's
  _terma_tty=$tty tty=''
  if [[ -o vi && -z $_terma_hint_under || $_terma_hint_under == vi-* ]]; then maps=(vi-insert vi-command); fi
  _terma_list_keys_after
  _terma_read_keys_after
  _terma_sequence "${TERMA_BACK_KEY:-^[t}"
  back=$REPLY
  _terma_hooked=${maps[*]} _terma_back=$back
  _terma_may_throw=''
  for map in "${maps[@]}"; do
    for key in "${bytes[@]}" "${_terma_moves[@]}"; do
      bind -m "$map" "\"$key\": \"${_terma_after}1~${_terma_after}4~$key\""
    done
    bind -m "$map" "\"$back\": \"${_terma_after}2~${_terma_after}4~$_terma_first$_terma_second\""
    bind -m "$map" "\"${_terma_after}4~\": \"\""
    bind -m "$map" '"\C-c": "'"${_terma_after}3~"'"'
    bind -m "$map" -x "\"${_terma_after}1~\": _terma_next_key \"\$_\""
    bind -m "$map" -x "\"${_terma_after}2~\": _terma_step_back \"\$_\""
    bind -m "$map" -x "\"${_terma_after}3~\": _terma_give_words \"\$_\""
    bind -m "$map" -x '"\e[0n": _terma_resized "$_"'
  done
  _terma_watch_size
}

# _terma_read_keys_after -> _terma_hooked_were. One fork.
_terma_read_keys_after() {
  local line kind='' map=''
  local IFS=$'\n'
  local -a lines
  set -f
  # shellcheck disable=SC2207 # split into lines on purpose; mapfile reads a pipe byte by byte
  lines=($(
    for map in "${maps[@]}"; do
      \builtin echo "=$map"
      for kind in s X p; do
        \builtin echo "=$kind"
        \bind -m "$map" "-$kind"
      done
    done 2>/dev/null
  ))
  set +f
  _terma_hooked_were=()
  for line in "${lines[@]}"; do
    case $line in
      =?) kind=${line#=} ;;
      =*) map=${line#=} ;;
      '"\C-c": self-insert' | '"'[!\\]*': self-insert' | '"\'[!C]*': self-insert') ;; # what _terma_unhook_keys makes of it
      *_terma_resized*) ;; # ours, from before
      *"\"${_terma_after}7;"*) ;; # a key that does nothing for now, and comes back by itself
      \"?\"* | \"\\C-?\"* | \"\\\\\"* | '"\e[A"'* | '"\e[B"'* | '"\eOA"'* | '"\eOB"'* | '"\e[3~"'* | '"\e[200~"'* | \
        '"\e[0n"'* | '"\e'?'"'*)
        _terma_hooked_were+=("$kind $map $line") ;;
    esac
  done
}

# All keys are what they were, and ^C is a signal again. One that was typed before that reaches readline as a key: where
# nobody has that key, it is a ^C still, up to the next prompt.
_terma_unhook_keys() {
  _terma_panel=''
  if [[ -z $_terma_hooked ]]; then return 0; fi
  local IFS=' ' map key line bytes hooked=$_terma_hooked
  local -a late=()
  _terma_list_keys_after
  for map in $_terma_hooked; do
    for key in "${bytes[@]}" "${_terma_moves[@]}" "$_terma_back" '\e[0n' '\C-c'; do
      case $map$key in
        *'\C-c') # by way of a macro: out of a search readline runs no command of bind -x
          bind -m "$map" '"\C-c": "'"${_terma_after}6~"'"'
          bind -m "$map" -x "\"${_terma_after}6~\": _terma_late_interrupt \"\$_\""
          late+=("$map") ;;
        *command* | *'\e'* | *'\0'[0-3]* | *'\177') bind -m "$map" -r "$key" ;;
        *) bind -m "$map" "\"$key\": self-insert" ;;
      esac
    done
  done
  _terma_hooked='' _terma_late=${late[*]}
  for line in "${_terma_hooked_were[@]}"; do
    map=${line#* }
    case $line in
      *' "\C-c"'*)
        bind -m "${map%% *}" -r '\C-c'
        _terma_late=${_terma_late/"${map%% *}"/} ;;
    esac
    case $line in
      'X '*)
        line=${map#* }
        key=${line#\"} key=${key%%\"*} line=${line#"\"$key\""}
        line=${line#:}
        line=${line# }
        line=${line#\"} line=${line%\"} line=${line//'\"'/'"'}
        bind -m "${map%% *}" -x "\"$key\": ${line//'\\'/'\'}" ;;
      *) bind -m "${map%% *}" "${map#* }" ;;
    esac
  done
  if [[ -n $_terma_tty ]]; then _terma_tty=$(\command -p stty "$_terma_tty" 2>/dev/null); fi
  _terma_watch_ends "$hooked"
}

_terma_late_interrupt() { kill -INT $$; }

# A ^C that comes when it is a signal again, and readline has not yet taken the key of the macro that called us: bash throws
# away what we do and keeps the macro, which would put that key on the next prompt. There its next step is this, and the key
# that follows is dropped.
_terma_drop_key() {
  local -
  set +eEuxvT +o posix 2>/dev/null
  local bytes map key maps
  local IFS=' '
  read -r -a maps <<<"$_terma_dropping"
  _terma_list_keys_after
  _terma_read_keys_after
  _terma_hooked=$_terma_dropping _terma_thrown=1 _terma_tty=''
  for map in "${maps[@]}"; do
    bind -m "$map" -x "\"${_terma_after}5~\": _terma_drop_over \"\$_\""
    for key in "${bytes[@]}" "${_terma_moves[@]}"; do bind -m "$map" "\"$key\": \"${_terma_after}5~\""; done
  done
}

_terma_drop_over() {
  local -
  set +eEuxvT +o posix 2>/dev/null
  _terma_thrown=''
  _terma_unhook_keys
}

# Any key: what stands below the line goes. readline has gone to the line's first row, and draws it anew behind us.
_terma_next_key() {
  local -
  set +eEuxvT +o posix 2>/dev/null
  _terma_may_throw=$_terma_hooked
  _terma_unhook_keys
  printf '\e[J' >&2
  _terma_clear='' _terma_near='' _terma_told=''
}

_terma_step_back() {
  _terma_next_key
  if [[ -n $_terma_drawn && $READLINE_LINE == "$_terma_drawn" ]]; then _terma_step=-1; fi
}

# ^C: the words for the answer that stands as it came, or what ^C always does.
_terma_give_words() {
  _terma_next_key
  if [[ -n $_terma_drawn && -n $_terma_sentence && $READLINE_LINE == "$_terma_drawn" ]]; then
    READLINE_LINE=$_terma_sentence READLINE_POINT=$_terma_sentence_point _terma_drawn=''
  else
    kill -INT $$
  fi
}
