# terma for bash: the entry for `source`. `terma init bash` prints shell_hooks/wire.sh and the same parts in the same
# order; nothing but this file depends on where it lies. Every file must parse under bash 3.2, which says so and stops.
# shellcheck shell=bash disable=SC1090 # the parts stand beside this file

if [[ $- == *i* && ${TERM-} != dumb && -z ${TERMA_DISABLE-} ]]; then
  _terma_aliases=
  if \shopt -q expand_aliases; then _terma_aliases=1; fi
  \shopt -u expand_aliases # no alias of the user's reaches into the functions below
  _terma_dir=${BASH_SOURCE[0]%"${BASH_SOURCE[0]##*/}"}
  . "${_terma_dir:-./}../shell_hooks/wire.sh"
  for _terma_part in hooks hinting transport draw below keys stream list near half hint told fix why widget after resized bind; do
    . "${_terma_dir:-./}$_terma_part.bash"
  done
  # The relay is kept as text, so that no path of it can break when terma is upgraded.
  if [[ $_terma_relay == @*@ ]]; then
    IFS= read -r -d '' _terma_relay <"${_terma_dir:-./}../shell_hooks/relay.py"
  fi
  if [[ -n $_terma_aliases ]]; then \shopt -s expand_aliases; fi
  unset _terma_dir _terma_part _terma_aliases
elif [[ ${TERM-} == dumb ]]; then
  _terma_dir=${BASH_SOURCE[0]%"${BASH_SOURCE[0]##*/}"}
  . "${_terma_dir:-./}dumb.bash"
  unset _terma_dir
fi
