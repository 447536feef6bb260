# terma: takes the key, keeps what it did before for the empty prompt, and says so once ever, at its first use. Done when
# loaded and again at the first prompt, so that it makes no difference whether fzf and the others are loaded before us or after.
# The parts share variables: what one assigns, another reads; '\' is a backslash.
# shellcheck shell=bash disable=SC2034,SC2154,SC1003

_terma_first='\C-x\C-^'  # runs the widget
_terma_second='\C-x\C-]' # and behind it what the widget leaves for readline to do, mostly nothing
_terma_fourth='\e[7774;1~' # runs the explanation
_terma_third='\C-x\C-_'  # readline's undo, for such a macro
_terma_replaying='' _terma_again='' _terma_fix_shown='' _terma_unbound='' _terma_key_byte='' _terma_key_name='' _terma_key_sequence='' _terma_unsaid=''

# _terma_read_key_setting: TERMA_KEY (`^T`, `^X^T`, or readline's own notation) for readline, for people, as a byte.
_terma_read_key_setting() {
  local key=${TERMA_KEY:-^T} char
  _terma_key_name=$key _terma_key_byte='' _terma_key_sequence=''
  if [[ $key == ^? || $key == '\C-'? ]]; then
    char=${key: -1}
    _terma_key_name=Ctrl+${char^^}
    printf -v char %d "'${char^^}"
    printf -v char '\\%03o' $((char & 31))
    printf -v _terma_key_byte %b "$char"
  fi
  _terma_sequence "$key"
  _terma_key_sequence=$REPLY
}

# _terma_sequence KEY -> REPLY: as readline writes it.
_terma_sequence() {
  local key=$1 char
  REPLY=''
  while [[ -n $key ]]; do
    case $key in
      '^['*) REPLY+='\e' key=${key:2} ;;
      ^?*) char=${key:1:1} REPLY+="\\C-${char,,}" key=${key:2} ;;
      '\'?*) REPLY+=${key:0:2} key=${key:2} ;;
      *) REPLY+=${key:0:1} key=${key:1} ;;
    esac
  done
}

# TERMA_WHY_KEY: `?why` by a key, with what stands on the line as the question.
_terma_bind_why() {
  local map REPLY
  _terma_sequence "$TERMA_WHY_KEY"
  for map in emacs-standard vi-insert vi-command; do
    bind -m "$map" "\"$REPLY\": \"\e[7771;1~\e[7771;2~\""
    bind -m "$map" -x '"\e[7771;1~": _terma_ask_why "$_"'
    bind -m "$map" '"\e[7771;2~": accept-line'
  done
}

_terma_ask_why() {
  local line=${READLINE_LINE#"${READLINE_LINE%%[![:space:]]*}"}
  READLINE_LINE="?why${line:+ $line}"
  READLINE_POINT=${#READLINE_LINE}
}

# _terma_read_explain_setting: TERMA_EXPLAIN_KEY, Alt+E where it is not set and no key where it is empty, and the keymaps
# that are to have it: in vi's Esc and a letter are two keys of vi's own, so there only a key that the person has chosen.
_terma_read_explain_setting() {
  local REPLY
  _terma_sequence "${TERMA_EXPLAIN_KEY-^[e}"
  _terma_explain_sequence=$REPLY _terma_explain_maps='emacs-standard'
  if [[ -n ${TERMA_EXPLAIN_KEY-} ]]; then _terma_explain_maps='emacs-standard vi-insert vi-command'; fi
}

# _terma_take_explain KEYMAP BEFORE: as _terma_take.
_terma_take_explain() {
  if [[ -z $_terma_explain_sequence || " $_terma_explain_maps " != *" $1 "* ]]; then return 0; fi
  _terma_explain_displaced[$1]=$2
  bind -m "$1" -r "$_terma_explain_sequence"
  bind -m "$1" "\"$_terma_explain_sequence\": \"$_terma_fourth$_terma_second\""
  bind -m "$1" -x "\"$_terma_fourth\": _terma_explain_key $1 \"\$_\""
}

_terma_explain_key() {
  local code=$?
  _terma_lost=$READLINE_LINE _terma_left=() # as for the key below
  if [[ -n ${_terma_core-} ]] && ! _terma_load_core; then
    _terma_lost=''
    return 0
  fi
  _terma_tell "$code" "$1"
  code=$? _terma_lost=''
  if ((code == 3)); then eval "${_terma_explain_displaced[$1]#x }"; fi # the user's own binding, under the user's options
}

# The key: KEYMAP, and "$_", which the call so leaves as it was. _terma_lost holds the words until ^C is a key, or a signal
# again: one that comes before that makes bash throw all of this away, and the next prompt gives them back.
_terma_key() {
  local code=$?
  if [[ -n ${_terma_thrown-} ]]; then _terma_drop_over; return 0; fi # the rest of what a ^C threw away
  _terma_lost=$READLINE_LINE _terma_left=()
  if [[ -n $_terma_lost && $_terma_lost == "${_terma_drawn-}" ]]; then _terma_lost=$_terma_sentence; fi
  if [[ -n $_terma_unsaid ]]; then _terma_say_once "$_terma_unsaid"; fi
  if [[ -n ${_terma_core-} ]] && ! _terma_load_core; then
    _terma_lost=''
    return 0
  fi
  _terma_ask "$code" "$1"
  code=$? _terma_lost=''
  if ((code == 3)); then eval "${_terma_displaced[$1]#x }"; fi # the user's own binding, under the user's options
}

# `terma init bash --install` writes all parts but hooks, hinting and bind to a file of their own, and its path to _terma_core:
# what no prompt needs is read at the first press.
_terma_load_core() {
  local aliases=-u
  if [[ ! -r $_terma_core ]]; then
    printf '%s\n' "terma: $_terma_core is gone; terma init bash --install writes it again" >&2
    return 1
  fi
  if shopt -q expand_aliases; then aliases=-s; fi
  shopt -u expand_aliases
  # shellcheck disable=SC1090 # a file that terma init has written
  . "$_terma_core"
  shopt "$aliases" expand_aliases
  _terma_core=''
}

# At load: the key, when it does what it does in every bash, or else a look at what it does.
_terma_bind_early() {
  local map start="\"$_terma_key_sequence\"" ours="\"$_terma_first$_terma_second\""
  if [[ $start == '"\C-t"' ]] && bind -m emacs-standard -q transpose-chars >/dev/null &&
    bind -m vi-insert -q transpose-chars >/dev/null && bind -m vi-command -q transpose-chars >/dev/null; then
    for map in emacs-standard vi-insert vi-command; do _terma_take "$map" ''; done
  else
    _terma_bind
  fi
}

# _terma_bind: in three keymaps. One fork, to read what the key does now.
_terma_bind() {
  local -
  local map kind='' line taken='' start="\"$_terma_key_sequence\"" ours="\"$_terma_first$_terma_second\""
  local explain="\"$_terma_explain_sequence\"" other='' last=$_terma_unbound all
  local IFS=$'\n' # split, not matched: a pattern over such lists takes a hundred times longer
  local -a lines
  set -f
  # shellcheck disable=SC2207 # split into lines on purpose; mapfile reads a pipe byte by byte
  lines=($(
    for map in emacs-standard vi-insert vi-command; do
      for kind in s X p; do
        if [[ $kind == p && -n $_terma_unbound ]]; then # 5 ms each: not a second time, but for one key cut out of it
          if [[ " $_terma_explain_maps " != *" $map "* ]]; then continue; fi
          all=$(\bind -m "$map" -p)
          all=$'\n'$all$'\n'
          if [[ $all != *$'\n'"$explain: "* ]]; then continue; fi
          all=${all#*$'\n'"$explain: "}
          \printf '=p\n%s: %s\n' "$explain" "${all%%$'\n'*}"
          continue
        fi
        \builtin echo "=$kind"
        \bind -m "$map" "-$kind"
      done
      \builtin echo "=$map"
    done 2>/dev/null
    \bind -v
  ))
  _terma_unbound='' map=''
  for line in "${lines[@]}"; do
    case $line in
      'set show-mode-in-prompt '*) _terma_mode_shown=${line##* } ;;
      'set emacs-mode-string '*) _terma_mode_emacs=${line#set emacs-mode-string } ;;
      'set vi-ins-mode-string '*) _terma_mode_ins=${line#set vi-ins-mode-string } ;;
      'set vi-cmd-mode-string '*) _terma_mode_cmd=${line#set vi-cmd-mode-string } ;;
      =?) kind=$line ;;
      =*)
        if [[ $map != "$ours" ]]; then _terma_take "${line#=}" "$map"; fi
        if [[ -n $last && $other != *"$_terma_fourth"* ]]; then _terma_take_explain "${line#=}" "$other"; fi
        map='' other='' ;;
      "$explain"[:\ ]*)
        if [[ -n $other ]]; then continue; fi
        line=${line#"$explain"}
        line=${line#:}
        line=${line# }
        case $kind in
          =X) line=${line#\"} line=${line%\"} line=${line//'\"'/'"'} other="x ${line//'\\'/'\'}" ;;
          *) if [[ $line != self-insert ]]; then other="b $line"; fi ;;
        esac ;;
      "$start"[:\ ]*)
        line=${line#"$start"}
        line=${line#:}
        line=${line# }
        if [[ -n $map ]]; then continue; fi # a macro is listed first, and bash 5.1 still lists the command before it
        case $kind in
          =s) map=$line; if [[ $line != "$ours" ]]; then map="b $line"; fi ;;
          =X) line=${line#\"} line=${line%\"} line=${line//'\"'/'"'} map="x ${line//'\\'/'\'}" ;;
          *) if [[ $line != transpose-chars && $line != self-insert ]]; then map="b $line"; fi ;;
        esac ;;
    esac
  done
  if [[ -n $taken ]]; then _terma_unsaid=$taken; fi
}

# _terma_take KEYMAP BEFORE: binds the key there. bash 5.3 lists `"KEY" "command"` for bind -X, others `"KEY": "command"`.
_terma_take() {
  _terma_displaced[$1]=$2
  if [[ -n $2 ]]; then taken=${2#? }; fi
  bind -m "$1" -r "$_terma_key_sequence" # bash 5.1 forgets a wrong command when a macro takes the place of one
  bind -m "$1" "$start: $ours"
  bind -m "$1" "\"$_terma_second\": \"\""
  bind -m "$1" -x "\"$_terma_first\": _terma_key $1 \"\$_\""
}

# Once in the life of this account, above the prompt: which key was taken, and how to choose another. The marker needs a
# directory, and the one fork for that is paid once as well.
_terma_say_once() {
  _terma_unsaid=''
  local dir=${XDG_STATE_HOME:-$HOME/.local/state}/terma
  if [[ -e $dir/bash-key-taken ]]; then return 0; fi
  [[ -d $dir ]] || command mkdir -p -m 700 -- "$dir" 2>/dev/null
  { : >|"$dir/bash-key-taken"; } 2>/dev/null || return 0
  printf '\r \e[J\r%s\n' "terma: $_terma_key_name turns words into a command. It was $1, and still is" >&2
  printf '%s\n' \
    "on an empty prompt. For another key put TERMA_KEY='^X^T' in .bashrc (said once)." >&2
}

# _terma_is_supported MAJOR MINOR: 4.0 has READLINE_LINE, 4.4 PS0 and the expansion of prompts.
_terma_is_supported() { (($1 > 4 || ($1 == 4 && $2 >= 4))); }

# _terma_setup MAJOR MINOR
_terma_setup() {
  if ! _terma_is_supported "$1" "$2"; then
    printf '%s\n' \
      "terma: bash $1.$2 is too old, 4.4 is the oldest that works (macOS: brew install bash); nothing was loaded" >&2
    return 0
  fi
  if [[ ! -o emacs && ! -o vi ]]; then return 0; fi # no line editing: no keys to take
  declare -gA _terma_displaced _terma_explain_displaced
  _terma_read_key_setting
  _terma_read_explain_setting
  _terma_bind_early
  if [[ -n ${TERMA_WHY_KEY-} ]]; then _terma_bind_why; fi
  _terma_unbound=1
  _terma_install_hooks
}
_terma_setup "${BASH_VERSINFO[@]:0:2}"
# In a `terma shell`: the marks by which it finds what a command printed.
if [[ -n ${TERMA_RECORDING_HOOKS-} && -r $TERMA_RECORDING_HOOKS/osc133.bash ]]; then
  . "$TERMA_RECORDING_HOOKS/osc133.bash"
fi
