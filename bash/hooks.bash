# terma: remembers the last command's exit status, duration and directory. Plain variables, no fork, no DEBUG trap.
# PS0 notes the start, PROMPT_COMMAND the end. The command itself is read from the history when it is asked for, so a few
# commands are kept: the last one may turn out to have been `terma last | less`, which is none to ask about.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154,SC2128,SC2178

# Loaded anew (`source ~/.bashrc`): the keys that are ours for one key, and what a hint has set, are first what they were,
# since what follows forgets that they are ours.
_terma_tty='' # Enter has given ^C back
if [[ -n ${_terma_hooked-} ]]; then _terma_unhook_keys; fi
if [[ -n ${_terma_late-} ]]; then _terma_end_late; fi
if [[ -n ${_terma_sized-} ]]; then _terma_size_over; fi
if [[ -n ${_terma_hint_map-} ]]; then _terma_hint_over; fi

_terma_status='' _terma_statuses='' _terma_duration='' _terma_command_dir='' _terma_event='' _terma_command_event=''
_terma_began='' _terma_clear='' _terma_dir_now=$PWD _terma_number='' _terma_unread='' _terma_unfixable=''
_terma_sized='' # the keymaps in which a terminal's answer about its size may still come
_terma_late='' # the keymaps in which a ^C that comes late is one
_terma_may_throw='' # the keymaps in which the key just after an answer was pressed
_terma_answered='' # a conversation was asked since: its answer may hold a command
_terma_told='' # the line below which its explanation stands
_terma_near='' # the sentence below which a command stands that terma is not sure of
_terma_lost='' _terma_left=() # of a key's command, while it runs: the words, and what it has opened as `FD PID`
_terma_past=() _terma_fixes=() _terma_swallow='' _terma_trap='' _terma_offered=0
# What is run for terma is settled when the shell starts: a directory's environment (direnv, an .env) comes later.
_terma_bin=${TERMA_BIN:-terma} _terma_given_python=${TERMA_PYTHON-}
_terma_on=1       # must be set: PS0's expression hides in its (empty) substring
_terma_bang='\!'  # expanded with @P: the number of the next history entry, without a fork

# First in PROMPT_COMMAND; returns the status it found, for those behind it.
_terma_precmd() {
  local code=$? codes=("${PIPESTATUS[@]}") # read first, in one command: each command sets both
  if [[ ${2-} != apart && ${PROMPT_COMMAND-} != _terma_* ]]; then
    if [[ ${PROMPT_COMMAND[*]-} == *_terma_precmd*apart* ]]; then return "$code"; fi
    _terma_stand_apart
  fi
  if [[ ${PROMPT_COMMAND-} == __bp_precmd_invoke_cmd* && -n ${__bp_last_ret_value-} ]]; then
    code=$__bp_last_ret_value # bash-preexec ran before us, and old ones (bash-it's) leave a 0 behind
    codes=("${BP_PIPESTATUS[@]:-$code}")
  fi
  if [[ -n ${BLE_ATTACHED-} && -n ${BLE_PIPESTATUS-} ]]; then codes=("${BLE_PIPESTATUS[@]}"); fi # ble.sh keeps them there
  if [[ -n $_terma_clear ]]; then
    printf %s "$_terma_clear" >&2 # an empty line or ^C never reached PS0
    _terma_clear='' _terma_near='' _terma_told=''
  fi
  if [[ -n $_terma_swallow ]]; then _terma_end_swallow; fi
  if [[ -n $_terma_sized ]]; then _terma_size_over; fi
  if [[ -n $_terma_hint_map ]]; then _terma_hint_over; fi
  if ((_terma_offered)); then _terma_offer_ages; fi
  if [[ -n $_terma_late ]]; then _terma_end_late; fi
  if [[ -n $_terma_lost ]]; then _terma_return_words; fi
  if [[ -n $_terma_may_throw ]]; then _terma_await_drop; fi
  # Without a start nothing ran since the last prompt (an empty Enter, ^C): what is remembered stands.
  local now=${EPOCHREALTIME:-${SECONDS}000000} number=${_terma_bang@P}
  if [[ -n $_terma_began ]]; then
    now=${now//[!0-9]/}
    if [[ -n $_terma_status ]]; then
      _terma_past=("$_terma_status,$_terma_duration,$_terma_command_event,$_terma_event,$_terma_statuses,$_terma_command_dir" \
        "${_terma_past[@]:0:3}")
    fi
    printf -v _terma_statuses '%s ' "${codes[@]}"
    _terma_status=$code _terma_duration=$((now - _terma_began)) _terma_command_dir=$_terma_dir_now
    _terma_began='' _terma_unread='' _terma_unfixable='' _terma_answered='' _terma_fixes=()
    # A number that did not move: the command is not in the history (HISTCONTROL), or a repetition.
    if [[ $number != "$_terma_number" ]]; then
      _terma_command_event=new
    elif [[ ${HISTCONTROL-} == *ignorespace* || ${HISTCONTROL-} == *ignoreboth* || -n ${HISTIGNORE-} ]]; then
      _terma_command_event=''
    fi
    _terma_event=$number
    if ((code)); then _terma_hint_soon; fi
  elif ((code == 2)) && [[ -n $_terma_number && $number != "$_terma_number" ]]; then
    # In the history, and nothing ran: a line that bash could not read, or a comment. Its text will tell.
    _terma_unread=$number _terma_unfixable='' _terma_answered='' _terma_fixes=()
    _terma_hint_soon
  fi
  if [[ -z $_terma_number && $number == 1 ]]; then number=0; fi # \! stays 1 with the first entry of all
  _terma_number=$number
  _terma_dir_now=$PWD
  if [[ -n $_terma_unbound ]]; then _terma_bind; fi
  if [[ -n ${_terma_entering-} ]]; then _terma_unblock_entering; fi
  return "$code"
}

# Somebody has put a command before ours, or ours into one of theirs, where the statuses may be lost (direnv, zoxide and
# starship do so). From 5.1 on each entry of a list finds them as the person's command left them: ours gets one of its own.
_terma_stand_apart() {
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)); then return 0; fi
  # shellcheck disable=SC2016 # for the prompt to expand
  PROMPT_COMMAND+=('_terma_precmd "$_" apart')
}

# A ^C in the first moments of the key, still a signal, has thrown its command away.
_terma_return_words() {
  local -
  set +eEuxvT
  local words=$_terma_lost left fd
  _terma_lost=''
  for left in "${_terma_left[@]}"; do
    fd=${left% *}
    { exec {fd}<&-; } 2>/dev/null
    kill "${left#* }" 2>/dev/null
  done
  if [[ -n ${_terma_core-} ]] && ! _terma_load_core; then return 0; fi
  _terma_lost_words=$words
  _terma_await_reply _terma_insert_words
}

# A key behind an answer was pressed: where a ^C came right behind it, the rest of its macro is read at this prompt, and is
# nobody's (_terma_drop_key). Where none is left, nothing comes of it.
_terma_await_drop() {
  local IFS=' ' map
  _terma_dropping=$_terma_may_throw _terma_may_throw=''
  for map in $_terma_dropping; do bind -m "$map" -x "\"${_terma_after}4~\": _terma_drop_key \"\$_\""; done
}

_terma_end_late() {
  local IFS=' ' map
  for map in $_terma_late; do
    if [[ $map == vi-insert ]]; then bind -m "$map" '"\C-c": self-insert'; else bind -m "$map" -r '\C-c'; fi
  done
  _terma_late=''
}

# What was pasted behind a `?why` arrives in one piece with it. No prompt stands between, so until the next one PS0
# interrupts each further line before it runs (and times nothing then: bash matches no pattern while a ^C is pending).
_terma_begin_swallow() {
  if [[ "${PROMPT_COMMAND[*]-}" == *_terma_precmd* ]]; then _terma_swallow=$'\r'; fi # nothing else would end it
}

_terma_end_swallow() {
  _terma_swallow=''
  if [[ -n $_terma_trap ]]; then eval "$_terma_trap"; fi # as `trap -p` wrote it
  _terma_trap=''
}

# `?why`, an alias of two lines: whatever follows is a comment, and the first line sees to it that there are comments.
# "$_" is passed through.
_terma_why_alias=$'_terma_why_first "$_"\n_terma_why "$_" #'

_terma_why_first() {
  _terma_comments=
  if ! shopt -q interactive_comments; then _terma_comments=off; fi
  shopt -s interactive_comments
}

# Status 1 after an error, unless that would end the shell.
_terma_why() {
  local code=0
  if [[ $_terma_comments == off ]]; then shopt -u interactive_comments; fi
  _terma_began='' _terma_comments=''
  _terma_begin_swallow
  if [[ -n ${_terma_core-} ]] && ! _terma_load_core; then code=1; else _terma_explain || code=$?; fi
  if [[ $- == *e* ]]; then code=0; fi
  return "$code"
}

# terma for what concerns the last command: `terma why`, `terma last`, `terma "why is that"`. All else is passed on.
_terma_call() {
  case ${1-} in
    '' | why | last | recipe | ask | chat | -* | *[[:space:]]*)
      if [[ -z ${_terma_core-} ]] || _terma_load_core; then
        local command='' status='' statuses='' duration='' command_dir='' asked=''
        _terma_recall
        if ((BASH_SUBSHELL == 0)); then
          _terma_began=''
          case ${1-} in why | last | recipe) ;; *) _terma_answered=1 _terma_fixes=() ;; esac
        fi
        TERMA_LAST_COMMAND=$command TERMA_LAST_STATUS=$status TERMA_LAST_DURATION=$duration \
          TERMA_LAST_DIR=$command_dir TERMA_LAST_STATUSES=$statuses TERMA_LAST_SHELL=bash command "$_terma_bin" "$@"
        return
      fi ;;
  esac
  if ((BASH_SUBSHELL == 0)); then _terma_began=''; fi
  command "$_terma_bin" "$@"
}

_terma_install_hooks() {
  local start='SECONDS*1000000+1'
  # shellcheck disable=SC2016 # for PS0 to expand
  if [[ -n ${EPOCHREALTIME-} ]]; then start='${EPOCHREALTIME/[.,]/}'; fi
  if shopt -q promptvars && [[ ${PS0-} != *_terma_began* ]]; then
    # shellcheck disable=SC2016 # for PS0 to expand
    PS0='${_terma_swallow:+$('\''kill'\'' -INT $$)}${_terma_swallow:-${_terma_on:((_terma_began='$start',0)):0}}'${PS0-}
    PS0='${_terma_clear}'$PS0
  fi
  # A list stays a list and a string a string; "$_" is passed through for what follows.
  if [[ "${PROMPT_COMMAND[*]-}" != *_terma_precmd* ]]; then
    # shellcheck disable=SC2016 # for the prompt to expand
    PROMPT_COMMAND[0]='_terma_precmd "$_"'${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
  fi
  # shellcheck disable=SC2139 # an alias of the text as it is
  alias -- "?why=$_terma_why_alias" "?why,=$_terma_why_alias" "?why:=$_terma_why_alias"
  if ! declare -F terma >/dev/null && [[ -z ${BASH_ALIASES[terma]-} ]]; then
    terma() { _terma_call "$@"; }
  fi
}
