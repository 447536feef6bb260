# terma: what is said where the terminal cannot be drawn on: there is no key there, and nothing else of terma is loaded.

if [[ -o interactive && ${TERM-} == dumb && -z ${TERMA_DISABLE-} ]]; then
  _terma_is_dumb() {
    if [[ -n ${WIDGET-} ]]; then 'builtin' 'zle' '-I'; fi # below the line, which is drawn anew behind it
    'builtin' 'print' '-r' '--' 'terma: TERM=dumb cannot be drawn on, so its key and ?why are not here;' >&2
    'builtin' 'print' '-r' '--' '  terma suggest "your words" and terma "a question" work' >&2
    'builtin' 'return' 1
  }
  'builtin' 'alias' '--' '?why=noglob _terma_is_dumb'
  if [[ -o zle ]]; then
    'builtin' 'zle' '-N' _terma_is_dumb
    for _terma_map in emacs viins vicmd; do
      case "${TERMA_KEY:+ self-insert}$('builtin' 'bindkey' '-M' "$_terma_map" '^T')" in
        ' self-insert'* | *' transpose-chars' | *' self-insert' | *' undefined-key')
          'builtin' 'bindkey' '-M' "$_terma_map" '--' "${TERMA_KEY:-^T}" _terma_is_dumb ;;
      esac
    done
    'builtin' 'unset' _terma_map
  fi
fi
