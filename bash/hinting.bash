# terma: how a hint without a key begins in bash: what the prompt behind a failure does for it, and what comes of that while
# the prompt stands. What is asked and shown then is in hint.bash, which no prompt needs.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_hint_map='' _terma_hint_was='' _terma_hint_asks='' _terma_hint_under='' _terma_hint_strings='' _terma_reply_was=()
_terma_mode_shown=off _terma_mode_emacs=@ _terma_mode_ins='(ins)' _terma_mode_cmd='(cmd)' # what readline shows of its mode

# Behind a failure, where the person said yes to hints: this prompt asks the terminal for its state, in the place where
# readline can show its mode: so it is written when readline has the terminal. Drawn anew it would ask again; so the answer
# is a macro that goes by way of readline's other mode, in which nothing is shown. What comes between (_terma_hint_key) is
# done while the prompt stands.
_terma_hint_soon() {
  if [[ $_terma_status == 130 || $_terma_status == 148 || -n ${BLE_VERSION-} || ! -t 0 || ! -t 1 ]] ||
    ! _terma_hint_is_wanted || read -r -t 0 -u 0; then
    return 0
  fi
  _terma_hint_map="emacs-standard"
  if [[ -o vi ]]; then _terma_hint_map=vi-insert; fi
  if [[ -z $_terma_hint_was ]]; then _terma_hint_prepare; fi
  if [[ -n ${_terma_reply_was-} ]]; then _terma_hint_bind; fi
  if [[ $_terma_hint_strings != "$_terma_hint_map" ]]; then _terma_hint_set_strings; fi
  bind 'set show-mode-in-prompt on'
  _terma_hint_asks=1
}

# What readline would show of its mode: the question, and nothing in the other mode. They stay where nobody sees them.
_terma_hint_set_strings() {
  local ask=$'\1\e[5n\2' emacs='' ins=''
  if [[ $_terma_mode_shown == on ]]; then emacs=$_terma_mode_emacs ins=$_terma_mode_ins; fi
  _terma_hint_strings=$_terma_hint_map
  if [[ $_terma_hint_map == vi-insert ]]; then
    bind 'set emacs-mode-string ""' "set vi-ins-mode-string \"$ins$ask\""
  else
    bind 'set vi-ins-mode-string ""' "set emacs-mode-string \"$emacs$ask\""
  fi
}

# Once: the steps of that macro, in either mode; neither moves the cursor, as vi's command mode would on a line that was begun
# before the answer came. fzf's completion has a use for the terminal's answer.
_terma_hint_prepare() {
  _terma_hint_was=1
  if bind -m "$_terma_hint_map" -q redraw-current-line >/dev/null; then
    if [[ -z ${_terma_core-} ]] || _terma_load_core; then _terma_read_reply_key; fi
  fi
  bind -m emacs-standard '"\e[7773;1~": vi-editing-mode'
  bind -m vi-insert '"\e[7773;1~": emacs-editing-mode'
  bind -m vi-insert -x '"\e[7773;2~": _terma_hint_key emacs-standard "$_"'
  bind -m emacs-standard -x '"\e[7773;2~": _terma_hint_key vi-insert "$_"'
  bind -m vi-insert '"\e[7773;3~": emacs-editing-mode'
  bind -m emacs-standard '"\e[7773;3~": vi-editing-mode'
  _terma_hint_bind
}

_terma_hint_bind() {
  bind -m emacs-standard '"\e[0n": "\e[7773;1~\e[7773;2~\e[7773;3~"'
  bind -m vi-insert '"\e[0n": "\e[7773;1~\e[7773;2~\e[7773;3~"'
}

# Whether the person said yes: the variable, else a line of the file before its first table. The agent reads both anew.
_terma_hint_is_wanted() {
  case ${TERMA_HINTS-} in
    0 | [fF] | [fF][aA][lL][sS][eE] | [nN] | [nN][oO] | [oO][fF][fF]) return 1 ;;
    ?*) return 0 ;;
  esac
  local file=${XDG_CONFIG_HOME:-$HOME/.config}/terma/config.toml line
  local -a lines
  if [[ ! -f $file || ! -r $file ]]; then return 1; fi
  mapfile -t lines <"$file"
  for line in "${lines[@]}"; do
    case $line in
      '#'* | '') ;;
      '['* | [[:blank:]]*'['*) return 1 ;;
      *hints*) if [[ $line =~ ^[[:blank:]]*hints[[:blank:]]*=[[:blank:]]*true[[:space:]]*(#.*)?$ ]]; then return 0; fi ;;
    esac
  done
  return 1
}

# The prompt asks nothing more, and readline shows of its mode what it did.
_terma_hint_asked() {
  _terma_hint_asks=''
  bind "set show-mode-in-prompt $_terma_mode_shown"
  if [[ $_terma_mode_shown != on ]]; then return 0; fi
  _terma_hint_strings=''
  bind "set emacs-mode-string \"$_terma_mode_emacs\"" \
    "set vi-ins-mode-string \"$_terma_mode_ins\"" "set vi-cmd-mode-string \"$_terma_mode_cmd\""
}

# The terminal's answer at a prompt of KEYMAP. Another one, to a prompt that was drawn twice, is nobody's.
_terma_hint_key() {
  local code=$?
  if [[ -z $_terma_hint_asks ]]; then return 0; fi
  _terma_hint_asked
  if [[ -n $READLINE_LINE ]] || read -r -t 0 -u 0; then return 0; fi
  if [[ -n ${_terma_core-} ]] && ! _terma_load_core; then return 0; fi
  _terma_hint_under=$1
  _terma_hint "$code" "$1"
  _terma_hint_under=''
}

# At the next prompt: the answer is the key of whose it was, and what ^C has left half-way is put right.
_terma_hint_over() {
  local line map
  if [[ -n $_terma_hint_asks ]]; then
    _terma_hint_asked
    # A ^C behind the first step of the macro, before we were called: readline is in the other mode, and nothing ran.
    if [[ -z $_terma_began ]]; then
      case $_terma_hint_map in
        emacs*) if [[ -o vi ]]; then set -o emacs; fi ;;
        vi*) if [[ ! -o vi ]]; then set -o vi; fi ;;
      esac
    fi
  fi
  for line in "${_terma_reply_was[@]}"; do
    map=${line#* }
    case $line in
      ?' vi-command '*) ;;
      'X '*) bind -m "${map%% *}" -x "${map#* }" ;;
      *) bind -m "${map%% *}" "${map#* }" ;;
    esac
  done
  _terma_hint_map=''
  case $_terma_hint_under in
    '') return 0 ;;
    emacs*) set -o emacs ;;
    vi*) set -o vi ;;
  esac
  _terma_hint_under=''
  _terma_hint_end
}
