# terma: takes the key, keeps what it did before for the empty prompt, and says so once ever. Done at the first prompt,
# so that it makes no difference whether fzf and the others were loaded before us or after.

typeset -gA _terma_displaced # keymap to the widget that had the key
typeset -g _terma_key_name=
typeset -gi _terma_is_bound=0

# _terma_capture COMMAND... -> REPLY: what a builtin prints, without a fork: through a file that has no name any more.
_terma_capture() {
  local file=${TMPPREFIX:-/tmp/zsh}terma.$$.$RANDOM$RANDOM
  local -i fd
  REPLY=
  zmodload -F zsh/system b:sysopen b:sysread b:sysseek && zmodload -F zsh/files b:zf_rm || return
  sysopen -rw -m 600 -o create,excl,cloexec -u fd $file 2>/dev/null || return
  zf_rm -f $file
  "$@" >&$fd
  sysseek -u $fd 0
  sysread -i $fd -s 65536 REPLY
  exec {fd}>&-
}

_terma_bind() {
  local REPLY map line key=${TERMA_KEY:-^T}
  _terma_is_bound=1
  _terma_key_name=${${(M)key:#^?}:+Ctrl+${key#^}}
  : ${_terma_key_name:=$key}
  for map in main emacs viins vicmd; do
    _terma_capture bindkey -M $map -- $key
    line=${REPLY%%$'\n'*}
    line=${line##* }
    if [[ $line != _terma_ask ]]; then
      _terma_displaced[$map]=${line:#(undefined-key|self-insert|\"*)}
    fi
    bindkey -M $map -- $key _terma_ask
  done
  if [[ -n $_terma_displaced[main] ]]; then _terma_say_once; fi
}

# Once in the life of this account: which key was taken, and how to choose another.
_terma_say_once() {
  local dir=${XDG_STATE_HOME:-$HOME/.local/state}/terma
  local mark=$dir/zsh-key-taken
  if [[ -e $mark ]]; then return 0; fi
  setopt local_options no_clobber
  { zmodload -F zsh/files b:zf_mkdir && zf_mkdir -p -m 700 $dir && : > $mark } 2>/dev/null || return 0
  print -r -- "terma: $_terma_key_name turns words into a command. It was $_terma_displaced[main], and still is"
  print -r -- "on an empty prompt. For another key put TERMA_KEY='^X^T' in .zshrc (said once)."
}

_terma_setup() {
  emulate -L zsh
  if [[ -n ${TERMA_DISABLE-} || ${TERM-} == dumb || ! -o interactive || ! -o zle ]]; then
    unfunction -m '_terma_*'
    return 0
  fi
  if [[ $ZSH_VERSION == (<0-4>.*|5.<0-2>(|.*)) ]]; then
    print -r -- "terma: zsh $ZSH_VERSION is too old, 5.3 is the oldest that works; nothing was loaded" >&2
    unfunction -m '_terma_*'
    return 0
  fi
  local name
  for name in ask receive started tick key enter cancel escape; do zle -N _terma_$name; done
  typeset -ga precmd_functions preexec_functions
  precmd_functions=(_terma_precmd ${precmd_functions:#_terma_precmd})
  preexec_functions=(_terma_preexec ${preexec_functions:#_terma_preexec})
  unfunction _terma_setup
}
_terma_setup
