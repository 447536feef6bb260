# terma: `?why`. An alias whose rest of the line is a comment, so nothing behind it is ever parsed; what the agent says
# is printed as it comes.

typeset -g _terma_asked= # the line as it was typed
typeset -gi _terma_wraps # the widgets that our hook was put around, _terma_line_finish_1 and on; kept when loaded anew
typeset -gi _terma_comments=0 # interactive_comments was set for the line, and is to be unset
typeset -gi _terma_rewritten=0 # the line was taken out of the editor; 1: it goes into the history all the same

# zle-line-finish, around the widget that was there, and what the alias calls. They set an option of the user's, and
# functions that were read under `emulate -c` cannot: so the entry file reads these behind that. They bear any options.
typeset -g _terma_open='
_terma_line_accepted() {
  {
    \builtin typeset _terma_level=$(( ${_terma_level:-$_terma_wraps + 1} - 1 ))
  } 2>/dev/null # no trace of it
  (( _terma_level )) && \builtin zle _terma_line_finish_$_terma_level -- "$@"
  {
    (( _terma_level < _terma_wraps )) && \builtin return 0
    (( _terma_comments )) && \builtin unsetopt interactive_comments
    _terma_read_line ${#funcstack[@]} ${options[aliases]} ${options[interactivecomments]} ${options[histignorespace]}
    (( _terma_comments )) && \builtin setopt interactive_comments
    \builtin return 0
  } 2>/dev/null
}
_terma_why() {
  {
    (( _terma_comments )) && \builtin unsetopt interactive_comments
  } 2>/dev/null
  _terma_explain "$@"
}'

# _terma_read_line DEPTH ALIASES COMMENTS IGNORE_SPACE: notes the line. For a `?why` it sees to it that nothing else runs.
_terma_read_line() {
  emulate -L zsh -o no_xtrace
  local line=${BUFFER#"${BUFFER%%[![:space:]]*}"}
  if [[ $CONTEXT == cont ]]; then _terma_unread+=$'\n'$BUFFER; fi
  if [[ $CONTEXT == (start|cont) ]]; then _terma_hide_aborted; fi
  if [[ $CONTEXT != start ]]; then return 0; fi
  _terma_asked= _terma_unread= _terma_comments=0 _terma_rewritten=0
  if [[ $line != '?why'* ]]; then
    if [[ $line != (|'#'*) ]]; then _terma_unread=$line; fi
    return 0
  fi
  _terma_asked=$BUFFER
  # Called by zle itself an option lasts until the line is read; called by another function it may not.
  if [[ $1$2 == 1on && $aliases[?why] == '_terma_why #' && ${histchars[3]-} == '#' && $BUFFER != *$'\n'* &&
    $line == '?why'(|[[:blank:]]*) ]]; then
    if [[ $3 != on ]]; then _terma_comments=1; fi
    return 0
  fi
  # Here the shell would find something to run: a second line, or what is glued on. It gets the bare call instead;
  # the screen keeps what was typed, and the history gets it from _terma_explain.
  zle -I
  BUFFER=_terma_why _terma_rewritten=1
  if [[ $4 == on && $_terma_asked == ' '* ]]; then _terma_rewritten=2; fi
  typeset -ga zshaddhistory_functions
  zshaddhistory_functions=(_terma_hide_line ${zshaddhistory_functions:#_terma_hide_line})
}

# TERMA_WHY_KEY: `?why` by a key, with what stands on the line as the question.
_terma_why_key() {
  emulate -L zsh -o no_xtrace
  if [[ $CONTEXT != start ]]; then return 0; fi
  local line=${BUFFER##[[:space:]]#}
  BUFFER="?why${line:+ $line}"
  zle accept-line
}

_terma_hide_line() {
  emulate -L zsh -o no_xtrace
  zshaddhistory_functions=(${zshaddhistory_functions:#_terma_hide_line})
  return 1
}

# With every prompt: a plugin or the user may have set a widget of their own since, which is called first then. It may
# call ours in turn (add-zle-hook-widget keeps what it finds), which then calls what ours was put around before.
_terma_watch_lines() {
  if [[ -n $_terma_finish_wrapped ]]; then return 0; fi
  if zle -l zle-line-finish; then # asked first: $widgets is a module to load
    if [[ $widgets[zle-line-finish] == user:_terma_line_accepted ]]; then return 0; fi
    if [[ $widgets[zle-line-finish] != ${widgets[_terma_line_finish_$_terma_wraps]-} ]]; then
      _terma_wraps+=1
      zle -A zle-line-finish _terma_line_finish_$_terma_wraps
    fi
  fi
  zle -N zle-line-finish _terma_line_accepted
}

# Status 0, 1 after an error (on stderr, one line where that is no terminal), 130 when ^C stopped it.
_terma_explain() {
  emulate -L zsh -o no_xtrace
  local REPLY asked=${_terma_asked:-?why ${(j: :)${(@)argv:#\#}}} chunk complaint= colours= _terma_fd= _terma_input=
  local -a reply _terma_fields
  local -i unfinished=0 length=0 stopped=0
  if (( _terma_rewritten == 1 )); then print -rs -- "$_terma_asked"; fi
  _terma_asked= _terma_comments=0 _terma_rewritten=0
  zmodload -F zsh/net/socket b:zsocket && zmodload -F zsh/system b:sysread || return 1
  if [[ -z ${NO_COLOR-} && ${TERM-} != dumb && -t 1 ]]; then colours=1; fi
  _terma_fixes=() _terma_fix_risks=() _terma_id+=1
  TRAPINT() { stopped=1; return 130 } # local, as all traps are here
  {
    _terma_converse
  } always {
    if [[ -n $_terma_fd ]]; then { exec {_terma_fd}<&- } 2>/dev/null; fi
    if (( unfinished || stopped )); then print; fi
    if (( stopped )); then _terma_fixes=() _terma_fix_risks=() TRY_BLOCK_ERROR=0 TRY_BLOCK_INTERRUPT=0; fi
  }
  if (( stopped )); then return 130; fi
  if [[ -n $complaint ]]; then
    if [[ -t 2 ]]; then
      _terma_fit_rows "terma: $complaint" '' 100 # nothing of it is cut
    else
      _terma_clean "terma: ${${complaint//$'\n'/ }//$'\t'/ }"
    fi
    print -r -- "$REPLY" >&2
    return 1
  fi
  _terma_offer_fix
}

# Asks, and prints until the agent has done; complaint says what went wrong.
_terma_converse() {
  local line
  local -a lines
  _terma_reach_agent || return 0
  local question=${asked#"${asked%%[![:space:]]*}"}
  if ! _terma_send why "asked=${asked[1,4000]}" "question=${${question#\?why}[1,4000]}"; then
    complaint='the line is too long to send'
    return
  fi
  while [[ -z $complaint ]]; do
    _terma_hear || return 0
    lines=("${(@f)_terma_input}")
    _terma_input=$lines[-1]
    lines[-1]=()
    for line in "${(@)lines}"; do
      if ! _terma_wire_split "$line"; then complaint='the agent sent garbage; terma agent restart'; return; fi
      _terma_why_frame || return 0
    done
    if (( $#_terma_input > 70000 )); then complaint='the agent sent garbage; terma agent restart'; fi
  done
}

# _terma_reach_agent -> _terma_fd. Starts an agent where none stands.
_terma_reach_agent() {
  _terma_connect
  case $? in
    0) return ;;
    2) complaint="the agent's socket belongs to someone else; set TERMA_SOCKET to a path of your own"; return 1 ;;
  esac
  if ! _terma_start_agent; then
    complaint="$_terma_bin is not a command here; pipx install xontrib-terma, then try again"
    return 1
  fi
  _terma_say dim $'terma: starting the agent\n'
  while _terma_hear 2>/dev/null; do :; done
  local said=${_terma_input%%$'\n'*}
  { exec {_terma_fd}<&- } 2>/dev/null
  complaint= _terma_input= _terma_fd=
  _terma_connect && return
  complaint=${${said:-the agent did not start; terma doctor says why}#terma: }
  return 1
}

# _terma_hear -> _terma_input grows. Status 1 at the end, which complaint explains.
_terma_hear() {
  local patience=${TERMA_WHY_TIMEOUT-}
  if [[ $patience != (<1->|<->.<->) ]]; then patience=60; fi
  sysread -i $_terma_fd -s 65536 -t $patience chunk
  case $? in
    0) _terma_input+=$chunk; return 0 ;;
    4) complaint="nothing came from the agent for $patience s; terma agent restart" ;;
    *) complaint='the agent went away; ask again' ;;
  esac
  return 1
}

# _terma_why_frame: acts on the frame in _terma_fields. Status 1 when it was the last one.
_terma_why_frame() {
  if [[ $_terma_fields[1] == hello && $_terma_fields[2] != 1 ]]; then
    complaint='the agent speaks another version; terma agent restart'
    return 1
  fi
  if [[ $_terma_fields[2] != "$_terma_id" && "$_terma_fields[1,2]" != 'error -' ]]; then return 0; fi
  case $_terma_fields[1] in
    say) _terma_say "$_terma_fields[3]" "$_terma_fields[4]" ;;
    fix) _terma_keep_fix "$_terma_fields[3]" "$_terma_fields[4]" "$_terma_fields[5]" ;;
    error) complaint="$_terma_fields[4]${_terma_fields[5]:+; $_terma_fields[5]}"; return 1 ;;
    done) return 1 ;;
  esac
}

# _terma_say STYLE TEXT: on the screen, in one write, so that no style is left half-way.
_terma_say() {
  local REPLY style=
  _terma_clean "$2"
  if (( ${#:-·} != 1 )); then REPLY=${${${REPLY//·/-}//⚠/!!}//[^[:ascii:]]/}; fi # a locale of bytes
  if [[ -z $REPLY ]]; then return 0; fi
  length+=$#REPLY
  if (( length > 200000 )); then complaint='the answer is far too long'; return 1; fi
  if [[ -n ${NO_COLOR-} ]]; then REPLY=${REPLY//⚠/!!}; fi
  if [[ -n $colours ]]; then
    case $1 in
      bold|head) style=1 ;;
      code) style=36 ;;
      dim) style=2 ;;
      warn) style='1;33' ;;
      danger) style='1;31' ;;
    esac
  fi
  unfinished=1
  if [[ $REPLY == *$'\n' ]]; then unfinished=0; fi
  if [[ -n $style ]]; then REPLY=$'\e['${style}m$REPLY$'\e[0m'; fi
  print -rn -- "$REPLY"
}

# `terma`, for what concerns the last command: `terma why`, `terma last`, `terma "why is that"`. All else is passed on.
_terma_define() {
  alias -- '?why=_terma_why #'
  if functions terma >/dev/null || alias terma >/dev/null; then return 0; fi
  terma() {
    case ${1-} in
      ''|why|last|recipe|ask|chat|-*|*[[:space:]]*)
        TERMA_LAST_COMMAND=$_terma_command TERMA_LAST_STATUS=$_terma_command_status \
          TERMA_LAST_DURATION=$_terma_command_duration TERMA_LAST_DIR=$_terma_command_dir \
          TERMA_LAST_STATUSES=$_terma_command_statuses TERMA_LAST_SHELL=zsh command "$_terma_bin" "$@" ;;
      *) command "$_terma_bin" "$@" ;;
    esac
  }
}
