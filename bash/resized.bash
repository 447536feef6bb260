# terma: the terminal's size changes while something stands below the line. readline draws its own rows anew and knows of no
# others, so what stood there is lost or is left in pieces beside the line. A trap for SIGWINCH would be seen by the line that
# is entered, and `wait` and `read` there would hear of it: so a child listens for as long as readline has the terminal, asks
# that for its state, and the answer is a key, behind which what stands there is drawn anew.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_stands=''  # what stands below the line
_terma_watcher='' # the child
_terma_size=''    # of the terminal when it began to listen, as readline knows it

# For as long as ^C is a key (_terma_take_interrupt). In $(): no job, `$!` stays, and `wait` does not wait for it.
_terma_watch_size() {
  if [[ -z $_terma_tty ]]; then return 0; fi
  _terma_size="${LINES-} ${COLUMNS-}"
  _terma_watcher=$(
    (_terma_hear_size) </dev/tty 3>/dev/tty >/dev/null 2>/dev/null & # in ( ): what a redirection puts aside would stay open
    \builtin echo "$!"
  )
}

# It ends by itself only when this shell is no longer there, so that its number is nobody else's when it is ended.
_terma_hear_size() {
  local idle
  \trap '' INT QUIT TSTP
  exec {idle}<> <(:)
  \trap '_terma_ask_again' WINCH
  if [[ $(\command -p stty size) != "${LINES-} ${COLUMNS-}" ]]; then _terma_ask_again; fi # before we listened
  while \builtin kill -0 $$; do IFS= \builtin read -r -t 60 -u "$idle"; done
}

_terma_ask_again() {
  local settings
  settings=$(\command -p stty -a)
  if [[ $settings == *'intr = <undef>'*-icanon* ]]; then \printf '\e[5n' >&3; fi
}

# Where the size has changed the terminal's answer may still come: where nobody has its key it stays ours up to the next
# prompt, or its letter would be put into the line.
_terma_watch_ends() {
  local map
  if [[ -n $_terma_watcher ]]; then kill "$_terma_watcher" 2>/dev/null; fi
  _terma_watcher=''
  if [[ $_terma_size == "${LINES-} ${COLUMNS-}" ]]; then return 0; fi
  for map in $1; do
    if [[ ${_terma_hooked_were[*]} != *" $map \"\\e[0n\""* ]]; then
      bind -m "$map" -x '"\e[0n": _terma_resized "$_"'
      _terma_sized+=$map' '
    fi
  done
}

_terma_size_over() {
  local IFS=' ' map
  for map in $_terma_sized; do bind -m "$map" -r '\e[0n'; done
  _terma_sized=''
}

# The terminal's answer. readline has gone to the line's first row, and draws it anew behind us.
_terma_resized() {
  local code=$?
  local -
  set +eEuxvT +o posix 2>/dev/null
  local IFS=$' \t\n' REPLY prompt='' prompt_rows=0 prompt_column=0 below=0 tty='' row
  local -i i
  if [[ -z $_terma_clear ]]; then return 0; fi
  _terma_read_prompt "$code"
  if [[ -n $_terma_told ]]; then
    for i in "${!_terma_pieces[@]}"; do
      _terma_fit "${_terma_pieces[i]}"
      _terma_pieces[i]=$REPLY
    done
    _terma_lay_pieces
    _terma_leave_screen "$READLINE_LINE" '' "$REPLY" "${#_terma_pieces[@]}"
  else
    _terma_leave_screen "$READLINE_LINE" "$_terma_stands"
  fi
}
