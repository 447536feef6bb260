# terma: takes the key, keeps what it did before for the empty prompt, and says so once ever. Done when loaded and again
# at the first prompt, so that it makes no difference whether fzf and the others are loaded before us or after.

_terma_first='\C-x\C-^'  # runs the widget
_terma_second='\C-x\C-]' # and behind it what the widget leaves for readline to do, mostly nothing
_terma_replaying='' _terma_unbound='' _terma_key_byte='' _terma_key_name='' _terma_key_sequence=''

# _terma_read_key_setting: TERMA_KEY (`^T`, `^X^T`, or readline's own notation) for readline, for people, as a byte.
_terma_read_key_setting() {
  local key=${TERMA_KEY:-^T} char
  _terma_key_name=$key _terma_key_byte='' _terma_key_sequence=''
  if [[ $key == ^? || $key == '\C-'? ]]; then
    char=${key: -1}
    _terma_key_name=Ctrl+${char^^}
    printf -v char '\\%03o' "$(($(\printf %d "'${char^^}") & 31))"
    printf -v _terma_key_byte "$char"
  fi
  while [[ -n $key ]]; do
    case $key in
      '^['*) _terma_key_sequence+='\e' key=${key:2} ;;
      ^?*) char=${key:1:1} _terma_key_sequence+="\\C-${char,,}" key=${key:2} ;;
      '\'?*) _terma_key_sequence+=${key:0:2} key=${key:2} ;;
      *) _terma_key_sequence+=${key:0:1} key=${key:1} ;;
    esac
  done
}

# _terma_bind: in three keymaps. One fork, to read what the key does now.
_terma_bind() {
  local map all part line taken='' start="\"$_terma_key_sequence\""
  local ours="\"$_terma_first$_terma_second\""
  _terma_unbound=''
  all=$(
    for map in emacs-standard vi-insert vi-command; do
      \bind -m "$map" -s
      \printf '\037\n'
      \bind -m "$map" -X
      \printf '\037\n'
      \bind -m "$map" -p
      \printf '\036\n'
    done 2>/dev/null
  )
  all=$'\n'$all
  for map in emacs-standard vi-insert vi-command; do
    part=${all%%$'\036'*}
    all=${all#*$'\036'}
    _terma_binding "${part%%$'\037'*}" # macros
    if [[ $REPLY == "$ours" ]]; then continue; fi
    line=${REPLY:+b $REPLY}
    part=${part#*$'\037'}
    if [[ -z $line ]]; then
      _terma_binding "${part%%$'\037'*}" # commands of bind -x
      REPLY=${REPLY#\"}
      REPLY=${REPLY%\"}
      REPLY=${REPLY//'\"'/'"'}
      line=${REPLY:+x ${REPLY//'\\'/'\'}}
    fi
    if [[ -z $line ]]; then
      _terma_binding "${part#*$'\037'}" # functions of readline
      case $REPLY in
        transpose-chars | self-insert) ;; # nothing that an empty line could want
        *) line=${REPLY:+b $REPLY} ;;
      esac
    fi
    _terma_displaced[$map]=$line
    taken=${line:-$taken}
    bind -m "$map" -x "\"$_terma_first\": _terma_key $map \"\$_\""
    bind -m "$map" "\"$_terma_second\": \"\""
    bind -m "$map" "$start: $ours"
  done
  if [[ -n $taken ]]; then _terma_say_once "${taken#? }"; fi
}

# _terma_binding LISTING -> REPLY: what the key is bound to in it; bash 5.3 writes `"KEY" "command"` for -X.
_terma_binding() {
  REPLY=''
  if [[ $1 == *$'\n'"$start"[:\ ]* ]]; then
    REPLY=${1#*$'\n'"$start"}
    REPLY=${REPLY%%$'\n'*}
    REPLY=${REPLY#:}
    REPLY=${REPLY# }
  fi
}

# Once in the life of this account: which key was taken, and how to choose another. The marker needs a directory, and
# the one fork for that is paid once as well.
_terma_say_once() {
  local dir=${XDG_STATE_HOME:-$HOME/.local/state}/terma
  if [[ -e $dir/bash-key-taken ]]; then return 0; fi
  [[ -d $dir ]] || command mkdir -p -m 700 -- "$dir" 2>/dev/null
  { : >|"$dir/bash-key-taken"; } 2>/dev/null || return 0
  printf '%s\n' "terma: $_terma_key_name turns words into a command. It was $1, and still is" \
    "on an empty prompt. For another key put TERMA_KEY='^X^T' in .bashrc (said once)." >&2
}

# _terma_is_supported MAJOR MINOR: 4.0 has READLINE_LINE, 4.4 PS0 and the expansion of prompts.
_terma_is_supported() { (($1 > 4 || ($1 == 4 && $2 >= 4))); }

# _terma_setup MAJOR MINOR
_terma_setup() {
  if ! _terma_is_supported "$1" "$2"; then
    printf '%s\n' "terma: bash $1.$2 is too old, 4.4 is the oldest that works (macOS: brew install bash); nothing was loaded" >&2
    return 0
  fi
  if [[ ! -o emacs && ! -o vi ]]; then return 0; fi # no line editing: no keys to take
  declare -gA _terma_displaced
  _terma_read_key_setting
  _terma_bind
  _terma_unbound=1
  _terma_install_hooks
}
_terma_setup "${BASH_VERSINFO[@]:0:2}"
