# terma: the marks of a session's zsh (OSC 133 with a nonce), and what would garble a command that is pasted.
# C and D from the hooks, B at the end of the prompt: when it is drawn, every line of what was pasted has run.
_terma_session_mark=";terma=$TERMA_SESSION_MARK"
_terma_session_drops=${TERMA_SESSION_DROPS-} # lines that were typed while a command ran are not for this shell
unset TERMA_SESSION_MARK TERMA_SESSION_HOOKS TERMA_SESSION_DROPS HISTFILE # a program's commands do not go into the person's history
setopt no_bang_hist no_prompt_sp interactive_comments hist_ignore_space # nor what terma asks into its own
zle -A .bracketed-paste bracketed-paste # url-quote-magic and its like change what is pasted

_terma_session_preexec() {
  { print -rn -- $'\e]133;C'"$_terma_session_mark"$'\a' >$TTY } 2>/dev/null
}

_terma_session_precmd() {
  local -i code=$?
  if (( ${+_terma_session_asked} )); then return $code; fi
  {
    if [[ -n $_terma_session_drops && -t 0 ]]; then
      local dropped
      while IFS= read -r -t 0 dropped; do :; done
    fi
  } 2>/dev/null # no trace of it
  { print -rn -- $'\e]133;D;'$code"$_terma_session_mark"$'\a' >$TTY } 2>/dev/null
  return $code
}

_terma_session_prompt() {
  local -i code=$?
  if (( ${+_terma_session_asked} )); then return $code; fi
  local end=$'%{\e]133;B'"$_terma_session_mark"$'\a%}' more=$'%{\e]133;A;k=c'"$_terma_session_mark"$'\a%}'
  if [[ $PS1 != *$end* ]]; then PS1+=$end; fi # a prompt of theirs may write it anew each time
  if [[ $PS2 != *$more* ]]; then PS2=$more$PS2; fi
  return $code
}

# D is the first thing after a command; the prompt is completed behind all who write it.
_terma_session_setup() {
  typeset -ga precmd_functions preexec_functions
  precmd_functions=(_terma_session_precmd ${precmd_functions:#_terma_session_p*} _terma_session_prompt)
  preexec_functions=(${preexec_functions:#_terma_session_preexec} _terma_session_preexec)
}
# Entered behind what may take the marks away: a start-up file that is read again.
_terma_session_keep() {
  local -i code=$?
  _terma_session_setup
  return $code
}

# Around a command in a shell that draws its prompt without marks (a readonly PS1).
_terma_session_begin() {
  local -i code=$?
  typeset -g _terma_session_asked=1
  print -rn -- $'\e]133;C'"$_terma_session_mark"$'\a' >$TTY
  return $code
}
_terma_session_end() {
  local -i code=$?
  typeset -g _terma_session_asked=1
  print -rn -- $'\e]133;D;'$code"$_terma_session_mark"$'\a\e]133;B'"$_terma_session_mark"$'\a' >$TTY
  return $code
}
_terma_session_setup
