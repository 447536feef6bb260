# terma: the marks of a session's bash (OSC 133 with a nonce), and what would garble a command that is pasted.
# C from PS0, D from PROMPT_COMMAND, B at the end of the prompt: readline draws it when every pasted line has run.
# shellcheck shell=bash
_terma_session_mark=";terma=$TERMA_SESSION_MARK"
unset TERMA_SESSION_MARK TERMA_SESSION_HOOKS HISTFILE # a program's commands do not go into the person's history
HISTCONTROL=ignorespace${HISTCONTROL:+:$HISTCONTROL} # nor what terma asks into its own
_terma_session_asked=0
_terma_session_drops=${TERMA_SESSION_DROPS-} # lines that were typed while a command ran are not for this shell
unset TERMA_SESSION_DROPS
set +H
shopt -s promptvars
bind 'set enable-bracketed-paste on' 2>/dev/null

_terma_session_first() {
  _terma_session_code=$?
  if ((_terma_session_asked)); then return "$_terma_session_code"; fi
  {
    if [[ $_terma_session_drops && -t 0 ]]; then
      while read -r -t 0; do
        if ! IFS= read -r -t 1 _terma_session_dropped; then break; fi
      done
      unset _terma_session_dropped
    fi
  } 2>/dev/null # no trace of it
  { printf '\e]133;D;%s%s\a' "$_terma_session_code" "$_terma_session_mark" >/dev/tty; } 2>/dev/null
  return "$_terma_session_code"
}

_terma_session_last() {
  case $PS1 in # a prompt of theirs may write it anew each time
  *"133;B$_terma_session_mark"*) ;;
  *) PS1=$PS1'\[\e]133;B'$_terma_session_mark'\a\]' ;;
  esac
  case $PS2 in
  *"133;A;k=c$_terma_session_mark"*) ;;
  *) PS2='\[\e]133;A;k=c'$_terma_session_mark'\a\]'$PS2 ;;
  esac
  case ${PS0-} in
  *"133;C$_terma_session_mark"*) ;;
  *) PS0=${PS0-}'\e]133;C'$_terma_session_mark'\a' ;;
  esac
  return "$_terma_session_code"
}

# A list stays a list and a string a string.
# shellcheck disable=SC2178,SC2128
_terma_session_setup() {
  case "${PROMPT_COMMAND[*]-}" in
  *_terma_session_first*_terma_session_last*) return ;;
  esac
  if [[ ${PROMPT_COMMAND+set} ]] && ((${#PROMPT_COMMAND[@]} > 1)); then
    PROMPT_COMMAND=(_terma_session_first "${PROMPT_COMMAND[@]}" _terma_session_last)
  else
    PROMPT_COMMAND=_terma_session_first${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}$'\n'_terma_session_last
  fi
}

# Entered behind what may take the marks away: a start-up file that is read again.
_terma_session_keep() {
  local code=$?
  _terma_session_setup
  return "$code"
}

# Around a command in a shell that draws its prompt without marks (readonly PS1 or PROMPT_COMMAND).
_terma_session_begin() {
  local code=$?
  _terma_session_asked=1
  printf '\e]133;C%s\a' "$_terma_session_mark" >/dev/tty
  return "$code"
}
_terma_session_end() {
  local code=$?
  _terma_session_asked=1
  printf '\e]133;D;%s%s\a\e]133;B%s\a' "$code" "$_terma_session_mark" "$_terma_session_mark" >/dev/tty
  return "$code"
}
_terma_session_setup
