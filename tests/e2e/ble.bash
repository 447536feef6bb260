# What ble.sh does to others in a bash: a loop of shell code edits the line, readline never sees it. `bind` fills a table of
# its own; what `bind -x` names is called with READLINE_LINE and READLINE_POINT as plain variables and the terminal as its
# input; ^C is a key; PIPESTATUS is not what it was (BLE_PIPESTATUS is); PS0, the history and PROMPT_COMMAND are its affair.
# A stand-in for tests, with the few keys that they press.
# shellcheck shell=bash
BLE_VERSION=0.4.0 BLE_ATTACHED=''
declare -A _b_keys=()
blehook() { :; }

# _b_decode SEQUENCE -> REPLY: its bytes.
_b_decode() {
  local rest=$1 char
  REPLY=''
  while [[ -n $rest ]]; do
    case $rest in
      '\C-'?*)
        printf -v char %d "'${rest:3:1}"
        if ((char > 96)); then char=$((char - 32)); fi
        printf -v char '\\%03o' $((char & 31))
        printf -v char %b "$char"
        rest=${rest:4} ;;
      '\e'*) char=$'\e' rest=${rest:2} ;;
      '\'[0-7][0-7][0-7]*) printf -v char %b "\\0${rest:1:3}"; rest=${rest:4} ;;
      '\'?*) char=${rest:1:1} rest=${rest:2} ;;
      *) char=${rest:0:1} rest=${rest:1} ;;
    esac
    REPLY+=$char
  done
}

bind() {
  builtin bind "$@" 2>/dev/null
  local code=$? map=emacs-standard kind='' REPLY keys value
  while (($#)); do
    case $1 in
      -m) map=$2; shift ;;
      -x) kind=x ;;
      -r) if [[ $map == emacs-standard ]]; then _b_decode "$2"; unset "_b_keys[$REPLY]"; fi; return ;;
      -*) return "$code" ;;
      '"'*'": '*)
        if [[ $map != emacs-standard ]]; then return; fi
        keys=${1#'"'} value=${1#*'": '}
        _b_decode "${keys%%'": '*}"
        keys=$REPLY
        if [[ -z $kind && $value == '"'* ]]; then
          value=${value#'"'}
          _b_decode "${value%'"'}"
          value=$REPLY kind=m
        fi
        _b_keys[$keys]="${kind:-f} $value" ;;
    esac
    shift
  done
}

_b_draw() { printf '\r\e[K%s%s' "${PS1@P}" "$READLINE_LINE"; }

# _b_next -> char: of what a macro left, else a key.
_b_next() {
  if [[ -n $_b_left ]]; then
    char=${_b_left:0:1} _b_left=${_b_left:1}
  else
    IFS= read -r -s -d '' -n 1 char
  fi
}

_b_begins() {
  local key
  for key in "${!_b_keys[@]}"; do if [[ $key == "$1"?* ]]; then return 0; fi; done
  return 1
}

# One line, in READLINE_LINE. Status 1 when ^C gave it up.
_b_edit() {
  local char sequence was
  local -a undo=()
  READLINE_LINE='' READLINE_POINT=0 _b_left=''
  printf '\e[?2004h'
  while :; do
    _b_draw
    sequence='' was=$READLINE_LINE
    _b_next
    sequence=$char
    while _b_begins "$sequence"; do _b_next; sequence+=$char; done
    case ${_b_keys[$sequence]-} in
      'x '*) eval -- "${_b_keys[$sequence]#x }" ;;
      'm '*) _b_left=${_b_keys[$sequence]#m }$_b_left ;;
      'f undo') if ((${#undo[@]})); then READLINE_LINE=${undo[-1]} was=$READLINE_LINE; unset 'undo[-1]'; fi ;;
      'f accept-line') return 0 ;;
      *)
        case $sequence in
          $'\r' | $'\n') return 0 ;;
          $'\x03') return 1 ;;
          $'\x01') READLINE_POINT=0 ;;
          $'\x05') READLINE_POINT=${#READLINE_LINE} ;;
          $'\x15') READLINE_LINE=${READLINE_LINE:READLINE_POINT} READLINE_POINT=0 ;;
          [[:print:]])
            READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}$sequence${READLINE_LINE:READLINE_POINT}
            READLINE_POINT=$((READLINE_POINT + 1)) ;;
        esac ;;
    esac
    if [[ $READLINE_LINE != "$was" ]]; then undo+=("$was"); fi
  done
}

_b_status() { return "$1"; }

_b_prompt() {
  local each
  for each in "${PROMPT_COMMAND[@]}"; do
    _b_status "$_b_code"
    eval -- "$each"
  done
}

_b_run() {
  local line=$READLINE_LINE
  unset READLINE_LINE READLINE_POINT
  if [[ -z $line ]]; then return; fi
  history -s -- "$line"
  printf %s "${PS0@P}"
  _b_code=2 BLE_PIPESTATUS=(2)
  eval -- "$line"$'\n''_b_code=$? BLE_PIPESTATUS=("${PIPESTATUS[@]}")'
}

_b_attach() {
  local cooked
  BLE_ATTACHED=1 _b_code=0
  PROMPT_COMMAND=${PROMPT_COMMAND//$'\n'_b_attach}
  _b_keys[$'\x1d']='x _test_probe' # the driver's key, which was bound before
  cooked=$(stty -g)
  while :; do
    stty -echo -icanon -icrnl intr undef
    if _b_edit; then printf '\e[?2004l\n'; else printf '\e[?2004l^C\n'; READLINE_LINE='' _b_code=130; fi
    stty "$cooked"
    _b_run
    _b_prompt
  done
}
