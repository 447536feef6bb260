# terma shell starts zsh with ZDOTDIR set to this directory. Everything is put back before anything else is read; then
# the person's own .zshenv is read, and zsh goes on to their other files by itself.
if [[ -n ${TERMA_RECORDING_ZDOTDIR+set} ]]; then
  ZDOTDIR=$TERMA_RECORDING_ZDOTDIR
else
  unset ZDOTDIR
fi
unset TERMA_RECORDING_ZDOTDIR

# At the first prompt, behind all of theirs. Where their .zshrc loads terma, the marks are there already.
_terma_mark_first() {
  emulate -L zsh -o no_aliases
  precmd_functions=(${precmd_functions:#_terma_mark_first})
  unfunction _terma_mark_first
  if [[ -z ${_terma_marks-} && -r ${TERMA_RECORDING_HOOKS-}/osc133.zsh ]]; then
    emulate zsh -o no_aliases -c 'builtin source $TERMA_RECORDING_HOOKS/osc133.zsh'
    if (( $+functions[_terma_mark_precmd] )); then _terma_mark_precmd; fi
  fi
}

if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
  source ${ZDOTDIR-$HOME}/.zshenv
fi
precmd_functions+=(_terma_mark_first)
