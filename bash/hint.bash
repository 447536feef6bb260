# terma: a hint without a key. Behind a failure the agent is asked which command it is sure of, and that stands dim below
# the empty prompt until the first key. readline calls nobody when its prompt stands, so the prompt asks the terminal for
# its state (hooks.bash), and the answer is the key of what stands here. The editor waits for that, so a key that is
# pressed meanwhile ends it, and stays where it is for readline.
# The parts share variables: what one assigns, another reads.
# shellcheck shell=bash disable=SC2034,SC2154

_terma_hint_starts=0 # whether an agent was started for one
_terma_hint_left=()  # what is open while one is awaited

# _terma_hint STATUS KEYMAP: bash has erased the prompt before it called us.
_terma_hint() {
  local -
  set +eEuxvT +o posix 2>/dev/null
  local IFS=$' \t\n' REPLY map=$2 kind=hint sentence='' point=0 stop='' request='' again=''
  local r='' pid='' idle='' idle_pid='' on_interrupt=- phase=stream error='' keys=''
  local partial='' heard='' started='' said='' dirty='' text='' note='' risk='' nap=0.002
  local prompt='' prompt_rows=0 prompt_column=0 below=0 tty=''
  local -a patience=(-t 0.3)
  local -i ticks=3500 # of 2 ms, the first second, and of 20: a first agent of all may have its knowledge to compile
  if ((_terma_hint_starts)); then started=1; fi
  if ! _terma_request hint; then return 0; fi
  request=$REPLY
  _terma_read_prompt "$1"
  _terma_draw '' ''
  _terma_connect "$request" || _terma_hint_start
  if [[ -z $stop ]]; then
    _terma_open_idle
    _terma_hint_left=("$r" "$pid" "$idle" "$idle_pid")
  fi
  while [[ -z $stop ]]; do
    if read -r -t 0 -u 0 || ((ticks-- == 0)); then
      stop=typed
    elif read -r -t 0 -u "$r"; then
      _terma_receive
      _terma_hint_left=("$r" "$pid" "$idle" "$idle_pid") # an agent that was started is another way than its start
    else
      if ((ticks == 3000)); then nap=0.02; fi
      IFS= read -r -t "$nap" -u "$idle"
    fi
  done
  if [[ -n $started ]]; then _terma_hint_starts=1; fi
  _terma_disconnect
  if [[ -n $idle ]]; then _terma_close_idle; fi
  _terma_hint_left=()
  _terma_erase # readline draws the prompt anew
  printf %s "$REPLY" >&2
  if [[ $stop == 'done' && -n $text && $text != *$'\n'* ]] && ! read -r -t 0 -u 0; then
    _terma_leave_screen '' "$_terma_key_name: $text"
    _terma_hook_keys
  fi
}

# ^C ended it: what it had open is closed.
_terma_hint_end() {
  local r=${_terma_hint_left[0]-} idle=${_terma_hint_left[2]-}
  if [[ -z $r ]]; then return 0; fi
  exec {r}<&-
  exec {idle}<&-
  kill "${_terma_hint_left[1]}" "${_terma_hint_left[3]}" 2>/dev/null
  _terma_hint_left=()
}

# No agent stands: once in a shell one is started, and asked when it does. (One that left its socket behind is found out
# when nothing comes from there: _terma_ended.)
_terma_hint_start() {
  local code=$?
  stop=error
  if ((code == 1)) && [[ -z $started ]] && _terma_start_agent; then phase=start started=1 stop=''; fi
}
