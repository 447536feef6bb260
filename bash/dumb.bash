# terma: what is said where the terminal cannot be drawn on: there is no key there, and nothing else of terma is loaded.
# shellcheck shell=bash

if [[ $- == *i* && ${TERM-} == dumb && -z ${TERMA_DISABLE-} ]]; then
  _terma_is_dumb() {
    \builtin printf '%s\n' 'terma: TERM=dumb cannot be drawn on, so its key and ?why are not here;' \
      '  terma suggest "your words" and terma "a question" work' >&2
    \builtin return 1
  }
  \builtin alias -- '?why=_terma_is_dumb #'
  # The key of terma's: a person's own, else Ctrl+T where it does what it does in every bash.
  _terma_dumb_bind() {
    \builtin local map key=${TERMA_KEY:-^T} sequence=''
    while [[ -n $key ]]; do
      case $key in
        '^['*) sequence+='\e' key=${key:2} ;;
        ^?*) sequence+="\\C-${key:1:1}" key=${key:2} ;;
        *) sequence+=${key:0:1} key=${key:1} ;;
      esac
    done
    for map in emacs-standard vi-insert vi-command; do
      if [[ -n ${TERMA_KEY-} || $(\builtin bind -m "$map" -q transpose-chars 2>/dev/null) == *'\C-t'* ]]; then
        \builtin bind -m "$map" -x "\"$sequence\": _terma_is_dumb" 2>/dev/null
      fi
    done
  }
  _terma_dumb_bind
  \builtin unset -f _terma_dumb_bind
fi
