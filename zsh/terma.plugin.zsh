# terma for zsh: the entry for plugin managers and for `source`. `terma init zsh` prints shell_hooks/wire.sh and the
# same parts in the same order; nothing but this file depends on where it lies.

if [[ -o interactive && -o zle && ${TERM-} != dumb && -z ${TERMA_DISABLE-} ]]; then
  # `emulate -c` makes a parse of our own: no alias and no option of the user's reaches into it.
  'builtin' 'typeset' '-g' _terma_dir=${${(%):-%x}:A:h}
  'builtin' 'emulate' 'zsh' '-o' 'no_aliases' '-c' '
    builtin source "$_terma_dir/../shell_hooks/wire.sh"
    for _terma_part in hooks agent state interrupt stream list keys near half hint told widget fix why bind; do
      builtin source "$_terma_dir/$_terma_part.zsh"
    done'
  'builtin' 'eval' "${_terma_open-}" # what may not be shut in there
  'builtin' 'unset' _terma_dir _terma_part
elif [[ ${TERM-} == dumb ]]; then
  'builtin' 'source' "${${(%):-%x}:A:h}/dumb.zsh"
fi
