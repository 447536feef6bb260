# terma: takes the key, keeps what it did before for the empty prompt, and says so once ever: at its first use, since a
# prompt that is drawn ahead (powerlevel10k's) takes what a start-up file prints for a fault. Done at load and again at the
# first prompt, so that it makes no difference whether fzf and the others are loaded before us or after.

typeset -gA _terma_displaced # keymap to the widget that had the key, or to the "macro" with its quotes
typeset -g _terma_key= _terma_key_name= _terma_lent= _terma_lent_key=
typeset -g _terma_behind=$'\e[7770~'
typeset -gi _terma_is_bound=0 _terma_unsaid=1

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
  local REPLY map line
  _terma_key=${TERMA_KEY:-^T}
  _terma_key_name=${${(M)_terma_key:#^?}:+Ctrl+${_terma_key#^}}
  : ${_terma_key_name:=$_terma_key}
  for map in main emacs viins vicmd; do
    _terma_capture bindkey -M $map -- $_terma_key
    line=${REPLY%%$'\n'*}
    line=${line#*\" }
    if [[ $line != _terma_ask ]]; then
      _terma_displaced[$map]=${line:#(undefined-key|self-insert)}
    fi
  done
  for map in emacs viins vicmd; do bindkey -M $map -- $_terma_key _terma_ask; done # main is one of them
  _terma_bind_explain
  if [[ -n ${TERMA_WHY_KEY-} ]]; then
    for map in emacs viins vicmd; do bindkey -M $map -- $TERMA_WHY_KEY _terma_why_key; done
  fi
}

# _terma_lend WIDGET|MACRO [KEY]: what had the key runs, for one press. Called from here a widget would run under our options;
# so it gets keys of its own, ours and what no terminal sends, and they are pressed. Ours stays ours meanwhile: what was
# typed ahead is read before the editor waits, and then they are taken away.
_terma_lend() {
  _terma_lent=$KEYMAP _terma_lent_key=${2:-$_terma_key}
  _terma_show_soon ''
  if [[ $1 == \"*\" ]]; then
    bindkey -M $_terma_lent -s -- "$_terma_lent_key$_terma_behind" "${(Q)1}"
  else
    bindkey -M $_terma_lent -- "$_terma_lent_key$_terma_behind" $1
  fi
  zle -U -- "$KEYS$_terma_behind"
}

_terma_take_back() {
  if [[ -n $_terma_lent ]]; then
    bindkey -M $_terma_lent -r -- "$_terma_lent_key$_terma_behind"
    _terma_lent=
  fi
}

# Once in the life of this account, above the prompt: which key was taken, and how to choose another.
_terma_say_once() {
  _terma_unsaid=0
  if [[ -z $_terma_displaced[main] ]]; then return 0; fi
  local dir=${XDG_STATE_HOME:-$HOME/.local/state}/terma
  local mark=$dir/zsh-key-taken
  if [[ -e $mark ]]; then return 0; fi
  setopt local_options no_clobber
  { zmodload -F zsh/files b:zf_mkdir && zf_mkdir -p -m 700 $dir && : > $mark } 2>/dev/null || return 0
  local was=$_terma_displaced[main]
  if [[ $was == transpose-chars ]]; then was="it was $was"; else was="on an empty prompt it is still $was"; fi
  zle -I
  print -r -- "terma: $_terma_key_name turns words into a command; $was."
  print -r -- "For another key put TERMA_KEY='^X^T' in .zshrc (this is said once)."
}

_terma_setup() {
  emulate -L zsh
  if [[ -n ${TERMA_DISABLE-} || ${TERM-} == dumb || ! -o interactive || ! -o zle ]]; then
    unfunction -m '_terma_*'
    unset _terma_open
    return 0
  fi
  if [[ $ZSH_VERSION == (<0-4>.*|5.<0-2>(|.*)) ]]; then
    print -r -- "terma: zsh $ZSH_VERSION is too old, 5.3 is the oldest that works; nothing was loaded" >&2
    unfunction -m '_terma_*'
    unset _terma_open
    return 0
  fi
  local name
  for name in ask before why_key explain_key told_started told_receive divert receive called_off started tick key twice enter cancel interrupt escape hint_ask hint_started hint_receive; do zle -N _terma_$name; done
  _terma_bind
  _terma_define
  typeset -ga precmd_functions preexec_functions
  precmd_functions=(_terma_before_hooks _terma_precmd ${precmd_functions:#_terma_(before_hooks|precmd)})
  preexec_functions=(_terma_preexec ${preexec_functions:#_terma_preexec})
  unfunction _terma_setup _terma_define
}
_terma_setup
# In a `terma shell`: the marks by which it finds what a command printed.
if [[ -r ${TERMA_RECORDING_HOOKS:-/nowhere}/osc133.zsh ]]; then builtin source "$TERMA_RECORDING_HOOKS/osc133.zsh"; fi
