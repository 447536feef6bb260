# terma: the fixes of an explanation. The first one is put on the next prompt when that is there: the terminal is asked
# for its state and its answer (ESC [ 0 n) is a key. Where no answer comes, and for the others, there is the key.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_fix_risks=() _terma_fix_at=0 _terma_reply=''

# _terma_keep_fixes LINES: the fix frames of an answer -> _terma_fixes, _terma_fix_risks.
_terma_keep_fixes() {
  local line REPLY
  _terma_fixes=() _terma_fix_risks=() _terma_fix_at=0 _terma_fix_shown=''
  while IFS= read -r line; do
    if ! _terma_wire_split "$line" || [[ ${_terma_fields[0]-} != fix ]]; then continue; fi
    _terma_fixes+=("${_terma_fields[1]}")
    REPLY=''
    if [[ ${_terma_fields[2]} != low ]]; then REPLY="⚠ ${_terma_fields[2]}: ${_terma_fields[3]} · "; fi
    _terma_fix_risks+=("$REPLY")
  done <<<"$1"
}

# _terma_step_fix STATUS STEP: puts the fix that is STEP (0, 1, -1) further on the prompt; the state line tells its risk and which
# of how many it is. As behind any answer no key that was typed before it was seen enters it.
_terma_step_fix() {
  local count=${#_terma_fixes[@]} kind=fix stop='' keys='' typed='' replay='' risk='' interrupted='' cancelled='' idle='' idle_pid=''
  local -i step=$2
  if ((count == 0)); then return 0; fi
  _terma_sentence='' _terma_sentence_point=0 _terma_kept='' _terma_step=1
  _terma_take_interrupt
  _terma_open_idle
  _terma_read_prompt "$1"
  while :; do
    _terma_fix_at=$(((_terma_fix_at + step + count) % count))
    sentence=${_terma_fixes[_terma_fix_at]} note=${_terma_fix_risks[_terma_fix_at]}
    if ((step || count > 1)); then note+="fix $((_terma_fix_at + 1))/$count"; fi
    note=${note% · } point=${#sentence}
    _terma_fix_shown=$sentence _terma_drawn=$sentence
    _terma_draw "$sentence" "$note"
    stop='done' step=1
    _terma_guard
    _terma_show_tall
    if [[ $stop != again ]]; then break; fi
  done
  if [[ $stop == cancel ]]; then _terma_take_late_interrupt; fi
  _terma_hand_over
  if [[ -n $_terma_clear ]]; then _terma_hook_keys; fi
  _terma_give_interrupt
  _terma_close_idle
  if [[ -n $interrupted ]]; then kill -INT $$; fi
}

# Asks the terminal to press the key, as soon as readline has it. Not when more was typed already: that comes first.
_terma_offer_fix() {
  if [[ -z ${_terma_fixes-} || ! -t 0 || ! -t 1 || ${TERM-} == dumb ]] || read -r -t 0 -u 0; then return 0; fi
  _terma_await_reply _terma_insert_fix
}

# _terma_await_reply FUNCTION: is called with the keymap when the terminal answers.
_terma_await_reply() {
  local map
  if [[ -n $_terma_hint_map ]]; then _terma_hint_over; fi # the answer is its key as well
  if ((_terma_offered == 0)); then _terma_read_reply_key; fi
  for map in emacs-standard vi-insert vi-command; do bind -m "$map" -x "\"\\e[0n\": $1 $map \"\$_\""; done
  _terma_offered=2
  # In $(): no job, and $! stays. Ends after three seconds.
  : "$( (_terma_ask_terminal) </dev/tty >/dev/tty 2>/dev/null & )"
}

# Only in readline's raw mode: before that the kernel would write the answer on the screen.
_terma_ask_terminal() {
  local -i turns=60
  \trap '' INT QUIT TSTP
  while ((turns-- > 0)); do
    case $(\command -p stty -a) in
      *-icanon*) \printf '\e[5n'; return ;;
    esac
    \command -p sleep 0.05
  done
}

# The terminal's answer. Only an untouched prompt takes the fix.
_terma_insert_fix() {
  local code=$?
  local -
  set +eEuxvT +o posix 2>/dev/null
  local IFS=$' \t\n' REPLY map=$1 sentence='' note='' point=0 prompt='' prompt_rows=0 prompt_column=0 below=0 tty=''
  _terma_offered=1
  _terma_offer_ages
  if [[ -z $READLINE_LINE ]]; then _terma_step_fix "$code" 0; fi
}

# The same for words that an early ^C has thrown off the line.
_terma_insert_words() {
  local -
  set +eEuxvT
  _terma_offered=1
  _terma_offer_ages
  if [[ -z $READLINE_LINE ]]; then READLINE_LINE=$_terma_lost_words READLINE_POINT=${#_terma_lost_words}; fi
}

# With every prompt, and with the answer: it is awaited at one prompt alone, then the key is what it was.
_terma_offer_ages() {
  _terma_offered=$((_terma_offered - 1))
  if ((_terma_offered)); then return 0; fi
  local map line
  for map in emacs-standard vi-insert vi-command; do bind -m "$map" -r '\e[0n'; done
  for line in "${_terma_reply_was[@]}"; do
    map=${line#* }
    case $line in
      'X '*) bind -m "${map%% *}" -x "${map#* }" ;;
      *) bind -m "${map%% *}" "${map#* }" ;;
    esac
  done
}

# _terma_read_reply_key -> _terma_reply_was: what that key does now, as `KIND KEYMAP BINDING` (fzf has a use for it).
_terma_read_reply_key() {
  local line kind='' map=''
  _terma_reply_was=()
  while IFS= read -r line; do
    case $line in
      =?) kind=${line#=} ;;
      =*) map=${line#=} ;;
      '"\e[0n"'*)
        if [[ $kind == X ]]; then
          line=${line#'"\e[0n"'}
          line=${line#:}
          line=${line# }
          line=${line#\"} line=${line%\"} line=${line//'\"'/'"'} line='"\e[0n": '${line//'\\'/'\'}
        fi
        _terma_reply_was+=("$kind $map $line") ;;
    esac
  done <<<"$(
    {
      for map in emacs-standard vi-insert vi-command; do
        \builtin echo "=$map"
        for kind in s X p; do
          \builtin echo "=$kind"
          \bind -m "$map" "-$kind"
        done
      done
    } 2>/dev/null | \command -p grep -F -e = -e '"\e[0n"' | \command -p grep -e '^=' -e '^"\\e\[0n"'
  )"
}
