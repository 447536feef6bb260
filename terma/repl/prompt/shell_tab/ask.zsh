# terma: what Tab would offer in this zsh. `. ask.zsh LINE` in a subshell: a copy of it edits LINE on a terminal of its
# own, where completion works as it is set up here, and what would be offered is printed instead of shown, with the
# letters of ask.bash.
exec 2> /dev/null < /dev/null
zmodload zsh/zpty && (( $+functions[_main_complete] )) || return

_terma_offering() {
  PS1= PROMPT= RPROMPT= PS2=
  unset zle_bracketed_paste
  unsetopt beep
  stty -onlcr -echo
  zstyle ':completion:*' list-prompt ''
  zstyle ':completion:*' verbose no
  zstyle ':completion:*' format ''
  precmd_functions=() preexec_functions=() chpwd_functions=()
  zle-line-init() { }; zle-keymap-select() { }
  compadd() {
    # what only fills arrays for a completion function is left alone
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
      builtin compadd "$@"
      return
    fi
    local -a hits before hidden behind also raw rest
    rest=("$@")
    zparseopts -E P:=before p:=hidden S:=behind s:=also Q=raw
    builtin compadd -A hits "${rest[@]}"
    local hit letter=q
    (( $#raw )) && letter=r
    (( $#behind )) && letter=${(U)letter}
    for hit in $hits; do
      print -r -- $'\x02'"$letter ${IPREFIX}${hidden[2]}${before[2]}${hit}${also[2]}${behind[2]}"
    done
    builtin compadd "${rest[@]}" > /dev/null
  }
  _terma_list() {
    unset 'compstate[vared]' # a line of commands, and no value of a parameter
    _main_complete "$@"
    compstate[insert]= compstate[list]=
    print $'\x03'
  }
  zle -C _terma_list list-choices _terma_list
  bindkey -e
  bindkey '^I' _terma_list
  local line=$1
  print $'\x01'
  vared -c line
}

zpty terma_tab _terma_offering ${(q)1} || return
() {
  local chunk
  zpty -r terma_tab chunk $'*\x01*'
  zpty -w -n terma_tab $'\t'
  zpty -r terma_tab chunk $'*\x03*'
  local -a offers=("${(@f)${chunk//$'\r'}}")
  offers=("${(@M)offers:#*$'\x02'*}")
  print -rl -- "${(@)offers[1,200]#*$'\x02'}"
  zpty -d terma_tab
}
