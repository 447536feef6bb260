# terma: what Tab would offer in this bash. `. ask.bash CWORD LINE WORD…` in a subshell: nothing of it stays.
# One offer a line, behind a letter: q for what is to be quoted, r for what is not; Q and R where no blank follows.
exec 2> /dev/null < /dev/null
COMP_CWORD=$1 COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9 COMP_KEY=9
shift 2
COMP_WORDS=("$@") COMPREPLY=()
_terma_name=${COMP_WORDS[0]} _terma_word=${COMP_WORDS[COMP_CWORD]} _terma_before=${COMP_WORDS[COMP_CWORD - 1]}
_terma_options=

# A completion says so of itself while it runs; the builtin only believes it inside readline.
compopt() {
  while (($#)); do
    case $1 in
      -o) _terma_options+=" $2"; shift ;;
      +o) _terma_options=${_terma_options//" $2"/}; shift ;;
    esac
    shift
  done
}

_terma_specified() {
  local as # not set in the same breath: `local` is always content
  as=$(complete -p -- "$1") || as=$(complete -p -- "${1##*/}") || return
  eval "_terma_spec=($as)" # bash's own words for it, quoted by bash
}

_terma_loaded() { # the completion of a program may be read when it is first wanted
  local as
  as=$(complete -p -D) || return
  eval "local loader=($as)"
  local at
  for ((at = 1; at < ${#loader[@]}; at++)); do
    [[ ${loader[at]} == -F ]] || continue
    "${loader[at + 1]}" "$_terma_name" "$_terma_word" "$_terma_before"
    (($? == 124)) && _terma_specified "$_terma_name"
    return
  done
  return 1
}

_terma_offers() {
  local at how=()
  for ((at = 1; at < ${#_terma_spec[@]} - 1; at++)); do
    case ${_terma_spec[at]} in
      -F) "${_terma_spec[++at]}" "$_terma_name" "$_terma_word" "$_terma_before" ;;
      -C) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
        export COMP_LINE COMP_POINT COMP_TYPE COMP_KEY
        eval "${_terma_spec[at + 1]}"' "$_terma_name" "$_terma_word" "$_terma_before"'
      )
        ((at++)) ;;
      -o) compopt -o "${_terma_spec[++at]}" ;;
      -[AGWXPS]) how+=("${_terma_spec[at]}" "${_terma_spec[++at]}") ;;
      -*) how+=("${_terma_spec[at]}") ;;
    esac
  done
  ((${#how[@]})) && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "${how[@]}" -- "$_terma_word")
}

if _terma_specified "$_terma_name" || _terma_loaded; then
  _terma_offers > /dev/null
fi
_terma_letter=r
case $_terma_options in *\ filenames*) _terma_letter=q ;; esac
case $_terma_options in *\ nospace*) _terma_letter=${_terma_letter^} ;; esac
for _terma_word in "${COMPREPLY[@]:0:200}"; do
  case $_terma_word in
    *' ') printf '%s %s\n' "${_terma_letter,}" "${_terma_word% }" ;;
    *) printf '%s %s\n' "$_terma_letter" "$_terma_word" ;;
  esac
done
