# terma: what is said where the terminal cannot be drawn on: there is no key there, and nothing else of terma is loaded.
# shellcheck shell=bash

if [[ $- == *i* && ${TERM-} == dumb && -z ${TERMA_DISABLE-} ]]; then
  _terma_is_dumb() {
    \builtin printf '%s\n' 'terma: TERM=dumb cannot be drawn on, so its key and ?why are not here;' \
      '  terma suggest "your words" and terma "a question" work' >&2
    \builtin return 1
  }
  \builtin alias -- '?why=_terma_is_dumb #'
  if [[ $(\builtin bind -q transpose-chars 2>/dev/null) == *'\C-t'* ]]; then
    \builtin bind -x '"\C-t": _terma_is_dumb' 2>/dev/null
  fi
fi
