# terma: the marks that `terma shell` reads: OSC 133 with a nonce, from the hooks and not from the prompt, no fork.
# Loaded in a recorded shell alone. A shell in another terminal (a tmux within, say) inherits the names but is not
# recorded: there they are taken away, so that nobody takes the other terminal's recording for its own.

_terma_mark_setup() {
  if [[ -n ${_terma_marks-} ]]; then return; fi
  if [[ $TTY != ${TERMA_RECORDING_TTY-} ]]; then
    unset TERMA_RECORDING TERMA_RECORDING_TTY TERMA_RECORDING_HOOKS TERMA_RECORDING_PAD
    unfunction -m '_terma_mark_*'
    return
  fi
  typeset -g _terma_marks=";terma=${${TERMA_RECORDING:t:r}##*-};aid=$$" _terma_mark_open=
  typeset -ga precmd_functions preexec_functions
  precmd_functions=(_terma_mark_precmd ${precmd_functions:#_terma_mark_precmd})
  preexec_functions=(${preexec_functions:#_terma_mark_preexec} _terma_mark_preexec)
}

# _terma_mark_encode TEXT -> REPLY: percent-encoded, byte by byte; the first 2048 of them.
_terma_mark_encode() {
  emulate -L zsh -o extended_glob -o no_multibyte -o no_xtrace
  local MATCH
  local -i MBEGIN MEND
  REPLY=${${1[1,2048]}//(#m)[^A-Za-z0-9 _.\/:=,@+-]/%${(l:2::0:)$(( [##16] #MATCH ))}}
}

# Last of the hooks: what others print before a command is not its output.
_terma_mark_preexec() {
  emulate -L zsh -o no_xtrace
  local REPLY mark
  _terma_mark_encode "$PWD"
  mark="$_terma_marks;cwd_url=$REPLY"
  _terma_mark_encode "${1:-$3}" # $1 is empty when a zshaddhistory hook rejected the line
  { print -rn -- $'\e]133;C'"$mark;cmdline_url=$REPLY"$'\a' >$TTY } 2>/dev/null
  _terma_mark_open=1
}

# First of the hooks, for the same reason.
_terma_mark_precmd() {
  local -i code=$?
  emulate -L zsh -o no_xtrace
  local marks=
  if [[ -n $_terma_mark_open ]]; then marks=$'\e]133;D;'$code$_terma_marks$'\a'; fi
  _terma_mark_open=
  if [[ ${PROMPT-} != *'133;A'* ]]; then marks+=$'\e]133;A'$_terma_marks$'\a'; fi # the prompt may have marks of its own
  { print -rn -- $marks >$TTY } 2>/dev/null
}

_terma_mark_setup
