# terma starts a session's zsh with ZDOTDIR set to this directory. Everything is put back before anything else is
# read; then the person's own .zshenv is read, and zsh goes on to their other files by itself.
if [[ -n ${TERMA_SESSION_ZDOTDIR+set} ]]; then
  ZDOTDIR=$TERMA_SESSION_ZDOTDIR
else
  unset ZDOTDIR
fi
unset TERMA_SESSION_ZDOTDIR

# At the first prompt, behind all of theirs.
_terma_session_first() {
  precmd_functions=(${precmd_functions:#_terma_session_first})
  unfunction _terma_session_first
  builtin source "$TERMA_SESSION_HOOKS/session.zsh"
  if (( $+functions[_terma_session_precmd] )); then _terma_session_precmd; _terma_session_prompt; fi
}

if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
  source ${ZDOTDIR-$HOME}/.zshenv
fi
precmd_functions+=(_terma_session_first)
