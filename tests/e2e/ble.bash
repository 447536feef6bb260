# What ble.sh does to others in a bash: a loop of shell code edits the line, readline never sees it. `bind` fills a table of
# its own; what `bind -x` names is called with READLINE_LINE and READLINE_POINT as plain variables and the terminal as its
# input; ^C is a key, and the widget discard-line; the rows below the line are its info panel, which is empty behind each
# such command; what waits for a quiet moment (ble/util/idle) is called when no key is there; PIPESTATUS is not what it was
# (BLE_PIPESTATUS is); PS0, the history and PROMPT_COMMAND are its affair. The functions with a slash in their names are
# called and do as its own source says of those of that name. A stand-in for tests, with the few keys that they press.
# shellcheck shell=bash disable=SC2034
BLE_VERSION=0.4.0 BLE_ATTACHED=''
declare -A _b_keys=()
_b_tasks=() _ble_edit_info=(0 0 '') _ble_edit_str='' _ble_edit_ind=0
blehook() { :; }

ble/util/idle.push() { _b_tasks+=("$*"); }
ble/util/idle.wait-user-input() { ble_util_idle_status=I; }
ble/edit/info/immediate-show() { _ble_edit_info=(0 0 "$2"); _b_draw; }
ble/edit/info/immediate-default() { _ble_edit_info=(0 0 ''); _b_draw; }
ble-edit/content/reset-and-check-dirty() { _ble_edit_str=$1; }
ble/widget/discard-line() { _b_given_up=1; }
ble/function#advice/do() {
  "ble/function#advice/original:${ADVICE_WORDS[0]}" "${ADVICE_WORDS[@]:1}"
  ADVICE_EXIT=$?
}
# ble/function#advice around FUNCTION PROC
ble/function#advice() {
  local body
  body=$(declare -f "$2")
  eval "ble/function#advice/original:$2 ${body#"$2"}"
  eval "ble/function#advice/around:$2() { $3; }"
  eval "$2() { local ADVICE_WORDS=('$2' \"\$@\") ADVICE_EXIT=127; 'ble/function#advice/around:$2'; return \$ADVICE_EXIT; }"
}

# _b_idle: each task, while no key waits; one that asks for it comes again behind the next key.
_b_idle() {
  local each ble_util_idle_status
  local -a tasks=("${_b_tasks[@]}")
  if read -r -t 0; then return 0; fi
  _b_tasks=()
  for each in "${tasks[@]}"; do
    ble_util_idle_status=R
    eval -- "$each"
    if [[ $ble_util_idle_status == I ]]; then _b_tasks+=("$each"); fi
  done
}

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

# The prompt, the line and the panel below it; the cursor behind the line.
_b_draw() {
  local line=${PS1@P}$_ble_edit_str below=${_ble_edit_info[2]} rows
  printf '\r\e[J%s' "$line"
  if [[ -n $below ]]; then
    rows=${below//[!$'\n']/}
    printf '\r\n%s\e[%dA\r%s' "${below//$'\n'/$'\r\n'}" $((${#rows} + 1)) "$line"
  fi
}

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

# _b_edit_command COMMAND: what `bind -x` names. The panel is away meanwhile, and empty behind it.
_b_edit_command() {
  local -x READLINE_LINE=$_ble_edit_str READLINE_POINT=$_ble_edit_ind
  _ble_edit_info=(0 0 '')
  printf '\r\e[J'
  eval -- "$1"
  _ble_edit_str=$READLINE_LINE _ble_edit_ind=$READLINE_POINT
}

# One line, in _ble_edit_str. Status 1 when ^C gave it up.
_b_edit() {
  local char sequence was
  local -a undo=()
  _ble_edit_str='' _ble_edit_ind=0 _b_left='' _b_given_up=''
  printf '\e[?2004h'
  while :; do
    _b_draw
    if [[ -z $_b_left ]]; then _b_idle; fi
    sequence='' was=$_ble_edit_str
    _b_next
    sequence=$char
    while _b_begins "$sequence"; do _b_next; sequence+=$char; done
    case ${_b_keys[$sequence]-} in
      'x '*) _b_edit_command "${_b_keys[$sequence]#x }" ;;
      'm '*) _b_left=${_b_keys[$sequence]#m }$_b_left ;;
      'f undo') if ((${#undo[@]})); then _ble_edit_str=${undo[-1]} was=$_ble_edit_str; unset 'undo[-1]'; fi ;;
      'f accept-line') break ;;
      *)
        case $sequence in
          $'\r' | $'\n') break ;;
          $'\x03') ble/widget/discard-line ;;
          $'\x01') _ble_edit_ind=0 ;;
          $'\x05') _ble_edit_ind=${#_ble_edit_str} ;;
          $'\x15') _ble_edit_str=${_ble_edit_str:_ble_edit_ind} _ble_edit_ind=0 ;;
          [[:print:]])
            _ble_edit_str=${_ble_edit_str:0:_ble_edit_ind}$sequence${_ble_edit_str:_ble_edit_ind}
            _ble_edit_ind=$((_ble_edit_ind + 1)) ;;
        esac ;;
    esac
    if [[ -n $_b_given_up ]]; then break; fi
    if [[ $_ble_edit_str != "$was" ]]; then undo+=("$was"); fi
  done
  _ble_edit_info=(0 0 '')
  _b_draw
  [[ -z $_b_given_up ]]
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
  local line=$_ble_edit_str
  _ble_edit_str='' _ble_edit_ind=0
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
    if _b_edit; then printf '\e[?2004l\n'; else printf '\e[?2004l^C\n'; _ble_edit_str='' _b_code=130; fi
    stty "$cooked"
    _b_run
    _b_prompt
  done
}
