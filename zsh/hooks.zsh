# terma: remembers the last command, its exit status, duration and directory. Plain variables, no fork, no socket.

# Loaded anew (`source ~/.zshrc`): what the parts have open ends first, since what follows forgets that it is open.
if (( $+functions[_terma_let_go] )); then _terma_let_go; fi

typeset -g _terma_command= _terma_command_status= _terma_command_duration= _terma_command_dir= _terma_command_start=
typeset -g _terma_unread= # a line that was accepted and has not run: so far, or for ever where it cannot be parsed
typeset -ga _terma_aborted # ZLE_LINE_ABORTED as it was when the line was accepted
typeset -g _terma_command_statuses= # of the commands of its last pipeline, a blank between
typeset -ga _terma_fixes _terma_fix_risks # what the last explanation offers, until something else runs
typeset -gi _terma_unfixable=0 # the agent knows no fix of that
typeset -gi _terma_answered=0 # a conversation was asked since: its answer may hold a command

# The status does not tell a line that was interrupted at a continuation prompt from one that cannot be parsed: a widget
# that the ^C meets puts the status back. zle sets ZLE_LINE_ABORTED, so that is away until the line is run or given up.
_terma_hide_aborted() {
  if (( $+ZLE_LINE_ABORTED )); then _terma_aborted=("$ZLE_LINE_ABORTED"); unset ZLE_LINE_ABORTED; fi
}
_terma_restore_aborted() {
  if (( $#_terma_aborted && ! $+ZLE_LINE_ABORTED )); then typeset -g ZLE_LINE_ABORTED=$_terma_aborted[1]; fi
  _terma_aborted=()
}

_terma_preexec() {
  emulate -L zsh -o no_xtrace -o extended_glob
  _terma_unread=
  if (( $#_terma_aborted || ! $+EPOCHREALTIME )); then
    _terma_restore_aborted
    zmodload -F zsh/datetime p:EPOCHREALTIME
  fi
  # A question is not what is asked about. An alias may lead to terma, so it is $3, what runs, that tells.
  # Behind a variable that is set for it, what runs it or its folder it is terma, too.
  if [[ $3 == *terma* && $3 == ([A-Za-z_][A-Za-z0-9_]#=[^[:space:]]#[[:space:]]##|(command|time|nice|noglob|nocorrect|env)[[:space:]]##)#(_terma_why|([^[:space:]]#/|)(python[0-9.]#[[:space:]]##-m[[:space:]]##|)terma)(|[[:space:]';&|']*) ]]; then
    _terma_note_question "$3"
    return 0
  fi
  _terma_fixes=() _terma_unfixable=0 _terma_answered=0
  if [[ $3 == *'|'[[:space:]]#terma(|[[:space:]]*) ]]; then _terma_answered=1; fi # what is piped into a question
  # $1 is empty when a zshaddhistory hook rejected the line; $3 is what runs.
  _terma_command=${1:-$3} _terma_command_dir=$PWD _terma_command_start=$EPOCHREALTIME
}

# _terma_note_question LINE: the words of a question to a conversation and not of another command of terma's.
_terma_note_question() {
  local -a words=(${(Q)${(z)1}})
  words=("${(@)words[${words[(i)(*/|)terma]},-1]}")
  if (( ! $#words )); then return 0; fi # ?why
  if [[ ${words[2]-} == (|ask|chat|-*) || -n ${(M)words:#*[[:space:]]*} ]]; then
    _terma_fixes=() _terma_answered=1
  fi
}

# A trap that returns (another one's, on ^C) ends the next function that is called, which is the first hook: this one.
_terma_before_hooks() { }

_terma_precmd() {
  local code=$? statuses="${(j: :)pipestatus}" # read first: the hook must see what the user's command left
  emulate -L zsh -o no_xtrace
  local ran=$_terma_command_start
  # Without a start nothing ran since the last prompt (an empty Enter, ^C): what is remembered stands.
  if [[ -n $_terma_command_start ]]; then
    _terma_command_status=$code _terma_command_statuses=$statuses
    _terma_command_duration=${$(( (EPOCHREALTIME - _terma_command_start) * 1e6 ))%.*}
    _terma_command_start=
    if (( code )) && _terma_has_failed; then _terma_hint_soon; fi
  elif [[ -n $_terma_unread ]] && (( ! $+ZLE_LINE_ABORTED )); then
    # Accepted, not run and not interrupted: a syntax error. It tells preexec nothing and may leave an older status.
    _terma_command=$_terma_unread _terma_command_status=1 _terma_command_duration=0 _terma_command_dir=$PWD
    _terma_command_statuses=
    _terma_fixes=() _terma_unfixable=0 _terma_answered=0
    _terma_hint_soon
  fi
  _terma_unread=
  # One test, so that a prompt after which nothing is left to put in order costs next to nothing.
  if [[ -n $_terma_phase$_terma_finish_wrapped$_terma_lent || $#_terma_aborted -gt 0 || $_terma_is_bound -eq 0 ||
    $widgets[zle-line-finish] != user:_terma_line_accepted ]]; then _terma_settle; fi
}

_terma_settle() {
  if (( $#_terma_aborted )); then _terma_restore_aborted; fi
  if [[ -n $_terma_phase$_terma_finish_wrapped ]]; then
    if [[ -n $_terma_phase && -z $ran ]] && (( $+ZLE_LINE_ABORTED )); then _terma_was_given_up; fi
    _terma_reset
  fi
  if [[ -n $_terma_lent ]]; then _terma_take_back; fi
  if (( ! _terma_is_bound )); then _terma_is_bound=1; _terma_bind; fi
  _terma_watch_lines
}
