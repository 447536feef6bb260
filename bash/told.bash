# terma: what each piece of the line does, below it, before it runs: the explanation of a key of its own, and of the key on a
# line that is a command already. It is asked and waited for as an answer is, but what stood on the line stands there still.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_pieces=() _terma_piece_levels=()

# _terma_tell STATUS KEYMAP. On an empty line, and again on an explained one, the key does what it did before terma: status 3
# when that is a command of bind -x. What _terma_converse keeps of an answer is this function's own meanwhile.
_terma_tell() {
  local -
  set +eEuxvT +o posix 2>/dev/null
  local IFS=$' \t\n' REPLY map=$2 was=$_terma_told
  local sentence=$READLINE_LINE point=$READLINE_POINT keys='' stop=''
  local r='' pid='' idle='' idle_pid='' on_interrupt='' kind=explain error='' again=''
  local -a patience=(-t 0.3)
  local prompt='' prompt_rows=0 prompt_column=0 below=0 tty=''
  local typed='' replay='' note='' risk='' text=''
  local _terma_sentence=$sentence _terma_sentence_point _terma_attempt=0 _terma_kept='' _terma_kept_note=''
  local _terma_shown_note='' _terma_wants_list='' _terma_asks_list='' _terma_wants_near=0
  _terma_unhook_keys
  if [[ -n $_terma_replaying ]]; then
    bind -m "$_terma_replaying" "\"$_terma_second\": \"\""
    _terma_replaying=
  fi
  _terma_told=''
  if [[ $sentence != *[![:space:]]* || $sentence == "$was" ]]; then
    case ${_terma_explain_displaced[$map]-} in
      'x '*) return 3 ;;
      'b '*)
        bind -m "$map" "\"$_terma_second\": ${_terma_explain_displaced[$map]#b }"
        _terma_replaying=$map ;;
    esac
    if [[ -n $was ]]; then printf '\e[J' >&2; fi
    return 0
  fi
  _terma_point_from_readline
  _terma_sentence_point=$point
  local _terma_drawn='' # the answer that stands there is one still
  _terma_converse "$1"
}

# _terma_list_named LINE -> named: fields with those aliases and functions of this shell that the line has as words.
_terma_list_named() {
  local - word known='' functions='' marks='[|;&()`]'
  local -a words
  set -f
  # shellcheck disable=SC2206 # split into words on purpose
  words=(${1//$marks/ })
  for word in "${words[@]}"; do
    if [[ -z $word || $word == *[\[\]\'\"\$\\]* ]]; then continue; fi
    if [[ -n ${BASH_ALIASES[$word]-} && ${BASH_ALIASES[$word]} != *$'\n'* ]]; then
      known+=$word=${BASH_ALIASES[$word]:0:2000}$'\n'
    fi
    if declare -F -- "$word" >/dev/null; then functions+="$word "; fi
  done
  named=(${known:+"named=$known"} ${functions:+"functions=$functions"} ${NO_COLOR:+"plain=1"})
}

# A `piece` frame: the level of its risk, and its row.
_terma_keep_piece() {
  if ((${#_terma_pieces[@]} >= 200)); then return 0; fi
  _terma_clean "${_terma_fields[3]-}"
  REPLY=${REPLY//[$'\n\t']/ }
  if ! _terma_is_utf8; then
    REPLY=${REPLY//…/\~}
    REPLY=${REPLY//[![:ascii:]]/}
  fi
  _terma_pieces+=("$REPLY") _terma_piece_levels+=("${_terma_fields[2]-}")
}

# _terma_lay_pieces -> REPLY: the rows, dim, and red where the risk is.
_terma_lay_pieces() {
  local -i i count=${#_terma_pieces[@]}
  local colour off=$'\e[0m'
  REPLY=''
  for ((i = 0; i < count; i++)); do
    case ${_terma_piece_levels[i]} in
      '') colour=$'\e[2m' ;;
      high) colour=$'\e[1;31m' ;;
      *) colour=$'\e[31m' ;;
    esac
    if [[ -n ${NO_COLOR-} ]]; then colour='' off=''; fi
    REPLY+=$colour${_terma_pieces[i]}$off
    if ((i < count - 1)); then REPLY+=$'\r\n'; fi
  done
}
